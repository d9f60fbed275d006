"""What goes wrong when: a pure function of the seed. The same seed brings the same faults in the same order.

Every point is dealt once before any comes again, as cards from a shuffled deck, so a run that is long enough tries all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from random import Random
from typing import Final

from deploy.chaos.points import AT_A_BOX, FaultPoint

SOONEST: Final = 1.0
LATEST: Final = 5.0
"""Seconds between two faults. Most last a few seconds, so that two or three are there at once."""

SHORTEST: Final = 0.5
LONGEST: Final = 4.0
"""Seconds for which a part is down, a line cut or a disk bad."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong, ``at`` so many seconds of play, for about ``lasts`` seconds.

    ``box``: where, for points that strike one box. ``draw``: decides what else there is to decide, such as an order.
    """

    at: float
    point: FaultPoint
    lasts: float
    draw: int
    box: str | None = None


def schedule(seed: int, seconds: float, boxes: Sequence[str]) -> tuple[Fault, ...]:
    """The faults of a run of so many seconds of play in a room with these boxes, in order of time."""
    return tuple(takewhile(lambda fault: fault.at < seconds, endless(seed, boxes)))


def endless(seed: int, boxes: Sequence[str]) -> Iterator[Fault]:
    """The faults that a seed brings, for as long as anybody asks."""
    luck = Random(f"chaos {seed}")  # noqa: S311 (faults are to be repeatable, not secret)
    at = 0.0
    while True:
        deck = list(FaultPoint)
        luck.shuffle(deck)
        for point in deck:
            at += luck.uniform(SOONEST, LATEST)
            box = luck.choice(boxes) if point in AT_A_BOX else None
            yield Fault(round(at, 3), point, round(luck.uniform(SHORTEST, LONGEST), 3), luck.getrandbits(32), box)
