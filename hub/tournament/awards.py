"""The awards that late marks and the end of the clock bring, as drafts for the director to confirm (A-37). Pure."""

from __future__ import annotations

from hub.tournament.officials import AwardDue
from hub.tournament.state import TableRound, Tournament
from tallybox.rules.settings import WhistSettings
from tallybox.table.overlay import awards_pending, unfinished


def awards_due(tournament: Tournament) -> tuple[AwardDue, ...]:
    """What the rules suggest for each table of the present round that waits; signing waits there too."""
    current = tournament.current
    tables = () if current is None else tuple(current.tables.values())
    return tuple(_due(table) for table in tables if awards_pending(table.state))


def _due(table: TableRound) -> AwardDue:
    settings = table.state.playing.ruleset.settings
    assert isinstance(settings, WhistSettings)  # spades rounds have no number of hands, so none are left over
    if len(table.late) == 2:
        return AwardDue(table.round, table.table, None, 0, 0)
    (loser,) = table.late
    hands = unfinished(table.state)
    return AwardDue(table.round, table.table, loser, hands, hands * settings.late_points)
