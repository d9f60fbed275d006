"""Putting a changed table or round back into its tournament."""

from __future__ import annotations

from hub.tournament.state import Round, TableRound, Tournament
from tallybox.errors import SheetError
from tallybox.renewed import renewed
from tallybox.sheet import SheetScore
from tallybox.table.shown import score
from tallybox.table.state import TableState


def put(tournament: Tournament, changed: Round) -> Tournament:
    """The tournament with this round in place of the one with its number."""
    rounds = tuple(changed if posted.number == changed.number else posted for posted in tournament.rounds)
    return renewed(tournament, rounds=rounds)


def with_table(tournament: Tournament, changed: TableRound) -> Tournament:
    """The tournament with this table in place of the one with its round and number."""
    posted = tournament.round(changed.round)
    assert posted is not None
    return put(tournament, renewed(posted, tables={**posted.tables, changed.table: changed}))


def refreshed(posted: Round) -> Round:
    """The round with what the hub now says handed to each table's own state; nothing entered is rolled back."""
    return renewed(posted, tables={number: told(posted, table) for number, table in posted.tables.items()})


def told(posted: Round, table: TableRound) -> TableRound:
    """One table, told what the hub says of it and of the clock; what the table has beyond the clock is its own."""
    before, outcome, ended = table.state, table.outcome, posted.clock_ended and table.extra == 0
    state = before.with_hub(
        outcome=outcome, clock_started=posted.clock_started, clock_ended=ended, desk=table.desk, late=table.late,
        held=table.held, deadline=None if posted.deadline is None else posted.deadline + table.extra * 1_000,
    )  # fmt: skip
    if state == before:
        return table
    return renewed(table, state=state, score=scored(state))


def scored(state: TableState) -> SheetScore | None:
    """The table's score so far, recomputed from the facts; ``None`` before there is anything to score."""
    if not state.hands and not state.desk:
        return None
    try:
        return score(state)
    except SheetError:
        return None
