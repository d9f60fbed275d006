"""What a table's round looks like after the events so far. Values only; ``fold.py`` makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from tallybox.calls import Call, Direction
from tallybox.events.table import DeviceStamp
from tallybox.messages import DeskFact, Outcome, Seating, Team
from tallybox.renewed import renewed
from tallybox.rules.auction import Made, SpadesContract, WhistContract, contract, turn
from tallybox.rules.hand import HandFacts, Phase, Ruling
from tallybox.rules.ruleset import Ruleset, ruleset_from_json
from tallybox.seats import Seat, Side, calling_order


class Step(StrEnum):
    """Where the table is; each has one question and one way on (INV-3, INV-5)."""

    IDLE = "idle"
    CLAIMED = "claimed"
    SEATS = "seats"
    SCOREKEEPER = "scorekeeper"
    CLOCK = "clock"
    DRAW = "draw"
    NEXT = "next"
    DEAL = "deal"
    AUCTION = "auction"
    EARLY = "early"
    """A seat called before its turn; the other side says whether the call stands (B-12, C-16)."""
    CONFLICT = "conflict"
    CONTRACT = "contract"
    PLAY = "play"
    RULING = "ruling"
    """An irregularity waits for an official, or for both sides to drop it."""
    RESULT = "result"
    COMPARE = "compare"
    """Two scorekeepers entered apart and differ (C-19)."""
    CHECK = "check"
    DISPUTED = "disputed"
    SIGN = "sign"
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Assignment:
    """What the hub wants played here; the typed form of ``Seating``."""

    tournament: str
    title: str
    round: int
    rounds: int
    table: int
    teams: Mapping[Side, Team]
    ruleset: Ruleset
    hands: int
    minutes: int | None

    @property
    def sheet_id(self) -> str:
        """The number of the sheet, the same on screen, paper and code: ``R2-T4``."""
        return f"R{self.round}-T{self.table}"


def assignment_of(seating: Seating) -> Assignment:
    """Read a ``Seating``; raises ``RulesetError`` when its ruleset cannot be used."""
    return Assignment(
        tournament=seating.tournament, title=seating.title, round=seating.round, rounds=seating.rounds,
        table=seating.table, teams=seating.teams, ruleset=ruleset_from_json(seating.ruleset),
        hands=seating.hands, minutes=seating.minutes,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Called:
    """A call on the table: who, what, and how it came in. ``reading`` is the card's event id, ``id`` the call's own."""

    id: str
    seat: Seat
    call: Call
    source: str
    reading: str | None = None

    @property
    def made(self) -> Made:
        """The call as the rules see it."""
        return Made(self.seat, self.call)


@dataclass(frozen=True, slots=True)
class Reading:
    """A card lying on a reader; ``call`` is ``None`` when no deck knows it. ``stamp``: which device saw it when."""

    id: str
    card: str
    call: Call | None
    stamp: DeviceStamp | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """A card and a typed call of one seat differ; the table must say which one stands."""

    seat: Seat
    read: Call
    typed: Called
    reading: str


@dataclass(frozen=True, slots=True)
class Result:
    """Books per side or tricks per seat, as entered; ``id`` is the event's."""

    id: str
    books: Mapping[Side, int] | None = None
    tricks: Mapping[Seat, int] | None = None


@dataclass(frozen=True, slots=True)
class Early:
    """A call before its turn that the other side has not answered yet; ``id`` is the event's."""

    id: str
    seat: Seat
    call: Call
    source: str
    reading: str | None = None


@dataclass(frozen=True, slots=True)
class Irregularity:
    """What a table says went wrong, as raised; ``id`` is the event's. ``ruled``: an official has answered it."""

    id: str
    code: str
    side: Side
    caller: Seat
    seat: Seat | None = None
    card: str | None = None
    phase: Phase | None = None
    said: Call | None = None
    accepted: bool | None = None
    ruled: bool = False


@dataclass(frozen=True, slots=True)
class HandRuling:
    """A ruling that counts on a hand: by whom, at the table or ``at_desk``, what it answers, and the reason given."""

    id: str
    ruling: Ruling
    by: str
    at_desk: bool = False
    raised: str | None = None
    reason: str = ""
    supersedes: tuple[str, ...] = ()
    """Earlier rulings whose place it takes."""


@dataclass(frozen=True, slots=True)
class TricksClaim:
    """A seat claimed all remaining books or tricks; ``agreed``: the other side said yes."""

    id: str
    seat: Seat
    agreed: bool


