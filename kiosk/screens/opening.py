"""From the seat check to the first deal: who keeps the score, the clock, and who deals first."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import Do
from kiosk.screens.frame import Screen, actions, header
from kiosk.screens.look import Look
from kiosk.screens.seatmap import TOUCH, seat_map
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    PANEL,
    bullet,
    chip,
    column,
    letters,
    note,
    panel,
    space,
    stack,
    words,
)
from tallybox.events.table import DealerDrawn, ScorekeeperChosen
from tallybox.seats import Seat, Side
from tallybox.table.steps import two_scorers

CONFIRMED = Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=2, radius=10)


def big_seat(
    look: Look, seat: Seat, tap: Tap | None = None, skin: Skin | None = None, *, h: float = 78, done: bool = False
) -> Node:
    """A seat with its letter, its player and the team; ``done``: with the mark of one that has been chosen."""
    names = column(
        words(look.player(seat), 21, Weight.SEMI, line=25, cut=True),
        words(_("team {team}", team=look.number(seat.side)), 18, Weight.MEDIUM, Tone.INK2, line=23),
        gap=0, grow=1,
    )  # fmt: skip
    return Box(
        (words(letters(seat), 32, Weight.BOLD), names, *((Mark(MarkName.CHECK, 28, Tone.BAIZE, 3),) if done else ())),
        gap=12, pad=(6, 10, 6, 12), align=Align.CENTER, w=196, h=h,
        skin=skin or (TOUCH if tap else replace(PANEL, radius=8)), tap=tap,
    )  # fmt: skip


def this_box() -> Node:
    """Where the box lies, in front of the seat at the bottom."""
    box = Box(w=30, h=19, skin=Skin(ground=Tone.PAPER, border=Tone.INK, line=2.5, radius=3))
    return Box((box, words(_("this box"), 17, Weight.SEMI)), gap=7, align=Align.CENTER)


def scorekeeper(look: Look) -> Screen:
    """Who keeps the sheet: one tap on a seat, or on one of each side where two enter apart (C-13)."""
    if two_scorers(look.state):
        return _one_of_each_side(look)
    return _which_seat(
        look,
        "scorekeeper",
        _("Who keeps the score?"),
        lambda seat: Do((ScorekeeperChosen(seat=seat),)),
        (
            _("This box lies in front of that player."),
            _("That player taps the calls."),
            _("Both teams check each hand."),
        ),
        _("Tap the seat that keeps the score"),
    )


def _one_of_each_side(look: Look) -> Screen:
    """The second choice; a seat of the side that has chosen takes its partner's place."""
    chosen = look.state.scorekeeper
    foot = (
        _("Tap one player of each side")
        if chosen is None
        else _("{seat} counts for {side}. Now tap a player of {other}.", seat=chosen.word, side=chosen.side.word,
               other=chosen.side.other.word)
    )  # fmt: skip
    return _which_seat(
        look,
        "scorekeeper",
        _("Who counts for each side?"),
        lambda seat: Do((ScorekeeperChosen(seat=seat),)),
        (
            _("Each side has its own scorekeeper."),
            _("Both enter the tricks apart; this box compares."),
            _("It lies in front of the one chosen first."),
        ),
        foot,
    )


def draw(look: Look) -> Screen:
    """Who pulled the highest card and deals first."""
    return _which_seat(
        look,
        "draw",
        _("Who drew the highest card?"),
        lambda seat: Do((DealerDrawn(seat=seat),)),
        (_("All four pull a card."), _("The highest card deals the first hand."), _("A tie: those two pull again.")),
        _("Tap the seat that deals"),
    )


def _which_seat(look: Look, name: str, title: str, act: object, hints: tuple[str, ...], foot: str) -> Screen:
    assert callable(act)
    chosen = look.state.scorekeepers if name == "scorekeeper" else frozenset()

    def one(seat: Seat) -> Node:
        skin = CONFIRMED if seat in chosen else None
        return big_seat(look, seat, Tap(f"{name}:{seat}", act(seat)), skin, done=seat in chosen)

    table = seat_map(look, one, this_box(), inset=(39, 98), middle_y=0.72, w=430)
    side = panel(space(), *(bullet(hint, 21) for hint in hints), space(), gap=14, pad=(14, 16, 14, 16))
    bar = actions(note(foot))
    return Screen(name, header(look, title), Box((table, side), gap=12, align=Align.STRETCH), bar)


def clock_waits(look: Look) -> Screen:
    """Both teams sit; the clock starts for all tables at once."""
    ready = tuple(
        Box(
            (
                chip(side, 24),
                words(_("Team {team}", team=look.number(side)), 34, Weight.BOLD, grow=1),
                Mark(MarkName.CHECK, 34, Tone.BAIZE, 3),
            ),
            gap=12, align=Align.CENTER, grow=1, pad=(10, 18, 10, 16), skin=CONFIRMED,
        )
        for side in Side
    )  # fmt: skip
    body = panel(
        space(),
        words(_("Ready"), 76, Weight.BOLD, line=76, align=Align.CENTER),
        words(_("The director starts the clock for all tables at once."), 24, Weight.SEMI, line=30, align=Align.CENTER),
        words(
            _keepers(look),
            20, Weight.MEDIUM, Tone.INK2, line=27, align=Align.CENTER,
        ),
        space(),
        Box(ready, Axis.ROW, 12, align=Align.STRETCH, h=70),
        gap=6,
    )  # fmt: skip
    bar = actions(note(_("Waiting for the clock"), MarkName.CLOCK))
    return Screen("clock", header(look, _("Stay seated until the clock starts")), stack(body, align=Align.STRETCH), bar)


def _keepers(look: Look) -> str:
    """Who keeps the score, as everybody may read it until the clock starts."""
    kept = [seat for seat in Seat if seat in look.state.scorekeepers]
    if len(kept) > 1:
        return _("{first} and {second} keep the score. Please do not deal yet.", first=kept[0].word,
                 second=kept[1].word)  # fmt: skip
    return _("{seat} keeps the score. Please do not deal yet.", seat=kept[0].word if kept else "")
