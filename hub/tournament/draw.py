"""One round on paper: who meets whom, who rests, and who meets again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """Two teams that meet; ``ns`` sits North–South."""

    ns: int
    ew: int

    @property
    def teams(self) -> tuple[int, int]:
        """The two, the lower number first."""
        return (min(self.ns, self.ew), max(self.ns, self.ew))


@dataclass(frozen=True, slots=True)
class Draw:
    """One round: ``number`` counts from 1, ``pairs`` stand in table order, ``byes`` are the teams without opponents.

    ``rematches`` are the pairs that have met before, each with its lower number first, in order.
    """

    number: int
    pairs: tuple[Pair, ...]
    byes: tuple[int, ...] = ()
    rematches: tuple[tuple[int, int], ...] = ()

    @property
    def bye(self) -> int | None:
        """The team that rests where at most one does; ``None`` if all play."""
        return self.byes[0] if self.byes else None
