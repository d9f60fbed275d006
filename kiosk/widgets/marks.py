"""Call marks and icons as shapes on a grid of 24 units; the face has no such characters.

The panel lies flat and is read from all sides, so no call mark may look like another one when turned.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from kiosk.widgets.vector import Point, Triangles, arc, circle, curve, dashes, fill, rounded, stroke


class MarkName(StrEnum):
    """What can be drawn: the calls first, then the icons."""

    SUN = "sun"
    MOON = "moon"
    NO = "no"
    PASS = "pass"  # noqa: S105 (a call, no password)
    NIL = "nil"
    NOT_YET = "not-yet"
    BELL = "bell"
    LINK = "link"
    UNLINK = "unlink"
    TRAY = "tray"
    READER = "reader"
    KEYPAD = "keypad"
    UNDO = "undo"
    CHECK = "check"
    CROSS = "cross"
    PEN = "pen"
    LOCK = "lock"
    CLOCK = "clock"
    PAUSE = "pause"
    PLAY = "play"
    WARN = "warn"
    WHY = "why"
    LEFT = "left"
    RIGHT = "right"
    ARROW = "arrow"
    TURN = "turn"
    PLUS = "plus"
    MINUS = "minus"
    HOURGLASS = "hourglass"
    SWAP = "swap"
    SHEET = "sheet"
    SHUFFLE = "shuffle"
    VERSUS = "versus"
    EYE = "eye"
    SQUARE = "square"
    SPADE = "spade"
    HEART = "heart"
    DIAMOND = "diamond"
    CLUB = "club"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line; ``pen`` is its own width in grid units, or none for the mark's."""

    points: tuple[Point, ...]
    closed: bool = False
    pen: float | None = None
    round_ends: bool = True


@dataclass(frozen=True, slots=True)
class Filled:
    """An area of ink."""

    points: tuple[Point, ...]


Shape = tuple[Stroke | Filled, ...]


def _line(*points: Point, pen: float | None = None) -> Stroke:
    return Stroke(points, pen=pen)


def _loop(points: list[Point], pen: float | None = None) -> Stroke:
    return Stroke(tuple(points), closed=True, pen=pen)


def _curved(points: list[Point]) -> Stroke:
    return Stroke(tuple(points))


def _sun() -> Shape:
    rays = [
        _line(_polar(8.5, degrees), _polar(10.5, degrees), pen=2.7)
        for degrees in range(0, 360, 45)
    ]  # fmt: skip
    return (Filled(tuple(circle(12, 12, 5.6))), *rays)


def _polar(r: float, degrees: float) -> Point:
    return 12 + r * math.cos(math.radians(degrees)), 12 + r * math.sin(math.radians(degrees))


def _moon() -> Shape:
    """A disc less another disc up and to the right of it."""
    hull, bite, away = 10.2, 8.6, (7.6, -6.2)
    distance = math.hypot(*away)
    towards = math.degrees(math.atan2(away[1], away[0]))
    across = (hull**2 - bite**2 + distance**2) / (2 * distance)
    half_hull = math.degrees(math.acos(across / hull))
    half_bite = math.degrees(math.acos((distance - across) / bite))
    centre = (11.4, 12.6)
    outside = arc(*centre, hull, towards + half_hull, towards + 360 - half_hull, 40)
    inside = arc(
        centre[0] + away[0], centre[1] + away[1], bite, towards + 180 + half_bite, towards + 180 - half_bite, 24
    )
    return (Filled((*outside, *inside[1:-1])),)


def _not_yet() -> Shape:
    return tuple(Stroke(tuple(dash), round_ends=False) for dash in dashes(rounded(4, 4, 16, 16, 2), dash=2.7, gap=2.7))


def _bell() -> Shape:
    dome = [(7.0, 18.0), (7.0, 11.0), *arc(12, 11, 5, 180, 360)[1:], (17.0, 18.0)]
    return (_line((5, 18), (19, 18)), _curved(dome), _line((12, 6), (12, 3)), _line((10.5, 21), (13.5, 21)))


def _link(*bar: Stroke) -> Shape:
    return (_loop(circle(6, 12, 3)), _loop(circle(18, 12, 3)), *bar)


def _undo() -> Shape:
    hook = [(4.0, 9.0), (14.0, 9.0), *arc(14, 14.5, 5.5, -90, 90)[1:], (10.0, 20.0)]
    return (_line((8, 5), (4, 9), (8, 13)), _curved(hook))


