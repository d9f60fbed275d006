"""The end of a tournament as one JSON document, as ``tallybox demo`` prints it."""

from __future__ import annotations

from hub.tournament import brackets
from hub.tournament.standings import Row, standings
from hub.tournament.state import TableRound, Tournament
from tallybox.calls import Game
from tallybox.canonical import Json
from tallybox.table.overlay import counting


def summary(tournament: Tournament) -> dict[str, Json]:
    """Template, hands expected and recorded, void deals and standings; in spades also the champion's number.

    ``hands_expected`` is tables × rounds × hands in bid whist, and a hand for each play-off; in spades the hands up to
    the one that ended each game, and the most a game can have where it has not ended. The champion is absent (null)
    until one is known.
    """
    plan = tournament.plan
    tables = [table for posted in tournament.rounds for table in posted.tables.values()]
    whist = plan is None or plan.ruleset.game is Game.BID_WHIST
    made: dict[str, Json] = {
        "template": None if plan is None else plan.template,
        "hands_expected": _planned(tournament) if whist else sum(_until_over(table) for table in tables),
        "hands_recorded": sum(len(counting(table.state)) for table in tables),
        "voids": sum(len(table.state.hands) - len(counting(table.state)) for table in tables),
        "standings": [_row(row, whist=whist) for row in standings(tournament) if row.rank],
    }
    if not whist:
        made["champion"] = champion(tournament)
    return made


def champion(tournament: Tournament) -> int | None:
    """The winner: of the bracket where there is one, else the only team at rank 1 once the tournament is over."""
    plan = tournament.plan
    if plan is not None and any(stage.kind == "elimination" for stage in plan.stages):
        return brackets.champion(tournament)
    first = [row.team for row in standings(tournament) if row.rank == 1]
    return first[0] if tournament.over and len(first) == 1 else None


def _planned(tournament: Tournament) -> int:
    """What is posted, and the rounds of a rotation still to come."""
    plan = tournament.plan
    if plan is None:
        return 0
    posted = sum(len(known.tables) * known.hands for known in tournament.rounds)
    first = len(tournament.rounds_of(1))
    tables = sum(not entrant.out for entrant in tournament.entrants.values()) // 2
    ended = bool(tournament.stages) and tournament.stages[0].ended
    return posted if ended else posted + (plan.rounds - first) * tables * plan.hands


def _until_over(table: TableRound) -> int:
    if table.score is not None and table.score.round.over:
        return table.score.round.hands_played
    return 0 if table.lost_by else table.state.playing.hands


def _row(row: Row, *, whist: bool) -> dict[str, Json]:
    if whist:
        return {
            "rank": row.rank,
            "team": row.team,
            "hands_won": row.hands_won,
            "points": row.points,
            "bostons": row.bostons,
        }
    return {"rank": row.rank, "team": row.team, "wins": row.wins, "net_points": row.net_points, "bags": row.bags}
