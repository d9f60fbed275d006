"""The facts of one hand, and what scoring makes of them: ledger lines with a rule id and its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tallybox.calls import Call, Direction
from tallybox.seats import Seat, Side


class Phase(StrEnum):
    """When in a hand something happened."""

    DEAL = "deal"
    BIDDING = "bidding"
    PLAY = "play"


class LineKind(StrEnum):
    """What a ledger line counts."""

    CONTRACT = "contract"
    OVERTRICKS = "overtricks"
    NIL = "nil"
    NIL_TRICKS = "nil-tricks"
    BAG_PENALTY = "bag-penalty"
    PENALTY = "penalty"
    RULING = "ruling"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an official decided. ``side`` is always the offender's; the codes are explained in docs/rules.md.

    Which of the other fields a code needs is the business of ``tallybox.rules.rulings``.
    """

    code: str
    side: Side | None = None
    seat: Seat | None = None
    caller: Seat | None = None
    official: str | None = None
    proven: bool = True
    phase: Phase | None = None
    card: str | None = None
    accepted: bool | None = None
    said: Call | None = None
    corrected: Call | None = None
    points: Mapping[Side, int] | None = None
    won_by: Side | None = None
    boston: Side | None = None
    bags: Mapping[Side, int] | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class HandFacts:
    """Everything that is known of one hand, and nothing derived from it.

    ``calls`` stand in calling order from the dealer's left, whatever order they were made in. ``books`` (bid whist)
    count the kitty for the bidding side. ``void`` says why a hand was dealt again.
    """

    dealer: Seat
    calls: tuple[Call, ...] = ()
    books: Mapping[Side, int] | None = None
    tricks: Mapping[Seat, int] | None = None
    direction: Direction | None = None
    rulings: tuple[Ruling, ...] = ()
    void: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: points to a side by a rule; ``params`` hold what the sentence needs."""

    side: Side
    kind: LineKind
    points: int
    rule: str
    params: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settled:
    """One hand scored by itself.

    ``bags`` are the counters after it in spades, and nothing in bid whist; ``void``: the hand was dealt again.
    """

    lines: tuple[Line, ...] = ()
    won_by: Side | None = None
    boston: Side | None = None
    bags: Mapping[Side, int] = field(default_factory=dict)
    void: bool = False


def sums(lines: Iterable[Line]) -> dict[Side, int]:
    """The points of each side: the sum of its lines."""
    total = {Side.NS: 0, Side.EW: 0}
    for line in lines:
        total[line.side] += line.points
    return total
