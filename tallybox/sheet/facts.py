"""One table's round as facts, and as the score that follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tallybox.rules.hand import HandFacts, Line
from tallybox.rules.ruleset import Ruleset
from tallybox.seats import Side


def zero() -> dict[Side, int]:
    """Nothing yet, for both sides."""
    return {Side.NS: 0, Side.EW: 0}


@dataclass(frozen=True, slots=True)
class Totals:
    """What each side has: points, the bag counter, hands won and Bostons (the last two in bid whist)."""

    points: Mapping[Side, int] = field(default_factory=zero)
    bags: Mapping[Side, int] = field(default_factory=zero)
    hands_won: Mapping[Side, int] = field(default_factory=zero)
    bostons: Mapping[Side, int] = field(default_factory=zero)


@dataclass(frozen=True, slots=True)
class Opening:
    """Totals carried into the sheet; ``hand`` is the number of its first hand."""

    points: Mapping[Side, int] = field(default_factory=zero)
    bags: Mapping[Side, int] = field(default_factory=zero)
    hands_won: Mapping[Side, int] = field(default_factory=zero)
    bostons: Mapping[Side, int] = field(default_factory=zero)
    hand: int = 1


class EndedBy(StrEnum):
    """What closed a round that no limit closed."""

    TIME = "time"
    FORFEIT = "forfeit"
    DQ = "dq"


@dataclass(frozen=True, slots=True)
class Ended:
    """A round closed from outside; ``loser`` is an explicit side except when time ran out (Q-44)."""

    by: EndedBy
    loser: Side | None = None


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """Everything a sheet is scored from. ``hands_per_round`` counts in bid whist alone."""

    ruleset: Ruleset
    hands: tuple[HandFacts, ...] = ()
    opening: Opening = field(default_factory=Opening)
    hands_per_round: int = 5
    ended: Ended | None = None


@dataclass(frozen=True, slots=True)
class HandScore:
    """One hand scored: ``points`` is the sum of its lines, ``bags`` the counters after it (zero in bid whist)."""

    hand: int
    void: bool
    points: Mapping[Side, int]
    bags: Mapping[Side, int]
    won_by: Side | None
    boston: Side | None
    lines: tuple[Line, ...]


class Reason(StrEnum):
    """Why a round is over."""

    WIN_LIMIT = "win-limit"
    LOSS_LIMIT = "loss-limit"
    HAND_LIMIT = "hand-limit"
    TIME = "time"
    FORFEIT = "forfeit"
    DQ = "dq"


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """Whether the round is over and why. ``winner`` is ``None`` in bid whist: hands decide there."""

    over: bool
    reason: Reason | None
    winner: Side | None
    hands_played: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that is allowed and worth a second look."""

    code: str
    hand: int
    message: str


@dataclass(frozen=True, slots=True)
class SheetScore:
    """A scored sheet. Hands past the end are listed and not counted."""

    hands: tuple[HandScore, ...]
    totals: Totals
    round: RoundEnd
    warnings: tuple[Notice, ...]
