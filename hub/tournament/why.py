"""Why a team stands where it does: one sentence naming the figure which decides (section 2.9 of docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hub.tournament.standings import UNPLACED, Row
from tallybox.calls import Game

_FIGURES: Final = {
    Game.BID_WHIST: (("hands_won", "hands won"), ("points", "points"), ("bostons", "Bostons")),
    Game.SPADES: (("wins", "games won"), ("net_points", "net points"), ("bags", "bags")),
}


def why(rows: Sequence[Row], team: int, game: Game) -> str:
    """The sentence for one team of the standings; empty when it is not among them.

    It compares with the team above, and at the top with the team below; teams that share a rank say with whom.
    """
    place = next((index for index, row in enumerate(rows) if row.team == team), None)
    if place is None:
        return ""
    row = rows[place]
    if row.rank == 0:
        return f"Team {team} plays without a rank: it is a filler team, or it is disqualified."
    equals = [other.team for other in rows if other.rank == row.rank and other.team != team]
    if equals:
        return f"Team {team} shares place {row.rank} with {_named(equals)}: {_equal_in(row, game)}."
    if place > 0:
        return _below(row, rows[place - 1], game)
    below = next((other for other in rows[1:] if other.rank), None)
    return f"Team {team} is the only one that ranks." if below is None else _above(row, below, game)


def _above(row: Row, other: Row, game: Game) -> str:
    return f"Team {row.team} stands above team {other.team}: {_difference(row, other, game)}."


def _below(row: Row, other: Row, game: Game) -> str:
    return f"Team {row.team} stands below team {other.team}: {_difference(row, other, game)}."


def _difference(row: Row, other: Row, game: Game) -> str:
    """The first figure in which two teams differ, the row's own first."""
    if row.place != other.place:
        return _in_the_bracket(row, other)
    for name, words in _FIGURES[game]:
        mine, theirs = getattr(row, name), getattr(other, name)
        if mine != theirs:
            fewer = " (fewer is better)" if name == "bags" else ""
            before = _level(row, name, game)
            return f"{before}{_counted(mine, words)} against {_signed(theirs)}{fewer}"
    if row.play_off != other.play_off:
        return f"{_all_equal(game)}; the one-hand play-off decided"
    return f"{_all_equal(game)}; the lot put team {min(row, other, key=lambda each: each.lot).team} first"


def _in_the_bracket(row: Row, other: Row) -> str:
    if UNPLACED in (row.place, other.place):
        inside, outside = (row, other) if row.place != UNPLACED else (other, row)
        return f"team {inside.team} reached the play-offs and team {outside.team} did not"
    return f"place {row.place} in the play-offs against {other.place}"


def _level(row: Row, name: str, game: Game) -> str:
    """What both have alike before the figure that decides."""
    alike = []
    for known, words in _FIGURES[game]:
        if known == name:
            break
        alike.append(_counted(getattr(row, known), words))
    return f"both have {' and '.join(alike)}; " if alike else ""


def _equal_in(row: Row, game: Game) -> str:
    if row.place == UNPLACED:
        return _all_equal(game)
    return "they are still in the play-offs" if row.place == 1 else "they left the play-offs in the same round"


def _all_equal(game: Game) -> str:
    words = [words for _, words in _FIGURES[game]]
    return f"{', '.join(words[:-1])} and {words[-1]} are equal"


def _named(teams: Sequence[int]) -> str:
    if len(teams) == 1:
        return f"team {teams[0]}"
    return f"teams {', '.join(str(team) for team in teams[:-1])} and {teams[-1]}"


def _counted(figure: int, words: str) -> str:
    noun, *rest = words.rsplit(" won", 1)
    one = f"{noun.removesuffix('s')}{' won' if rest else ''}"
    return f"{_signed(figure)} {one if figure in (1, -1) else words}"


def _signed(figure: int) -> str:
    return f"−{-figure}" if figure < 0 else str(figure)
