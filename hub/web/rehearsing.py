"""What the set-up asks of whoever can put a simulated room beside this hub (docs/decisions/0007-rehearsal.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

MOST_TABLES: Final = 12
"""Tables of a rehearsal: each is a whole box with its journal on the hub's own machine."""
FASTEST: Final = 100.0


@dataclass(frozen=True, slots=True)
class RehearsalPlan:
    """What is rehearsed. ``speed`` divides the robots' pauses; clock and desk keep the room's own time."""

    template: str
    tables: int
    speed: float


@dataclass(frozen=True, slots=True)
class RehearsalStatus:
    """A rehearsal that runs: where its own desk is, and how far it has come."""

    url: str
    plan: RehearsalPlan
    round: int | None
    hands: int
    over: bool


class Rehearsal(Protocol):
    """Runs at most one rehearsal, on a hub, ledger and boxes of its own. Any thread may call it."""

    def start(self, plan: RehearsalPlan) -> None:
        """Open the room and return once its desk answers; raises ``HubError`` with what to do."""

    def stop(self) -> None:
        """End it and leave nothing of it behind; nothing happens when none runs."""

    def status(self) -> RehearsalStatus | None:
        """What runs; ``None`` when nothing does."""
