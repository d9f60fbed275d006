"""What a pair, or a bye, costs: one whole number in which a more important aim outweighs all lesser ones together."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from hub.tournament.history import Tally

PHANTOM: Final = -1
"""Whoever is paired with it has the bye."""

JITTER_BITS: Final = 40
"""Drawn bits under each cost: with 2,000 teams two equally good rounds differ, but for one time in 500,000."""

Matched = frozenset[tuple[int, int]]
"""Pairs of teams, the lower number first; the phantom, lower than any team, stands with the one that rests."""

Value = tuple[int, int, int, int]
"""How good a round is, least is best: rematches, second byes, wins of the team that rests, squared differences."""


class Costs:
    """The cost of each pair among the teams of a tally, with the phantom if their number is odd.

    ``rematches`` is how many the round cannot do without; at 0 none is legal. The greatest sum stays under 2^110 for
    every history that is taken, so that nothing overflows in a matching that counts in 128 bits.
    """

    def __init__(self, counted: Tally, rematches: int = 0) -> None:
        self.tally = counted
        self.teams = (*counted.teams, PHANTOM) if len(counted.teams) % 2 else counted.teams
        self.rematches = rematches
        self._banned = counted.apart if rematches else counted.apart | counted.met
        pairs = len(self.teams) // 2
        wins = [counted.wins[team] for team in counted.teams]
        most, spread = max(wins), max(wins) - min(wins)
        self._square = pairs << JITTER_BITS
        self._bye_win = self._square * (pairs * spread * spread + 1)
        self._second_bye = self._bye_win * (most + 1)
        self._rematch = self._second_bye * 2
        self.ceiling = self._rematch * (pairs + 1)
        """More than any whole round costs."""

    def legal(self, first: int, second: int) -> bool:
        """Whether the two may be paired; ``first`` is the lower number."""
        return (first, second) not in self._banned

    def cost(self, first: int, second: int, jitter: int) -> int:
        """What pairing the two costs; ``first`` is the lower number, ``jitter`` under 2^``JITTER_BITS``."""
        wins = self.tally.wins
        if first == PHANTOM:
            return (second in self.tally.rested) * self._second_bye + wins[second] * self._bye_win + jitter
        again = self._rematch if (first, second) in self.tally.met else 0
        apart = wins[first] - wins[second]
        return again + apart * apart * self._square + jitter

    def value(self, matched: Collection[tuple[int, int]]) -> Value:
        """How good a whole round is."""
        wins = self.tally.wins
        resting = [second for first, second in matched if first == PHANTOM]
        return (
            sum(pair in self.tally.met for pair in matched),
            sum(team in self.tally.rested for team in resting),
            sum(wins[team] for team in resting),
            sum((wins[first] - wins[second]) ** 2 for first, second in matched if first != PHANTOM),
        )

    def floor(self) -> Value:
        """No round is better: the best bye, and neighbours paired as if nobody had met. Often a round reaches it."""
        wins, rested = self.tally.wins, self.tally.rested
        ranked = sorted(wins[team] for team in self.tally.teams)
        second, least = 0, 0
        if PHANTOM in self.teams:
            second, least = min((int(team in rested), wins[team]) for team in self.tally.teams)
            ranked.remove(least)
        squares = sum((high - low) ** 2 for low, high in zip(ranked[::2], ranked[1::2], strict=True))
        return (self.rematches, second, least, squares)
