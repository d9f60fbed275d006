"""The tree a screen is made of: plain values, in the units of the 7-inch design.

A screen is a function that returns such a tree. Two equal trees look the same, so nothing is painted twice,
and a touch that began on one tree ends on the next one, because a target is known by its key.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName


class Axis(StrEnum):
    """How a box lays out what is in it."""

    ROW = "row"
    COLUMN = "column"
    STACK = "stack"


class Align(StrEnum):
    """Where things stand across a box's axis, or along it."""

    START = "start"
    CENTER = "center"
    END = "end"
    STRETCH = "stretch"
    BETWEEN = "between"


@dataclass(frozen=True)
class Act:
    """What a tap means; the screens say which kinds there are."""


@dataclass(frozen=True, slots=True)
class Tap:
    """A target. ``key`` names it for as long as it means the same; ``rapid`` ones may be repeated quickly.

    ``held`` is what a finger does that stays on it for two seconds. ``exact``: only what it meant when the finger went
    down; if that has changed under the finger, nothing is done.
    """

    key: str
    act: Act
    rapid: bool = False
    held: Act | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Trail:
    """That a box shows where something went. ``name`` names the place, ``value`` what is there; empty: nothing yet.

    What is new comes from the target with the key ``origin``, or falls from above without one. ``moves``: it is the
    place itself that changes. ``under``: it does not move, and is underlined while it is new.
    """

    name: str
    value: str = ""
    origin: str = ""
    moves: bool = False
    under: bool = False


@dataclass(frozen=True, slots=True)
class Skin:
    """The ground and the border of a box."""

    ground: Tone | None = None
    border: Tone | None = None
    line: float = 0
    """Width of the border, drawn inside the box; less than 2 is a hairline."""
    radius: float = 0
    dashed: bool = False
    under: float = 0
    """A rule of this width in the border's tone along the bottom edge only (``line`` is 0 then)."""


@dataclass(frozen=True, slots=True)
class Run:
    """Some words in one style within a text; ``size`` and ``weight`` default to the text's own."""

    words: str
    weight: Weight | None = None
    tone: Tone | None = None
    size: float | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One paragraph. Its capitals and figures stand exactly in the middle of each line."""

    runs: tuple[Run, ...]
    size: float = 19
    weight: Weight = Weight.MEDIUM
    tone: Tone = Tone.INK
    line: float | None = None
    """Line height; 1.2 of the size when not given."""
    wrap: bool = False
    align: Align = Align.START
    cut: bool = False
    """Whether a text that is too long for its place ends in “…”; names do, sentences never."""
    grow: float = 0
    foot: bool = False
    """A line under the words, so that 6 and 9 tell their foot from their head."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A call mark or an icon."""

    name: MarkName
    size: float = 24
    tone: Tone = Tone.INK
    pen: float = 2.0


@dataclass(frozen=True, slots=True)
class Tally:
    """Tally strokes: ``done`` of ``total``, the ``current`` one thick."""

    done: int
    total: int
    height: float = 20
    current: int | None = None
    ground: Tone = Tone.CARD
    """What the strokes to come are mixed with."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The round's pattern, filling its place."""


@dataclass(frozen=True, slots=True)
class Ink:
    """A signature: strokes of points in thousandths of the pad's width and height."""

    strokes: tuple[tuple[tuple[int, int], ...], ...]
    pad: str | None = None
    """The pad's key while it takes strokes; none when it is frozen."""
    about: str = ""
    """What is signed: a stroke that was begun about something else is no part of it."""


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code that holds ``text``, in a white square of this width; what is around the code stays white."""

    text: str
    size: float


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with things in it."""

    children: tuple[Node, ...] = ()
    axis: Axis = Axis.ROW
    gap: float = 0
    pad: tuple[float, float, float, float] = (0, 0, 0, 0)
    """Top, right, bottom, left."""
    align: Align = Align.CENTER
    justify: Align = Align.START
    w: float | None = None
    h: float | None = None
    grow: float = 0
    skin: Skin | None = None
    tap: Tap | None = None
    turn: int = 0
    """Quarter turns clockwise in which the content is read."""
    trail: Trail | None = None


@dataclass(frozen=True, slots=True)
class At:
    """A place inside a stack: ``x`` and ``y`` from 0 (left, top) to 1, then moved by ``dx`` and ``dy``."""

    child: Node
    x: float = 0.5
    y: float = 0.5
    dx: float = 0
    dy: float = 0


Node = Box | Text | Mark | Tally | Edge | Ink | Code | At
