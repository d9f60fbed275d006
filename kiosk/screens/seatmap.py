"""The four seats as they sit, with the box's own seat at the bottom."""

from __future__ import annotations

from collections.abc import Callable

from kiosk.screens.look import Look
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, At, Axis, Box, Mark, Node, Run, Skin, Tap, Text, Trail
from kiosk.widgets.parts import letters, row, words
from tallybox.calls import Bid, Call, Nil, Number, Pass, Strain
from tallybox.seats import Seat

REST = Skin(ground=Tone.CARD, border=Tone.LINE, line=1.5, radius=8)
TURN = Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=4, radius=8)
HIGH = Skin(ground=Tone.CARD, border=Tone.INK, line=3, radius=8)
TOUCH = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)
_FELT = Skin(ground=Tone.WELL, border=Tone.EDGE, line=2, radius=10)

STRAIN_MARKS = {Strain.HIGH: MarkName.SUN, Strain.SPECIAL: MarkName.MOON, Strain.NO: MarkName.NO}


def around(bottom: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The seats at the top, right, bottom and left of a map with ``bottom`` at the bottom.

    Clockwise from the bottom sits the seat to its left, which is at the left of the map.
    """
    return bottom.partner, bottom.left.partner, bottom, bottom.left


def seat_map(
    look: Look,
    seat: Callable[[Seat], Node],
    middle: Node | None = None,
    *,
    w: float | None = None,
    inset: tuple[float, float] = (36, 44),
    middle_y: float = 0.27,
    grow: float = 0,
) -> Box:
    """The table with one card a seat; ``middle`` stands on the cloth, at ``middle_y``.

    ``inset`` is the cloth's distance from the edges, upright and level.
    """
    top, right, bottom, left = around(look.bottom)
    felt = Box((Box(skin=_FELT, grow=1),), Axis.ROW, pad=(inset[0], inset[1], inset[0], inset[1]), align=Align.STRETCH)
    cloth: tuple[Node, ...] = (At(middle, 0.5, middle_y),) if middle else ()
    return Box(
        (
            felt,
            *cloth,
            At(seat(top), 0.5, 0),
            At(seat(left), 0, 0.5),
            At(seat(right), 1, 0.5),
            At(seat(bottom), 0.5, 1),
        ),
        Axis.STACK, align=Align.STRETCH, w=w, grow=grow,
    )  # fmt: skip


def seat_card(
    look: Look,
    seat: Seat,
    below: Node,
    skin: Skin = REST,
    *,
    w: float = 138,
    h: float = 74,
    dealer: bool = False,
    tap: Tap | None = None,
    trail: Trail | None = None,
) -> Node:
    """A seat's letter and player, and below them what concerns the seat."""
    name = Text(
        (Run(letters(seat), Weight.BOLD, Tone.INK), Run(f" {look.player(seat)}")),
        17, Weight.MEDIUM, Tone.INK2, line=20, cut=True,
    )  # fmt: skip
    card = Box(
        (name, below), Axis.COLUMN, 2, (4, 9, 4, 10), Align.STRETCH, Align.CENTER, w=w, h=h, skin=skin, tap=tap,
        trail=trail,
    )  # fmt: skip
    if not dealer:
        return card
    disc = Box(
        (words("D", 17, Weight.BOLD, Tone.CARD),), align=Align.CENTER, justify=Align.CENTER, w=28, h=28,
        skin=Skin(ground=Tone.INK, radius=14),
    )  # fmt: skip
    return Box((card, At(disc, 1, 0, 8, -8)), Axis.STACK, align=Align.STRETCH, w=w, h=h)


def call_marks(call: Call, size: float = 27, *, spelled: bool = True) -> Box:
    """A call as figure, mark and word."""
    match call:
        case Pass():
            said: tuple[Node, ...] = (Mark(MarkName.PASS, size * 0.9, pen=4), words(_("PASS"), size, Weight.BOLD))
        case Nil():
            said = (Mark(MarkName.NIL, size * 0.85), words(_("NIL"), size, Weight.BOLD))
        case Number(tricks):
            said = (figure(tricks, size),)
        case Bid(level, strain, _direction):
            word: tuple[Node, ...] = (words(_(strain.value.upper()), size * 0.76, Weight.BOLD),) if spelled else ()
            said = (words(str(level), size, Weight.BOLD), Mark(STRAIN_MARKS[strain], size * 0.82, pen=2.6), *word)
    return row(*said, gap=6, h=size * 1.2)


def figure(tricks: int, size: float) -> Text:
    """A bid of tricks; 6 and 9 carry a foot line, because both are bids and the panel is read from all sides."""
    return words(str(tricks), size, Weight.BOLD, foot=tricks in {6, 9})


def not_called(text: str) -> Box:
    """A dotted square: a seat that has not called; never blank and never 0."""
    return row(Mark(MarkName.NOT_YET, 23), words(text, 19, Weight.MEDIUM, Tone.INK2), gap=7, h=32)
