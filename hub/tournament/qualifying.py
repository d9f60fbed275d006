"""Who reaches the cut after the qualifying rounds: “three or four wins advance” (section 3.8, E15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hub.errors import HubError

ADVANCE_WINS: Final = 3
"""Wins out of four qualifying rounds with which a team advances."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The teams that play on, best seed first; ``filled`` are those among them that have fewer wins than it takes.

    ``note`` is a sentence about the teams that filled it up; empty if none did.
    """

    teams: tuple[int, ...]
    filled: tuple[int, ...] = ()
    note: str = ""


def reach_cut(seed_order: Sequence[int], wins: Mapping[int, int], advance_wins: int = ADVANCE_WINS) -> Cut:
    """The teams of ``seed_order``, best first, with at least ``advance_wins`` wins; a team without any has 0.

    ``seed_order`` holds the teams that can still play: not those withdrawn or disqualified. Where fewer than two reach
    the cut, the next in seed order fill it up to two, and the note says so.

    Raises ``HubError`` (``too-few-teams``) if there are not two teams at all, and ``repeated-team``.
    """
    if len(set(seed_order)) < len(seed_order):
        twice = next(team for index, team in enumerate(seed_order) if team in seed_order[:index])
        raise HubError("repeated-team", f"Team {twice} stands twice in the seed order. Keep one place.", where="seeds")
    if len(seed_order) < 2:
        left = "1 team is" if seed_order else "No team is"
        message = f"{left} left for the play-off. It needs 2: take a withdrawal back, or end the tournament here."
        raise HubError("too-few-teams", message, where="seeds")
    reached = tuple(team for team in seed_order if wins.get(team, 0) >= advance_wins)
    filled = tuple(team for team in seed_order if team not in reached)[: max(0, 2 - len(reached))]
    playing = frozenset(reached + filled)
    return Cut(tuple(team for team in seed_order if team in playing), filled, _note(len(reached), filled, advance_wins))


def _note(reached: int, filled: Sequence[int], advance_wins: int) -> str:
    if not filled:
        return ""
    wins = "1 win" if advance_wins == 1 else f"{advance_wins} wins"
    who = "Only 1 team has" if reached else "No team has"
    named = f"Team {filled[0]} fills" if len(filled) == 1 else f"Teams {filled[0]} and {filled[1]} fill"
    return f"{who} at least {wins}. {named} the play-off up by seed order."
