"""What the whole tournament looks like after the ledger so far. Values only; ``fold.py`` makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from hub.clock import Clock
from tallybox.envelope import KioskEvent
from tallybox.events.hub import Pairing
from tallybox.messages import Outcome, Team
from tallybox.rules.ruleset import Ruleset
from tallybox.sheet import SheetScore
from tallybox.table.state import TableState

SHOWN: Final = 500
"""How many refusals, late events and branches the desk keeps in sight; the ledger keeps all of them."""


class Stage(StrEnum):
    """How far a round has come."""

    PUBLISHED = "published"
    STARTED = "started"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Tenure:
    """The box that speaks for a table. ``resume`` is the table's round journal up to ``resumes``."""

    number: int
    box: str
    claim: str
    resumes: str | None = None
    resume: tuple[KioskEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Who took which version of the signed sheet."""

    digest: str
    version: int
    by: str


@dataclass(frozen=True, slots=True)
class TableRound:
    """One table in one round: who meets, the table's own state, and what the hub says of it.

    ``journal`` holds every event folded here, in order. ``offered`` are the digests put up for signing: their number
    is the sheet's version. ``heard_at``: ms, when the hub last took something from this table.
    """

    round: int
    pairing: Pairing
    state: TableState
    tenure: Tenure | None = None
    former: tuple[Tenure, ...] = ()
    journal: tuple[KioskEvent, ...] = ()
    score: SheetScore | None = None
    offered: tuple[str, ...] = ()
    accepted: Acceptance | None = None
    reopened: str | None = None
    stale: str | None = None
    released: bool = False
    official: str | None = None
    answered: str | None = None
    heard_at: int | None = None

    @property
    def table(self) -> int:
        """The table's number."""
        return self.pairing.table

    @property
    def sheet_id(self) -> str:
        """``R2-T4``, the same on screen, paper and code."""
        return f"R{self.round}-T{self.table}"

    @property
    def submitted(self) -> bool:
        """Whether a signed sheet waits for the desk, or has been taken."""
        return self.state.submitted is not None and self.reopened is None

    @property
    def outcome(self) -> Outcome:
        """What the hub says of this table, without where its sides go next."""
        return Outcome(
            accepted=self.accepted.digest if self.accepted else None, reopened=self.reopened, stale=self.stale,
            released=self.released, official=self.official, answered=self.answered,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its tables by number, in order. No ``minutes``: untimed."""

    number: int
    hands: int
    minutes: int | None
    tables: Mapping[int, TableRound]
    stage: Stage = Stage.PUBLISHED
    clock_started: bool = False
    clock_ended: bool = False

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who meets whom, by table."""
        return tuple(table.pairing for table in self.tables.values())

    @property
    def closed(self) -> bool:
        """Whether no clock stands in the way of releasing tables."""
        return self.minutes is None or self.clock_ended


@dataclass(frozen=True, slots=True)
class Claim:
    """A box asks to speak for a table, and the hub has not answered yet."""

    id: str
    box: str
    round: int | None
    table: int | None


@dataclass(frozen=True, slots=True)
class DeskCall:
    """A table called the director at ``at`` (ms, when the hub heard it); ``claimed`` names who is on the way."""

    id: str
    round: int
    table: int
    box: str
    at: int
    reason: str = ""
    claimed: str | None = None
    closed: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class DeskRefusal:
    """An event in the ledger that does not count, and why."""

    ledger_seq: int
    id: str
    box: str
    epoch: str
    seq: int
    round: int | None
    table: int | None
    type: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Unfolded:
    """An authentic event that is stored and shown, never folded: of a former tenure, or of a branch."""

    ledger_seq: int
    id: str
    box: str
    epoch: str
    seq: int
    round: int | None
    table: int | None
    tenure: int | None
    type: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What the tournament was created with: the template's name, and what each round starts from."""

    template: str
    ruleset: Ruleset
    rounds: int
    hands: int
    minutes: int | None
    seed: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """The whole occasion after ledger line ``seq``. ``boxes`` maps tables to the box that stands there.

    ``told`` holds, by box, why its last claim was not granted. ``tenures`` is the highest tenure number seen.
    """

    seq: int = 0
    name: str | None = None
    title: str = ""
    plan: Plan | None = None
    teams: Mapping[int, Team] = field(default_factory=dict)
    boxes: Mapping[int, str] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    clock: Clock = field(default_factory=Clock)
    claims: tuple[Claim, ...] = ()
    told: Mapping[str, str] = field(default_factory=dict)
    tenures: int = 0
    calls: tuple[DeskCall, ...] = ()
    refusals: tuple[DeskRefusal, ...] = ()
    late: tuple[Unfolded, ...] = ()
    branches: tuple[Unfolded, ...] = ()
    announcement: str = ""

    @property
    def current(self) -> Round | None:
        """The round posted last; ``None`` before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def over(self) -> bool:
        """Whether the last round has ended."""
        return self.plan is not None and len(self.rounds) == self.plan.rounds and self.rounds[-1].stage is Stage.ENDED

    @property
    def open_calls(self) -> tuple[DeskCall, ...]:
        """The tables that wait for the director, oldest first."""
        return tuple(call for call in self.calls if not call.closed)

    def round(self, number: int) -> Round | None:
        """The round with this number, if it was posted."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None

    def table(self, number: int | None, table: int | None) -> TableRound | None:
        """A table in a round, if both are there."""
        posted = None if number is None else self.round(number)
        return None if posted is None or table is None else posted.tables.get(table)

    def table_of(self, box: str) -> int | None:
        """The table a box stands on."""
        return next((table for table, stands in self.boxes.items() if stands == box), None)
