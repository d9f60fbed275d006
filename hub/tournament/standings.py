"""The standings: one comparator for everything that ranks, pairs or seeds (section 2.9 and 3.8 of docs/rules.md).

Bid whist: hands won, points, Bostons, then the one-hand play-off. Spades: games won, net points, fewer bags, then a
lot drawn with a published seed. The place in an elimination stands before all of them. Teams that are equal in
everything share a rank: 1, 1, 3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

import msgspec
from msgspec.structs import replace

from hub.tournament.brackets import places
from hub.tournament.results import winning_side
from hub.tournament.stages import Lot
from hub.tournament.state import Round, Stage, TableRound, Tournament
from tallybox.calls import Game
from tallybox.messages import Standing
from tallybox.seats import Side

RANKING: Final = frozenset({"rotation", "swiss", "round_robin"})
"""The kinds of stages whose hands and games count in the figures."""

UNPLACED: Final = 1_000_000
"""Stands after every place of an elimination."""

_NS: Final = Side.NS
_EW: Final = Side.EW

Key = tuple[int | tuple[int, ...], ...]


class Row(msgspec.Struct, frozen=True):
    """One team's tally; a struct, for ten thousand of them are made anew with every result.

    ``net_points`` are own minus opponents' points; ``bags`` the counters its sheets end with.

    ``place``: in the elimination, the same for all that are still in it or left it in the same round.
    ``play_off``: 0 for each one-hand play-off won or rested in, 1 for each lost. ``lot``: its place in the lot that
    separates it from its equals, 0 without one. ``rank`` 0: the team does not rank.
    """

    team: int
    hands_won: int = 0
    points: int = 0
    bostons: int = 0
    wins: int = 0
    net_points: int = 0
    bags: int = 0
    rank: int = 0
    place: int = UNPLACED
    play_off: tuple[int, ...] = ()
    lot: int = 0
    byes: int = 0
    forfeits: int = 0

    def figures(self, game: Game) -> tuple[int, int, int]:
        """What was scored: smaller stands higher."""
        if game is Game.BID_WHIST:
            return (-self.hands_won, -self.points, -self.bostons)
        return (-self.wins, -self.net_points, self.bags)

    def key(self, game: Game) -> Key:
        """What ranks the team: a smaller key stands higher. Teams in the bracket rank by their place in it alone."""
        if self.place != UNPLACED:
            return (self.place,)
        return (self.place, *self.figures(game), self.play_off, self.lot)


def standings(tournament: Tournament) -> tuple[Row, ...]:
    """Every team with its rank, best first, from all that is recorded so far; equals by number.

    Filler and disqualified teams stand at the end with rank 0.
    """
    plan = tournament.plan
    if plan is None:
        return ()
    tallies = tallied(tournament)
    apart = {number for number, entrant in tournament.entrants.items() if not entrant.ranks}
    placed = places(tournament)
    played_off = play_offs(tournament)
    rows = [
        replace(row, place=placed.get(team, UNPLACED), play_off=played_off.get(team, ()))
        if team in placed or team in played_off
        else row
        for team, row in tallies.items()
    ]
    game = plan.ruleset.game
    ranking = ranked([row for row in rows if row.team not in apart], game, tournament.lots)
    return (*ranking, *sorted((row for row in rows if row.team in apart), key=lambda row: row.team))


def tallied(tournament: Tournament) -> dict[int, Row]:
    """The figures of every registered team, over the stages that count."""
    sums = {number: [0] * 8 for number in tournament.teams}
    counting = ranking_stages(tournament)
    for posted in tournament.rounds:
        if posted.of_stage in counting:
            games = _kind(tournament, posted) != "rotation"
            for table in posted.tables.values():
                _add(sums, table, games=games)
            _add_byes(sums, posted, _bye_rule(tournament, posted))
    return {
        team: Row(team, made[0], made[1], made[2], made[3], made[4], made[5], byes=made[6], forfeits=made[7])
        for team, made in sums.items()
    }


def ranking_stages(tournament: Tournament) -> Collection[int]:
    """The numbers of the stages whose figures count: all but play-offs; where there are only those, the bracket's."""
    plan = tournament.plan
    stages = () if plan is None else plan.stages
    counting = frozenset(number for number, stage in enumerate(stages, 1) if stage.kind in RANKING)
    return counting or frozenset(number for number, stage in enumerate(stages, 1) if stage.kind == "elimination")


