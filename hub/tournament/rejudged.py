"""What tables sent to a hub that lacked its own words is judged again, once the director has said them anew.

A hub restored from an older copy of its data takes in what the tables hold; what it cannot let count then, for want of
a ruling that it lost, it refuses without telling the table. The director's word (``hub.restored``) settles it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from hub.tournament import aside
from hub.tournament.at_tables import judged
from hub.tournament.state import Round, TableRound, Tournament
from hub.tournament.tables import scored, told
from hub.tournament.versions import with_signed
from tallybox.envelope import HubEvent, event_id
from tallybox.events.hub import Act, HubRestored
from tallybox.renewed import renewed
from tallybox.table.state import TableState

Handler = Callable[[Tournament, HubEvent, Act], Tournament]


def _restored(tournament: Tournament, event: HubEvent, body: HubRestored) -> Tournament:
    if body.after is None:
        return tournament
    strange = {no.id for no in tournament.refusals if no.code == aside.NO_TENURE and no.ledger_seq > body.after}
    waiting = {event_id(event) for event in aside.everywhere(tournament)} & strange
    kept = tuple(no for no in tournament.refusals if no.id not in waiting)
    tournament = renewed(tournament, copied=True, refusals=kept)
    untold = {no.id for no in tournament.refusals if no.ledger_seq > body.after}
    for posted in tournament.rounds:
        for table in posted.tables.values():
            if any(no.id in untold for no in table.state.refused) and not table.submitted:
                tournament = _again(tournament, posted, table, untold, event.at.wall)
    return tournament


def _again(tournament: Tournament, posted: Round, table: TableRound, untold: set[str], at: int) -> Tournament:
    fresh = TableState(assignment=table.state.assignment, tenure=table.state.tenure, claimed=table.state.claimed)
    again = told(posted, renewed(table, state=fresh))
    for event in table.journal:
        again = renewed(again, state=judged(posted, again, event)[0])
    before, after = ({no.id for no in state.refused} for state in (table.state, again.state))
    counts = before - after
    if after - before or not counts <= untold:
        return tournament
    kept = tuple(no for no in tournament.refusals if no.id not in counts)
    now = (event for event in table.journal if event_id(event) in counts)
    versions = with_signed(table.versions, again.state, now, at)
    changed = renewed(again, score=scored(again.state), versions=versions)
    return aside.recounted(renewed(tournament, refusals=kept), changed)


HANDLERS: Final = cast("Mapping[type[Act], Handler]", {HubRestored: _restored})
