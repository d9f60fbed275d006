"""What the hub keeps about a team besides its results: values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proxy:
    """Somebody plays for one of the team's two players (1 or 2), from a round and hand on; the team stays the team."""

    player: int
    name: str
    reason: str
    round: int | None = None
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What an official wrote down about the team's conduct; it changes no score."""

    text: str
    by: str
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A registered team. ``names`` are the two players as they entered, whoever plays for them now.

    ``withdrawn`` and ``disqualified`` hold the reason given (which may be empty for a withdrawal), else ``None``.
    ``late``: it entered when play had begun.
    """

    number: int
    names: tuple[str, str]
    filler: bool = False
    checked_in: bool = False
    late: bool = False
    withdrawn: str | None = None
    disqualified: str | None = None
    proxies: tuple[Proxy, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def out(self) -> bool:
        """Whether it plays no further round."""
        return self.withdrawn is not None or self.disqualified is not None

    @property
    def ranks(self) -> bool:
        """Whether it has a place in the standings: filler teams and disqualified ones have none."""
        return not self.filler and self.disqualified is None

    @property
    def playing(self) -> tuple[str, str]:
        """The two people who sit down for the team now."""
        first, second = self.names
        for proxy in self.proxies:
            first, second = (proxy.name, second) if proxy.player == 1 else (first, proxy.name)
        return (first, second)
