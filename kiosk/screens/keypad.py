"""Keys to type on, drawn on the panel: figures, and letters for a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import column, row, words

KEY: Final = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)

_FIGURES: Final = (("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"))
_LETTERS: Final = ("QWERTYUIOP", "ASDFGHJKLÑ", "ZXCVBNM,.?")
_SIGNS: Final = ("1234567890", "ÁÉÍÓÚÜ-/:;", "()'\"+=&!¿¡")


def key(name: str, shown: str | MarkName, act: Act, *, size: float = 34) -> Box:
    """One key; it grows with its row."""
    face: Node = Mark(shown, size, Tone.INK, 3) if isinstance(shown, MarkName) else words(shown, size, Weight.BOLD)
    return Box((face,), Axis.ROW, 0, align=Align.CENTER, justify=Align.CENTER, grow=1, skin=KEY,
               tap=Tap(name, act, rapid=True))  # fmt: skip


def number_pad(name: str, typed: Callable[[str], Act], back: Act, clear: Act, *, w: float = 244) -> Node:
    """Ten figures as on a telephone, one step back and clear. ``typed`` says what a figure does."""
    rows = [
        row(*(key(f"{name}:{figure}", figure, typed(figure)) for figure in line), gap=9, grow=1, align=Align.STRETCH)
        for line in _FIGURES
    ]
    last = row(
        key(f"{name}:back", MarkName.UNDO, back, size=30),
        key(f"{name}:0", "0", typed("0")),
        key(f"{name}:clear", MarkName.CROSS, clear, size=30),
        gap=9, grow=1, align=Align.STRETCH,
    )  # fmt: skip
    return column(*rows, last, gap=9, w=w)


def letters(name: str, written: str, typed: Callable[[str], Act], *, signs: bool, turn_page: Act) -> Node:
    """Three rows of letters or signs, and below them the other page, the space and one step back.

    ``typed`` says what the text becoming this does; letters are small except at the beginning of a sentence.
    """

    def shown(sign: str) -> str:
        return sign if not written.strip() or written.rstrip().endswith((".", "?", "!")) else sign.lower()

    rows = [
        row(*(key(f"{name}:{sign}", shown(sign), typed(written + shown(sign)), size=25) for sign in line), gap=6,
            grow=1, align=Align.STRETCH)
        for line in (_SIGNS if signs else _LETTERS)
    ]  # fmt: skip
    last = row(
        _wide(f"{name}:page", _("Letters") if signs else _("1 2 3 Á"), turn_page, 1.4),
        _wide(f"{name}:space", _("space"), typed(written + " "), 4),
        _wide(f"{name}:back", MarkName.UNDO, typed(written[:-1]), 1.4),
        gap=6, grow=1, align=Align.STRETCH,
    )  # fmt: skip
    return column(*rows, last, gap=6, grow=1)


def _wide(name: str, shown: str | MarkName, act: Act, share: float) -> Box:
    face: Node = Mark(shown, 26, Tone.INK, 3) if isinstance(shown, MarkName) else words(shown, 20, Weight.SEMI)
    return Box((face,), Axis.ROW, 0, align=Align.CENTER, justify=Align.CENTER, grow=share, skin=KEY,
               tap=Tap(name, act, rapid=True))  # fmt: skip
