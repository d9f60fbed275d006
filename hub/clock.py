"""The round clock as a value: a state and a deadline, folded from the hub's own events (docs/journal.md, Clock).

Milliseconds since 1970 by the hub's clock throughout; nothing here reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from tallybox.events.clock import ClockReopened, ClockShortened
from tallybox.events.hub import (
    Act,
    ClockEnded,
    ClockExtended,
    ClockHeld,
    ClockPaused,
    ClockResumed,
    ClockStarted,
)
from tallybox.messages import ClockMessage, Rev

TOO_FAR_AHEAD_MS: Final = 120_000
"""A hub that was away longer than this cannot know whether the players went on."""


class ClockState(StrEnum):
    """What the round clock is doing."""

    NONE = "none"
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    HELD = "held"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Clock:
    """``deadline`` (ms) while it runs, ``remaining`` (ms) while it stands; ``seconds`` is the length so far."""

    state: ClockState = ClockState.NONE
    round: int | None = None
    seconds: int = 0
    deadline: int | None = None
    remaining: int | None = None

    def left(self, now: int) -> int:
        """Milliseconds left at ``now``; 0 when the time is up or there is no clock."""
        if self.deadline is not None:
            return max(0, self.deadline - now)
        return self.remaining or 0

    @property
    def stands(self) -> bool:
        """Whether it was started and waits to go on."""
        return self.state in (ClockState.PAUSED, ClockState.HELD)


def posted(number: int, minutes: int | None) -> Clock:
    """The clock of a round that has just been posted; an untimed round has none."""
    if minutes is None:
        return Clock(ClockState.NONE, number)
    return Clock(ClockState.WAITING, number, minutes * 60, remaining=minutes * 60_000)


def turned(clock: Clock, act: Act) -> Clock:
    """The clock after one of the hub's clock events; any other event leaves it as it is."""
    match act:
        case ClockStarted(seconds=seconds):
            return _running(replace(clock, seconds=seconds), act.deadline)
        case ClockResumed(deadline=deadline) | ClockReopened(deadline=deadline):
            return _running(clock, deadline)
        case ClockExtended() | ClockShortened():
            return _longer(clock, act)
        case ClockPaused(remaining=remaining) | ClockHeld(remaining=remaining):
            why = ClockState.HELD if isinstance(act, ClockHeld) else ClockState.PAUSED
            return replace(clock, state=why, deadline=None, remaining=remaining)
        case ClockEnded():
            return replace(clock, state=ClockState.ENDED, deadline=None, remaining=0)
        case _:
            return clock


def _running(clock: Clock, deadline: int) -> Clock:
    return replace(clock, state=ClockState.RUNNING, deadline=deadline, remaining=None)


def _longer(clock: Clock, act: ClockExtended | ClockShortened) -> Clock:
    more = act.seconds if isinstance(act, ClockExtended) else -act.seconds
    longer = replace(clock, seconds=max(0, clock.seconds + more))
    if act.deadline is not None:
        return _running(longer, act.deadline)
    return replace(longer, remaining=act.remaining)


def held_after_restart(clock: Clock, last_mark: int | None, now: int) -> ClockHeld | None:
    """What a hub that comes up again says of a running clock; ``None`` when it may simply run on.

    It is held when the wall clock stands behind the last mark, or more than two minutes ahead of it.
    """
    if clock.state is not ClockState.RUNNING or clock.deadline is None or last_mark is None:
        return None
    if last_mark <= now <= last_mark + TOO_FAR_AHEAD_MS:
        return None
    behind = now < last_mark
    reason = (
        "The hub's wall clock is behind the time it last noted."
        if behind
        else f"The hub was away for {(now - last_mark) // 60_000} minutes."
    )
    return ClockHeld(actor="hub", remaining=max(0, clock.deadline - last_mark), reason=reason)


def clock_message(clock: Clock, rev: Rev) -> ClockMessage:
    """The clock as the boxes get it."""
    return ClockMessage(
        v=1, rev=rev, state=clock.state.value, round=clock.round, seconds=clock.seconds,
        deadline=clock.deadline, remaining=clock.remaining,
    )  # fmt: skip
