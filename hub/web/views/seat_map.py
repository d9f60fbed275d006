"""The room from above, for everybody: every table with its seats as they stand, slide by slide. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hub.tournament.state import Round, TableRound
from tallybox.seats import Seat, Side

NAMED: Final = 6
"""Tables on a slide with the players' names at their seats."""
BARE: Final = 20
"""Tables on a slide with the teams' numbers alone."""
MOST_NAMED: Final = 12
"""In a room of more tables than these the names would take too many slides: numbers alone."""


@dataclass(frozen=True, slots=True)
class MapTable:
    """A table from above. ``players``: who sits at each seat, where names are shown; ``seated``: both sides said so."""

    table: int
    teams: Mapping[Side, int]
    players: Mapping[Seat, str]
    seated: bool


def seat_map(on: Round) -> tuple[tuple[MapTable, ...], ...]:
    """The tables of the round, as many as fit on a slide together."""
    named = len(on.tables) <= MOST_NAMED
    tables = tuple(_table(table, named=named) for table in on.tables.values())
    many = NAMED if named else BARE
    return tuple(tables[start : start + many] for start in range(0, len(tables), many))


def _table(table: TableRound, *, named: bool) -> MapTable:
    teams = table.state.teams
    return MapTable(
        table.table,
        {side: teams[side].number for side in Side},
        {seat: teams[seat.side].names[seat.side.seats.index(seat)] for seat in Seat} if named else {},
        not table.seats_missing or table.settled,
    )
