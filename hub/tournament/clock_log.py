"""What was done to the round clock, in order: what an undo is about, and when the rounds really started."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Turn(StrEnum):
    """What was done to the clock."""

    STARTED = "started"
    PAUSED = "paused"
    RESUMED = "resumed"
    EXTENDED = "extended"
    SHORTENED = "shortened"
    HELD = "held"
    ENDED = "ended"
    REOPENED = "reopened"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class ClockTurn:
    """One act on the clock of a round. ``id``: its event; ``at``: ms, by the hub's clock; ``by``: who.

    ``seconds``: by how much it was extended or shortened. ``left``: ms on the clock just before. ``undoes``: the event
    it takes back. ``reason``: why the hub held it; ``ran_on``: ms left at that moment had it run on by the wall clock.
    """

    id: str
    at: int
    round: int
    what: Turn
    by: str
    seconds: int = 0
    left: int = 0
    undoes: str | None = None
    reason: str = ""
    ran_on: int = 0


def taken_back(turns: Iterable[ClockTurn]) -> frozenset[str]:
    """The events that a later act took back."""
    return frozenset(turn.undoes for turn in turns if turn.undoes is not None)


def started_at(turns: Iterable[ClockTurn], number: int) -> int | None:
    """When the clock of a round was started (ms), the last time if more than once; ``None`` before."""
    found = None
    for turn in turns:
        if turn.round == number and turn.what in (Turn.STARTED, Turn.WITHDRAWN):
            found = turn.at if turn.what is Turn.STARTED else None
    return found
