"""Events that came too late or on a branch, and count after all because the director said so (docs/journal.md, Tenure).

The table is folded anew from its journal with these events in their place; what they supersede is left out, here and
at the box.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from hub.tournament.at_tables import judged
from hub.tournament.state import TableRound, Tournament
from hub.tournament.tables import put, scored, told
from tallybox.envelope import HubEvent, KioskEvent, event_id
from tallybox.events import desk
from tallybox.events.hub import Act
from tallybox.table.state import TableState

Handler = Callable[[Tournament, HubEvent, Act], Tournament]


def chain_to(table: TableRound, box: str, head: str) -> tuple[KioskEvent, ...]:
    """The events of a box that are kept aside at this table, each following the one before, up to ``head``."""
    kept = {event_id(event): event for event in table.aside if event.kiosk == box}
    made: list[KioskEvent] = []
    name: str | None = head
    while name is not None and name in kept:
        event = kept.pop(name)
        made.append(event)
        name = event.prev
    return tuple(reversed(made))


def _adopted(tournament: Tournament, event: HubEvent, body: desk.EventsAdopted) -> Tournament:
    table = tournament.table(event.round, event.table)
    chain = () if table is None else chain_to(table, body.box, body.head)
    chain = tuple(each for each in chain if each.tenure == body.tenure)
    if table is None or not chain:
        return tournament
    present = None if table.tenure is None else table.tenure.number
    replaced = [each for each in table.journal if each.tenure == present and each.body.get("hand") == body.hand]
    return _anew(tournament, table, chain, replaced, [each for each in table.journal if each.tenure != present])


def _decided(tournament: Tournament, event: HubEvent, body: desk.ForkDecided) -> Tournament:
    settled = replace(tournament, branches=tuple(each for each in tournament.branches if each.box != body.box))
    table = tournament.table(event.round, event.table)
    chain = () if table is None else chain_to(table, body.box, body.head)
    if table is None or not chain:
        return settled
    first = chain[0]
    replaced = [
        each for each in table.journal
        if (each.kiosk, each.epoch) == (body.box, first.epoch) and each.seq >= first.seq
    ]  # fmt: skip
    place = table.journal.index(replaced[0]) if replaced else len(table.journal)
    return _anew(settled, table, chain, replaced, list(table.journal[:place]))


def _anew(
    tournament: Tournament, table: TableRound, chain: tuple[KioskEvent, ...], replaced: list[KioskEvent],
    before: list[KioskEvent],
) -> Tournament:  # fmt: skip
    """The table folded anew: ``before``, then ``chain``, then what else there was, without what is ``replaced``."""
    after = [event for event in table.journal if event not in before and event not in replaced]
    journal = (*before, *chain, *after)
    names = {event_id(event) for event in chain}
    gone = tuple(event_id(event) for event in replaced)
    posted = tournament.round(table.round)
    assert posted is not None
    fresh = TableState(assignment=table.state.assignment, tenure=table.state.tenure, claimed=table.state.claimed)
    again = told(posted, replace(table, state=fresh, journal=(), tenure=table.tenure))
    for event in journal:
        state, _refusal = judged(posted, again, event)
        again = replace(again, state=state)
    tenure = None if table.tenure is None else replace(table.tenure, resume=(*before, *chain))
    changed = replace(
        again, journal=journal, tenure=tenure, dropped=(*table.dropped, *gone), score=scored(again.state),
        aside=tuple(event for event in table.aside if event_id(event) not in names),
    )  # fmt: skip
    listed = replace(
        tournament,
        late=tuple(each for each in tournament.late if each.id not in names),
        refusals=tuple(each for each in tournament.refusals if each.id not in gone),
    )
    return put(listed, replace(posted, tables={**posted.tables, table.table: changed}))


HANDLERS: Final = cast(
    "Mapping[type[Act], Handler]", {desk.EventsAdopted: _adopted, desk.ForkDecided: _decided}
)  # fmt: skip
