"""Who sits where in every round: even teams forward first, then odd teams backward (section 2.8 of docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tallybox.canonical import Json
from tallybox.errors import MovementError

MOST_SEATS: Final = 2_000_000
"""Teams times rounds in one movement; there is no other limit to either."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Two teams at a table: the odd one North–South, the even one East–West."""

    table: int
    ns: int
    ew: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """Two teams that meet again, and the round in which they do."""

    round: int
    teams: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SitOut:
    """A team without opponents in a round."""

    round: int
    team: int


@dataclass(frozen=True, slots=True)
class Movement:
    """The seating of all rounds. ``tables`` counts tables with two real teams."""

    teams: int
    tables: int
    rounds: tuple[tuple[Seating, ...], ...]
    rematches: tuple[Rematch, ...]
    sit_outs: tuple[SitOut, ...]


def default_even_rounds(rounds: int) -> tuple[int, ...]:
    """The rounds entered with a move of the even teams: the first ⌊(R − 1)/2⌋ after round 1 (Q-10)."""
    return tuple(range(2, 2 + (rounds - 1) // 2))


def movement(teams: int, rounds: int, even_rounds: Sequence[int] | None = None) -> Movement:
    """The seating of ``teams`` teams over ``rounds`` rounds.

    Table t seats teams 2t − 1 and 2t in round 1; every later round is entered by one move, of the even teams to the
    next higher table if it is in ``even_rounds``, else of the odd teams to the next lower, wrapping round. An odd
    number of teams plays with a phantom, team n + 1, whose opponents sit out.

    Raises ``MovementError`` (codes ``too-few-teams``, ``out-of-range``, ``even-rounds``).
    """
    if teams < 2:
        message = "1 team fills no table." if teams == 1 else f"{teams} teams fill no table."
        raise MovementError("too-few-teams", f"{message} Register at least 2.", where="teams")
    if rounds < 1:
        raise MovementError("out-of-range", f"{rounds} rounds cannot be played. Use 1 or more.", where="rounds")
    if teams * rounds > MOST_SEATS:
        message = (
            f"{teams} teams over {rounds} rounds make more than {MOST_SEATS} places. Ask for fewer rounds at a time."
        )
        raise MovementError("out-of-range", message, where="rounds")
    even = default_even_rounds(rounds) if even_rounds is None else _checked(even_rounds, rounds)
    pairs = (teams + 1) // 2
    seatings: list[tuple[Seating, ...]] = []
    rematches: list[Rematch] = []
    sit_outs: list[SitOut] = []
    met: set[tuple[int, int]] = set()
    forward, entered_even = 0, frozenset(even)
    for number in range(1, rounds + 1):
        forward += number in entered_even
        whole = _round(pairs, forward, number - 1 - forward)
        played = tuple(seating for seating in whole if seating.ew <= teams)
        sit_outs += [SitOut(number, seating.ns) for seating in whole if seating.ew > teams]
        rematches += [Rematch(number, pair) for seating in played if (pair := _pair(seating)) in met]
        met.update(_pair(seating) for seating in played)
        seatings.append(played)
    return Movement(teams, teams // 2, tuple(seatings), tuple(rematches), tuple(sit_outs))


def movement_to_json(made: Movement) -> dict[str, Json]:
    """The movement as ``tallybox movement --json`` answers."""
    return {
        "teams": made.teams,
        "tables": made.tables,
        "rounds": [[{"table": each.table, "ns": each.ns, "ew": each.ew} for each in one] for one in made.rounds],
        "rematches": [{"round": each.round, "teams": list(each.teams)} for each in made.rematches],
        "sit_outs": [{"round": each.round, "team": each.team} for each in made.sit_outs],
    }


def _round(pairs: int, forward: int, backward: int) -> tuple[Seating, ...]:
    """The round after so many moves of the even teams forward and of the odd teams backward."""
    return tuple(
        Seating(table + 1, 2 * ((table + backward) % pairs) + 1, 2 * ((table - forward) % pairs) + 2)
        for table in range(pairs)
    )


def _pair(seating: Seating) -> tuple[int, int]:
    return (min(seating.ns, seating.ew), max(seating.ns, seating.ew))


def _checked(even_rounds: Sequence[int], rounds: int) -> tuple[int, ...]:
    for number in even_rounds:
        if not 2 <= number <= rounds:
            most = f"rounds 2 to {rounds}" if rounds > 1 else "no round of one"
            message = f"Round {number} is not entered by a move. Even teams can move for {most}."
            raise MovementError("even-rounds", message, where="even_rounds")
    if len(set(even_rounds)) < len(even_rounds):
        raise MovementError("even-rounds", "A round is named twice. Name each once.", where="even_rounds")
    return tuple(even_rounds)
