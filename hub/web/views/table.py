"""One table as it plays: the seats as they sit, the auction as called, and how the table and its box are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hub.tournament.state import TableRound
from hub.web.marks import Strokes
from hub.web.picture import Picture
from hub.web.views.calls import CallView, RuledView, call_views, ruled_views
from hub.web.views.hands import ContractView, SeatView, contract_view, seats_as_they_sit
from hub.web.views.late import LateSide, given, late_sides, marks_late
from hub.web.views.lines import LineView, line_view
from hub.web.views.rail import FaultView, fault_views
from hub.web.views.room import strokes
from hub.web.views.states import WORDS, StateWord, TileState, conditions
from hub.web.views.words import STEP_SENTENCES, age, players, signed
from tallybox.errors import TallyboxError
from tallybox.seats import Seat, Side
from tallybox.table.shown import open_hand_score
from tallybox.table.state import Hand, Step
from tallybox.table.steps import round_over, step


@dataclass(frozen=True, slots=True)
class SeatAt:
    """A seat on the map: the player, and the seat's part in the auction if a hand is open."""

    seat: Seat
    player: str
    view: SeatView | None
    keeps: bool
    says: str


@dataclass(frozen=True, slots=True)
class BoxView:
    """The box on the table, in words."""

    id: str
    lines: tuple[str, ...]
    timer: str
    since: int | None


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """The hand being played, as it may be voided: what becomes of it then."""

    hand: int
    deal: str
    then: str


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole page."""

    table: int
    round: int
    sentence: str
    hand: str
    strokes: Strokes | None
    seats: tuple[SeatAt, ...]
    contract: ContractView | None
    result: Mapping[Side, str]
    lines: tuple[LineView, ...]
    numbers: Mapping[Side, int]
    teams: Mapping[Side, str]
    totals: Mapping[Side, str]
    state: TileState
    states: tuple[tuple[TileState, StateWord, str], ...]
    box: BoxView | None
    calls: tuple[CallView, ...]
    ruled: tuple[RuledView, ...]
    rule: str
    extra: int
    held: str | None
    late: tuple[LateSide, ...]
    award: str
    timed: bool
    closed: bool
    faults: tuple[FaultView, ...]
    sheet: str
    bidding: bool
    high: SeatView | None
    open: OpenDeal | None = None
    had: int = 0
    """Seconds that it has beyond the round clock."""


def table_view(picture: Picture, table: TableRound) -> TableView:
    """One table of the round that is on."""
    state = table.state
    playing = state.playing
    hand = state.hand
    found = conditions(picture, table)
    at = step(state)
    views = {view.seat: view for view in seats_as_they_sit(hand)} if hand else {}
    totals = table.score.totals.points if table.score else {Side.NS: 0, Side.EW: 0}
    return TableView(
        table=table.table,
        round=table.round,
        sentence=_sentence(table, at),
        hand=f"Hand {hand.number} of {playing.hands}" if hand else f"{len(state.counting)} of {playing.hands} hands",
        strokes=strokes(state),
        seats=tuple(_seat_at(table, seat, views.get(seat)) for seat in Seat),
        contract=contract_view(hand, playing.ruleset) if hand else None,
        result=_result(hand),
        lines=_lines(table),
        numbers={side: state.teams[side].number for side in Side},
        teams={side: players(state.teams[side]) for side in Side},
        totals={side: signed(totals[side]) for side in Side},
        state=found[0].state,
        states=tuple((condition.state, WORDS[condition.state], condition.detail) for condition in found),
        box=_box(picture, table),
        calls=tuple(call for call in call_views(picture) if (call.round, call.table) == (table.round, table.table)),
        ruled=ruled_views(picture, 8, table=table),
        rule=f"/rounds/{table.round}/tables/{table.table}/rule",
        extra=-(-table.extra // 60),
        held=table.held,
        late=late_sides(table) if marks_late(picture) else (),
        award=given(table),
        timed=playing.minutes is not None,
        closed=table.settled,
        faults=tuple(fault for fault in fault_views(picture) if fault.href == f"/tables/{table.table}"),
        sheet=f"/rounds/{table.round}/tables/{table.table}",
        bidding=hand is not None and at in {Step.AUCTION, Step.CONFLICT},
        high=next((view for view in views.values() if view.high), None),
        open=_open(table, hand),
        had=table.extra,
    )


def _open(table: TableRound, hand: Hand | None) -> OpenDeal | None:
    state = table.state
    if hand is None or hand.opened is None or table.submitted or table.settled or round_over(state):
        return None
    dealer = hand.dealer if state.playing.ruleset.settings.redeal_dealer == "same" else hand.dealer.left
    again = f"{dealer.word} deals again, and it stays hand {hand.number}."
    if state.clock_ended:
        again = "Time is up, so no hand is dealt in its place."
    return OpenDeal(hand.number, hand.opened, f"Its bids and its result score for nobody. {again}")


def _sentence(table: TableRound, at: Step) -> str:
    hand = table.state.hand
    if at is Step.AUCTION and hand is not None and hand.turn is not None:
        return f"{hand.turn.word} bids now."
    if at is Step.DEAL and hand is not None:
        return f"{hand.dealer.word} deals; all four count their cards."
    return STEP_SENTENCES[at]


def _seat_at(table: TableRound, seat: Seat, view: SeatView | None) -> SeatAt:
    team = table.state.teams[seat.side]
    says = "bids now" if view and view.turn else view.differs if view and view.differs else ""
    return SeatAt(
        seat, team.names[seat.side.seats.index(seat)], view, seat in table.state.scorekeepers, says or _source(view)
    )


def _source(view: SeatView | None) -> str:
    if view is None or view.call is None:
        return ""
    return {"card": "shown by card", "typed": "typed"}.get(view.source, view.source)


def _result(hand: Hand | None) -> dict[Side, str]:
    if hand is None or hand.result is None:
        return {}
    if hand.result.books is not None:
        return {side: str(hand.result.books[side]) for side in Side}
    tricks = hand.result.tricks
    return {} if tricks is None else {side: str(sum(tricks[seat] for seat in side.seats)) for side in Side}


def _lines(table: TableRound) -> tuple[LineView, ...]:
    hand = table.state.hand
    if hand is None or hand.result is None:
        return ()
    try:
        return tuple(line_view(line) for line in open_hand_score(table.state).lines)
    except TallyboxError:
        return ()


def _box(picture: Picture, table: TableRound) -> BoxView | None:
    box = picture.box_of(table.table)
    name = picture.tournament.boxes.get(table.table)
    if box is None:
        return None if name is None else BoxView(name, ("never heard since the hub started",), "", None)
    lines = [
        "linked" if box.online else "its link is gone",
        f"{box.unsent} unsent" if box.unsent else "nothing unsent",
        *([box.reader] if box.reader else []),
    ]
    return BoxView(box.id, tuple(lines), age(box.heard, picture.now), box.heard)
