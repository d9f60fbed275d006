"""What moves on a panel, and where from: only what shows where something went. Pure.

A call goes from the key, or falls as a card does, to the seat that made it; a divider goes to where it stands now; a
total that is new is underlined for a while. The panel is at rest in the place all of it leads to from the first frame
on, so nothing waits for a movement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kiosk.widgets.layout import Placed, Rect, targets
from kiosk.widgets.node import Box, Trail

MOVE_MS: Final = 150
"""How long a movement takes."""
UNDER_MS: Final = 2_000
"""How long what is new stays underlined."""


@dataclass(frozen=True, slots=True)
class Slide:
    """Things that come to their place from ``dx`` and ``dy`` away."""

    things: tuple[Placed, ...]
    dx: float
    dy: float

    def left(self, ms: int) -> tuple[float, float]:
        """How far they still are from their place after ``ms``: fast at first, then slower."""
        share = (1 - min(1.0, max(0, ms) / MOVE_MS)) ** 3
        return self.dx * share, self.dy * share


def slide(before: Sequence[Placed], after: Sequence[Placed]) -> Slide | None:
    """The one movement that leads from one picture of a region to the next; none where a screen is cut to another."""
    was = {trail.name: (trail, item.seen) for _, item, trail in _trails(before)}
    for index, item, trail in _trails(after):
        known = None if trail.under else was.get(trail.name)
        if known is None or not trail.value:
            continue
        start = _start(before, trail, *known)
        if start is not None and start != item.seen.middle:
            x, y = item.seen.middle
            return Slide(_with_what_lies_on_it(after, index), start[0] - x, start[1] - y)
    return None


def fresh(before: Sequence[Placed], after: Sequence[Placed]) -> tuple[Trail, ...]:
    """What is underlined because it was not there before."""
    was = {trail for _, _, trail in _trails(before)}
    return tuple(trail for _, _, trail in _trails(after) if trail.under and trail not in was)


def place(placed: Sequence[Placed], wanted: Trail) -> Rect | None:
    """Where something stands."""
    return next((item.seen for _, item, trail in _trails(placed) if trail == wanted), None)


def leads(placed: Sequence[Placed]) -> bool:
    """Whether something stands here that people may have to follow."""
    return any(True for _ in _trails(placed))


def _trails(placed: Sequence[Placed]) -> Iterator[tuple[int, Placed, Trail]]:
    for index, item in enumerate(placed):
        if isinstance(item.node, Box) and item.node.trail is not None:
            yield index, item, item.node.trail


def _start(before: Sequence[Placed], trail: Trail, known: Trail, old: Rect) -> tuple[float, float] | None:
    """The point that it comes from: its key, above its place, or, for a divider, where it was."""
    if trail.value == known.value:
        return old.middle if trail.moves else None
    if not trail.origin:
        x, y = old.middle
        return x, y - old.h / 2
    key = next((target for target in targets(tuple(before)) if target.tap.key == trail.origin), None)
    return None if key is None else key.rect.middle


def _with_what_lies_on_it(placed: Sequence[Placed], index: int) -> tuple[Placed, ...]:
    item = placed[index]
    return (item, *(above for above in placed[index + 1 :] if above.seen.meets(item.seen)))
