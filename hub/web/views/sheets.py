"""All sheets by round: which are signed and wait, which are accepted, which are still being written."""

from __future__ import annotations

from dataclasses import dataclass

from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.frame import RoundChip, chip
from hub.web.views.states import WORDS, StateWord, TileState, conditions
from hub.web.views.words import counted, players, signed
from tallybox.seats import Side


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One sheet in the list."""

    id: str
    table: int
    teams: str
    names: str
    hands: str
    points: str
    state: TileState
    word: StateWord
    href: str


@dataclass(frozen=True, slots=True)
class RoundSheets:
    """The sheets of one round, those that wait first."""

    chip: RoundChip
    said: str
    rows: tuple[SheetRow, ...]


def sheets(picture: Picture) -> tuple[RoundSheets, ...]:
    """All rounds, the newest first."""
    plan = picture.tournament.plan
    if plan is None:
        return ()
    return tuple(
        _round(picture, tuple(played.tables.values()), plan.rounds) for played in picture.tournament.rounds[::-1]
    )


def _round(picture: Picture, tables: tuple[TableRound, ...], of: int) -> RoundSheets:
    rows = [_row(picture, table) for table in tables]
    waiting = sum(1 for row in rows if row.state is TileState.MONITOR)
    done = sum(1 for row in rows if row.state is TileState.DONE)
    said = f"{counted(done, 'sheet', 'sheets')} of {len(rows)} accepted"
    if waiting:
        said += f", {counted(waiting, 'waits', 'wait')} for you"
    rows.sort(key=lambda row: (row.state is not TileState.MONITOR, row.table))
    return RoundSheets(chip(tables[0].round, of), said, tuple(rows))


def _row(picture: Picture, table: TableRound) -> SheetRow:
    teams = table.state.teams
    state = conditions(picture, table)[-1].state
    scored = table.score
    return SheetRow(
        id=table.sheet_id,
        table=table.table,
        teams=f"{teams[Side.NS].number} – {teams[Side.EW].number}",
        names=f"{players(teams[Side.NS])} – {players(teams[Side.EW])}",
        hands=f"{len(table.state.counting)} of {table.state.playing.hands}",
        points=" – ".join(signed(scored.totals.points[side]) for side in Side) if scored else "",
        state=state,
        word=WORDS[state],
        href=f"/rounds/{table.round}/tables/{table.table}",
    )
