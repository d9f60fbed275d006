"""Chips, call marks, tally strokes, signatures and codes as the pen draws them: ink only, and turn-proof."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import segno

from hub.documents.paper import CARD, INK, WHITE
from hub.documents.pen import Align, Pen, Style, Weight, text_width
from tallybox.calls import Bid, Call, Direction, Nil, Number, Pass, Strain
from tallybox.seats import Side

QUIET: Final = 4
"""Empty modules around a code, which readers need."""


def chip(pen: Pen, side: Side, x: float, y: float, height: float = 36) -> float:
    """The side's chip from its top left corner: North–South filled, East–West outlined. Returns its width."""
    filled = side is Side.NS
    width = height * 1.39
    pen.box(x, y, width, height, fill=INK if filled else CARD, thick=max(1.5, height / 14), radius=4)
    style = Style(height * 0.66, Weight.BOLD, WHITE if filled else INK)
    pen.text(x + width / 2, y + height * 0.735, side.value, style, align=Align.CENTRE)
    return width


def boxed(pen: Pen, words: str, x: float, y: float, size: float = 13) -> float:
    """A word in a box with its foot at ``y``, such as “set”. Returns its width."""
    style = Style(size, Weight.BOLD)
    width = text_width(words, style) + 11
    pen.box(x, y - size - 1, width, size + 5, line=INK, thick=1.5, radius=4)
    pen.text(x + 5.5, y, words, style)
    return width


def tally(pen: Pen, done: int, x: float, y: float, height: float = 22) -> float:
    """Strokes in gates of five, from their top left corner. Returns their width."""
    step, at, first = height * 0.44, x, x
    for number in range(1, done + 1):
        if number % 5:
            first = at if number % 5 == 1 else first
            pen.line((at, y + 1), (at, y + height - 1), thick=height / 6)
        else:
            pen.line((first - 4, y + height - 4), (first + step * 3 + 4, y + 4), thick=height / 6)
        at += step
    return at - x


def call(pen: Pen, said: Call | None, x: float, y: float, size: float, direction: Direction | None = None) -> float:
    """A call as figure, mark and word with its foot at ``y``; ``None`` has its own mark. Returns where it ends."""
    match said:
        case None:
            return _mark(pen, "not-yet", x, y, size)
        case Pass():
            return _spoken(pen, "PASS", _mark(pen, "pass", x, y, size), y, size)
        case Nil():
            return _spoken(pen, "NIL", _mark(pen, "nil", x, y, size), y, size)
        case Number(tricks):
            return x + pen.text(x, y, str(tricks), Style(size, Weight.BOLD))
        case Bid(level, named, stated):
            x += pen.text(x, y, str(level), Style(size * 1.15, Weight.BOLD)) + size * 0.28
            return strain(pen, named, stated or direction, x, y, size)


def strain(pen: Pen, named: Strain, direction: Direction | None, x: float, y: float, size: float) -> float:
    """What a bid promises to play, as mark and word with its foot at ``y``. Returns where it ends."""
    if named is not Strain.NO:
        mark = "sun" if named is Strain.HIGH else "moon"
        return _spoken(pen, named.upper(), _mark(pen, mark, x, y, size), y, size)
    x = _spoken(pen, "NO", _mark(pen, "no", x, y, size), y, size)
    if direction is None:
        return x
    mark = "sun" if direction is Direction.UP else "moon"
    return _spoken(pen, direction.upper(), _mark(pen, mark, x + size * 0.3, y, size * 0.9), y, size * 0.9)


def _spoken(pen: Pen, word: str, x: float, y: float, size: float) -> float:
    return x + pen.text(x, y, word, Style(size * 0.9, Weight.SEMI))


def _mark(pen: Pen, name: str, x: float, y: float, size: float) -> float:
    """A mark in a square whose foot stands a little under the line; returns where the word after it begins."""
    middle, radius = (x + size / 2, y - size * 0.35), size / 2
    {"sun": _sun, "moon": _moon, "no": _no, "pass": _pass, "nil": _nil, "not-yet": _not_yet}[name](pen, middle, radius)
    return x + size * 1.28


