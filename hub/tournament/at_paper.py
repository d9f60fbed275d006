"""Sheets that came to the desk on paper, or under the wrong table number: the hub's events change the tournament."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from hub.tournament.state import Acceptance, TableRound, Tournament
from hub.tournament.tables import put, scored, told
from hub.tournament.versions import Version
from tallybox.canonical import digest
from tallybox.envelope import HubEvent, event_id
from tallybox.errors import TallyboxError
from tallybox.events import desk
from tallybox.events.hub import Act
from tallybox.renewed import renewed
from tallybox.rules.ruleset import Ruleset
from tallybox.seats import Side
from tallybox.sheet import HandFacts, sheet_from_json
from tallybox.table.shown import sheet_digest, sheet_facts
from tallybox.table.state import Hand, TableState

Handler = Callable[[Tournament, HubEvent, Act], Tournament]


def from_paper(state: TableState, hands: tuple[HandFacts, ...], entered: str) -> TableState:
    """The round as a sheet from paper has it: seated, its hands recorded by the event ``entered``, handed in."""
    made, number = list[Hand](), 1
    for place, facts in enumerate(hands):
        made.append(
            Hand(number, facts.dealer, recorded=entered, opened=digest([entered, place]), corrected=facts,
                 void=facts.void)
        )  # fmt: skip
        number += facts.void is None
    seated = renewed(state, seats_confirmed=frozenset(Side), hands=tuple(made), hand=None, signatures={}, waivers={})
    return renewed(seated, submitted=sheet_digest(seated))


def paper_facts(ruleset: Ruleset, sheet: object) -> tuple[HandFacts, ...]:
    """The hands of a sheet file as facts of this table's ruleset; raises ``SheetError`` or ``RulesetError``."""
    return sheet_from_json(sheet, lambda _named: ruleset).hands


def _entered(tournament: Tournament, event: HubEvent, body: desk.SheetEntered) -> Tournament:
    table, posted = tournament.table(event.round, event.table), tournament.round(event.round or 0)
    if table is None or posted is None:
        return tournament
    try:
        hands = paper_facts(table.state.playing.ruleset, body.sheet)
    except TallyboxError:
        return tournament
    state = from_paper(renewed(table.state, tenure=None), hands, event_id(event))
    shown = sheet_digest(state)
    if table.submitted and (table.state.signatures or table.state.waivers):
        # The players' signatures stay with the version they signed.
        signed = table.state
        state = renewed(
            state, signatures=signed.signatures, waivers=signed.waivers, submitted=signed.submitted
        )  # fmt: skip
    former = table.former if table.tenure is None else (*table.former, table.tenure)
    changed = renewed(
        table, state=state, score=scored(state), tenure=None, former=former, reopened=None, stale=None,
        versions=(*table.versions, Version(shown, sheet_facts(state), event.at.wall, event_id(event))), paper=True,
    )  # fmt: skip
    return put(tournament, renewed(posted, tables={**posted.tables, table.table: told(posted, changed)}))


def _reassigned(tournament: Tournament, event: HubEvent, body: desk.SheetReassigned) -> Tournament:
    """What was played under one number and under the other change places; teams and numbers stay where they are."""
    posted = tournament.round(event.round or 0)
    one, other = tournament.table(event.round, event.table), tournament.table(event.round, body.to_table)
    if posted is None or one is None or other is None or one is other:
        return tournament
    moved = {table.table: told(posted, _with_play_of(table, from_, event, body.actor)) for table, from_ in
             ((one, other), (other, one))}  # fmt: skip
    boxes = dict(tournament.boxes)
    stood = {one.table: boxes.pop(one.table, None), other.table: boxes.pop(other.table, None)}
    swapped = {one.table: stood[other.table], other.table: stood[one.table]}
    boxes |= {number: box for number, box in swapped.items() if box is not None}
    after = put(tournament, renewed(posted, tables={**posted.tables, **moved}))
    return renewed(after, boxes=dict(sorted(boxes.items())))


def _with_play_of(table: TableRound, played: TableRound, event: HubEvent, actor: str) -> TableRound:
    state = renewed(played.state, assignment=table.state.assignment)
    tenure = None if played.tenure is None else replace(played.tenure, resumes=None, resume=())
    moved = renewed(played, pairing=table.pairing, state=state, score=scored(state), tenure=tenure)
    if not moved.submitted:
        return moved
    shown = sheet_digest(state)
    versions = (*moved.versions, Version(shown, sheet_facts(state), event.at.wall, event_id(event)))
    return renewed(moved, versions=versions, accepted=Acceptance(shown, len(versions), actor))


HANDLERS: Final = cast(
    "Mapping[type[Act], Handler]", {desk.SheetEntered: _entered, desk.SheetReassigned: _reassigned}
)  # fmt: skip
