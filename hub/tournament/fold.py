"""The fold over ledger lines in ledger order: the same lines give the same tournament, always."""

from __future__ import annotations

from collections.abc import Iterable

from hub.tournament import aside, at_desk, at_tables
from hub.tournament.in_sight import SHOWN
from hub.tournament.state import Tournament
from hub.tournament.tables import with_table
from hub.tournament.versions import Done
from tallybox.envelope import Event, HubEvent, KioskEvent, event_id
from tallybox.errors import TallyboxError
from tallybox.events import body_of, desk
from tallybox.events.hub import Act, RoundPublished
from tallybox.ledger_line import LedgerLine, event_of, is_branch
from tallybox.renewed import renewed


def fold_lines(lines: Iterable[LedgerLine], before: Tournament | None = None) -> Tournament:
    """The tournament after these lines."""
    tournament = before or Tournament()
    for line in lines:
        tournament = fold_line(tournament, line)
    return tournament


def fold_line(tournament: Tournament, line: LedgerLine, event: Event | None = None) -> Tournament:
    """The tournament after one more line; ``event`` is what it holds, where that is read already.

    A branch is listed and never folded. Hub events that this version does not know change nothing.
    """
    event = event or event_of(line)
    after = _kiosk(tournament, line, event) if isinstance(event, KioskEvent) else _hub(tournament, event)
    return renewed(after, seq=line.ledger_seq)


def _hub(tournament: Tournament, event: HubEvent) -> Tournament:
    try:
        body = body_of(event.type, event.body)
    except TallyboxError:
        return tournament
    if not isinstance(body, Act):
        return tournament
    after = at_desk.folded(tournament, event, body)
    if isinstance(body, RoundPublished) and event.round is not None:
        after = aside.posted_now(after, tournament, event.round)
    tables = (event.table, body.to_table) if isinstance(body, desk.SheetReassigned) else (event.table,)
    for number in tables:
        after = _noted(after, event, body, number)
    return after


def _noted(tournament: Tournament, event: HubEvent, body: Act, number: int | None) -> Tournament:
    """The tournament with the desk's act on the record of the table it is about."""
    table = tournament.table(event.round, number)
    if table is None:
        return tournament
    reason, hand = getattr(body, "reason", ""), getattr(body, "hand", None)
    done = Done(event_id(event), event.type, event.at.wall, body.actor, reason, hand)
    return with_table(tournament, renewed(table, done=(*table.done, done)))


def _kiosk(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    if event.tenure is not None and tournament.tenures < event.tenure <= at_tables.LARGEST_TENURE:
        tournament = renewed(tournament, tenures=event.tenure)
    if is_branch(line):
        table = tournament.table(event.round, event.table)
        kept = tournament if table is None else with_table(tournament, aside.kept_aside(table, event))
        return renewed(kept, branches=(*tournament.branches, at_tables.unfolded(line, event))[-SHOWN:])
    return at_tables.folded(tournament, line, event)


def unread(tournament: Tournament, line: LedgerLine) -> Tournament:
    """The tournament after a line that could not be folded: it changes nothing but the list of refusals."""
    event = event_of(line)
    if isinstance(event, KioskEvent):
        said = "This version of the hub cannot read the event. Ask the director; the event is kept."
        tournament = at_tables.refused(tournament, line, event, "unread", said)
    return renewed(tournament, seq=line.ledger_seq)
