"""The standings: one comparator for everything that ranks (section 2.9 and 3.8 of docs/rules.md).

Bid whist: hands won, points, Bostons. Spades: games won, net points, fewer bags. Teams that are equal in all of them
share a rank: 1, 1, 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hub.tournament.state import TableRound, Tournament
from tallybox.calls import Game
from tallybox.messages import Standing
from tallybox.seats import Side


@dataclass(frozen=True, slots=True)
class Row:
    """One team's tally. ``net_points`` are own minus opponents' points; ``bags`` the counters its sheets end with."""

    team: int
    hands_won: int = 0
    points: int = 0
    bostons: int = 0
    wins: int = 0
    net_points: int = 0
    bags: int = 0
    rank: int = 0

    def key(self, game: Game) -> tuple[int, int, int]:
        """What ranks the team: a smaller key stands higher."""
        if game is Game.BID_WHIST:
            return (-self.hands_won, -self.points, -self.bostons)
        return (-self.wins, -self.net_points, self.bags)


def standings(tournament: Tournament) -> tuple[Row, ...]:
    """Every registered team with its rank, best first, from all hands recorded so far; equals by team number."""
    if tournament.plan is None:
        return ()
    rows = {number: Row(number) for number in tournament.teams}
    for posted in tournament.rounds:
        for table in posted.tables.values():
            _add(rows, table)
    return ranked(tuple(rows.values()), tournament.plan.ruleset.game)


def ranked(rows: Sequence[Row], game: Game) -> tuple[Row, ...]:
    """The rows in order with their ranks; equal keys share one, and the next rank skips."""
    ordered = sorted(rows, key=lambda row: (row.key(game), row.team))
    made: list[Row] = []
    for place, row in enumerate(ordered, start=1):
        shared = made[-1].rank if made and made[-1].key(game) == row.key(game) else place
        made.append(replace(row, rank=shared))
    return tuple(made)


def standing_rows(tournament: Tournament) -> tuple[Standing, ...]:
    """The standings as idle screens get them."""
    whist = tournament.plan is not None and tournament.plan.ruleset.game is Game.BID_WHIST
    return tuple(
        Standing(rank=row.rank, team=row.team, hands_won=row.hands_won, points=row.points, bostons=row.bostons)
        if whist
        else Standing(rank=row.rank, team=row.team, wins=row.wins, net_points=row.net_points, bags=row.bags)
        for row in standings(tournament)
    )


def _add(rows: dict[int, Row], table: TableRound) -> None:
    if table.score is None:
        return
    totals, won = table.score.totals, table.score.round.winner
    for side, team in ((Side.NS, table.pairing.ns), (Side.EW, table.pairing.ew)):
        row = rows[team]
        rows[team] = replace(
            row,
            hands_won=row.hands_won + totals.hands_won[side],
            points=row.points + totals.points[side],
            bostons=row.bostons + totals.bostons[side],
            wins=row.wins + (won is side),
            net_points=row.net_points + totals.points[side] - totals.points[side.other],
            bags=row.bags + totals.bags[side],
        )