def _sun(pen: Pen, centre: tuple[float, float], radius: float) -> None:
    x, y = centre
    pen.circle(centre, radius * 0.46)
    for ray in range(8):
        angle = ray * math.pi / 4
        dx, dy = math.cos(angle), math.sin(angle)
        pen.line((x + dx * radius * 0.68, y + dy * radius * 0.68), (x + dx * radius * 0.95, y + dy * radius * 0.95),
                 thick=radius * 0.22)  # fmt: skip


def _moon(pen: Pen, centre: tuple[float, float], radius: float) -> None:
    """A crescent: a disc less a disc that stands up and to the right of it."""
    x, y = centre
    r, s, d = radius * 0.86, radius * 0.74, radius * 0.58
    meet = math.acos((d * d + r * r - s * s) / (2 * d * r))
    inner = math.acos((d * d + s * s - r * r) / (2 * d * s))
    toward = -math.pi / 4
    ox, oy = x + d * math.cos(toward), y + d * math.sin(toward)
    outer = [toward + meet + step * (2 * math.pi - 2 * meet) / 24 for step in range(25)]
    back = toward + math.pi
    bite = [back + inner - step * 2 * inner / 16 for step in range(17)]
    points = [(x + r * math.cos(a), y + r * math.sin(a)) for a in outer]
    points += [(ox + s * math.cos(a), oy + s * math.sin(a)) for a in reversed(bite)][::-1]
    pen.path(points, closed=True, filled=True)


def _no(pen: Pen, centre: tuple[float, float], radius: float) -> None:
    x, y = centre
    w, h = radius * 0.62, radius * 0.86
    pen.box(x - w, y - h, 2 * w, 2 * h, thick=radius * 0.2, radius=radius * 0.22)
    pen.line((x - w * 0.85, y + h * 0.85), (x + w * 0.85, y - h * 0.85), thick=radius * 0.2)


def _pass(pen: Pen, centre: tuple[float, float], radius: float) -> None:
    x, y = centre
    pen.line((x - radius * 0.75, y), (x + radius * 0.75, y), thick=radius * 0.36)


def _nil(pen: Pen, centre: tuple[float, float], radius: float) -> None:
    pen.circle(centre, radius * 0.66, fill=None, line=INK, thick=radius * 0.36)


def _not_yet(pen: Pen, centre: tuple[float, float], radius: float) -> None:
    x, y = centre
    side = radius * 1.3
    pen.box(x - side / 2, y - side / 2, side, side, thick=1.2, dashed=True)


def signature(pen: Pen, strokes: Sequence[Sequence[int]], x: float, y: float, width: float, height: float) -> None:
    """A signature as it was drawn, on a pad of 1000 × 1000 units that fills this rectangle."""
    pen.clipped(x, y, width, height)
    for stroke in strokes:
        points = [
            (x + stroke[at] * width / 1000, y + stroke[at + 1] * height / 1000)
            for at in range(0, len(stroke) - 1, 2)
        ]  # fmt: skip
        if len(set(points)) == 1:
            pen.circle(points[0], 1.6)
        elif points:
            pen.path(points, thick=2)
    pen.unclipped()


def code(pen: Pen, payload: str, x: float, y: float, size: float) -> None:
    """A QR code with its quiet zone inside a white square of this size."""
    matrix = _matrix(payload)
    each = size / (len(matrix) + 2 * QUIET)
    pen.box(x, y, size, size, fill=WHITE, line=None)
    pen.boxes(
        (x + (start + QUIET) * each, y + (row + QUIET) * each, (end - start) * each, each + 0.05)
        for row, line in enumerate(matrix)
        for start, end in _dark(line)
    )


@lru_cache(maxsize=256)
def _matrix(payload: str) -> tuple[bytes, ...]:
    """Kept, for a sheet is drawn once alone and once with all others."""
    return tuple(bytes(line) for line in segno.make_qr(payload, error="m").matrix)


def _dark(line: bytes) -> Iterator[tuple[int, int]]:
    """Where dark modules begin and end in a line."""
    start: int | None = None
    for column, dark in enumerate((*line, 0)):
        if dark and start is None:
            start = column
        elif not dark and start is not None:
            yield start, column
            start = None
