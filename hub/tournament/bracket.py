"""Single elimination: who meets whom from the first round to the final, and how far it has come (section 3.8).

Seeds are placed so that 1 and 2 can only meet in the final, 1–4 only from the semi-finals on, and so on; where there
are fewer teams than places the best seeds have byes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from hub.errors import HubError
from tallybox.canonical import Json

MOST_SEEDS: Final = 4096
"""Teams in one bracket."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A place that a team holds."""

    team: int


@dataclass(frozen=True, slots=True)
class NoEntrant:
    """A place that stays empty: whoever stands against it has a bye."""


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """A place for the winner of an earlier match."""

    match: str


Slot: TypeAlias = Entrant | NoEntrant | WinnerOf


@dataclass(frozen=True, slots=True)
class Match:
    """One match; ``id`` is ``R1M1``: round, then place from the top. No ``winner_to``: the final."""

    id: str
    round: int
    a: Slot
    b: Slot
    winner_to: str | None

    @property
    def teams(self) -> tuple[int, int] | None:
        """The two teams, ``a`` first, once both are known."""
        if isinstance(self.a, Entrant) and isinstance(self.b, Entrant):
            return (self.a.team, self.b.team)
        return None

    @property
    def through(self) -> int | None:
        """The team that goes on without playing, where it stands against nobody."""
        if isinstance(self.a, Entrant) and isinstance(self.b, NoEntrant):
            return self.a.team
        return None


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches, round by round from the first; ``size`` is the power of two that the seeds fit into."""

    size: int
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """A match was played, or given by forfeit, between these two."""

    winner: int
    loser: int


@dataclass(frozen=True, slots=True)
class Progress:
    """A bracket with what is known by now.

    ``ready`` are the ids of matches whose two teams are known and that are not decided. ``stale`` are ids of decided
    matches whose teams would be others by now: they stay as they were played, and a director looks at them.
    ``ranks`` gives the champion 1, the loser of the final 2, those of the semi-finals 3 and 3, then 5 four times.
    """

    matches: tuple[Match, ...]
    champion: int | None = None
    ready: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    ranks: Mapping[int, int] = field(default_factory=dict)


def bracket(seeds: Sequence[int]) -> Bracket:
    """The bracket of these teams, best first. First-round order of eight: 1–8, 4–5, 2–7, 3–6.

    Raises ``HubError``: ``too-few-teams`` under 2, ``out-of-range`` over ``MOST_SEEDS``, ``repeated-team``.
    """
    _check(seeds)
    size = 1 << (len(seeds) - 1).bit_length()
    slots: list[Slot] = [Entrant(seeds[seed - 1]) if seed <= len(seeds) else NoEntrant() for seed in seeding(size)]
    matches: list[Match] = []
    last = size.bit_length() - 1
    for number in range(1, last + 1):
        count = len(slots) // 2
        for place in range(count):
            onward = None if number == last else f"R{number + 1}M{place // 2 + 1}"
            match = Match(f"R{number}M{place + 1}", number, slots[2 * place], slots[2 * place + 1], onward)
            matches.append(match)
        slots = [WinnerOf(f"R{number}M{place + 1}") for place in range(count)]
    return Bracket(size, tuple(matches))


def seeding(size: int) -> tuple[int, ...]:
    """Seeds from the top of the first round to its end, for a power of two: (1, 8, 4, 5, 2, 7, 3, 6) for 8."""
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        pair_sum = 2 * len(order) + 1
        order = tuple(seed for best in order for seed in (best, pair_sum - best))
    return order


def progress(made: Bracket, decided: Mapping[str, Decided]) -> Progress:
    """The bracket after these matches, by id: winners and byes moved on, everything else as it stands.

    Nothing is remembered: a result that is corrected rewrites every match after it that is not decided.
    """
    onward: dict[str, int] = {}
    matches: list[Match] = []
    ready, stale = [], []
    ranks: dict[int, int] = {}
    rounds = made.size.bit_length() - 1
    for drawn in made.matches:
        match = replace(drawn, a=_filled(drawn.a, onward), b=_filled(drawn.b, onward))
        result = decided.get(match.id)
        if result is not None:
            if match.teams is None or set(match.teams) != {result.winner, result.loser}:
                stale.append(match.id)
                match = replace(match, a=Entrant(result.winner), b=Entrant(result.loser))
            onward[match.id] = result.winner
            ranks[result.loser] = 2 ** (rounds - match.round) + 1
        elif match.through is not None:
            onward[match.id] = match.through
        elif match.teams is not None:
            ready.append(match.id)
        matches.append(match)
    champion = onward.get(made.matches[-1].id)
    if champion is not None:
        ranks[champion] = 1
    return Progress(tuple(matches), champion, tuple(ready), tuple(stale), ranks)


def bracket_to_json(made: Bracket) -> dict[str, Json]:
    """The bracket as ``tallybox bracket`` answers."""
    matches: list[Json] = [
        {
            "id": match.id,
            "round": match.round,
            "a": _slot_to_json(match.a),
            "b": _slot_to_json(match.b),
            "winner_to": match.winner_to,
        }
        for match in made.matches
    ]
    return {"size": made.size, "matches": matches}


def _filled(slot: Slot, onward: Mapping[str, int]) -> Slot:
    if isinstance(slot, WinnerOf) and slot.match in onward:
        return Entrant(onward[slot.match])
    return slot


def _slot_to_json(slot: Slot) -> dict[str, Json]:
    if isinstance(slot, Entrant):
        return {"team": slot.team}
    return {"bye": True} if isinstance(slot, NoEntrant) else {"winner_of": slot.match}


def _check(seeds: Sequence[int]) -> None:
    if len(seeds) < 2:
        message = f"{'1 team makes no bracket' if seeds else 'No team is seeded'}. Name at least 2, best first."
        raise HubError("too-few-teams", message, where="seeds")
    if len(seeds) > MOST_SEEDS:
        message = f"{len(seeds)} seeds are too many. A bracket holds at most {MOST_SEEDS}."
        raise HubError("out-of-range", message, where="seeds")
    placed: dict[int, int] = {}
    for index, team in enumerate(seeds):
        if team in placed:
            message = f"Team {team} is seed {placed[team] + 1} and seed {index + 1}. Keep one."
            raise HubError("repeated-team", message, where=f"seeds[{index}]")
        placed[team] = index