def ranked(rows: Iterable[Row], game: Game, lots: Sequence[Lot] = ()) -> tuple[Row, ...]:
    """The rows in order with their ranks; equal keys share one, and the next rank skips.

    Where a lot was drawn among teams that are equal in all else, its order counts.
    """
    made: list[Row] = []
    keyed = sorted(((row.key(game), row.team, row) for row in rows), key=itemgetter(0, 1))
    for _, group in groupby(keyed, itemgetter(0)):
        equals = [row for _, _, row in group]
        first = len(made) + 1
        for place, row in enumerate(drawn(equals, lots)):
            made.append(replace(row, rank=first + place if row.lot else first))
    return tuple(made)


def drawn(equals: list[Row], lots: Sequence[Lot]) -> list[Row]:
    """Rows that are equal in all else, in the order of the last lot that holds them all, if there is one."""
    if len(equals) < 2 or not lots or equals[0].place != UNPLACED:
        return equals
    numbers = {row.team for row in equals}
    lot = next((lot for lot in reversed(lots) if numbers <= set(lot.order)), None)
    if lot is None:
        return equals
    order = {team: place for place, team in enumerate(lot.order, 1)}
    return sorted((replace(row, lot=order[row.team]) for row in equals), key=lambda row: row.lot)


def play_offs(tournament: Tournament) -> Mapping[int, tuple[int, ...]]:
    """What each team did in the one-hand play-offs, oldest first: 0 won or rested, 1 lost."""
    plan = tournament.plan
    kinds = () if plan is None else tuple(stage.kind for stage in plan.stages)
    made: dict[int, tuple[int, ...]] = {}
    for posted in tournament.rounds:
        if posted.of_stage > len(kinds) or kinds[posted.of_stage - 1] != "play_off":
            continue
        for table in posted.tables.values():
            won = winning_side(table)
            for side, team in zip(Side, table.teams, strict=True):
                made[team] = (*made.get(team, ()), 0 if won in (None, side) else 1)
        for team in posted.byes:
            made[team] = (*made.get(team, ()), 0)
    return made


def standing_rows(tournament: Tournament) -> tuple[Standing, ...]:
    """The standings as idle screens get them: the teams that rank."""
    whist = tournament.plan is not None and tournament.plan.ruleset.game is Game.BID_WHIST
    return tuple(
        Standing(rank=row.rank, team=row.team, hands_won=row.hands_won, points=row.points, bostons=row.bostons)
        if whist
        else Standing(rank=row.rank, team=row.team, wins=row.wins, net_points=row.net_points, bags=row.bags)
        for row in standings(tournament)
        if row.rank
    )


def _kind(tournament: Tournament, posted: Round) -> str:
    plan = tournament.plan
    return "" if plan is None or posted.of_stage > len(plan.stages) else plan.stages[posted.of_stage - 1].kind


def _add(sums: Mapping[int, list[int]], table: TableRound, *, games: bool) -> None:
    """Add a table's figures; in a rotation hands decide, and nobody wins a game (section 2.9 of docs/rules.md)."""
    score = table.score
    if score is None and not table.state.desk:
        return
    won = winning_side(table)
    closed = bool(table.lost_by)
    ns, ew = table.teams
    for side, other, team in ((_NS, _EW, ns), (_EW, _NS, ew)):
        row = sums[team]
        row[3] += games and won is side
        row[7] += closed and won is not side
        if score is not None:
            totals = score.totals
            own = totals.points[side]
            row[0] += totals.hands_won[side]
            row[1] += own
            row[2] += totals.bostons[side]
            row[4] += own - totals.points[other]
            row[5] += totals.bags[side]


def _bye_rule(tournament: Tournament, posted: Round) -> str:
    plan = tournament.plan
    return "zero" if plan is None or posted.of_stage > len(plan.stages) else plan.stages[posted.of_stage - 1].bye


def _add_byes(sums: Mapping[int, list[int]], posted: Round, rule: str) -> None:
    """What sitting out brings, once the round has ended: a win, the average of the winning scores, or nothing."""
    if not posted.byes or posted.stage is not Stage.ENDED:
        return
    hands, points = average(posted) if rule == "average" else (0, 0)
    for team in posted.byes:
        given = posted.bye_scores.get(team)
        row = sums[team]
        row[0] += hands if given is None else given.hands_won
        row[1] += points if given is None else given.points
        row[3] += rule == "win" if given is None else given.win
        row[4] += 0 if given is None else given.points
        row[6] += 1


def average(posted: Round) -> tuple[int, int]:
    """Hands won and points of the round's winners on average, halves rounded up (Q-11); (0, 0) without winners."""
    winners = [
        (table.score.totals.hands_won[side], table.score.totals.points[side])
        for table in posted.tables.values()
        if table.score is not None and (side := winning_side(table)) is not None
    ]
    count = len(winners)
    if not count:
        return (0, 0)
    hands, points = (sum(column) for column in zip(*winners, strict=True))
    return ((2 * hands + count) // (2 * count), (2 * points + count) // (2 * count))
