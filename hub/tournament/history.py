"""What a Swiss round rests on: who is in, who met whom, who won. Facts only; wins are counted from them every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from hub.errors import HubError
from tallybox.seats import Side

MOST_TEAMS: Final = 2000
"""Teams that one Swiss round pairs."""
MOST_ROUNDS: Final = 999
"""Rounds that a history holds."""
MOST_FORBIDDEN: Final = 20_000
"""Pairs that may be kept apart."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two teams were paired. ``winner`` ``None``: a draw, a win for neither. A forfeit is a meeting with its winner."""

    ns: int
    ew: int
    winner: Side | None
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class Bye:
    """A team had no opponents in a round; it counts as one win."""

    team: int


@dataclass(frozen=True, slots=True)
class History:
    """The teams, and the rounds so far in order. A late entry stands in ``teams`` and is missing in early rounds.

    ``withdrawn`` teams are paired no more; their meetings stay. ``forbidden`` pairs never meet.
    """

    teams: tuple[int, ...]
    rounds: tuple[tuple[Meeting | Bye, ...], ...] = ()
    withdrawn: frozenset[int] = frozenset()
    forbidden: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """A history counted: the teams that play on in order of number, their wins, who has had a bye, who is kept apart.

    ``met`` and ``apart`` hold pairs with the lower number first.
    """

    number: int
    teams: tuple[int, ...]
    wins: Counter[int]
    rested: frozenset[int]
    met: frozenset[tuple[int, int]]
    apart: frozenset[tuple[int, int]]


def tally(history: History) -> Tally:
    """Count a history. Raises ``HubError`` for one that contradicts itself, with the place as ``where``.

    Codes: ``too-few-teams``, ``out-of-range``, ``repeated-team``, ``unknown-team``, ``own-opponent``,
    ``twice-in-round``, ``forfeit-winner``.
    """
    _check(history)
    wins: Counter[int] = Counter()
    rested: set[int] = set()
    met: set[tuple[int, int]] = set()
    for posted in history.rounds:
        for entry in posted:
            if isinstance(entry, Bye):
                rested.add(entry.team)
                wins[entry.team] += 1
                continue
            met.add(_pair(entry.ns, entry.ew))
            if entry.winner is not None:
                wins[entry.ns if entry.winner is Side.NS else entry.ew] += 1
    active = tuple(sorted(set(history.teams) - history.withdrawn))
    if len(active) < 2:
        left = "1 team is" if active else "No team is"
        message = f"{left} left to play. A round needs 2 teams: register one, or take a withdrawal back."
        raise HubError("too-few-teams", message, where="teams")
    apart = frozenset(_pair(*pair) for pair in history.forbidden)
    return Tally(len(history.rounds) + 1, active, wins, frozenset(rested), frozenset(met), apart)


def _pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def _check(history: History) -> None:
    _few("teams", len(history.teams), MOST_TEAMS)
    _few("rounds", len(history.rounds), MOST_ROUNDS)
    _few("forbidden pairs", len(history.forbidden), MOST_FORBIDDEN, "forbidden")
    known = set(history.withdrawn)
    listed: set[int] = set()
    for index, team in enumerate(history.teams):
        if team in listed:
            _refuse("repeated-team", f"Team {team} is listed twice. List it once.", f"teams[{index}]")
        listed.add(team)
    known |= listed
    for index, pair in enumerate(history.forbidden):
        _two(pair, known, f"forbidden[{index}]", ("[0]", "[1]"))
    for number, posted in enumerate(history.rounds):
        _check_round(posted, known, number)


def _check_round(posted: Sequence[Meeting | Bye], known: Collection[int], number: int) -> None:
    seated: set[int] = set()
    for index, entry in enumerate(posted):
        where = f"rounds[{number}][{index}]"
        if isinstance(entry, Bye):
            _known(entry.team, known, f"{where}.bye")
        else:
            _two((entry.ns, entry.ew), known, where, (".ns", ".ew"))
            if entry.forfeit and entry.winner is None:
                message = "A forfeit has a winner. Name the side that was there."
                _refuse("forfeit-winner", message, f"{where}.winner")
        for team in (entry.team,) if isinstance(entry, Bye) else (entry.ns, entry.ew):
            if team in seated:
                message = f"Team {team} stands twice in round {number + 1}. Keep the place where it was."
                _refuse("twice-in-round", message, where)
            seated.add(team)


def _two(pair: tuple[int, int], known: Collection[int], where: str, ends: tuple[str, str]) -> None:
    for team, end in zip(pair, ends, strict=True):
        _known(team, known, where + end)
    if pair[0] == pair[1]:
        _refuse("own-opponent", f"Team {pair[0]} stands against itself. Name its opponents.", where)


def _known(team: int, known: Collection[int], where: str) -> None:
    if team not in known:
        message = f"Team {team} is not among the teams. Add it to them, or to those withdrawn."
        _refuse("unknown-team", message, where)


def _few(what: str, count: int, most: int, where: str | None = None) -> None:
    if count > most:
        _refuse("out-of-range", f"{count} {what} are too many. At most {most} can be used.", where or what)


def _refuse(code: str, message: str, where: str) -> NoReturn:
    raise HubError(code, message, where=where)
