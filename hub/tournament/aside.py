"""Events that are stored and shown, never folded, until the director decides (docs/journal.md, Tenure).

They came from a box that does not speak for the table any more, under a number that this hub never gave (it was
restored from an older copy), for a round that it has not posted, or from another past of the box's journal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from hub.tournament.in_sight import SHOWN, Unfolded
from hub.tournament.state import Place, TableRound, Tournament
from hub.tournament.tables import with_table
from tallybox.envelope import KioskEvent, event_id
from tallybox.renewed import renewed

MOST_ASIDE: Final = 2_000
"""Events kept at a table for the director to adopt; a round has a few hundred."""

MOST_AHEAD: Final = 50_000
"""Events kept of rounds that are not posted: a restored hub may lack a whole round of a large room."""

NO_TENURE: Final = "no-tenure"
"""The refusal of an event whose box does not speak for the table."""

_ID: Final = re.compile("[0-9a-f]{64}")


def kept_aside(table: TableRound, event: KioskEvent) -> TableRound:
    """The table with an event that is not folded, in case the director adopts it."""
    return renewed(table, aside=(*table.aside, event)[-MOST_ASIDE:])


def left_out(table: TableRound, names: Iterable[str]) -> TableRound:
    """The table whose box is told that these events of its own (or claims) do not count, each named once."""
    return renewed(table, dropped=tuple(dict.fromkeys((*table.dropped, *names))))


def put_aside(tournament: Tournament, table: TableRound, seen: Unfolded, event: KioskEvent) -> Tournament:
    """The tournament with an event that waits for the director; a fact that is held already is not shown twice."""
    if journalled_before(table, event):
        return tournament
    return listed(with_table(tournament, kept_aside(table, event)), seen)


def not_posted(tournament: Tournament, seen: Unfolded, event: KioskEvent) -> Tournament:
    """The tournament with an event of a round that it does not have; it waits for the round and the director."""
    kept = (*tournament.ahead, event)[-MOST_AHEAD:]
    return listed(renewed(tournament, ahead=kept), seen)


def listed(tournament: Tournament, seen: Unfolded) -> Tournament:
    """The tournament with one more event on the list of what waits."""
    place = (seen.box, seen.round, seen.table)
    asides = {**tournament.asides, place: tournament.asides.get(place, 0) + 1}
    return renewed(tournament, late=(*tournament.late, seen)[-SHOWN:], asides=asides)


def settled(tournament: Tournament, place: Place, names: Collection[str], left: int) -> Tournament:
    """The tournament once the director decided about these events; ``left`` still wait there."""
    asides = {each: count for each, count in tournament.asides.items() if each != place}
    if left:
        asides[place] = left
    return renewed(tournament, asides=asides, late=tuple(each for each in tournament.late if each.id not in names))


def waits(tournament: Tournament, table: TableRound, box: str) -> tuple[KioskEvent, ...]:
    """The events of a box at this table about which the director has not decided yet, in the order they came."""
    branched = {each.id for each in tournament.branches}
    here = (table.round, table.table)
    asked = {claim.box for claim in tournament.claims if claim.provisional and (claim.round, claim.table) == here}
    return tuple(
        event for event in table.aside
        if event.kiosk == box
        and (name := event_id(event)) not in table.declined and name not in branched
        and not (event.tenure is None and box in asked)
    )  # fmt: skip


def recounted(tournament: Tournament, table: TableRound) -> Tournament:
    """The tournament with this table in it, and what waits there counted anew."""
    after = with_table(tournament, table)
    asides = {place: count for place, count in after.asides.items() if place[1:] != (table.round, table.table)}
    for box in dict.fromkeys(event.kiosk for event in table.aside):
        if left := len(waits(after, table, box)):
            asides[box, table.round, table.table] = left
    waiting = {event_id(event) for event in table.aside} - table.declined
    gone = {
        each.id for each in after.late if (each.round, each.table) == (table.round, table.table)
    } - waiting  # fmt: skip
    settled_now = {event_id(event) for event in table.journal} | table.declined
    refusals = tuple(no for no in after.refusals if no.code != NO_TENURE or no.id not in settled_now)
    late = tuple(each for each in after.late if each.id not in gone)
    return renewed(after, asides=asides, refusals=refusals, late=late)


def posted_now(tournament: Tournament, before: Tournament, number: int) -> Tournament:
    """The tournament with what waited for this round at its tables; a round posted anew keeps what waited there."""
    found, earlier = tournament.round(number), before.round(number)
    if found is None:
        return tournament
    tables = dict(found.tables)
    for table in found.tables.values():
        old = None if earlier is None else earlier.tables.get(table.table)
        came = tuple(event for event in tournament.ahead if _at(event) == (number, table.table))
        waited = () if old is None or old is table else old.aside
        if came or waited:
            tables[table.table] = renewed(table, aside=(*table.aside, *waited, *came)[-MOST_ASIDE:])
    rounds = tuple(renewed(each, tables=tables) if each is found else each for each in tournament.rounds)
    left = tuple(event for event in tournament.ahead if _at(event) not in {(number, each) for each in tables})
    return renewed(tournament, rounds=rounds, ahead=left)


def everywhere(tournament: Tournament) -> Iterator[KioskEvent]:
    """Every event that is kept aside, at its table or ahead of its round."""
    for posted in tournament.rounds:
        for table in posted.tables.values():
            yield from table.aside
    yield from tournament.ahead


def journalled_before(table: TableRound, event: KioskEvent) -> bool:
    """Whether a fact of an older epoch of this box, held at this table, was journalled anew as ``event``."""
    return any(_renews(event, known) for known in _of_box(table, event.kiosk))


def _of_box(table: TableRound, box: str) -> Iterable[KioskEvent]:
    return (known for known in (*table.journal, *table.aside) if known.kiosk == box)


def _renews(event: KioskEvent, known: KioskEvent) -> bool:
    """A fact journalled anew keeps its moment and its body, but for the names of events in it."""
    return (
        (known.epoch, known.type, known.at, known.tenure) == (known.epoch, event.type, event.at, event.tenure)
        and known.epoch != event.epoch
        and _nameless(known.body) == _nameless(event.body)
    )


def _nameless(value: object) -> object:
    if isinstance(value, str):
        return "" if _ID.fullmatch(value) else value
    if isinstance(value, Mapping):
        return {key: _nameless(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_nameless(item) for item in value]
    return value


def _at(event: KioskEvent) -> tuple[int | None, int | None]:
    return event.round, event.table
