"""The round clock in the tournament: what the desk does to it, and the log of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from hub.clock import posted as posted_clock
from hub.clock import turned
from hub.tournament.clock_log import ClockTurn, Turn
from hub.tournament.in_sight import SHOWN
from hub.tournament.state import Stage, Tournament
from hub.tournament.tables import put, refreshed
from tallybox.envelope import HubEvent, event_id
from tallybox.events import hub as bodies
from tallybox.events.clock import ClockReopened, ClockShortened, StartWithdrawn
from tallybox.events.hub import Act
from tallybox.renewed import renewed

Handler = Callable[[Tournament, HubEvent, Act], Tournament]


def _clock(tournament: Tournament, event: HubEvent, body: Act) -> Tournament:
    found = tournament.round(event.round or 0)
    if found is None or found.number != tournament.clock.round:
        return tournament
    clock = turned(tournament.clock, body)
    ended = isinstance(body, bodies.ClockEnded) or (found.clock_ended and clock.deadline is None)
    on = renewed(found, clock_started=True, clock_ended=ended, deadline=clock.deadline)
    return _logged(renewed(put(tournament, refreshed(on)), clock=clock), tournament, event, body)


def _withdrawn(tournament: Tournament, event: HubEvent, body: StartWithdrawn) -> Tournament:
    """The round is as it was when it was posted; nothing that a table entered is rolled back."""
    found = tournament.round(event.round or 0)
    if found is None or found.number != tournament.clock.round or found.begun:
        return tournament
    tables = {number: renewed(table, late=frozenset()) for number, table in found.tables.items()}
    on = renewed(
        found, stage=Stage.PUBLISHED, clock_started=False, clock_ended=False, deadline=None, starts_at=None,
        tables=tables,
    )  # fmt: skip
    again = renewed(put(tournament, refreshed(on)), clock=posted_clock(found.number, found.minutes))
    return _logged(again, tournament, event, body)


def _logged(after: Tournament, before: Tournament, event: HubEvent, body: Act) -> Tournament:
    now = event.at.wall
    undone = {ClockReopened: Turn.ENDED, StartWithdrawn: Turn.STARTED}.get(type(body))
    earlier = [turn.id for turn in before.turns if turn.what is undone and turn.round == event.round]
    undoes = body.extension if isinstance(body, ClockShortened) else next(reversed(earlier), None)
    left = before.clock.left(now)
    held = body if isinstance(body, bodies.ClockHeld) else None
    turn = ClockTurn(
        event_id(event), now, event.round or 0, _TURNS[type(body)], body.actor, getattr(body, "seconds", 0),
        left if held is None else held.remaining, undoes, reason="" if held is None else held.reason,
        ran_on=0 if held is None else left,
    )  # fmt: skip
    return renewed(after, turns=(*before.turns, turn)[-SHOWN:])


_TURNS: Final[Mapping[type[Act], Turn]] = {
    bodies.ClockStarted: Turn.STARTED,
    bodies.ClockPaused: Turn.PAUSED,
    bodies.ClockResumed: Turn.RESUMED,
    bodies.ClockExtended: Turn.EXTENDED,
    ClockShortened: Turn.SHORTENED,
    bodies.ClockHeld: Turn.HELD,
    bodies.ClockEnded: Turn.ENDED,
    ClockReopened: Turn.REOPENED,
    StartWithdrawn: Turn.WITHDRAWN,
}

HANDLERS: Final = cast(
    "Mapping[type[Act], Handler]",
    {**dict.fromkeys(_TURNS, _clock), StartWithdrawn: _withdrawn},
)
