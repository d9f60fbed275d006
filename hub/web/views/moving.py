"""A sheet that was played at the wrong table: what counts for whom before and after it is moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hub.desk.decisions_paper import reassign_sheet
from hub.errors import HubError
from hub.tournament.imagined import imagined
from hub.tournament.standings import standings
from hub.tournament.state import TableRound, Tournament
from hub.tournament.warnings import flags
from hub.web.views.words import players, signed
from tallybox.seats import Side
from tallybox.table.shown import sheet_digest


@dataclass(frozen=True, slots=True)
class TableLine:
    """One of the two tables: its teams, and what its sheet says before and after (empty: no sheet)."""

    table: int
    numbers: Mapping[Side, int]
    names: Mapping[Side, str]
    before: Mapping[Side, str]
    after: Mapping[Side, str]


@dataclass(frozen=True, slots=True)
class MovingView:
    """The form. ``choices``: the other tables of the round. ``missing``: why it cannot be moved there."""

    round: int
    table: int
    id: str
    path: str
    back: str
    choices: tuple[tuple[int, str], ...]
    to: int | None
    lines: tuple[TableLine, ...]
    says: tuple[str, ...]
    missing: str
    seen: str
    """The digest of the sheet that is looked at; the form carries it, so that no other one is moved."""


def moving(tournament: Tournament, table: TableRound, to: int | None) -> MovingView:
    """What moving this sheet would change; nothing is journalled."""
    posted = tournament.round(table.round)
    others = [] if posted is None else [each for each in posted.tables.values() if each is not table]
    path = f"/rounds/{table.round}/tables/{table.table}"
    after, missing = None, "Choose the table it belongs to"
    if to is not None:
        try:
            deeds = reassign_sheet(
                tournament, "director", table.round, table.table, to_table=to, reason="tried out"
            )  # fmt: skip
            after, missing = imagined(tournament, deeds), ""
        except HubError as no:
            missing = no.message
    return MovingView(
        round=table.round,
        table=table.table,
        id=table.sheet_id,
        path=f"{path}/move",
        back=path,
        choices=tuple((each.table, _choice(each)) for each in others),
        to=to,
        lines=() if after is None or to is None else tuple(
            _line(tournament, after, table.round, number) for number in (table.table, to)
        ),
        says=() if after is None or to is None else _says(tournament, after, table, to),
        missing=missing,
        seen=sheet_digest(table.state),
    )  # fmt: skip


def _choice(table: TableRound) -> str:
    teams = " – ".join(str(number) for number in table.teams)
    begun = table.state.hands or table.state.hand
    state = "sheet handed in" if table.submitted else "plays" if begun else "no hand yet"
    return f"table {table.table}: teams {teams}, {state}"


def _line(before: Tournament, after: Tournament, number: int, table: int) -> TableLine:
    old, new = before.table(number, table), after.table(number, table)
    assert old is not None
    assert new is not None
    teams = old.state.teams
    return TableLine(
        table, {side: teams[side].number for side in Side}, {side: players(teams[side]) for side in Side}, _totals(old),
        _totals(new),
    )  # fmt: skip


def _totals(table: TableRound) -> dict[Side, str]:
    if table.score is None or not table.score.hands:
        return dict.fromkeys(Side, "")
    return {side: signed(table.score.totals.points[side]) for side in Side}


def _says(before: Tournament, after: Tournament, table: TableRound, to: int) -> tuple[str, ...]:
    """What follows: acceptance, boxes, signatures, places, and what later rounds rest on."""
    moved, other = after.table(table.round, to), before.table(table.round, to)
    assert moved is not None
    assert other is not None
    said = [f"The hands of sheet {table.sheet_id} count for teams {' and '.join(map(str, moved.teams))}."]
    if other.submitted:
        said.append(f"What table {to} handed in counts for table {table.table} in turn.")
    if moved.accepted is not None:
        said.append(f"It is accepted with it, as version {moved.accepted.version}.")
    if moved.signed_version is not None and not moved.paper:
        said.append(f"The signatures stay with version {moved.signed_version}, which names table {table.table}.")
    box = before.boxes.get(table.table)
    if box is not None and after.boxes.get(to) == box:
        said.append(f"Box {box} goes with its sheet to table {to}.")
    places = {row.team: row.rank for row in standings(before)}
    said += [
        f"Team {row.team} goes from place {places[row.team]} to place {row.rank}."
        for row in standings(after)
        if row.rank and places.get(row.team) and places[row.team] != row.rank
    ]
    known = {flag.message for flag in flags(before)}
    return (*said, *(flag.message for flag in flags(after) if flag.message not in known))
