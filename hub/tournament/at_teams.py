"""What the hub's own events say of teams: who is registered, here, gone, played for by a proxy, out, noted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from hub.tournament.rotation import entered
from hub.tournament.state import Tournament
from hub.tournament.teams import Entrant, Note, Proxy
from tallybox.envelope import HubEvent
from tallybox.events import hub as bodies
from tallybox.events import teams
from tallybox.events.hub import Act
from tallybox.messages import Team
from tallybox.renewed import renewed

Handler = Callable[[Tournament, HubEvent, Act], Tournament]


def _registered(tournament: Tournament, _event: HubEvent, body: bodies.TeamRegistered) -> Tournament:
    """A new team, or one that is known under other names before anything was posted."""
    known = tournament.entrants.get(body.team)
    entrant = (
        Entrant(body.team, body.names, filler=body.filler, late=bool(tournament.stages))
        if known is None
        else replace(known, names=body.names, filler=body.filler)
    )
    return entering(_with(tournament, entrant), body.team)


def entering(tournament: Tournament, team: int) -> Tournament:
    """The tournament with a team among those that play the stage that is on; one that is in already keeps its place."""
    stage = tournament.stage
    if stage is None or stage.ended or team in stage.places or stage.plan.kind in ("elimination", "play_off"):
        return tournament
    if stage.plan.kind == "rotation":
        gone = {number for number, entrant in tournament.entrants.items() if entrant.out}
        places = entered(stage.places, team, gone)
    else:
        places = (*stage.places, team)
    return renewed(tournament, stages=(*tournament.stages[:-1], replace(stage, places=places)))


def _checked_in(tournament: Tournament, _event: HubEvent, body: teams.TeamCheckedIn) -> Tournament:
    return _change(tournament, body.team, lambda entrant: replace(entrant, checked_in=body.here))


def _withdrew(tournament: Tournament, _event: HubEvent, body: teams.TeamWithdrew) -> Tournament:
    reason = None if body.back else body.reason
    after = _change(tournament, body.team, lambda entrant: replace(entrant, withdrawn=reason))
    return entering(after, body.team) if body.back else after


def _substituted(tournament: Tournament, event: HubEvent, body: teams.TeamSubstituted) -> Tournament:
    proxy = Proxy(body.player, body.name, body.reason, event.round, body.hand)
    return _change(tournament, body.team, lambda entrant: replace(entrant, proxies=(*entrant.proxies, proxy)))


def _disqualified(tournament: Tournament, _event: HubEvent, body: teams.TeamDisqualified) -> Tournament:
    return _change(tournament, body.team, lambda entrant: replace(entrant, disqualified=body.reason))


def _noted(tournament: Tournament, event: HubEvent, body: teams.ConductNoted) -> Tournament:
    note = Note(body.note, body.actor, event.round)
    return _change(tournament, body.team, lambda entrant: replace(entrant, notes=(*entrant.notes, note)))


def _change(tournament: Tournament, team: int, change: Callable[[Entrant], Entrant]) -> Tournament:
    known = tournament.entrants.get(team)
    return tournament if known is None else _with(tournament, change(known))


def _with(tournament: Tournament, entrant: Entrant) -> Tournament:
    team = Team(number=entrant.number, names=entrant.playing)
    return renewed(
        tournament,
        entrants={**tournament.entrants, entrant.number: entrant},
        teams=tournament.teams
        if tournament.teams.get(entrant.number) == team
        else {**tournament.teams, entrant.number: team},
    )


HANDLERS: Final = cast(
    "Mapping[type[Act], Handler]",
    {
        bodies.TeamRegistered: _registered,
        teams.TeamCheckedIn: _checked_in,
        teams.TeamWithdrew: _withdrew,
        teams.TeamSubstituted: _substituted,
        teams.TeamDisqualified: _disqualified,
        teams.ConductNoted: _noted,
    },
)
