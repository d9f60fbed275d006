"""Card and typed call of one seat differ: both are shown, and the table says which one stands."""

from __future__ import annotations

from typing import Literal

from kiosk.screens.acts import Do
from kiosk.screens.auction import calls_map
from kiosk.screens.frame import Screen, actions, hand_line, header
from kiosk.screens.look import Look
from kiosk.screens.seatmap import STRAIN_MARKS, figure
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Tap
from kiosk.widgets.parts import BINDING, Tenor, banner, button, column, note, row, space, words
from tallybox.calls import Bid, Call, Nil, Number, Pass, call_text
from tallybox.events.table import ReadingResolved

Stands = Literal["read", "typed"]


def conflict(look: Look) -> Screen:
    """Two calls of equal size; nothing else works until one is chosen."""
    found = look.hand.conflict
    assert found is not None
    seat = found.seat.word
    choices = Box(
        (
            _choice(look, found.read, "read", _("Card read"), MarkName.READER, _("lies on the reader")),
            _choice(look, found.typed.call, "typed", _("Typed"), MarkName.KEYPAD, _("tapped on this box")),
        ),
        gap=10, align=Align.STRETCH, grow=1,
    )  # fmt: skip
    question = banner(
        Tenor.CAUTION, _("{seat}'s card and the typed call differ. Ask {seat}, tap the right one.", seat=seat)
    )
    neither = button(
        _("Neither — bid again"), Tap("neither", _resolve(look, None)), icon=MarkName.UNDO, w=250,
    )  # fmt: skip
    return Screen(
        "conflict", header(look, _("Which call did {seat} make?", seat=seat), hand_line(look)),
        Box((calls_map(look), column(question, choices, grow=1)), gap=12, align=Align.STRETCH),
        actions(neither, note(_("The auction waits for this answer"))),
    )  # fmt: skip


def _resolve(look: Look, stands: Stands | None) -> Do:
    found = look.hand.conflict
    assert found is not None
    read, typed = call_text(found.read), call_text(found.typed.call)
    return Do((ReadingResolved(hand=look.hand.number, seat=found.seat, read=read, typed=typed, stands=stands),))


def _choice(look: Look, call: Call, stands: Stands, source: str, icon: MarkName, small: str) -> Node:
    return Box(
        (
            row(Mark(icon, 24, pen=2.2), words(source, 19, Weight.SEMI), gap=8),
            space(),
            large_call(call),
            space(),
            words(small, 17, Weight.MEDIUM, Tone.INK2, line=22),
        ),
        Axis.COLUMN, 2, (12, 8, 12, 8), Align.CENTER, grow=1, skin=BINDING,
        tap=Tap(f"stands:{stands}", _resolve(look, stands)),
    )  # fmt: skip


def large_call(call: Call, size: float = 92) -> Box:
    """A call that fills a card: the figure, and its mark over its word."""
    match call:
        case Bid(level, strain, _direction):
            return row(words(str(level), size, Weight.BOLD, line=size * 0.9),
                       marked(STRAIN_MARKS[strain], strain.value.upper(), size * 0.48), gap=size * 0.1)  # fmt: skip
        case Pass():
            return marked(MarkName.PASS, "PASS", size * 0.7)
        case Nil():
            return marked(MarkName.NIL, "NIL", size * 0.7)
        case Number(tricks):
            return row(figure(tricks, size))


def marked(mark: MarkName, word: str, size: float, *, word_size: float | None = None) -> Box:
    """A mark over its word."""
    letters = word_size or size * 0.46
    spoken = words(_(word), letters, Weight.BOLD, line=letters * 1.15)
    return column(Mark(mark, size, pen=2.4), spoken, gap=size * 0.06, align=Align.CENTER)
