"""Everybody against everybody, by the circle method: the first team stays, the others move on by one place a round."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Final

from hub.errors import HubError
from hub.tournament.draw import Draw, Pair

MOST_TEAMS: Final = 500
"""Teams in one round robin."""


def rounds_needed(teams: int) -> int:
    """The rounds in which all meet once: one less than the teams, or as many as an odd number of them."""
    return teams - 1 + teams % 2


def round_robin(teams: Sequence[int], seed: int, withdrawn: Collection[int] = ()) -> tuple[Draw, ...]:
    """All rounds of a round robin: each two teams meet once, and with an odd count each rests once.

    ``seed`` draws the circle's order; teams may be listed in any order. A ``withdrawn`` team keeps its place in the
    circle, so that everybody else's rounds stay as they were posted, and its opponents rest.

    Raises ``HubError``: ``too-few-teams``, ``out-of-range``, ``repeated-team``.
    """
    _check(teams)
    circle: list[int | None] = [*sorted(teams)]
    Random(f"{seed}/circle").shuffle(circle)  # noqa: S311 (a published draw is repeatable, not secret)
    if len(circle) % 2:
        circle.append(None)
    gone = frozenset(withdrawn)
    draws = []
    for number in range(1, rounds_needed(len(teams)) + 1):
        pairs, byes = [], []
        for first, second in _facing(circle, number):
            there = [team for team in (first, second) if team is not None and team not in gone]
            if len(there) == 2:
                pairs.append(Pair(*there))
            else:
                byes += there
        draws.append(Draw(number, tuple(pairs), tuple(sorted(byes))))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(draws)


def _facing(circle: Sequence[int | None], number: int) -> Iterator[tuple[int | None, int | None]]:
    """Who faces whom across the circle; the seats alternate, so that nobody sits one way all day."""
    half = len(circle) // 2
    for place in range(half):
        first, second = circle[place], circle[-1 - place]
        turned = number % 2 == 0 if place == 0 else place % 2 == 0
        yield (second, first) if turned else (first, second)


def _check(teams: Sequence[int]) -> None:
    if len(teams) < 2:
        message = f"{'1 team has nobody to meet' if teams else 'No team is registered'}. Register at least 2."
        raise HubError("too-few-teams", message, where="teams")
    if len(teams) > MOST_TEAMS:
        message = f"{len(teams)} teams are too many for a round robin. Use at most {MOST_TEAMS}, or Swiss rounds."
        raise HubError("out-of-range", message, where="teams")
    listed: set[int] = set()
    for index, team in enumerate(teams):
        if team in listed:
            raise HubError("repeated-team", f"Team {team} is listed twice. List it once.", where=f"teams[{index}]")
        listed.add(team)
