"""What a pair, or a bye, costs: one whole number in which a more important aim outweighs all lesser ones together."""

from __future__ import annotations

from typing import Final

from hub.tournament.history import Tally

PHANTOM: Final = -1
"""Whoever is paired with it has the bye."""

JITTER_BITS: Final = 40
"""Drawn bits under each cost. With 2,000 teams two equally good rounds still differ, but for one time in 500,000."""


class Costs:
    """The cost of each pair among the teams of a tally, with the phantom if their number is odd.

    From the greatest weight to the least: a rematch, a second bye, a win of the team that rests, the squared
    difference in wins, the jitter by which the seed tells equals apart. The greatest sum stays under 2^120 for every
    history that is taken; the matching counts in 128 bits.
    """

    def __init__(self, counted: Tally, *, rematches: bool) -> None:
        self.tally = counted
        self.teams = (*counted.teams, PHANTOM) if len(counted.teams) % 2 else counted.teams
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
