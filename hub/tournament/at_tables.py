"""What the tables say: each event counts at its table, or is refused, or is stored and shown only.

The table's own fold judges (it scores again: a hand or a sheet that differs is refused). Here stands who may speak for
a table: the box whose tenure it is (docs/journal.md, Tenure).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hub.tournament.officials import Request
from hub.tournament.state import SHOWN, Claim, DeskCall, DeskRefusal, Round, TableRound, Tournament, Unfolded
from hub.tournament.tables import scored, with_table
from hub.tournament.versions import Version, signed_facts
from tallybox.envelope import KioskEvent, superseded
from tallybox.errors import MessageError
from tallybox.events import body_of
from tallybox.events.rulings import OfficialRequested
from tallybox.events.table import ClaimMade
from tallybox.ledger_line import LedgerLine
from tallybox.table.fold import fold_event
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Calling, Refusal, TableState

MOST_ASIDE: Final = 2_000
"""Events kept at a table for the director to adopt; a round has a few hundred."""


def folded(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    """The tournament after one event of a table."""
    if tournament.name is None or event.tournament != tournament.name:
        return refused(tournament, line, event, "other-tournament", "This event belongs to another tournament.")
    if event.type == "claim.made":
        return _claim(tournament, line, event)
    table = tournament.table(event.round, event.table)
    tenure = None if table is None else table.tenure
    if table is not None and tenure is not None and (tenure.number, tenure.box) == (event.tenure, event.kiosk):
        return _at_table(tournament, line, event, table)
    if table is not None and any((old.number, old.box) == (event.tenure, event.kiosk) for old in table.former):
        kept = with_table(tournament, kept_aside(table, event))
        return replace(kept, late=(*tournament.late, unfolded(line, event))[-SHOWN:])
    if table is not None and event.tenure is None:
        return _without_number(tournament, line, event, table)
    return _unknown(tournament, line, event)


def _without_number(tournament: Tournament, line: LedgerLine, event: KioskEvent, table: TableRound) -> Tournament:
    """What a box enters at a table that an official opened without a hub."""
    claim, tenure = _opened(tournament, table, event), table.tenure
    if claim is None:
        return _unknown(tournament, line, event)
    if tenure is not None and tenure.claim == claim:
        return _at_table(tournament, line, event, table)
    return with_table(tournament, kept_aside(table, event))


def _unknown(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    said = "This box does not speak for that table. Claim the table first, or ask the director which box does."
    return refused(tournament, line, event, "no-tenure", said)


def _opened(tournament: Tournament, table: TableRound, event: KioskEvent) -> str | None:
    """The claim under which a box enters without a tenure: one that an official made without a hub."""
    waiting = [claim.id for claim in tournament.claims if claim.box == event.kiosk and claim.provisional]
    granted = table.tenure.claim if table.tenure is not None and table.tenure.box == event.kiosk else None
    return waiting[-1] if waiting else granted if granted in table.opened else None


def kept_aside(table: TableRound, event: KioskEvent) -> TableRound:
    """The table with an event that is not folded, in case the director adopts it."""
    return replace(table, aside=(*table.aside, event)[-MOST_ASIDE:])


def unfolded(line: LedgerLine, event: KioskEvent) -> Unfolded:
    """The event as the desk lists it when it is stored and shown only."""
    return Unfolded(
        line.ledger_seq,
        line.id,
        event.kiosk,
        event.epoch,
        event.seq,
        event.round,
        event.table,
        event.tenure,
        event.type,
    )


def _claim(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    others = tuple(claim for claim in tournament.claims if claim.box != event.kiosk)
    try:
        body = body_of(event.type, event.body)
    except MessageError as reason:
        return refused(tournament, line, event, reason.code, reason.message)
    assert isinstance(body, ClaimMade)
    asked = Claim(line.id, event.kiosk, event.round, body.at_table or event.table, body.official, body.provisional)
    return replace(tournament, claims=(*others, asked))


def _at_table(tournament: Tournament, line: LedgerLine, event: KioskEvent, table: TableRound) -> Tournament:
    posted = tournament.round(table.round)
    assert posted is not None
    state, refusal = judged(posted, table, event)
    after = replace(table, state=state, journal=(*table.journal, event), heard_at=line.received_at)
    if state.hands is not table.state.hands:
        after = replace(after, score=scored(state))
    if refusal is None:
        return _called(with_table(tournament, _signed(after, line, event)), line, event, table)
    if refusal.code == "sheet-stale":
        after = replace(after, stale=sheet_digest(state))
        after = replace(after, state=replace(state, outcome=after.outcome))
    return refused(with_table(tournament, after), line, event, refusal.code, refusal.message)


def judged(posted: Round, table: TableRound, event: KioskEvent) -> tuple[TableState, Refusal | None]:
    """The table after the event, and its refusal if it does not count.

    A table that was cut off may not have heard that the clock ended, or that its call was settled; what it did then
    counts. So an event that does not count as the hub knows the table is judged once more as the table knew itself:
    its own moment, never an arrival. A hold is for people's fingers, and refuses nothing here.
    """
    state, refusals = table.state, list[tuple[TableState, Refusal]]()
    for moment in _moments(posted, table, event):
        after, refusal = _once(moment, event)
        ended = (posted.clock_ended and table.extra == 0) or after.closed_here
        now = replace(after, clock_ended=ended, desk=state.desk, held=state.held)
        if refusal is None:
            return now, None
        refusals.append((now, refusal))
    return refusals[0]


def _moments(posted: Round, table: TableRound, event: KioskEvent) -> Iterator[TableState]:
    """The table as the hub knows it, then as it may have known itself when the event happened.

    What was shown for a check or a signature may lack the desk's latest facts; a submission may not.
    """
    state = replace(table.state, held=None)
    fewest = len(state.desk) if event.type == "sheet.submitted" else 0
    for known in range(len(state.desk), fewest - 1, -1):
        before = replace(state, desk=state.desk[:known])
        yield before
        if posted.clock_ended or state.closed is not None:
            yield replace(before, clock_ended=not state.clock_ended)
    if event.type == "director.cancelled" and table.answered in superseded(event):
        yield replace(state, calling=Calling(table.answered or "", 0))


def _once(state: TableState, event: KioskEvent) -> tuple[TableState, Refusal | None]:
    after = fold_event(state, event)
    last = after.refused[-1] if after.refused else None
    known = {no.id for no in state.refused}
    return after, last if last is not None and last.id not in known else None


def _signed(table: TableRound, line: LedgerLine, event: KioskEvent) -> TableRound:
    if event.type == "sheet.signed":
        digest = str(event.body["digest"])
        if digest in table.offered:
            return table
        version = Version(digest, signed_facts(table.state, digest), line.received_at)
        return replace(table, versions=(*table.versions, version))
    if event.type == "sheet.submitted":
        sent = replace(table, reopened=None, stale=None)
        return replace(sent, state=replace(sent.state, outcome=sent.outcome))
    return table


def _called(tournament: Tournament, line: LedgerLine, event: KioskEvent, before: TableRound) -> Tournament:
    match event.type:
        case "director.called":
            reason = str(event.body.get("reason", ""))
            call = DeskCall(line.id, before.round, before.table, event.kiosk, line.received_at, reason)
            return replace(tournament, calls=(*tournament.calls, call))
        case "director.cancelled" if before.state.calling is not None:
            gone = before.state.calling.id
            calls = tuple(replace(call, closed=True) if call.id == gone else call for call in tournament.calls)
            return replace(tournament, calls=calls)
        case "official.requested" if event.body.get("what") != "release":
            return replace(tournament, requests=(*tournament.requests, _request(line, event, before))[-SHOWN:])
    return tournament


def _request(line: LedgerLine, event: KioskEvent, table: TableRound) -> Request:
    body = body_of(event.type, event.body)
    assert isinstance(body, OfficialRequested)
    return Request(
        line.id, table.round, table.table, event.kiosk, body.official, body.what, body.minutes, body.reason,
        line.received_at,
    )  # fmt: skip


def refused(tournament: Tournament, line: LedgerLine, event: KioskEvent, code: str, message: str) -> Tournament:
    """The tournament with this event on the list of what does not count."""
    refusal = DeskRefusal(
        line.ledger_seq,
        line.id,
        event.kiosk,
        event.epoch,
        event.seq,
        event.round,
        event.table,
        event.type,
        code,
        message,
    )
    return replace(tournament, refusals=(*tournament.refusals, refusal)[-SHOWN:])
