"""An irregularity waits for an official, or for both sides to drop it; then the ruling is read by both (k08b)."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import AskDirector, Do, Enter, Open, Over
from kiosk.screens.frame import Screen, actions, forward, header
from kiosk.screens.irregular import called_for, small_line
from kiosk.screens.kinds import kind_name
from kiosk.screens.look import Help, Look
from kiosk.screens.outcome import lines_box
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    PANEL,
    Kind,
    Tenor,
    banner,
    boxed_word,
    button,
    chip,
    column,
    emphasised,
    note,
    panel,
    rich,
    row,
    space,
    words,
)
from tallybox.errors import SheetError
from tallybox.events.rulings import IrregularityWithdrawn
from tallybox.events.table import Body, DirectorCancelled
from tallybox.renewed import renewed
from tallybox.seats import Side
from tallybox.table.irregular import lines_if
from tallybox.table.overlay import laid_over, unanswered
from tallybox.table.state import HandRuling, Irregularity, Step, TableState

_CALLED = Skin(ground=Tone.CARD, border=Tone.CALL, line=3, radius=10)


def waiting(look: Look) -> Screen:
    """Who is waited for, for how long, and the two ways on."""
    raised = unanswered(look.state, look.hand)[0]
    if look.entries.withdrawing:
        return _withdraw(look, raised)
    minutes, seconds = divmod(look.called_for, 60)
    coming = look.help is Help.COMING
    if look.state.calling is None:
        head = _("This waits for the director")
    else:
        head = _("The director is on the way") if coming else _("The director is called")
    facts = _("{what} by **{seat}**, called by **{caller}**", what=kind_name(look, raised.code), seat=whose(raised),
              caller=raised.caller.word)  # fmt: skip
    if look.state.calling is not None:
        facts = f"{facts} · {_('waiting **{m}:{s:02}**', m=minutes, s=seconds)}"
    body = panel(
        space(),
        row(space(), Mark(MarkName.BELL, 64, Tone.CALL, 2.6), space()),
        words(head, 48, Weight.BOLD, line=58, align=Align.CENTER),
        rich(*emphasised(facts), size=22, line=30, align=Align.CENTER, wrap=True),
        words(_("Keep your cards. Nothing is scored until the ruling is here."), 20, Weight.MEDIUM, Tone.INK2, line=28,
              align=Align.CENTER),
        space(),
        skin=_CALLED, gap=6,
    )  # fmt: skip
    side = Enter(replace(look.entries, withdrawing=frozenset(Side)))
    bar = actions(
        button(_("Withdraw the call"), Tap("withdraw", side), w=200),
        button(_("Director's PIN"), Tap("pin", Open(Over.PIN, "ruling")), icon=MarkName.KEYPAD, w=206),
        _calls(look),
    )
    return Screen("waiting", header(look, _("Waiting for the ruling"), small_line(look)), body, bar)


def _calls(look: Look) -> Node:
    """The clock is not stopped by a call; and if nobody called yet, one tap does."""
    if look.state.calling is None:
        return button(_("Call the director"), Tap("ask-director", AskDirector(True)), Kind.CALL, grow=1)
    if look.playing.minutes is None:
        return note(_("Please stay seated"), MarkName.CLOCK)
    return note(_("The clock runs on"), MarkName.CLOCK)


def whose(raised: Irregularity) -> str:
    """The seat, or the side where no seat did it."""
    return raised.seat.word if raised.seat is not None else raised.side.word


# --- dropping it


def _withdraw(look: Look, raised: Irregularity) -> Screen:
    """Both sides have to say so; ``withdrawing`` holds those that have not yet."""
    sides = Box(tuple(_drops(look, side, raised) for side in Side), gap=12, align=Align.STRETCH, h=132)
    said = called_for(look, raised)
    body = column(
        panel(
            words(said, 24, Weight.BOLD, line=32, wrap=True),
            words(_("It is dropped when both sides say so. Then play goes on, and nothing changes."), 20, line=26,
                  wrap=True),
            space(),
            gap=8,
        ),
        sides, gap=12,
    )  # fmt: skip
    keep = Enter(replace(look.entries, withdrawing=frozenset()))
    bar = actions(button(_("Keep waiting"), Tap("keep", keep), icon=MarkName.LEFT, w=210), space())
    return Screen("withdraw", header(look, _("Do both sides drop it?"), small_line(look)), body, bar)


def _drops(look: Look, side: Side, raised: Irregularity) -> Node:
    name = row(chip(side, 22), words(_("Team {team}", team=look.number(side)), 25, Weight.BOLD), gap=10)
    open_sides = look.entries.withdrawing
    if side not in open_sides:
        done = row(Mark(MarkName.CHECK, 28, Tone.BAIZE, 3), words(_("Agreed to drop it"), 20, Weight.BOLD, Tone.BAIZE))
        agreed = Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=2, radius=10)
        return panel(name, space(), done, skin=agreed, pad=(14, 16, 14, 16))
    if open_sides == {side}:
        bodies: tuple[Body, ...] = (IrregularityWithdrawn(hand=look.hand.number, raised=raised.id),)
        if look.state.calling is not None:
            bodies = (*bodies, DirectorCancelled())
        act: Enter | Do = Do(bodies)
    else:
        act = Enter(replace(look.entries, withdrawing=open_sides - {side}))
    return panel(name, space(), button(_("We drop it"), Tap(f"drop:{side}", act), h=56), pad=(14, 16, 14, 16))


# --- the ruling as both read it


def unread(look: Look) -> HandRuling | None:
    """A ruling of an official on the open hand that the sides have not read yet."""
    if look.state.hand is None or look.step is Step.RULING:
        return None
    rulings = laid_over(look.state, look.hand).rulings
    return next((ruling for ruling in rulings if ruling.by and ruling.id not in look.entries.read), None)


def _before(look: Look, made: HandRuling) -> TableState:
    """The table without this ruling, which is in force already: its lines are to be shown once."""
    laid = laid_over(look.state, look.hand)
    hand = renewed(laid, rulings=tuple(one for one in laid.rulings if one.id != made.id))
    others = tuple(fact for fact in look.state.desk if fact.hand != hand.number)
    return renewed(look.state, hand=hand, desk=others)


def ruled(look: Look, made: HandRuling) -> Screen:
    """Who ruled what, with the lines that come of it."""
    ruling = made.ruling
    try:
        lines = lines_if(_before(look, made), ruling).lines if ruling.proven else ()
    except SheetError:
        lines = ()
    mine = tuple(line for line in lines if line.params.get("code") in {None, ruling.code} or look.whist)
    name = look.officials.name(made.by)
    who = _("{official}, at the desk", official=name) if made.at_desk else name
    seat = ruling.seat.word if ruling.seat else ruling.side.word if ruling.side else ""
    what = kind_name(look, ruling.code) if ruling.code != "ADJUST" else _("The director's adjustment")
    about = _("{what} by {seat}", what=what, seat=seat) if seat else what
    if ruling.proven:
        verdict = banner(Tenor.DISPUTE if ruling.side else Tenor.INFO, _("It stands as called."), size=22, h=54,
                         icon=MarkName.CHECK, weight=Weight.BOLD)  # fmt: skip
    else:
        verdict = banner(Tenor.GOOD, _("Not proven. Play on; nothing changes."), size=22, h=54, weight=Weight.BOLD)
    reason: tuple[Node, ...] = ()
    if made.reason:
        reason = (words(_("Reason: {reason}", reason=made.reason), 19, Weight.MEDIUM, Tone.INK2, line=24, wrap=True),)
    body = column(
        verdict,
        Box(
            (
                row(words(about, 24, Weight.BOLD, line=30, grow=1, cut=True),
                    *((boxed_word(mine[0].rule, Tone.INK2),) if mine else ())),
                lines_box(mine), *reason, space(),
                words(_("Ruled by {who}", who=who), 19, Weight.SEMI, line=24),
            ),
            axis=panel().axis, gap=8, pad=(14, 18, 12, 18), align=Align.STRETCH, grow=1, skin=PANEL,
        ),
        gap=10,
    )  # fmt: skip
    seen = Enter(replace(look.entries, read=look.entries.read | {made.id}))
    bar = actions(space(), forward(_("Both sides have read it"), Tap("read", seen)))
    return Screen("ruled", header(look, _("The ruling"), small_line(look)), body, bar)
