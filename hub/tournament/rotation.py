"""Capitol City's rotation over the places of a stage (section 2.8 of docs/rules.md).

A place is a number in the movement; the team that holds it may leave, and a late one may take it. Whoever would meet
an empty place sits out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hub.tournament.draw import Draw, Pair
from tallybox.errors import TallyboxError
from tallybox.movement import movement

NOBODY = 0
"""Stands in a place that no team holds."""


@dataclass(frozen=True, slots=True)
class Rotated(Draw):
    """A round of the rotation; ``tables`` are the numbers its pairs sit at: a table with one team is left out."""

    tables: tuple[int, ...] = ()


def places_of(teams: Sequence[int]) -> tuple[int, ...]:
    """The places at the start: the teams in order of number, and an empty place beside the last of an odd count."""
    ordered = sorted(teams)
    return tuple(ordered if len(ordered) % 2 == 0 else [*ordered, NOBODY])


def entered(places: Sequence[int], team: int, out: Collection[int]) -> tuple[int, ...]:
    """The places with a late team in the first that nobody holds any more, else at a new table of its own."""
    free = next((index for index, held in enumerate(places) if held == NOBODY or held in out), None)
    if free is None:
        return (*places, team, NOBODY)
    return (*places[:free], team, *places[free + 1 :])


def rotated(
    places: Sequence[int], out: Collection[int], rounds: int, number: int, even_rounds: Sequence[int] | None = None
) -> Rotated:
    """Round ``number`` of ``rounds``; ``out`` are teams that no longer play. A table with one team is not played.

    Raises ``TallyboxError`` (``too-few-teams``, ``even-rounds``).
    """
    made = movement(len(places), rounds, even_rounds)
    pairs: list[Pair] = []
    byes: list[int] = []
    tables: list[int] = []
    for seating in made.rounds[number - 1]:
        ns, ew = places[seating.ns - 1], places[seating.ew - 1]
        there = [team for team in (ns, ew) if team != NOBODY and team not in out]
        if len(there) == 2:
            pairs.append(Pair(ns, ew))
            tables.append(seating.table)
        else:
            byes += there
    return Rotated(number, tuple(pairs), tuple(sorted(byes)), tables=tuple(tables))


def seat_map(places: Sequence[int], rounds: int, even_rounds: Sequence[int] | None = None) -> tuple[Draw, ...]:
    """All rounds of a rotation as the places stand now, with the rematches of each; nothing when none can be seated."""
    try:
        made = [rotated(places, (), rounds, number, even_rounds) for number in range(1, rounds + 1)]
    except TallyboxError:
        return ()
    met: set[tuple[int, int]] = set()
    draws = []
    for draw in made:
        again = tuple(sorted(pair.teams for pair in draw.pairs if pair.teams in met))
        met.update(pair.teams for pair in draw.pairs)
        draws.append(Draw(draw.number, draw.pairs, draw.byes, again))
    return tuple(draws)
