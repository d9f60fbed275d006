"""Histories of Swiss rounds to try, and what a round is worth, counted anew from the contract alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from hypothesis import strategies as st

from hub.tournament.draw import Draw
from hub.tournament.history import Bye, History, Meeting
from tallybox.seats import Side

Pairing = tuple[tuple[int, int], ...]
"""Who meets whom, lower number first; a team that rests stands with 0."""


def active(history: History) -> list[int]:
    return [team for team in history.teams if team not in history.withdrawn]


def wins_of(history: History, team: int) -> int:
    won = 0
    for entry in (entry for posted in history.rounds for entry in posted):
        if isinstance(entry, Bye):
            won += entry.team == team
        else:
            won += (entry.winner is Side.NS and entry.ns == team) + (entry.winner is Side.EW and entry.ew == team)
    return won


def met(history: History) -> set[frozenset[int]]:
    entries = (entry for posted in history.rounds for entry in posted)
    return {frozenset((entry.ns, entry.ew)) for entry in entries if isinstance(entry, Meeting)}


def rested(history: History) -> set[int]:
    return {entry.team for posted in history.rounds for entry in posted if isinstance(entry, Bye)}


def value(history: History, pairing: Pairing) -> tuple[int, int, int, int]:
    """Rematches, second byes, wins of the team that rests, squared differences."""
    resting = [team for other, team in pairing if other == 0]
    before, had = met(history), rested(history)
    return (
        sum(frozenset(pair) in before for pair in pairing),
        sum(team in had for team in resting),
        sum(wins_of(history, team) for team in resting),
        sum((wins_of(history, a) - wins_of(history, b)) ** 2 for a, b in pairing if a != 0),
    )


def pairing_of(draw: Draw) -> Pairing:
    return tuple(sorted([*(pair.teams for pair in draw.pairs), *((0, team) for team in draw.byes)]))


def every_pairing(teams: Sequence[int]) -> Iterator[Pairing]:
    """All rounds of these teams; 0 among them stands for the bye."""
    if not teams:
        yield ()
        return
    first, rest = teams[0], teams[1:]
    for index, other in enumerate(rest):
        for following in every_pairing([*rest[:index], *rest[index + 1 :]]):
            yield ((first, other), *following)


def worth(history: History) -> list[tuple[tuple[int, int, int, int], Pairing]]:
    """Every round without a forbidden pair, rematches or not, and what it is worth; the best first."""
    teams = sorted([*active(history), *([0] if len(active(history)) % 2 else [])])
    apart = {frozenset(pair) for pair in history.forbidden}
    allowed = [each for each in every_pairing(teams) if not apart & {frozenset(pair) for pair in each}]
    return sorted((value(history, each), each) for each in allowed)


def numbers(count: int, luck: Random) -> tuple[int, ...]:
    """So many team numbers with gaps, in no order."""
    return tuple(luck.sample(range(1, 3 * count + 1), count))


def played(count: int, rounds: int, luck: Random, *, apart: int = 0, gone: int = 0) -> History:
    """Rounds of any kind among ``count`` teams: late entries, early leavers, draws, forfeits, byes, rematches."""
    teams = numbers(count, luck)
    posted = []
    for _ in range(rounds):
        here = luck.sample(teams, luck.randint(max(0, count - 2), count))
        games: list[Meeting | Bye] = [_game(ns, ew, luck) for ns, ew in zip(here[::2], here[1::2], strict=False)]
        posted.append((*games, *([Bye(here[-1])] if len(here) % 2 else [])))
    forbidden = tuple((pair[0], pair[1]) for pair in (luck.sample(teams, 2) for _ in range(apart)))
    return History(teams, tuple(posted), frozenset(luck.sample(teams, gone)), forbidden)


def _game(ns: int, ew: int, luck: Random) -> Meeting:
    winner = luck.choice([Side.NS, Side.EW, Side.NS, Side.EW, None])
    return Meeting(ns, ew, winner, forfeit=winner is not None and luck.random() < 0.2)


@st.composite
def histories(draw: st.DrawFn, fewest: int, most: int, rounds: int = 4) -> History:
    count = draw(st.integers(fewest, most))
    gone = draw(st.integers(0, min(2, count - 2)))
    luck = Random(draw(st.integers(0, 2**32)))
    return played(count, draw(st.integers(0, rounds)), luck, apart=draw(st.integers(0, 4)), gone=gone)
