"""What is laid over a step and never replaces its entries: time is up, and the state of hub and reader."""

from __future__ import annotations

from dataclasses import replace

from kiosk.disk import DiskView
from kiosk.screens.acts import AskDirector, Enter, Resend
from kiosk.screens.contract import DIRECTION_MARKS
from kiosk.screens.frame import Screen, actions, back, disk_words, forward, header
from kiosk.screens.look import Look
from kiosk.screens.seatmap import call_marks
from kiosk.screens.spine import round_word
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    Kind,
    bullet,
    button,
    chip,
    column,
    panel,
    row,
    space,
    tally_box,
    words,
)
from tallybox.rules.auction import WhistContract
from tallybox.rules.settings import WhistSettings
from tallybox.seats import Side
from tallybox.table.overlay import counting
from tallybox.table.shown import score
from tallybox.table.state import Step

_ENDED = Skin(ground=Tone.CARD, border=Tone.CALL, line=3, radius=10)


def time_is_up(look: Look) -> Screen:
    """Says it, and touches nothing: the clock never submits anything."""
    hand = look.state.hand
    number = hand.number if hand else len(counting(look.state))
    left = column(
        *_what_now(look), *_late(look), space(),
        words(
            _("Nothing has been submitted. Your entries are as you left them. Stay seated until you are told to move."),
            19, Weight.MEDIUM, Tone.INK2, line=24, wrap=True,
        ),
        gap=5, grow=1,
    )  # fmt: skip
    right = column(*_facts(look), gap=10, w=210)
    body = panel(
        words(_("Time is up"), 76, Weight.BOLD, Tone.CALL, line=78),
        Box((left, right), gap=16, align=Align.STRETCH, grow=1),
        skin=_ENDED, gap=8, pad=(12, 18, 14, 18),
    )  # fmt: skip
    seen = Enter(replace(look.entries, time_seen=look.playing.round))
    on = _("Back to hand {hand}", hand=number) if hand else _("Go on")
    return Screen(
        "time-is-up", header(look, _("Round {round} has ended", round=round_word(look.playing.round))), body,
        actions(button(_("Ask for the director"), Tap("ask-director", AskDirector(True)), Kind.CALL, w=230),
                forward(on, Tap("forward", seen))),
    )  # fmt: skip


def _what_now(look: Look) -> tuple[Node, ...]:
    hand = look.state.hand
    policy = look.playing.ruleset.settings.timeout_policy
    if hand is None:
        return (
            words(_("No new hand is dealt"), 24, Weight.BOLD, line=30),
            words(_("The sheet is ready for both signatures."), 20, line=25, wrap=True),
        )
    if hand.locked and policy == "finish_started":
        head = _("Hand {hand} has begun: play it out", hand=hand.number)
        tail = _("Then enter it as always. Hand {next} will not be dealt and scores for nobody.", next=hand.number + 1)
    elif policy == "director":
        head = _("Hand {hand}: the director decides", hand=hand.number)
        tail = _("Keep your cards. The director says whether this hand is played out.")
    else:
        head = _("Hand {hand} does not count", hand=hand.number)
        tail = (
            _("Its bid was not on record when the time ran out. It scores for nobody.")
            if not hand.locked
            else _("It was not finished when the time ran out. It scores for nobody.")
        )
    return (words(head, 24, Weight.BOLD, line=30), words(tail, 20, line=25, wrap=True))


def _late(look: Look) -> tuple[Node, ...]:
    """What becomes of the hands that a late side did not complete; nothing counts before the director confirms."""
    settings = look.playing.ruleset.settings
    if not look.state.late or not isinstance(settings, WhistSettings):
        return ()
    late = next(side for side in Side if side in look.state.late)
    said = _("Team {late} was late. Hands not completed go to team {other}, {n} points each, once the director agrees.",
             late=look.number(late), other=look.number(late.other), n=settings.late_points)  # fmt: skip
    return (words(said, 17, Weight.SEMI, Tone.AMBERTEXT, line=21, wrap=True),)


def _facts(look: Look) -> tuple[Node, ...]:
    found: list[Node] = []
    hand = look.state.hand
    won = hand.contract(look.playing.ruleset) if hand else None
    if isinstance(won, WhistContract):
        stated = hand.direction if hand else None
        way: tuple[Node, ...] = (Mark(DIRECTION_MARKS[stated], 28),) if stated else ()
        found.append(tally_box(_("Contract"), call_marks(won.bid, 40), *way, h=92))
    totals = score(look.state).totals
    values = totals.hands_won if look.whist else totals.points
    label = _("Hands so far") if look.whist else _("Points so far")
    size = 42 if look.whist else 32
    sides = row(
        *(row(chip(side), words(str(values[side]).replace("-", "−"), size, Weight.BOLD, line=44), gap=8)
          for side in Side),
        gap=18,
    )  # fmt: skip
    found.append(tally_box(label, sides, grow=1))
    return tuple(found)


def locked(look: Look) -> Screen:
    """The director locked this box: it says why, keeps everything, and takes no tap but a call for help."""
    body = panel(
        space(),
        row(Mark(MarkName.LOCK, 64, Tone.INK, 2.6), words(_("This box is locked"), 52, Weight.BOLD, line=62), gap=20,
            justify=Align.CENTER),
        words(look.locked, 26, Weight.SEMI, wrap=True, line=34, align=Align.CENTER),
        words(_("What was entered is kept as it is. The director unlocks the box."), 21, Weight.MEDIUM, Tone.INK2,
              line=30, align=Align.CENTER),
        space(),
        gap=8,
    )  # fmt: skip
    small = None if look.state.assignment is not None else look.box
    ask = button(_("Ask for the director"), Tap("ask-director", AskDirector(True)), Kind.CALL, w=240)
    parts = (ask, space()) if look.state.tenure is not None else (space(),)
    return Screen("locked", header(look, _("Waiting for the director"), small), body, actions(*parts))


