"""Shapes as triangles with a soft edge of one pixel, so that they are smooth without multisampling.

Pure geometry. A shape becomes vertices ``x, y, u, v`` where ``u`` runs from ``BARE`` (nothing) to ``FULL`` (ink)
across the edge; the painter maps it onto a ramp of two texels. An edge on a whole pixel stays crisp.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

Point = tuple[float, float]

BARE: Final = 0.25
FULL: Final = 0.75
SOFT: Final = 0.5
"""Half the width of the soft edge, in pixels."""
MOST_VERTICES: Final = 65_536
"""In one shape on its way to the screen: its indices are short. A scribble has more."""
_SHARP: Final = math.cos(math.radians(35))
"""A joint that turns more than this gets a round disc instead of a mitre."""


@dataclass(slots=True, eq=False)
class Triangles:
    """A growing list of triangles in the painter's vertex form; each is itself alone."""

    vertices: list[float] = field(default_factory=list)
    indices: list[int] = field(default_factory=list)

    def vertex(self, x: float, y: float, u: float) -> int:
        """Add one vertex and return its index."""
        self.vertices += (x, y, u, 0.5)
        return len(self.vertices) // 4 - 1

    def strip(self, left: Sequence[int], right: Sequence[int]) -> None:
        """Join two rows of vertices of equal length by quads."""
        for (a, b), (c, d) in zip(pairwise(left), pairwise(right), strict=True):
            self.indices += (a, b, c, b, d, c)

    def parts(self, most: int = MOST_VERTICES) -> Iterator[Triangles]:
        """The same triangles in as many shapes as a graphics card's short indices need; mostly this very one."""
        if len(self.vertices) // 4 <= most:
            yield self
            return
        part, place = Triangles(), dict[int, int]()
        for at in range(0, len(self.indices), 3):
            if len(place) > most - 3:
                yield part
                part, place = Triangles(), {}
            for old in self.indices[at : at + 3]:
                if old not in place:
                    place[old] = len(place)
                    part.vertices += self.vertices[4 * old : 4 * old + 4]
                part.indices.append(place[old])
        yield part


def arc(cx: float, cy: float, r: float, start: float, end: float, steps: int | None = None) -> list[Point]:
    """Points along a circle from ``start`` to ``end`` degrees (clockwise on a screen, 0 at the right)."""
    sweep = math.radians(end - start)
    count = steps or max(3, math.ceil(abs(sweep) * max(2.0, math.sqrt(abs(r))) * 1.6))
    first = math.radians(start)
    angles = (first + sweep * step / count for step in range(count + 1))
    return [(cx + r * math.cos(angle), cy + r * math.sin(angle)) for angle in angles]


def circle(cx: float, cy: float, r: float) -> list[Point]:
    """A closed circle, without its first point repeated."""
    return arc(cx, cy, r, 0, 360, max(16, math.ceil(8 * math.sqrt(r))))[:-1]


def curve(a: Point, b: Point, c: Point, d: Point, steps: int = 12) -> list[Point]:
    """A cubic Bézier curve from ``a`` to ``d``."""
    points = []
    for step in range(steps + 1):
        t = step / steps
        s = 1 - t
        weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
        points.append((
            sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
            sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
        ))  # fmt: skip
    return points


def rounded(x: float, y: float, w: float, h: float, r: float) -> list[Point]:
    """The outline of a rectangle with round corners, clockwise from the top left."""
    r = min(r, w / 2, h / 2)
    if r <= 0:
        return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    corners = (
        (x + r, y + r, 180),
        (x + w - r, y + r, 270),
        (x + w - r, y + h - r, 0),
        (x + r, y + h - r, 90),
    )
    return _distinct([point for cx, cy, start in corners for point in arc(cx, cy, r, start, start + 90)])


def fill(into: Triangles, outline: Sequence[Point]) -> None:
    """Fill a simple polygon."""
    points = _distinct(outline)
    if len(points) < 3:
        return
    points = _clockwise(points)
    normals = _mitres(points, closed=True)
    inner = [into.vertex(x - nx * SOFT, y - ny * SOFT, FULL) for (x, y), (nx, ny) in zip(points, normals, strict=True)]
    outer = [into.vertex(x + nx * SOFT, y + ny * SOFT, BARE) for (x, y), (nx, ny) in zip(points, normals, strict=True)]
    into.strip([*inner, inner[0]], [*outer, outer[0]])
    into.indices += (inner[corner] for corner in _triangles(points))


def disc(into: Triangles, cx: float, cy: float, r: float) -> None:
    """Fill a circle."""
    fill(into, circle(cx, cy, r))


def stroke(into: Triangles, line: Iterable[Point], width: float, *, closed: bool = False, caps: bool = True) -> None:
    """Draw a line of ``width`` pixels with round joints, and round ends unless ``caps`` is off."""
    points = _distinct(line, closed=closed)
    half = width / 2
    if len(points) < 2:
        if points and caps:
            disc(into, *points[0], half)
        return
    for piece, ring in _smooth_pieces(points, closed=closed):
        _ribbon(into, piece, half, closed=ring)
        if caps and not ring:
            disc(into, *piece[0], half)
            disc(into, *piece[-1], half)


def dashes(line: Sequence[Point], dash: float, gap: float) -> list[list[Point]]:
    """Cut a closed line into dashes, their length stretched a little so that they come out even."""
    ring = [*line, line[0]]
    total = sum(math.dist(a, b) for a, b in pairwise(ring))
    count = max(1, round(total / (dash + gap)))
    scale = total / (count * (dash + gap))
    cuts = [(step * (dash + gap) * scale, (step * (dash + gap) + dash) * scale) for step in range(count)]
    return [_between(ring, start, end) for start, end in cuts]


