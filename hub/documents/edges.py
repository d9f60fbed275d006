"""The patterned left edge of a round's sheet, as on every screen; it survives a grey print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hub.documents.paper import RoundPaper
from hub.documents.pen import Pen
from tallybox.papers import Pattern

WIDTH: Final = 28.0
"""The edge of a printed sheet, in 1/96 inch."""

_GRID: Final = 14.0


def draw_edge(pen: Pen, paper: RoundPaper) -> None:
    """The edge over the whole height of the page; doubled from round nine on."""
    height = pen.height
    _strip(pen, paper, 0, WIDTH, height)
    if paper.twice:
        _strip(pen, paper, WIDTH + 4, 6, height)


def _strip(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    pen.clipped(x, 0, width, height)
    ground = paper.ground if paper.edge in _ON_GROUND else paper.band
    pen.box(x, 0, width, height, fill=ground, line=None)
    _PATTERNS[paper.edge](pen, paper, x, width, height)
    pen.unclipped()


def _plain(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    """A solid edge: its ground is all there is."""


def _bars(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    for at in range(0, int(height) + 1, 12):
        pen.box(x, at, width, 8, fill=paper.band, line=None)


def _pillars(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    for at in range(0, int(width) + 1, 7):
        pen.box(x + at + 5, 0, 2, height, fill=paper.ground, line=None)


def _slant(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    for at in range(-int(width), int(height) + int(width), 13):
        pen.line((x, at + width), (x + width, at), colour=paper.band, thick=6)


def _dots(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    for column in range(int(width // _GRID)):
        for row in range(int(height // _GRID) + 1):
            pen.circle((x + (column + 0.5) * _GRID, (row + 0.5) * _GRID), 3.3, fill=paper.ground)


def _chevron(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    half = _GRID / 2
    for column in range(int(width // _GRID)):
        for row in range(int(height // _GRID) + 1):
            left, top = x + column * _GRID, row * _GRID
            diamond = [(left + half, top), (left + _GRID, top + half), (left + half, top + _GRID), (left, top + half)]
            pen.path(diamond, colour=paper.band, closed=True, filled=True)


def _checks(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    half = _GRID / 2
    for column in range(int(width // half) + 1):
        for row in range(int(height // half) + 1):
            if (column + row) % 2 == 0:
                pen.box(x + column * half, row * half, half, half, fill=paper.band, line=None)


def _weave(pen: Pen, paper: RoundPaper, x: float, width: float, height: float) -> None:
    for at in range(0, int(height) + 1, 7):
        pen.box(x, at, width, 2, fill=paper.band, line=None)
    for at in range(0, int(width) + 1, 7):
        pen.box(x + at, 0, 2, height, fill=paper.band, line=None)


_ON_GROUND: Final = frozenset({Pattern.BARS, Pattern.SLANT, Pattern.CHEVRON, Pattern.CHECKS, Pattern.WEAVE})
_PATTERNS: Final[Mapping[Pattern, Callable[[Pen, RoundPaper, float, float, float], None]]] = {
    Pattern.PLAIN: _plain, Pattern.BARS: _bars, Pattern.PILLARS: _pillars, Pattern.SLANT: _slant,
    Pattern.DOTS: _dots, Pattern.CHEVRON: _chevron, Pattern.CHECKS: _checks, Pattern.WEAVE: _weave,
}  # fmt: skip