class Hand(msgspec.Struct, frozen=True):
    """One deal from the first shuffle to the check by both sides."""

    number: int
    dealer: Seat
    counted: bool = False
    calls: tuple[Called, ...] = ()
    conflict: Conflict | None = None
    locked: bool = False
    direction: Direction | None = None
    started: bool = False
    result: Result | None = None
    checked: frozenset[Side] = frozenset()
    agreed: str | None = None
    """The digest of the lines that the sides in ``checked`` agreed with."""
    questioned: tuple[Side, ...] = ()
    recorded: str | None = None
    void: str | None = None
    early: Early | None = None
    accepted_early: tuple[str, ...] = ()
    """Event ids of calls that came before their turn and were accepted."""
    locked_calls: Mapping[Seat, Call] = msgspec.field(default_factory=dict)
    """What a seat must call because its early call was declined (C-16)."""
    improper: Mapping[Seat, Call] = msgspec.field(default_factory=dict)
    """What a seat said before its call was corrected (A-14)."""
    irregularities: tuple[Irregularity, ...] = ()
    rulings: tuple[HandRuling, ...] = ()
    """Rulings entered at the table, in the order made; the desk's are on ``TableState.desk``."""
    claim: TricksClaim | None = None
    conceded: str | None = None
    """The event by which the bidder gave the contract up (A-32)."""
    entries: Mapping[Side, Result] = msgspec.field(default_factory=dict)
    """What each side's scorekeeper entered, where two enter apart (C-13)."""
    unequal: int = 0
    """How often the two entries were compared and differed."""
    opened: str | None = None
    """The event that opened this deal: what the desk says of a hand names it, for a void deal keeps its number."""
    corrected: HandFacts | None = None
    """The facts as they were corrected after the record, whole; calls and result stay as they were entered."""
    corrected_by: str | None = None
    """The official who corrected the recorded hand."""
    replaced: tuple[str, ...] = ()
    """What corrections at the table named: earlier records, and the rulings that went into the new facts."""
    put_by: bool = False
    """Whether the desk voided the deal while it was open: it lies among the hands, and was never recorded."""

    @property
    def made(self) -> tuple[Made, ...]:
        """The auction as the rules see it, in the order it was called."""
        return tuple(called.made for called in self.calls)

    @property
    def turn(self) -> Seat | None:
        """Who calls next; ``None`` once all four have."""
        return turn(self.dealer, self.made)

    def call_of(self, seat: Seat) -> Called | None:
        """The seat's call, or ``None`` while it has not called."""
        return next((called for called in self.calls if called.seat is seat), None)

    @property
    def calls_in_order(self) -> tuple[Call, ...]:
        """The calls from the dealer's left on, as a sheet holds them."""
        by_seat = {called.seat: called.call for called in self.calls}
        return tuple(by_seat[seat] for seat in calling_order(self.dealer) if seat in by_seat)

    def contract(self, ruleset: Ruleset) -> WhistContract | SpadesContract | None:
        """What is played, once the auction is complete."""
        return contract(ruleset, self.dealer, self.made)


