"""How often nil was tried and made: a set nil is an attempt like any other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tallybox.rules.hand import LineKind
from tallybox.seats import Side
from tallybox.sheet.facts import HandScore


@dataclass(frozen=True, slots=True)
class NilRecord:
    """Nils bid and nils made."""

    tried: int = 0
    made: int = 0

    @property
    def percent(self) -> int | None:
        """Made of tried, in whole percent rounded half up; ``None`` when nil was never bid."""
        return (200 * self.made + self.tried) // (2 * self.tried) if self.tried else None


def nil_record(hands: Iterable[HandScore], side: Side) -> NilRecord:
    """One side's nils over scored hands."""
    nils = [line for hand in hands for line in hand.lines if line.side is side and line.kind is LineKind.NIL]
    return NilRecord(len(nils), sum(1 for line in nils if line.params.get("tricks", line.params.get("lost")) == 0))
