"""Call marks, icons, tally strokes and signatures as SVG: ink in the text's colour, no fonts and no images needed.

Marks keep their meaning when the page is turned (sun, moon, a card struck through, a dash, a ring), because the same
marks lie flat on the tables. Everything here is presentation attributes only, so a strict content policy holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from markupsafe import Markup

from tallybox.calls import Bid, Call, Direction, Nil, Number, Pass, Strain

_ICONS: Final = {
    "arrow": '<path d="M4 12h15.5M13 5.5l6.5 6.5-6.5 6.5"/>',
    "bell": '<path d="M4.5 17.5h15c-1.7-1.4-2.2-3.2-2.2-5.8a5.3 5.3 0 0 0-10.6 0c0 2.6-.5 4.4-2.2 5.8z"/>'
    '<path d="M12 6.4V3.5M10.3 20.7h3.4"/>',
    "cards": '<rect x="4" y="7.5" width="10.5" height="13" rx="1.5"/>'
    '<path d="M8.5 4.800a1.5 1.5 0 0 1 1.5-1.300h8.500A1.5 1.5 0 0 1 20 5v10.500a1.5 1.5 0 0 1-1.5 1.500h-.8"/>',
    "check": '<path d="M4.5 12.8l5 5L19.5 6.5"/>',
    "clock": '<circle cx="12" cy="12" r="8.8"/><path d="M12 7v5.3l3.5 2"/>',
    "cross": '<path d="M5.5 5.5l13 13M18.5 5.5l-13 13"/>',
    "eye": '<path d="M2.5 12C5 7.7 8.3 5.6 12 5.6s7 2.1 9.5 6.4c-2.5 4.3-5.8 6.4-9.5 6.4S5 16.3 2.5 12z"/>'
    '<circle cx="12" cy="12" r="2.8"/>',
    "fork": '<path d="M12 21v-7L6 8V3.5M12 14l6-6V3.5"/>',
    "hourglass": '<path d="M6 3.5h12M6 20.5h12M7.5 3.5c0 5.2 9 5.7 9 8.5s-9 3.3-9 8.5"/>'
    '<path d="M16.5 3.5c0 5.2-9 5.7-9 8.5s9 3.3 9 8.5"/>',
    "slow": '<path d="M12.5 5L5.5 12l7 7M19 5l-7 7 7 7"/>',
    "menu": '<path d="M4 6.5h16M4 12h16M4 17.5h16"/>',
    "scales": '<path d="M12 4v16M7.5 20h9M4.5 7h15M4.5 7L2 13.5h5zM19.5 7L17 13.5h5z"/>',
    "sound": '<path d="M4.5 9.5v5h3.5l4.5 4v-13l-4.5 4zM16 9a4.2 4.2 0 0 1 0 6M18.6 6.4a8 8 0 0 1 0 11.2"/>',
    "mute": '<path d="M4.5 9.5v5h3.5l4.5 4v-13l-4.5 4zM16 9.5l5 5M21 9.5l-5 5"/>',
    "link": '<circle cx="6" cy="12" r="2.8"/><circle cx="18" cy="12" r="2.8"/><path d="M8.8 12h6.4"/>',
    "list": '<path d="M4 6.5h16M4 12h16M4 17.5h10"/>',
    "lock": '<rect x="5" y="11" width="14" height="9.5" rx="2"/><path d="M8 11V8.2a4 4 0 0 1 8 0V11"/>',
    "nobox": '<rect x="4.5" y="4.5" width="15" height="15" rx="2" stroke-dasharray="1.5 3.8"/>',
    "pause": '<path d="M8.5 5.5v13M15.5 5.5v13"/>',
    "pen": '<path d="M5 15.8L15.8 5l3.7 3.7L8.7 19.5 4.3 20.2z"/><path d="M13.3 7.5l3.7 3.7"/>',
    "play": '<path class="solid" d="M7.5 4.8v14.4L19 12z"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "print": '<path d="M7 8V3.500h10V8M5.500 17H3.500V8h17v9h-2M7 14h10v6.500H7z"/>',
    "room": '<path d="M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z"/>',
    "save": '<path d="M4.5 14.8v5h15v-5M12 4v11.200M7.7 11L12 15.300 16.300 11"/>',
    "sheet": '<path d="M5.5 3.5h9.3l3.7 3.7v13.3h-13zM8.8 11.5h6.4M8.8 15.5h6.4"/>',
    "silent": '<circle cx="12" cy="12" r="8.6" stroke-dasharray="3.6 3.15"/><path d="M8.3 12h7.4"/>',
    "standings": '<path d="M4 20.5v-6h5v6M9 20.5V5h6v15.5M15 20.5v-9h5v9M3 20.5h18"/>',
    "shuffle": '<path d="M3.5 7h3.4c4.6 0 5.600 10 10.200 10h3.400M3.5 17h3.400c1.700 0 2.900-1.400 3.900-3'
    'M13.200 10c1-1.600 2.200-3 3.900-3h3.400M17.5 4l3 3-3 3M17.5 14l3 3-3 3"/>',
    "swap": '<path d="M4 8.500h15.5M15.5 4.500l4 4-4 4M20 15.500H4.5M8.5 11.500l-4 4 4 4"/>',
    "teams": '<circle cx="8.5" cy="8" r="3.300"/><path d="M2.500 19.500c.3-4 2.700-6 6-6s5.700 2 6 6"/>'
    '<path d="M15.500 5.200a3.300 3.300 0 0 1 0 6.100M17.300 14.200c2.500.700 4 2.500 4.200 5.300"/>',
    "tray": '<path d="M4.5 14.8v5h15v-5M12 15.5V4.3M7.7 8.5L12 4.2l4.3 4.3"/>',
    "vs": '<path d="M9.5 5L3.8 12l5.7 7zM14.5 5l5.7 7-5.7 7z"/>',
    "warn": '<path d="M12 4l9 15.8H3zM12 10v4.6M12 17.2v.10"/>',
    "why": '<circle cx="12" cy="12" r="8.8"/><path d="M9.4 9.7a2.7 2.7 0 1 1 3.9 2.5c-.9.4-1.3 1-1.3 1.9M12 17v.10"/>',
}

_SUN: Final = (
    '<circle class="solid" cx="12" cy="12" r="5.4"/><path d="M12 3.7V1.5M12 22.5v-2.2M3.7 12H1.5M22.5 12h-2.2'
    'M6.1 6.1L4.6 4.6M19.4 19.4l-1.5-1.5M17.9 6.1l1.5-1.5M4.6 19.4l1.5-1.5"/>'
)
_MOON: Final = '<path class="solid" d="M15.2 2.4a10 10 0 1 0 6.4 13.1A8.4 8.4 0 0 1 15.2 2.4z"/>'
_MARKS: Final = {
    "sun": _SUN,
    "moon": _MOON,
    "no": '<rect x="4.8" y="2.2" width="14.4" height="19.6" rx="2.8"/><path d="M6 20.4L18 3.6"/>',
    "pass": '<path class="thick" d="M4 12h16"/>',
    "nil": '<circle class="thick" cx="12" cy="12" r="7.8"/>',
    "not-yet": '<rect x="4" y="4" width="16" height="16" rx="2" stroke-dasharray="2.6 3.1" stroke-width="2"/>',
}


MOST_DRAWN: Final = 1_024
"""Drawings that are kept: the same few stand on every tile."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """A row of tally strokes: ``done`` in ink, the ``current`` one thick, the rest of ``total`` pale."""

    done: int
    total: int
    current: int | None = None

    @property
    def words(self) -> str:
        """What a person who cannot see the strokes is told."""
        if self.current is not None:
            return f"hand {self.current} of {self.total}"
        return f"{self.done} of {self.total} hands"


@lru_cache(MOST_DRAWN)
def icon(name: str, size: int = 20) -> Markup:
    """An icon; it never stands without a word beside it, so it is hidden from readers of the page."""
    return _svg("icon", _ICONS[name], size)


@lru_cache(MOST_DRAWN)
def mark(name: str, size: int = 20) -> Markup:
    """The mark of a call: ``sun``, ``moon``, ``no``, ``pass``, ``nil`` or ``not-yet``."""
    return _svg("mark", _MARKS[name], size)


def _svg(kind: str, inside: str, size: int) -> Markup:
    return Markup(  # noqa: S704 (only the constants above and an integer are put together here)
        f'<svg class="{kind}" width="{size}" height="{size}" viewBox="0 0 24 24" aria-hidden="true">{inside}</svg>'
    )


@lru_cache(MOST_DRAWN)
def call_mark(call: Call | None, size: int = 20, direction: Direction | None = None) -> Markup:
    """A call as figure, mark and word; ``None`` is a seat that has not called, which is never blank and never 0."""
    match call:
        case None:
            inside = mark("not-yet", size) + _unseen("has not called")
        case Pass():
            inside = mark("pass", size) + _word("PASS")
        case Nil():
            inside = mark("nil", size) + _word("NIL")
        case Number(tricks):
            inside = _figure(tricks)
        case Bid(level, strain, said):
            inside = _figure(level) + _strain(strain, said or direction, size)
    return Markup('<span class="call">{}</span>').format(inside)


def _strain(strain: Strain, direction: Direction | None, size: int) -> Markup:
    if strain is not Strain.NO:
        return mark("sun" if strain is Strain.HIGH else "moon", size) + _word(strain.upper())
    said = mark("no", size) + _word("NO")
    if direction is not None:
        said += mark("sun" if direction is Direction.UP else "moon", max(12, size - 3)) + _word(direction.upper())
    return said


def _figure(value: int) -> Markup:
    return Markup("<b>{}</b>").format(value)


def _word(text: str) -> Markup:
    return Markup("<i>{}</i>").format(text)


def _unseen(text: str) -> Markup:
    return Markup('<span class="unseen">{}</span>').format(text)


@lru_cache(MOST_DRAWN)
def tally(strokes: Strokes, height: int = 17) -> Markup:
    """Strokes in gates of five: every fifth crosses the four before it."""
    step = height * 0.44
    x, first, drawn = 2.0, 2.0, ""
    for number in range(1, strokes.total + 1):
        kind = _kind(number, strokes)
        if number % 5:
            first = x if number % 5 == 1 else first
            drawn += f'<path{kind} d="M{x:.1f} 2V{height - 2}"/>'
            x += step
        else:
            drawn += f'<path{kind} d="M{first - 4:.1f} {height - 4.5:.1f}L{first + step * 3 + 4:.1f} 4.5"/>'
            x += step
    width = x - step + 6
    return Markup(  # noqa: S704 (numbers only)
        f'<svg class="tally" width="{width + 4:.0f}" height="{height}" viewBox="-4 0 {width + 4:.0f} {height}" '
        f'role="img" aria-label="{strokes.words}">{drawn}</svg>'
    )


def _kind(number: int, strokes: Strokes) -> str:
    if number == strokes.current:
        return ' class="current"'
    return "" if number <= strokes.done else ' class="coming"'


@lru_cache(MOST_DRAWN)
def round_strokes(number: int, height: int = 26) -> Markup:
    """The round's number in strokes, all of them done."""
    return Markup(  # noqa: S704 (numbers only)
        str(tally(Strokes(number, number), height)).replace(f"{number} of {number} hands", f"round {number}")
    )


