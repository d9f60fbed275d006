"""What the tables say: each event counts at its table, or is refused, or is stored and shown only.

The table's own fold judges (it scores again: a hand or a sheet that differs is refused). Here stands who may speak for
a table: the box whose tenure it is (docs/journal.md, Tenure).
"""

from __future__ import annotations

from dataclasses import replace

from hub.tournament.state import SHOWN, Claim, DeskCall, DeskRefusal, Round, TableRound, Tournament, Unfolded
from hub.tournament.tables import scored, with_table
from tallybox.envelope import KioskEvent, superseded
from tallybox.ledger_line import LedgerLine
from tallybox.table.fold import fold_event
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Calling, Refusal, TableState


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
        return replace(tournament, late=(*tournament.late, unfolded(line, event))[-SHOWN:])
    said = "This box does not speak for that table. Claim the table first, or ask the director which box does."
    return refused(tournament, line, event, "no-tenure", said)


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
    asked = Claim(line.id, event.kiosk, event.round, event.table)
    return replace(tournament, claims=(*others, asked))


def _at_table(tournament: Tournament, line: LedgerLine, event: KioskEvent, table: TableRound) -> Tournament:
    posted = tournament.round(table.round)
    assert posted is not None
    state, refusal = judged(posted, table, event)
    after = replace(table, state=state, journal=(*table.journal, event), heard_at=line.received_at)
    if state.hands is not table.state.hands:
        after = replace(after, score=scored(state))
    if refusal is None:
        return _called(with_table(tournament, _signed(after, event)), line, event, table)
    if refusal.code == "sheet-stale":
        after = replace(after, stale=sheet_digest(state))
        after = replace(after, state=replace(state, outcome=after.outcome))
    return refused(with_table(tournament, after), line, event, refusal.code, refusal.message)


def judged(posted: Round, table: TableRound, event: KioskEvent) -> tuple[TableState, Refusal | None]:
    """The table after the event, and its refusal if it does not count.

    A table that was cut off may not have heard that the clock ended, or that its call was settled; what it did then
    counts. So an event that does not count as the hub knows the table is judged once more as the table knew itself:
    its own moment, never an arrival.
    """
    state = table.state
    after, refusal = _once(state, event)
    if refusal is None:
        return after, None
    before = state
    if event.type == "director.cancelled" and table.answered in superseded(event):
        before = replace(state, calling=Calling(table.answered or "", 0))
    elif posted.clock_ended:
        before = replace(state, clock_ended=False)
    counted, still = (after, refusal) if before is state else _once(before, event)
    return (after, refusal) if still is not None else (replace(counted, clock_ended=state.clock_ended), None)


def _once(state: TableState, event: KioskEvent) -> tuple[TableState, Refusal | None]:
    after = fold_event(state, event)
    last = after.refused[-1] if after.refused else None
    known = {no.id for no in state.refused}
    return after, last if last is not None and last.id not in known else None


def _signed(table: TableRound, event: KioskEvent) -> TableRound:
    if event.type == "sheet.signed":
        digest = str(event.body["digest"])
        return table if digest in table.offered else replace(table, offered=(*table.offered, digest))
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
    return tournament


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