def clipped(outline: Sequence[Point], x: float, y: float, w: float, h: float) -> list[Point]:
    """The part of a convex polygon that lies inside a rectangle."""
    points = list(outline)
    for axis, bound, keep_above in ((0, x, True), (0, x + w, False), (1, y, True), (1, y + h, False)):
        points = _half_plane(points, axis, bound, keep_above=keep_above)
    return points


def _half_plane(points: Sequence[Point], axis: int, bound: float, *, keep_above: bool) -> list[Point]:
    kept: list[Point] = []
    for index, point in enumerate(points):
        before = points[index - 1]
        inside, was_inside = ((p[axis] >= bound) if keep_above else (p[axis] <= bound) for p in (point, before))
        if inside != was_inside:
            share = (bound - before[axis]) / (point[axis] - before[axis])
            kept.append((before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share))
        if inside:
            kept.append(point)
    return kept


def _between(line: Sequence[Point], start: float, end: float) -> list[Point]:
    points: list[Point] = []
    walked = 0.0
    for a, b in pairwise(line):
        length = math.dist(a, b)
        if walked + length > start and walked < end and length > 0:
            low, high = max(0.0, (start - walked) / length), min(1.0, (end - walked) / length)
            points += [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for share in (low, high)]
        walked += length
    return _distinct(points)


def _ribbon(into: Triangles, points: Sequence[Point], half: float, *, closed: bool) -> None:
    normals = _mitres(points, closed=closed)
    core = max(0.0, half - SOFT)
    rows = [
        [into.vertex(x + nx * side, y + ny * side, ink) for (x, y), (nx, ny) in zip(points, normals, strict=True)]
        for side, ink in ((-half - SOFT, BARE), (-core, FULL), (core, FULL), (half + SOFT, BARE))
    ]
    for left, right in pairwise(rows):
        into.strip([*left, left[0]], [*right, right[0]]) if closed else into.strip(left, right)


def _smooth_pieces(points: list[Point], *, closed: bool) -> list[tuple[list[Point], bool]]:
    """Cut a line at its sharp joints; a closed line without any stays one ring."""
    count = len(points)
    inner = range(count) if closed else range(1, count - 1)
    sharp = [index for index in inner if _turns_sharply(points[index - 1], points[index], points[(index + 1) % count])]
    if closed and not sharp:
        return [(points, True)]
    if closed:
        first = sharp[0]
        points = [*points[first:], *points[:first], points[first]]
        sharp = [index - first for index in sharp[1:]]
    bounds = [0, *sharp, len(points) - 1]
    return [(points[low : high + 1], False) for low, high in pairwise(bounds)]


def _turns_sharply(a: Point, b: Point, c: Point) -> bool:
    one, two = _unit(a, b), _unit(b, c)
    return one[0] * two[0] + one[1] * two[1] < _SHARP


def _mitres(points: Sequence[Point], *, closed: bool) -> list[Point]:
    """For each point, the outward offset that moves both its edges by one pixel (limited at sharp corners)."""
    count = len(points)
    found: list[Point] = []
    for index, point in enumerate(points):
        before = points[index - 1] if closed or index > 0 else None
        after = points[(index + 1) % count] if closed or index < count - 1 else None
        one = _unit(before, point) if before is not None else _unit(point, after or point)
        two = _unit(point, after) if after is not None else one
        nx, ny = one[1] + two[1], -one[0] - two[0]
        square = nx * nx + ny * ny
        if square < 0.2:
            nx, ny, square = one[1], -one[0], 2.0
        found.append((nx * 2 / square, ny * 2 / square))
    return found


def _unit(a: Point, b: Point) -> Point:
    length = math.dist(a, b) or 1.0
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def _distinct(points: Iterable[Point], *, closed: bool = True) -> list[Point]:
    kept: list[Point] = []
    for point in points:
        if not kept or math.dist(kept[-1], point) > 1e-3:
            kept.append(point)
    if closed and len(kept) > 1 and math.dist(kept[0], kept[-1]) <= 1e-3:
        kept.pop()
    return kept


def _area(points: Sequence[Point]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True)) / 2


def _clockwise(points: list[Point]) -> list[Point]:
    """Clockwise as seen on a screen whose y runs down."""
    return points if _area(points) > 0 else points[::-1]


def _triangles(points: Sequence[Point]) -> list[int]:
    count = len(points)
    corners = ((points[i - 1], points[i], points[(i + 1) % count]) for i in range(count))
    if all(_cross(a, b, c) >= -1e-9 for a, b, c in corners):
        return [corner for i in range(1, count - 1) for corner in (0, i, i + 1)]
    return _ears(points)


def _ears(points: Sequence[Point]) -> list[int]:
    """Triangles of a simple polygon, by cutting ears; three indices each."""
    left = list(range(len(points)))
    triangles: list[int] = []
    while len(left) > 3:
        ear = next((place for place in range(len(left)) if _is_ear(points, left, place)), 0)
        triangles += (left[ear - 1], left[ear], left[(ear + 1) % len(left)])
        left.pop(ear)
    return [*triangles, *left]


def _is_ear(points: Sequence[Point], left: Sequence[int], place: int) -> bool:
    ia, ib, ic = left[place - 1], left[place], left[(place + 1) % len(left)]
    a, b, c = points[ia], points[ib], points[ic]
    if _cross(a, b, c) <= 1e-9:
        return False
    return not any(
        _cross(a, b, points[other]) >= 0 and _cross(b, c, points[other]) >= 0 and _cross(c, a, points[other]) >= 0
        for other in left
        if other not in {ia, ib, ic}
    )


def _cross(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