def _lock() -> Shape:
    shackle = [(8.0, 11.0), (8.0, 8.0), *arc(12, 8, 4, 180, 360)[1:], (16.0, 11.0)]
    return (_loop(rounded(5, 11, 14, 10, 2)), _curved(shackle))


def _why() -> Shape:
    hook = [*arc(12, 9.6, 2.8, 180, 395), *curve((13.9, 11.6), (13.0, 12.3), (12.0, 12.8), (12.0, 14.1))[1:]]
    return (_loop(circle(12, 12, 9)), _curved(hook), _line((12, 16.9), (12, 17.3)))


def _turn() -> Shape:
    return (_line((19, 5), (19, 10), (14, 10)), _curved(arc(12, 13, 7.6, 335, 25, 32)))


def _pen() -> Shape:
    return (_loop([(4, 20), (5, 15), (16, 4), (20, 8), (9, 19)]), _line((3, 22.5), (21, 22.5)))


def _eye() -> Shape:
    upper = curve((2, 12), (7, 3.5), (17, 3.5), (22, 12))
    lower = curve((22, 12), (17, 20.5), (7, 20.5), (2, 12))
    return (_loop([*upper, *lower[1:-1]]), _loop(circle(12, 12, 3)))


def _hourglass() -> Shape:
    one = curve((7, 3), (7, 10), (17, 12), (17, 21))
    two = curve((17, 3), (17, 10), (7, 12), (7, 21))
    return (_line((6, 3), (18, 3)), _line((6, 21), (18, 21)), _curved(one), _curved(two))


def _keypad() -> Shape:
    places = [(x, y) for y in (5.0, 10.5) for x in (5.0, 10.5, 16.0)] + [(10.5, 16.0)]
    return tuple(Filled(tuple(rounded(x - 0.6, y - 0.6, 4.2, 4.2, 1))) for x, y in places)


def _heart() -> Shape:
    left = curve((12, 20.5), (6, 15.5), (2.4, 12.5), (2.4, 8.4))
    upper = curve((2.4, 8.4), (2.4, 3.2), (9.6, 2.2), (12, 7))
    mirrored = [(24 - x, y) for x, y in reversed((*left, *upper[1:]))]
    return (Filled((*left, *upper[1:], *mirrored[1:-1])),)


def _spade() -> Shape:
    """The heart on its head, on a foot."""
    (heart,) = _heart()
    leaf = Filled(tuple((x, 19.6 - (y - 2.2) * 0.92) for x, y in heart.points))
    return (leaf, Filled(((12, 13), (16.2, 22), (7.8, 22))))


def _club() -> Shape:
    leaves = [Filled(tuple(circle(x, y, 4.6))) for x, y in ((12.0, 6.8), (7.0, 13.4), (17.0, 13.4))]
    return (*leaves, Filled(((12, 9), (16.2, 22), (7.8, 22))))


