"""The standings with the number that decides between neighbours, and how far the tables are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hub.tournament.standings import Row
from hub.tournament.standings import standings as ranked
from hub.web.picture import Picture
from hub.web.views.words import players, signed
from tallybox.calls import Game


@dataclass(frozen=True, slots=True)
class Column:
    """One figure that ranks, in the order in which it decides. ``less`` is better for bags."""

    word: str
    noun: str
    value: Callable[[Row], int]
    less: bool = False


WHIST: Final = (
    Column("Hands won", "hands won", lambda row: row.hands_won),
    Column("Points", "points", lambda row: row.points),
    Column("Bostons", "Bostons", lambda row: row.bostons),
)
SPADES: Final = (
    Column("Games won", "games won", lambda row: row.wins),
    Column("Net points", "net points", lambda row: row.net_points),
    Column("Bags", "bags", lambda row: row.bags, less=True),
)
ORDERS: Final = {
    Game.BID_WHIST: "Order: hands won, then points, then Bostons. Teams that are equal in all three share a rank.",
    Game.SPADES: "Order: games won, then net points, then fewer bags. Teams that are equal in all three share a rank.",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure, and whether it is the one that decides."""

    text: str
    decides: bool = False


@dataclass(frozen=True, slots=True)
class RowView:
    """One team: rank, number, players, figures, and why it stands here."""

    rank: int
    team: int
    players: str
    cells: tuple[Cell, ...]
    why: str


@dataclass(frozen=True, slots=True)
class BarView:
    """How many tables have finished so many hands; ``length`` of 1000."""

    word: str
    tables: int
    length: int


@dataclass(frozen=True, slots=True)
class StandingsView:
    """The whole page; ``first`` is the index of the column that ranks first."""

    columns: tuple[Column, ...]
    rows: tuple[RowView, ...]
    order: str
    bars: tuple[BarView, ...]
    recorded: int
    voids: int
    first: int = 0


def standings(picture: Picture) -> StandingsView:
    """The running standings, from all hands recorded so far."""
    game = picture.game or Game.BID_WHIST
    columns = WHIST if game is Game.BID_WHIST else SPADES
    rows = ranked(picture.tournament)
    whys = _whys(rows, columns)
    tables = [table for played in picture.tournament.rounds for table in played.tables.values()]
    return StandingsView(
        columns=columns,
        rows=tuple(_row(picture, row, columns, why) for row, why in zip(rows, whys, strict=True)),
        order=ORDERS[game],
        bars=_bars(picture),
        recorded=sum(len(table.state.counting) for table in tables),
        voids=sum(len(table.state.hands) - len(table.state.counting) for table in tables),
    )


def _row(picture: Picture, row: Row, columns: tuple[Column, ...], why: tuple[str, int | None]) -> RowView:
    team = picture.tournament.teams.get(row.team)
    return RowView(
        rank=row.rank,
        team=row.team,
        players=players(team) if team else "",
        cells=tuple(Cell(signed(column.value(row)), index == why[1]) for index, column in enumerate(columns)),
        why=why[0],
    )


def _whys(rows: tuple[Row, ...], columns: tuple[Column, ...]) -> list[tuple[str, int | None]]:
    """Why each team stands where it does, where the first figure alone does not tell."""
    said: list[tuple[str, int | None]] = [("", None)] * len(rows)
    for index, (upper, lower) in enumerate(pairwise(rows)):
        place = _deciding(upper, lower, columns)
        if place is None:
            text = (f"equal to {upper.team} in everything: shared", None)
            said[index + 1] = text
            said[index] = said[index] if said[index][0] else (f"equal to {lower.team} in everything: shared", None)
        elif place > 0:
            said[index + 1] = (f"behind {upper.team} on {columns[place].noun}", place)
            if not said[index][0]:
                said[index] = (_beats(upper, lower, columns[place]), place)
    return said


def _beats(upper: Row, lower: Row, column: Column) -> str:
    more, less = signed(column.value(upper)), signed(column.value(lower))
    return f"beats {lower.team} on {'fewer ' if column.less else ''}{column.noun}, {more} to {less}"


def _deciding(upper: Row, lower: Row, columns: tuple[Column, ...]) -> int | None:
    return next((index for index, column in enumerate(columns) if column.value(upper) != column.value(lower)), None)


def _bars(picture: Picture) -> tuple[BarView, ...]:
    on = picture.round
    if on is None or not on.tables:
        return ()
    done = [len(table.state.counting) for table in on.tables.values()]
    most = max(on.hands, *done)
    counts = [sum(1 for hands in done if hands == number) for number in range(most + 1)]
    words = ["none", *(str(number) for number in range(1, most)), f"all {most}"]
    return tuple(
        BarView(word, count, round(1000 * count / max(counts))) for word, count in zip(words, counts, strict=True)
    )
