"""What the whole tournament looks like after the ledger so far. Values only; ``fold.py`` makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from hub.clock import Clock
from hub.tournament.clock_log import ClockTurn
from hub.tournament.in_sight import DeskCall, DeskRefusal, DeskRuling, Unfolded
from hub.tournament.officials import Official, Request
from hub.tournament.stages import Basis, ByeScore, Draft, HandChange, Lot, Override, StagePlay
from hub.tournament.teams import Entrant
from hub.tournament.versions import Done, Version
from tallybox.envelope import KioskEvent
from tallybox.events.hub import Pairing, StagePlanned
from tallybox.messages import DeskFact, Outcome, Team
from tallybox.proof.checkpoint import Checkpoint
from tallybox.renewed import renewed
from tallybox.rules.ruleset import Ruleset
from tallybox.seats import Side
from tallybox.sheet import SheetScore
from tallybox.table.overlay import live
from tallybox.table.state import TableState

Place = tuple[str, int | None, int | None]
"""A box, and the round and table that its events name."""


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


class TableRound(msgspec.Struct, frozen=True):
    """One table in one round: who meets, the table's own state, and what the hub says of it.

    ``journal`` holds every event folded here, in order. ``versions`` are what was put up for signing or made by the
    desk: their number is the sheet's version. ``heard_at``: ms, when the hub last took something from this table.
    """

    round: int
    pairing: Pairing
    state: TableState
    tenure: Tenure | None = None
    former: tuple[Tenure, ...] = ()
    journal: tuple[KioskEvent, ...] = ()
    score: SheetScore | None = None
    versions: tuple[Version, ...] = ()
    accepted: Acceptance | None = None
    reopened: str | None = None
    stale: str | None = None
    released: bool = False
    official: str | None = None
    answered: str | None = None
    heard_at: int | None = None
    desk: tuple[DeskFact, ...] = ()
    """What the desk decided about this sheet, in the ledger's order; the table's state lays it over its hands."""
    late: frozenset[Side] = frozenset()
    held: str | None = None
    extra: int = 0
    """Seconds that this table alone has beyond the round clock; while it has any, the end of the clock is not its."""
    aside: tuple[KioskEvent, ...] = ()
    """Events that are stored and shown, never folded, until the director adopts them (``hub.tournament.aside``)."""
    declined: frozenset[str] = frozenset()
    """Events kept aside of which the director said that what counts stays as it is."""
    paper: bool = False
    """Whether the sheet came to the desk on paper."""
    dropped: tuple[str, ...] = ()
    """Events in whose place others were adopted, and claims that the director refused."""
    opened: tuple[str, ...] = ()
    """Claims that officials made here without a hub and that the director granted."""
    shut: frozenset[str] = frozenset()
    """Boxes whose claim without a hub the director refused here: what they entered stays aside."""
    done: tuple[Done, ...] = ()
    """What the desk did about this table, oldest first."""

    @property
    def table(self) -> int:
        """The table's number."""
        return self.pairing.table

    @property
    def given_before(self) -> int:
        """The last tenure number that this ledger gave here before the present one; 0 when it gave none."""
        return max((old.number for old in self.former), default=0)

    @property
    def teams(self) -> tuple[int, int]:
        """The two teams, North–South first: as they sit, should they have changed sides at the table."""
        drawn = (self.pairing.ns, self.pairing.ew)
        return drawn[::-1] if self.state.swapped else drawn

    def side_of(self, team: int) -> Side:
        """The side on which a team of this table sits."""
        return Side.NS if self.teams[0] == team else Side.EW

    @property
    def sheet_id(self) -> str:
        """``R2-T4``, the same on screen, paper and code."""
        return f"R{self.round}-T{self.table}"

    @property
    def submitted(self) -> bool:
        """Whether a signed sheet waits for the desk, or has been taken."""
        return self.state.submitted is not None and self.reopened is None

    @property
    def offered(self) -> tuple[str, ...]:
        """The digests of the sheet's versions."""
        return tuple(version.digest for version in self.versions)

    @property
    def digest(self) -> str | None:
        """The digest of the sheet's present version: the last that was offered for signing or made by the desk."""
        return self.versions[-1].digest if self.versions else None

    @property
    def signed_version(self) -> int | None:
        """The version that the players signed and submitted; the desk may have made later ones."""
        return self.version_of(self.state.submitted)

    def version_of(self, digest: str | None) -> int | None:
        """The number of the version with this digest; ``None`` for one that was never put up for signing."""
        offered = self.offered
        return offered.index(digest) + 1 if digest in offered else None

    @property
    def lost_by(self) -> frozenset[Side]:
        """The sides that the desk closed this sheet against: by forfeit or disqualification."""
        if not self.state.desk:
            return frozenset()
        return frozenset(fact.loser for fact in live(self.state) if fact.kind == "ended" and fact.loser is not None)

    @property
    def settled(self) -> bool:
        """Whether the round need not wait for this table: its sheet is accepted, or the desk closed it (Q-44)."""
        return self.accepted is not None or bool(self.lost_by)

    @property
    def begun(self) -> bool:
        """Whether cards were dealt at the table, or its result is known."""
        return bool(self.state.hands) or self.state.hand is not None or self.settled

    @property
    def seats_missing(self) -> tuple[Side, ...]:
        """The sides that have not confirmed their seats."""
        return tuple(side for side in Side if side not in self.state.seats_confirmed)

    @property
    def outcome(self) -> Outcome:
        """What the hub says of this table, without where its sides go next."""
        return Outcome(
            accepted=self.accepted.digest if self.accepted else None, reopened=self.reopened, stale=self.stale,
            released=self.released, official=self.official, answered=self.answered,
        )  # fmt: skip


