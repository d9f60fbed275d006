"""The hub's own events: what the director and the hub decided changes the tournament here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from hub.tournament import adopting, aside, at_clock, at_desk_tables, at_paper, at_stages, at_teams, rejudged
from hub.tournament.provisional import entered_before, entered_meanwhile
from hub.tournament.state import Acceptance, TableRound, Tenure, Tournament
from hub.tournament.tables import put, told
from tallybox.envelope import HubEvent
from tallybox.events import hub as bodies
from tallybox.events.hub import Act
from tallybox.events.proof import CheckpointSigned
from tallybox.proof.checkpoint import Checkpoint
from tallybox.renewed import renewed

Handler = Callable[[Tournament, HubEvent, Act], Tournament]


def folded(tournament: Tournament, event: HubEvent, body: Act) -> Tournament:
    """The tournament after one hub event; what names a round or a table that is not there changes nothing."""
    handler = _HANDLERS.get(type(body))
    return tournament if handler is None else handler(tournament, event, body)


def _assigned(tournament: Tournament, _event: HubEvent, body: bodies.KioskAssigned) -> Tournament:
    boxes = {table: box for table, box in tournament.boxes.items() if box != body.box}
    return renewed(tournament, boxes=dict(sorted({**boxes, body.at_table: body.box}.items())))


def _granted(tournament: Tournament, event: HubEvent, body: bodies.TenureGranted) -> Tournament:
    answered = _answered(tournament, body.claim)
    table = tournament.table(event.round, event.table)
    if table is None:
        return answered
    opened = any(claim.id == body.claim and claim.provisional for claim in tournament.claims)
    tenure = Tenure(body.tenure, body.box, body.claim, body.resumes, table.journal)
    former = table.former if table.tenure is None else (*table.former, table.tenure)
    state = renewed(table.state, tenure=body.tenure, claimed=True)
    told = {box: why for box, why in answered.told.items() if box != body.box}
    speaks = renewed(table, tenure=tenure, former=former, state=state)
    granted = aside.recounted(answered, entered_before(tournament, speaks, opened=opened, at=event.at.wall))
    return renewed(granted, tenures=max(granted.tenures, body.tenure), told=told)


def _not_granted(tournament: Tournament, event: HubEvent, body: bodies.TenureRefused) -> Tournament:
    answered = renewed(_answered(tournament, body.claim), told={**tournament.told, body.box: body.reason})
    table = tournament.table(event.round, event.table)
    if table is None or not any(claim.id == body.claim and claim.provisional for claim in tournament.claims):
        return answered
    refused = renewed(table, dropped=(*table.dropped, body.claim), shut=table.shut | {body.box})
    if table.tenure is not None and table.tenure.box == body.box:
        refused = entered_meanwhile(tournament, refused, at=event.at.wall)
    return aside.recounted(answered, refused)


def _answered(tournament: Tournament, claim: str) -> Tournament:
    return renewed(tournament, claims=tuple(open_ for open_ in tournament.claims if open_.id != claim))


def _accepted(tournament: Tournament, event: HubEvent, body: bodies.SheetAccepted) -> Tournament:
    taken = Acceptance(body.digest, body.version, body.actor)
    return _table(tournament, event, lambda table: renewed(table, accepted=taken, reopened=None, stale=None))


def _reopened(tournament: Tournament, event: HubEvent, body: bodies.SheetReopened) -> Tournament:
    return _table(tournament, event, lambda table: renewed(table, reopened=body.reason))


def _released(tournament: Tournament, event: HubEvent, _body: Act) -> Tournament:
    return _table(tournament, event, lambda table: renewed(table, released=True))


def _claimed(tournament: Tournament, event: HubEvent, body: bodies.DirectorClaimed) -> Tournament:
    calls = tuple(replace(call, claimed=body.actor) if call.id == body.call else call for call in tournament.calls)
    on_the_way = _table(tournament, event, lambda table: renewed(table, official=body.actor))
    return renewed(on_the_way, calls=calls)


def _settled(tournament: Tournament, event: HubEvent, body: bodies.DirectorAnswered) -> Tournament:
    calls = tuple(
        replace(call, closed=True, note=body.note) if call.id == body.call else call for call in tournament.calls
    )
    return renewed(_table(tournament, event, lambda table: _quiet(table, body.call)), calls=calls)


def _quiet(table: TableRound, call: str) -> TableRound:
    """The table whose call was settled; it may call again."""
    calling = None if table.state.calling is not None and table.state.calling.id == call else table.state.calling
    return renewed(table, official=None, answered=call, state=renewed(table.state, calling=calling))


def _announced(tournament: Tournament, _event: HubEvent, body: bodies.AnnouncementMade) -> Tournament:
    return renewed(tournament, announcement=body.text)


def _checkpoint(tournament: Tournament, event: HubEvent, body: CheckpointSigned) -> Tournament:
    signed = Checkpoint(event.round, body.count, body.head, body.digest, body.seal)
    return renewed(tournament, checkpoints=(*tournament.checkpoints, signed))


def _table(tournament: Tournament, event: HubEvent, change: Callable[[TableRound], TableRound]) -> Tournament:
    table = tournament.table(event.round, event.table)
    found = tournament.round(event.round or 0)
    if table is None or found is None:
        return tournament
    return put(tournament, renewed(found, tables={**found.tables, table.table: told(found, change(table))}))


_HANDLERS: Final = cast(
    "Mapping[type[Act], Handler]",
    {
        **at_clock.HANDLERS,
        **at_teams.HANDLERS,
        **at_stages.HANDLERS,
        **at_desk_tables.HANDLERS,
        **at_paper.HANDLERS,
        **adopting.HANDLERS,
        **rejudged.HANDLERS,
        bodies.KioskAssigned: _assigned,
        bodies.TenureGranted: _granted,
        bodies.TenureRefused: _not_granted,
        bodies.SheetAccepted: _accepted,
        bodies.SheetReopened: _reopened,
        bodies.TableReleased: _released,
        bodies.DirectorClaimed: _claimed,
        bodies.DirectorAnswered: _settled,
        bodies.AnnouncementMade: _announced,
        CheckpointSigned: _checkpoint,
    },
)