_SHAPES: Final[dict[MarkName, Shape]] = {
    MarkName.SUN: _sun(),
    MarkName.MOON: _moon(),
    MarkName.NO: (_loop(rounded(4.5, 2, 15, 20, 3)), _line((6.2, 20.4), (17.8, 3.6))),
    MarkName.PASS: (_line((3, 12), (21, 12), pen=4.0),),
    MarkName.NIL: (_loop(circle(12, 12, 8), pen=4.5),),
    MarkName.NOT_YET: _not_yet(),
    MarkName.BELL: _bell(),
    MarkName.LINK: _link(_line((9, 12), (15, 12))),
    MarkName.UNLINK: _link(_line((9, 12), (10, 12)), _line((14, 12), (15, 12)), _line((15.5, 5), (8.5, 19))),
    MarkName.TRAY: (
        _line((4, 15), (4, 20), (20, 20), (20, 15)),
        _line((12, 15), (12, 4)),
        _line((7.5, 8.5), (12, 4), (16.5, 8.5)),
    ),
    MarkName.READER: (_loop(rounded(6, 3, 12, 18, 2)), _line((3, 12), (21, 12))),
    MarkName.KEYPAD: _keypad(),
    MarkName.UNDO: _undo(),
    MarkName.CHECK: (_line((4, 12.5), (10, 18), (20, 6)),),
    MarkName.CROSS: (_line((5, 5), (19, 19)), _line((19, 5), (5, 19))),
    MarkName.PEN: _pen(),
    MarkName.LOCK: _lock(),
    MarkName.CLOCK: (_loop(circle(12, 12, 9)), _line((12, 7), (12, 12), (16, 14.5))),
    MarkName.PAUSE: (_line((8, 5), (8, 19), pen=3), _line((16, 5), (16, 19), pen=3)),
    MarkName.PLAY: (Filled(((7, 4), (19, 12), (7, 20))),),
    MarkName.WARN: (_loop([(12, 3), (22, 20), (2, 20)]), _line((12, 9.5), (12, 14.2)), _line((12, 17.1), (12, 17.4))),
    MarkName.WHY: _why(),
    MarkName.LEFT: (_line((16, 4), (8, 12), (16, 20)),),
    MarkName.RIGHT: (_line((8, 4), (16, 12), (8, 20)),),
    MarkName.ARROW: (_line((3, 12), (20, 12)), _line((13, 5), (20, 12), (13, 19))),
    MarkName.TURN: _turn(),
    MarkName.PLUS: (_line((12, 4), (12, 20)), _line((4, 12), (20, 12))),
    MarkName.MINUS: (_line((4, 12), (20, 12)),),
    MarkName.HOURGLASS: _hourglass(),
    MarkName.SWAP: (
        _line((4, 8), (19, 8)),
        _line((15, 4), (19, 8), (15, 12)),
        _line((20, 16), (5, 16)),
        _line((9, 12), (5, 16), (9, 20)),
    ),
    MarkName.SHEET: (
        _loop([(5, 3), (15, 3), (19, 7), (19, 21), (5, 21)]),
        _line((8, 11), (16, 11)),
        _line((8, 15), (16, 15)),
    ),
    MarkName.SHUFFLE: (
        _line((3, 6), (7, 6), (17, 18), (21, 18)),
        _line((3, 18), (7, 18), (10, 14)),
        _line((14, 9), (17, 6), (21, 6)),
        _line((18, 3), (21, 6), (18, 9)),
        _line((18, 15), (21, 18), (18, 21)),
    ),
    MarkName.VERSUS: (_loop([(9, 4), (3, 12), (9, 20)]), _loop([(15, 4), (21, 12), (15, 20)])),
    MarkName.EYE: _eye(),
    MarkName.SQUARE: (Filled(((7.5, 7.5), (16.5, 7.5), (16.5, 16.5), (7.5, 16.5))),),
    MarkName.SPADE: _spade(),
    MarkName.HEART: _heart(),
    MarkName.DIAMOND: (Filled(((12, 2), (19.5, 12), (12, 22), (4.5, 12))),),
    MarkName.CLUB: _club(),
}

GRID: Final = 24.0


@lru_cache(maxsize=512)
def draw(mark: MarkName, size: float, pen: float) -> Triangles:
    """The triangles of ``mark`` in a square of ``size`` pixels, its lines ``pen`` grid units thick."""
    scale = size / GRID
    into = Triangles()
    for part in _SHAPES[mark]:
        points = [(x * scale, y * scale) for x, y in part.points]
        if isinstance(part, Filled):
            fill(into, points)
        else:
            width = (part.pen or pen) * scale
            stroke(into, points, width, closed=part.closed, caps=part.round_ends)
    return into


@lru_cache(maxsize=256)
def tally(done: int, total: int, height: float, current: int | None) -> tuple[Triangles, Triangles, float]:
    """Tally strokes: those that are ink, those to come, and the width they take.

    Every fifth stroke crosses the four before it. ``current`` is the stroke being played, counted from 1: it is thick.
    """
    ink, pale = Triangles(), Triangles()
    step = height * 0.44
    pen = height * 0.155
    x = first = pen
    right = 0.0
    for number in range(1, total + 1):
        into = ink if number <= done or number == current else pale
        thick = pen * 1.75 if number == current else pen
        if number % 5:
            first = x if number % 5 == 1 else first
            stroke(into, ((x, pen), (x, height - pen)), thick)
            right = x + pen / 2
            x += step
        else:
            right = first + step * 3 + pen * 2.2
            stroke(into, ((first - pen, height - pen * 1.7), (right - pen / 2, pen * 1.7)), thick)
            x = first + step * 3 + step * 1.9
    return ink, pale, right + pen / 2