def signature(strokes: Sequence[Sequence[int]], label: str) -> Markup:
    """A signature as it was drawn: each stroke a line through its points, on a pad of 1000 × 1000 units."""
    lines = Markup("".join(_stroke(points) for points in strokes))  # noqa: S704 (integers only)
    pad = Markup('<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>')
    return pad.format(label, lines)


def _stroke(points: Sequence[int]) -> str:
    pairs = [(int(points[at]), int(points[at + 1])) for at in range(0, len(points) - 1, 2)]
    if len(set(pairs)) == 1:
        (x, y) = pairs[0]
        return f'<path class="dot" vector-effect="non-scaling-stroke" d="M{x} {y}h.01"/>'
    joined = " ".join(f"{x},{y}" for x, y in pairs)
    return f'<polyline vector-effect="non-scaling-stroke" points="{joined}"/>'


def logo(size: int = 30) -> Markup:
    """A tally box with a gate of five."""
    return Markup(  # noqa: S704 (an integer only)
        f'<svg width="{size}" height="{size}" viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" '
        'stroke-width="2.8" stroke-linecap="round"><rect x="2" y="2" width="28" height="28" rx="4"/>'
        '<path d="M8.5 8.5v15M13.5 8.5v15M18.5 8.5v15M23.5 8.5v15M6 20.5l20-9"/></svg>'
    )
