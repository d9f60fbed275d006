"""The tournament as everybody may see it: results count once their sheet is accepted. Pure."""

from __future__ import annotations

from hub.tournament.state import Round, TableRound, Tournament
from tallybox.renewed import renewed


def published(tournament: Tournament) -> Tournament:
    """The same tournament without the scores of sheets that nobody has accepted yet."""
    return renewed(tournament, rounds=tuple(_round(posted) for posted in tournament.rounds))


def _round(posted: Round) -> Round:
    if all(table.settled or table.score is None for table in posted.tables.values()):
        return posted
    return renewed(posted, tables={number: _table(table) for number, table in posted.tables.items()})


def _table(table: TableRound) -> TableRound:
    return table if table.settled else renewed(table, score=None)
