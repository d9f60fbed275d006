"""What the desk decides about one table, one box or one official: the hub's own events change the tournament here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from hub.tournament.in_sight import SHOWN, DeskRuling
from hub.tournament.officials import Official
from hub.tournament.state import Acceptance, TableRound, Tournament
from hub.tournament.tables import put, told
from hub.tournament.versions import Version
from tallybox.envelope import HubEvent, event_id, superseded
from tallybox.events import desk
from tallybox.events.hub import Act
from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.roles import Role
from tallybox.table.shown import sheet_digest, sheet_facts

Handler = Callable[[Tournament, HubEvent, Act], Tournament]


def _ruled(tournament: Tournament, event: HubEvent, body: desk.RulingMade) -> Tournament:
    fact = DeskFact(
        id=event_id(event), kind="ruling", by=body.actor, reason=body.reason, hand=body.hand, deal=body.deal,
        supersedes=superseded(event), raised=body.raised, ruling=body.ruling,
    )  # fmt: skip
    made = DeskRuling(fact.id, event.at.wall, event.round or 0, event.table or 0, body.hand)
    return renewed(_decided(tournament, event, fact), ruled=(*tournament.ruled, made)[-SHOWN:])


def _corrected(tournament: Tournament, event: HubEvent, body: desk.HandCorrected) -> Tournament:
    fact = DeskFact(
        id=event_id(event), kind="correction", by=body.actor, reason=body.reason, hand=body.hand, deal=body.deal,
        supersedes=superseded(event), facts=body.facts,
    )  # fmt: skip
    return _decided(tournament, event, fact)


def _awarded(tournament: Tournament, event: HubEvent, body: desk.AwardMade) -> Tournament:
    fact = DeskFact(
        id=event_id(event), kind="award" if body.kind == "late" else "ended", by=body.actor, reason=body.reason,
        supersedes=superseded(event), loser=body.loser, hands=body.hands,
        ended=None if body.kind == "late" else body.kind,
    )  # fmt: skip
    return _decided(tournament, event, fact)


def _decided(tournament: Tournament, event: HubEvent, fact: DeskFact) -> Tournament:
    """The desk's fact lies over the sheet. One that was submitted already has another version from now on.

    The players' signatures stay with the version they signed (docs/journal.md, Corrections).
    """

    def change(table: TableRound) -> TableRound:
        before = renewed(table, desk=(*table.desk, fact))
        after = told(tournament.rounds[table.round - 1], before)
        if not after.submitted:
            return after
        shown = sheet_digest(after.state)
        if shown == after.digest:
            return after
        versions = (*after.versions, Version(shown, sheet_facts(after.state), event.at.wall, fact.id))
        accepted = None if after.accepted is None else Acceptance(shown, len(versions), fact.by)
        return renewed(after, versions=versions, accepted=accepted)

    return _table(tournament, event, change)


def _late(tournament: Tournament, event: HubEvent, body: desk.LateMarked) -> Tournament:
    def change(table: TableRound) -> TableRound:
        return renewed(table, late=table.late | {body.side} if body.late else table.late - {body.side})

    return _table(tournament, event, change)


def _held(tournament: Tournament, event: HubEvent, body: desk.TableHeld) -> Tournament:
    return _table(tournament, event, lambda table: renewed(table, held=body.reason))


def _unheld(tournament: Tournament, event: HubEvent, _body: Act) -> Tournament:
    return _table(tournament, event, lambda table: renewed(table, held=None))


def _extended(tournament: Tournament, event: HubEvent, body: desk.TableExtended) -> Tournament:
    def change(table: TableRound) -> TableRound:
        return renewed(table, extra=0 if body.over else table.extra + body.seconds)

    return _table(_answered(tournament, event), event, change)


def _request_refused(tournament: Tournament, event: HubEvent, _body: Act) -> Tournament:
    return _answered(tournament, event)


def _locked(tournament: Tournament, event: HubEvent, body: desk.KioskLocked) -> Tournament:
    return renewed(_answered(tournament, event), locked={**tournament.locked, body.box: body.reason})


def _unlocked(tournament: Tournament, event: HubEvent, body: desk.KioskUnlocked) -> Tournament:
    locked = {box: why for box, why in tournament.locked.items() if box != body.box}
    return renewed(_answered(tournament, event), locked=locked)


def _replaced(tournament: Tournament, event: HubEvent, body: desk.KioskReplaced) -> Tournament:
    stands = {table: box for table, box in tournament.boxes.items() if box not in (body.box, body.former)}
    boxes = dict(sorted({**stands, body.at_table: body.box}.items()))
    return renewed(_answered(tournament, event), boxes=boxes)


def _official(tournament: Tournament, _event: HubEvent, body: desk.OfficialChanged) -> Tournament:
    officials = {known: each for known, each in tournament.officials.items() if known != body.official}
    if body.role is None:
        return renewed(tournament, officials=officials)
    before = tournament.officials.get(body.official)
    verifier = body.verifier or (None if before is None else before.verifier)
    official = Official(body.official, body.name, Role(body.role), verifier)
    return renewed(tournament, officials={**officials, body.official: official})


def _practice(tournament: Tournament, _event: HubEvent, _body: Act) -> Tournament:
    return renewed(tournament, practice=tournament.practice + 1)


def _identified(tournament: Tournament, _event: HubEvent, body: desk.KioskIdentified) -> Tournament:
    times = tournament.identified.get(body.box, 0) + 1
    return renewed(tournament, identified={**tournament.identified, body.box: times})


def _answered(tournament: Tournament, event: HubEvent) -> Tournament:
    """What an official asked for at a table is done, if this event names it."""
    done = superseded(event)
    return renewed(tournament, requests=tuple(asked for asked in tournament.requests if asked.id not in done))


def _table(tournament: Tournament, event: HubEvent, change: Callable[[TableRound], TableRound]) -> Tournament:
    table, posted = tournament.table(event.round, event.table), tournament.round(event.round or 0)
    if table is None or posted is None:
        return tournament
    return put(tournament, renewed(posted, tables={**posted.tables, table.table: told(posted, change(table))}))


HANDLERS: Final = cast(
    "Mapping[type[Act], Handler]",
    {
        desk.RulingMade: _ruled,
        desk.HandCorrected: _corrected,
        desk.AwardMade: _awarded,
        desk.LateMarked: _late,
        desk.TableHeld: _held,
        desk.TableUnheld: _unheld,
        desk.TableExtended: _extended,
        desk.RequestRefused: _request_refused,
        desk.KioskLocked: _locked,
        desk.KioskUnlocked: _unlocked,
        desk.KioskReplaced: _replaced,
        desk.OfficialChanged: _official,
        desk.KioskIdentified: _identified,
        desk.PracticeStarted: _practice,
    },
)
