"""The room: which table needs someone, told in one glance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hub.tournament.state import TableRound
from hub.web.marks import Strokes
from hub.web.picture import Picture
from hub.web.views.asked import AskedView, asked_views
from hub.web.views.calls import FRESH, JUST_NOW, CallView, RuledView, call_views, ruled_views
from hub.web.views.desk_step import MOST_TABLES, box_step
from hub.web.views.hands import ContractView, SeatView, contract_view, seats
from hub.web.views.pace import room_pace
from hub.web.views.rail import FaultView, PaceView, PlaceView, fault_views, pace, places
from hub.web.views.remembered import remembered
from hub.web.views.states import NEEDS, WORDS, Condition, StateWord, TileState, conditions
from hub.web.views.words import STEP_SENTENCES, STEPS, age, players, signed
from tallybox.seats import Side
from tallybox.table.state import Step, TableState

FEW: Final = 9
SOME: Final = 16
MORE: Final = 30
"""Up to nine tables are drawn large with their auctions; sixteen, thirty and more stand closer, all on one screen."""


@dataclass(frozen=True, slots=True)
class TeamView:
    """A side's team on a tile: number, players, and what it has so far."""

    side: Side
    number: int
    players: str
    points: str


@dataclass(frozen=True, slots=True)
class TileView:
    """A table as one tile."""

    table: int
    state: TileState
    word: StateWord
    teams: tuple[TeamView, ...]
    strokes: Strokes | None
    detail: str
    timer: str
    since: int | None
    fresh: bool
    step: str
    sentence: str
    contract: ContractView | None
    seats: tuple[SeatView, ...]
    also: tuple[StateWord, ...]
    href: str


@dataclass(frozen=True, slots=True)
class FilterView:
    """A filter pill: how many tables are in that state."""

    key: str
    word: str
    icon: str
    count: int
    current: bool


@dataclass(frozen=True, slots=True)
class RoomView:
    """The whole page."""

    size: str
    shown: str
    tiles: tuple[TileView, ...]
    needs: tuple[TileView, ...]
    filters: tuple[FilterView, ...]
    calls: tuple[CallView, ...]
    asked: tuple[AskedView, ...]
    ruled: tuple[RuledView, ...]
    faults: tuple[FaultView, ...]
    pace: PaceView | None
    places: tuple[PlaceView, ...]
    places_by: str
    announced: str


def room(picture: Picture, shown: str = "all") -> RoomView:
    """The room, or the tables of it that are in the state ``shown``."""
    tables = tuple(picture.round.tables.values()) if picture.round else ()
    pace_of_room = room_pace(tables)
    found = [(table, conditions(picture, table, pace_of_room)) for table in tables]
    tiles = tuple(_tile(picture, table, states) for table, states in found)
    states = {table.table: {condition.state.value for condition in every} for table, every in found}
    shown = shown if shown in {"needs", *TileState} else "all"
    needy = {state.value for state in NEEDS}
    wanted = needy if shown == "needs" else {shown}
    picked = tuple(tile for tile in tiles if shown == "all" or states[tile.table] & wanted)
    places_by, best = places(picture)
    return RoomView(
        size=_size(len(tables)),
        shown=shown,
        tiles=picked,
        needs=_needs(tiles, states, needy),
        filters=_filters(states, needy, shown),
        calls=call_views(picture),
        asked=asked_views(picture),
        ruled=ruled_views(picture, JUST_NOW),
        faults=fault_views(picture),
        pace=pace(picture),
        places=best,
        places_by=places_by,
        announced=picture.tournament.announcement,
    )


def _size(tables: int) -> str:
    return "few" if tables <= FEW else "some" if tables <= SOME else "more" if tables <= MORE else "many"


def _needs(tiles: tuple[TileView, ...], states: dict[int, set[str]], needy: set[str]) -> tuple[TileView, ...]:
    order = list(TileState)
    waiting = [tile for tile in tiles if states[tile.table] & needy and tile.state is not TileState.CALLING]
    return tuple(sorted(waiting, key=lambda tile: (order.index(tile.state), tile.since or 0, tile.table)))


def _filters(states: dict[int, set[str]], needy: set[str], shown: str) -> tuple[FilterView, ...]:
    counts = {state: sum(1 for every in states.values() if state.value in every) for state in TileState}
    needs = sum(1 for every in states.values() if every & needy)
    pills = [FilterView("all", "All", "", len(states), shown == "all")]
    if needs or shown == "needs":
        pills.append(FilterView("needs", "Needs me", "", needs, shown == "needs"))
    pills += [
        FilterView(state.value, WORDS[state].word, WORDS[state].icon, count, shown == state.value)
        for state, count in counts.items()
        if count or shown == state.value
    ]
    return tuple(pills)


def _tile(picture: Picture, table: TableRound, states: tuple[Condition, ...]) -> TileView:
    first, *others = states
    face = _face(table)
    return TileView(
        table=table.table,
        state=first.state,
        word=WORDS[first.state],
        teams=face.teams,
        strokes=face.strokes,
        detail=first.detail,
        timer=age(first.since, picture.now) if first.since is not None else "",
        since=first.since,
        fresh=first.state is TileState.CALLING and picture.now - (first.since or 0) < FRESH,
        step=STEPS[face.at],
        sentence=STEP_SENTENCES[face.at],
        contract=face.contract,
        seats=face.seats,
        also=tuple(
            WORDS[condition.state] for condition in others if condition.state not in {TileState.PLAYING, first.state}
        ),
        href=href(table, face.at),
    )


@dataclass(frozen=True, slots=True)
class _Face:
    """What a tile shows of the table alone, whatever time it is."""

    at: Step
    teams: tuple[TeamView, ...]
    strokes: Strokes | None
    contract: ContractView | None
    seats: tuple[SeatView, ...]


@remembered(MOST_TABLES)
def _face(table: TableRound) -> _Face:
    state, at = table.state, box_step(table)
    hand = state.hand
    dealing = hand is not None and hand.counted and at in {Step.AUCTION, Step.CONFLICT, Step.CONTRACT}
    bound = contract_view(hand, state.playing.ruleset) if hand is not None and at in _PLAYED else None
    return _Face(at, _teams(table), strokes(state), bound, seats(hand) if hand is not None and dealing else ())


_PLAYED: Final = frozenset({Step.CONTRACT, Step.PLAY, Step.RESULT, Step.CHECK, Step.DISPUTED})
_SHEETS: Final = frozenset({Step.SIGN, Step.SUBMITTED, Step.ACCEPTED, Step.RELEASED})


def href(table: TableRound, at: Step) -> str:
    """Where a table is looked at: its sheet once the hands are played, the live table before."""
    if at in _SHEETS:
        return f"/rounds/{table.round}/tables/{table.table}"
    return f"/tables/{table.table}"


def strokes(state: TableState) -> Strokes | None:
    """The table's hands as strokes; ``None`` while it has no assignment."""
    if state.assignment is None:
        return None
    done = len(state.counting)
    current = state.hand.number if state.hand is not None else None
    total = state.assignment.hands
    return Strokes(done, max(total, done, current or 0), current)


def _teams(table: TableRound) -> tuple[TeamView, ...]:
    teams = table.state.teams
    scored = table.score
    return tuple(
        TeamView(side, teams[side].number, players(teams[side]), signed(scored.totals.points[side]) if scored else "")
        for side in Side
    )