@dataclass(frozen=True, slots=True)
class Signature:
    """A person's strokes under exactly the sheet with ``digest``."""

    id: str
    side: Side
    seat: Seat
    digest: str
    strokes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Waiver:
    """An official let the sheet with ``digest`` go without a side's signature, and why."""

    id: str
    side: Side
    digest: str
    official: str
    reason: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that does not count, and the sentence that says why. It blocks signing until superseded."""

    id: str
    seq: int
    type: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Calling:
    """The table waits for the director since event ``id`` (``at``: ms, a witness only)."""

    id: str
    at: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """An official called time at the table without a hub (event ``id``); the round was to end at ``deadline``."""

    id: str
    official: str
    deadline: int | None


class TableState(msgspec.Struct, frozen=True):
    """The whole of a table's round. ``hands`` are recorded or void, oldest first; ``hand`` is the open one."""

    assignment: Assignment | None = None
    tenure: int | None = None
    claimed: bool = False
    clock_started: bool = False
    clock_ended: bool = False
    """Whether time was called: by the hub, or here by an official while no hub could."""
    deadline: int | None = None
    """When the hub's clock ends for this table (ms by the hub's clock), while it runs and the hub said so."""
    closed: Closed | None = None
    outcome: Outcome = msgspec.field(default_factory=Outcome)
    seats_confirmed: frozenset[Side] = frozenset()
    scorekeeper: Seat | None = None
    """Who keeps the sheet; where two count apart, the one chosen first, in front of whom the box lies."""
    other_scorekeeper: Seat | None = None
    """Who counts for the other side, where two scorekeepers enter apart (C-13)."""
    first_dealer: Seat | None = None
    hands: tuple[Hand, ...] = ()
    hand: Hand | None = None
    readings: Mapping[Seat, Reading] = msgspec.field(default_factory=dict)
    """The card laid last at each seat where one lies."""
    under: Mapping[Seat, tuple[Reading, ...]] = msgspec.field(default_factory=dict)
    """What lies there besides, in the order it was laid; seats with a second card only."""
    signatures: Mapping[Side, Signature] = msgspec.field(default_factory=dict)
    submitted: str | None = None
    calling: Calling | None = None
    refused: tuple[Refusal, ...] = ()
    swapped: bool = False
    """The two teams changed sides: the one assigned NS sits EW."""
    turned: frozenset[Side] = frozenset()
    """Sides whose two partners changed seats."""
    deck_waived: frozenset[Side] = frozenset()
    """Sides that do without the bid deck (C-05)."""
    waivers: Mapping[Side, Waiver] = msgspec.field(default_factory=dict)
    desk: tuple[DeskFact, ...] = ()
    """What the desk decided about this sheet, in the hub's order; laid over what the table entered, never into it."""
    late: frozenset[Side] = frozenset()
    """Sides that an official marked absent when the clock started (A-37)."""
    held: str | None = None
    """Why the table waits for the director, if it does."""

    @property
    def playing(self) -> Assignment:
        """The assignment of a table that has one; every handler behind the tenure gate may rely on it."""
        assert self.assignment is not None
        return self.assignment

    @property
    def teams(self) -> Mapping[Side, Team]:
        """Who sits where, after sides or partners changed seats."""
        assigned = self.playing.teams
        seated = {side: assigned[side.other if self.swapped else side] for side in Side}
        return {side: _turned(team) if side in self.turned else team for side, team in seated.items()}

    @property
    def closed_here(self) -> bool:
        """Whether an official called time here, and the hub gave no more time before the sheet went to it."""
        if self.closed is None:
            return False
        if self.submitted is not None and self.outcome.reopened is None:
            return True
        until, now = self.closed.deadline, self.deadline
        return until is None or now is None or now <= until

    @property
    def scorekeepers(self) -> frozenset[Seat]:
        """Who keeps the sheet: one player, or one of each side where two enter apart (C-13)."""
        return frozenset(seat for seat in (self.scorekeeper, self.other_scorekeeper) if seat is not None)

    @property
    def counting(self) -> tuple[Hand, ...]:
        """The recorded hands that count: all but the void ones."""
        return tuple(hand for hand in self.hands if hand.void is None)

    def lying(self, seat: Seat) -> tuple[Reading, ...]:
        """All cards at a seat in the order they were laid."""
        top = self.readings.get(seat)
        return (*self.under.get(seat, ()), *(() if top is None else (top,)))

    def with_lying(self, seat: Seat, cards: tuple[Reading, ...]) -> TableState:
        """The same table with just these cards at a seat."""
        readings = {at: reading for at, reading in self.readings.items() if at is not seat}
        under = {at: readings for at, readings in self.under.items() if at is not seat}
        if cards:
            readings[seat] = cards[-1]
        if cards[:-1]:
            under[seat] = cards[:-1]
        return renewed(self, readings=readings, under=under)

    def with_hub(
        self,
        *,
        outcome: Outcome,
        clock_started: bool,
        clock_ended: bool,
        desk: tuple[DeskFact, ...] = (),
        late: frozenset[Side] = frozenset(),
        held: str | None = None,
        deadline: int | None = None,
    ) -> TableState:
        """The same table with what the hub now says of it; nothing entered at the table is rolled back.

        A call for the director that an official settled is over.
        """
        told = renewed(self.with_desk(desk), outcome=outcome, deadline=deadline)
        settled = self.calling is not None and self.calling.id == outcome.answered
        return renewed(
            told,
            clock_started=clock_started,
            clock_ended=clock_ended or told.closed_here,
            late=late,
            held=held,
            calling=None if settled else self.calling,
        )

    def with_desk(self, desk: tuple[DeskFact, ...]) -> TableState:
        """The same table under just this word of the desk.

        A deal that the desk voided while it was open is put by among the hands, so that the next one can be dealt; it
        is taken up again where the desk had not said so yet (docs/journal.md, Corrections).
        """
        hand, hands = self.hand, self.hands
        if desk is self.desk and (hand is None or not desk):
            return self
        if hand is None and hands and hands[-1].put_by:
            hand, hands = renewed(hands[-1], void=None, put_by=False), hands[:-1]
        if hand is not None and desk and (void := _voided(desk, hand.opened)):
            hands = (*hands, renewed(hand, void=void, put_by=True))
            hand = None
        return renewed(self, hand=hand, hands=hands, desk=desk)

    def with_hand(self, hand: Hand) -> TableState:
        """The same table with its open hand replaced."""
        return renewed(self, hand=hand)


def _voided(desk: tuple[DeskFact, ...], deal: str | None) -> str | None:
    """Why the desk let the open deal not count, if it did."""
    about = [fact for fact in desk if fact.kind == "correction" and fact.deal is not None and fact.deal == deal]
    void = (about[-1].facts or {}).get("void") if about else None
    return void if isinstance(void, str) else None


def _turned(team: Team) -> Team:
    return msgspec.structs.replace(team, names=tuple(reversed(team.names)))
