"""The end of a tournament as one JSON document, as ``tallybox demo`` prints it."""

from __future__ import annotations

from hub.tournament.standings import Row, standings
from hub.tournament.state import TableRound, Tournament
from tallybox.calls import Game
from tallybox.canonical import Json


def summary(tournament: Tournament) -> dict[str, Json]:
    """Template, hands expected and recorded, void deals and standings; in spades also the champion's number.

    ``hands_expected`` is tables × rounds × hands in bid whist; in spades the hands up to the one that ended each game,
    and the most a game can have where it has not ended. The champion is absent (null) while the first place is shared.
    """
    plan = tournament.plan
    tables = [table for posted in tournament.rounds for table in posted.tables.values()]
    whist = plan is None or plan.ruleset.game is Game.BID_WHIST
    rows = standings(tournament)
    made: dict[str, Json] = {
        "template": None if plan is None else plan.template,
        "hands_expected": _planned(tournament) if whist else sum(_until_over(table) for table in tables),
        "hands_recorded": sum(len(table.state.counting) for table in tables),
        "voids": sum(len(table.state.hands) - len(table.state.counting) for table in tables),
        "standings": [_row(row, whist=whist) for row in rows],
    }
    if not whist:
        first = [row.team for row in rows if row.rank == 1]
        made["champion"] = first[0] if len(first) == 1 else None
    return made


def _planned(tournament: Tournament) -> int:
    plan = tournament.plan
    if plan is None:
        return 0
    posted = sum(len(known.tables) * known.hands for known in tournament.rounds)
    return posted + (plan.rounds - len(tournament.rounds)) * (len(tournament.teams) // 2) * plan.hands


def _until_over(table: TableRound) -> int:
    if table.score is not None and table.score.round.over:
        return table.score.round.hands_played
    return table.state.playing.hands


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