def status(look: Look) -> Screen:
    """Calm and proof: what waits for the hub, and how the reader is."""
    waits = look.unsent
    soft = Tone.AMBERSOFT if waits else Tone.CARD
    count = tally_box(
        _("unsent"), words(str(waits), 104 if waits < 100 else 72, Weight.BOLD, line=112), w=170, h=140,
        skin=Skin(ground=soft, border=Tone.INK, line=3, radius=4),
        label_ground=Tone.AMBER if waits else Tone.CARD, label_tone=Tone.ONAMBER if waits else Tone.INK,
        icon=MarkName.TRAY,
    )  # fmt: skip
    head, tail = _link_words(look) if look.disk.keeps else (_("This box keeps nothing new."), disk_words(look))
    said = column(
        words(head, 33, Weight.BOLD, line=38, wrap=True),
        words(tail, 20, Weight.MEDIUM, Tone.INK2, line=25, wrap=True),
        gap=4, grow=1,
    )  # fmt: skip
    pins = (_line(MarkName.WARN, look.pins),) if look.pins else ()
    low = (_line(MarkName.WARN, look.disk.message),) if look.disk.keeps and look.disk.message else ()
    rows = [_kept(fact) for fact in _facts_kept(look)[-1 if pins or low else -2 :]]
    foot = (
        bullet(_("Please do not change tables until the hub has the sheet."), 19)
        if waits or not look.linked
        else bullet(_("The hub has everything that was entered here."), 19)
    )
    if not look.disk.keeps:
        foot = bullet(_("Leave this box on: what waits is not kept yet."), 19) if look.disk.waiting else space()
    body = panel(
        row(count, said, gap=20),
        space(h=8), *rows, _reader(look), *low, *pins, space(), foot,
        gap=0, pad=(10, 18, 14, 18),
    )  # fmt: skip
    title = _("Hub and reader") if look.linked else _("The hub is out of reach")
    if look.link_words:
        title = _("The hub takes nothing from this box")
    parts: list[Node] = [] if look.linked else [button(_("Try again now"), Tap("resend", Resend()), w=190)]
    return Screen(
        "status", header(replace(look, disk=DiskView()), title, _("Tap the status at the left to see this")), body,
        actions(*parts, back(back_to(look), w=230), space()),
    )  # fmt: skip


def back_to(look: Look) -> str:
    """Where closing what is laid over leads."""
    hand = look.state.hand
    if hand is not None and look.step is not Step.IDLE:
        return _("Back to hand {hand}", hand=hand.number)
    return _("Back")


def _link_words(look: Look) -> tuple[str, str]:
    if look.link_words:
        return _("Play on. The director has to look at this box."), look.link_words
    if not look.linked:
        head = _("Play on. Your scores are safe in this box.")
        minutes, seconds = divmod(look.waited, 60)
        since = _("The oldest has waited {m}:{s:02}.", m=minutes, s=seconds) if look.waited else ""
        entries = ngettext(
            "{n} entry waits and goes by itself when the hub is back.",
            "{n} entries wait and go by themselves, in order, when the hub is back.",
            look.unsent,
        )
        nothing = _("Nothing waits: the hub had everything when it went away.")
        return head, f"{entries} {since}".strip() if look.unsent else nothing
    if look.unsent:
        return _("The hub is there. Entries are on their way."), _("They go by themselves, in order.")
    return _("The hub is there, and has it all."), _("Every entry is stored here first, then sent.")


def _facts_kept(look: Look) -> list[str]:
    """The last things of this table that are stored in the box, whatever happens to the hub."""
    state = look.state
    facts = [_("Hand {hand} recorded, both teams agreed", hand=hand.number) for hand in counting(state)]
    hand = state.hand
    if hand is not None:
        facts.append(_("Hand {hand} opened, {seat} deals", hand=hand.number, seat=hand.dealer.word))
        if hand.calls:
            facts.append(ngettext("Hand {hand}: {n} call", "Hand {hand}: {n} calls", len(hand.calls), hand=hand.number))
        if hand.locked:
            facts.append(_("Hand {hand}: the contract", hand=hand.number))
    facts += [_("Signed for {side}", side=side.word) for side in state.signatures]
    if state.submitted is not None:
        facts.append(_("The sheet is submitted"))
    return facts


def _kept(said: str) -> Node:
    return Box(
        (Mark(MarkName.CHECK, 22, Tone.BAIZE, 2.8), words(said, 20, Weight.SEMI, grow=1, cut=True),
         words(_("kept"), 18, Weight.MEDIUM, Tone.INK2)),
        Axis.ROW, 12, align=Align.CENTER, h=34, skin=Skin(border=Tone.LINE, under=1.5),
    )  # fmt: skip


def _reader(look: Look) -> Node:
    return _line(MarkName.READER if look.reader else MarkName.KEYPAD, look.reader_words or _("Type the bids."))


def _line(icon: MarkName, said: str) -> Node:
    """One thing of this box, with its icon."""
    return Box(
        (Mark(icon, 22, Tone.INK, 2.2), words(said, 20 if len(said) <= 70 else 17, Weight.SEMI, wrap=True,
                                              line=24 if len(said) <= 70 else 20, grow=1)),
        Axis.ROW, 12, align=Align.CENTER, h=40,
    )  # fmt: skip
