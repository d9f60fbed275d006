"""The eight patterns that run down a sheet's edge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from kiosk.widgets.vector import Point, Triangles, circle, clipped, fill
from tallybox.papers import Pattern

Outlines = Iterator[list[Point]]


def _rect(x: float, y: float, w: float, h: float) -> list[Point]:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def _steps(length: float, step: float) -> Iterator[float]:
    at = 0.0
    while at < length:
        yield at
        at += step


def _plain(w: float, h: float, _: float) -> Outlines:
    yield _rect(0, 0, w, h)


def _bars(w: float, h: float, k: float) -> Outlines:
    for y in _steps(h, 12 * k):
        yield _rect(0, y, w, 8 * k)


def _pillars(w: float, h: float, k: float) -> Outlines:
    for x in _steps(w, 5 * k):
        yield _rect(x, 0, 4 * k, h)


def _slant(w: float, h: float, k: float) -> Outlines:
    for y in _steps(h + 2 * w, 13 * k):
        yield [(0, y), (w, y - w), (w, y - w + 8.5 * k), (0, y + 8.5 * k)]


def _chevron(w: float, h: float, k: float) -> Outlines:
    for y in _steps(h, 14 * k):
        yield [(w / 2, y), (w, y + 7 * k), (w / 2, y + 14 * k), (0, y + 7 * k)]


def _checks(w: float, h: float, k: float) -> Outlines:
    for row, y in enumerate(_steps(h, 7 * k)):
        for column, x in enumerate(_steps(w, 7 * k)):
            if (row + column) % 2 == 0:
                yield _rect(x, y, 7 * k, 7 * k)


def _weave(w: float, h: float, k: float) -> Outlines:
    line = max(2.0, round(2 * k))
    for y in _steps(h, 7 * k):
        yield _rect(0, round(y), w, line)
    for x in _steps(w, 7 * k):
        yield _rect(round(x), 0, line, h)


_DRAWN: Final[dict[Pattern, Callable[[float, float, float], Outlines]]] = {
    Pattern.PLAIN: _plain,
    Pattern.BARS: _bars,
    Pattern.PILLARS: _pillars,
    Pattern.SLANT: _slant,
    Pattern.CHEVRON: _chevron,
    Pattern.CHECKS: _checks,
    Pattern.WEAVE: _weave,
}


@lru_cache(maxsize=16)
def band(pattern: Pattern, w: float, h: float, scale: float) -> tuple[Triangles, Triangles]:
    """The band's ink on paper, and after it the paper on that ink (the dots), for an edge of ``w`` by ``h`` pixels."""
    ink, paper = Triangles(), Triangles()
    if pattern is Pattern.DOTS:
        fill(ink, _rect(0, 0, w, h))
        for y in _steps(h, 14 * scale):
            fill(paper, circle(w / 2, y + 7 * scale, 3.4 * scale))
        return ink, paper
    for outline in _DRAWN[pattern](w, h, scale):
        fill(ink, clipped(outline, 0, 0, w, h))
    return ink, paper