class Round(msgspec.Struct, frozen=True):
    """One round: its tables by number, in order. No ``minutes``: untimed.

    ``deadline``: when its clock ends, while it runs (ms). ``of_stage``: the number of its stage.
    ``byes``: who sits out. ``basis``: what its pairings rested on when they were posted. ``posted_at`` and ``ended_at``
    in ms by the hub's clock.
    """

    number: int
    hands: int
    minutes: int | None
    tables: Mapping[int, TableRound]
    stage: Stage = Stage.PUBLISHED
    clock_started: bool = False
    clock_ended: bool = False
    deadline: int | None = None
    of_stage: int = 1
    byes: tuple[int, ...] = ()
    bye_scores: Mapping[int, ByeScore] = msgspec.field(default_factory=dict)
    basis: Basis = ()
    posted_at: int | None = None
    ended_at: int | None = None
    starts_at: int | None = None
    """When it starts by itself, if that is announced (ms)."""
    changes: tuple[HandChange, ...] = ()
    """Who changed places by hand in its pairings, oldest first."""

    @property
    def unbegun(self) -> bool:
        """Whether it has not started, and no table has dealt: it may be drafted and posted again."""
        return self.stage is Stage.PUBLISHED and not self.begun

    @property
    def begun(self) -> bool:
        """Whether any table has dealt, or its result is known."""
        return any(table.begun for table in self.tables.values())

    @property
    def missing(self) -> tuple[TableRound, ...]:
        """The tables that the end of the round waits for."""
        return tuple(table for table in self.tables.values() if not table.settled)

    def table_of(self, team: int) -> TableRound | None:
        """The table where a team sits; ``None`` when it sits out."""
        return next((table for table in self.tables.values() if team in table.teams), None)

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
    official: str | None = None
    """Whose PIN made it, at the table."""
    provisional: bool = False
    """Opened without a hub: the director says whether it counts."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the tournament was created with: the template's name, its stages, and what each round starts from.

    ``rounds``, ``hands`` and ``minutes`` are the first stage's.
    """

    template: str
    ruleset: Ruleset
    rounds: int
    hands: int
    minutes: int | None
    seed: int
    stages: tuple[StagePlanned, ...] = ()


class Tournament(msgspec.Struct, frozen=True):
    """The whole occasion after ledger line ``seq``. ``boxes`` maps tables to the box that stands there.

    ``told`` holds, by box, why its last claim was not granted. ``tenures`` is the highest tenure number seen.
    """

    seq: int = 0
    name: str | None = None
    title: str = ""
    plan: Plan | None = None
    teams: Mapping[int, Team] = msgspec.field(default_factory=dict)
    """Who sits down for each team now, proxies included; what else is known of it stands in ``entrants``."""
    entrants: Mapping[int, Entrant] = msgspec.field(default_factory=dict)
    stages: tuple[StagePlay, ...] = ()
    """The stages that have begun, in order; the last one is on, unless it has ended."""
    draft: Draft | None = None
    lots: tuple[Lot, ...] = ()
    overrides: tuple[Override, ...] = ()
    boxes: Mapping[int, str] = msgspec.field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    clock: Clock = msgspec.field(default_factory=Clock)
    turns: tuple[ClockTurn, ...] = ()
    """What was done to the clocks of the rounds, in order."""
    claims: tuple[Claim, ...] = ()
    told: Mapping[str, str] = msgspec.field(default_factory=dict)
    tenures: int = 0
    calls: tuple[DeskCall, ...] = ()
    refusals: tuple[DeskRefusal, ...] = ()
    late: tuple[Unfolded, ...] = ()
    asides: Mapping[Place, int] = msgspec.field(default_factory=dict)
    """How many events wait aside for the director's word, by where they were entered; ``late`` holds the newest."""
    copied: bool = False
    """This hub goes on from an older copy of its data (``hub.restored``): it may lack what it granted once."""
    ahead: tuple[KioskEvent, ...] = ()
    """Events of rounds that this hub has not posted: it was restored from an older copy of its data."""
    branches: tuple[Unfolded, ...] = ()
    ruled: tuple[DeskRuling, ...] = ()
    """What the desk ruled, oldest first, also what was taken back since."""
    announcement: str = ""
    officials: Mapping[str, Official] = msgspec.field(default_factory=dict)
    locked: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Boxes that take no taps, and why."""
    requests: tuple[Request, ...] = ()
    """What officials asked for at tables and the hub has not done yet, oldest first."""
    practice: int = 0
    identified: Mapping[str, int] = msgspec.field(default_factory=dict)
    """How often each box was made to buzz, so that somebody finds it."""
    checkpoints: tuple[Checkpoint, ...] = ()
    """The hub's signed words on the ledger, oldest first."""

    @property
    def current(self) -> Round | None:
        """The round posted last; ``None`` before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def over(self) -> bool:
        """Whether the last stage has ended."""
        return self.plan is not None and len(self.stages) == len(self.plan.stages) and self.stages[-1].ended

    @property
    def stage(self) -> StagePlay | None:
        """The stage that began last; ``None`` before the first."""
        return self.stages[-1] if self.stages else None

    @property
    def unposted(self) -> Tournament:
        """The tournament as it was before a round was posted that nobody has begun; else itself."""
        current = self.current
        return renewed(self, rounds=self.rounds[:-1]) if current is not None and current.unbegun else self

    def rounds_of(self, stage: int) -> tuple[Round, ...]:
        """The rounds posted so far in a stage, in order."""
        return tuple(posted for posted in self.rounds if posted.of_stage == stage)

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
