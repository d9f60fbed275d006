"""What buzzer and lamp say, as data. Every signal has the same message on the screen for at least as long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class SignalPattern(StrEnum):
    """The things a table can be told without looking at the screen."""

    CARD_READ = "card_read"
    NEEDS_A_HUMAN = "needs_a_human"
    """Card and typed call differ, or a call is not legal."""
    ROUND_STARTS = "round_starts"
    FIVE_MINUTES = "five_minutes"
    ONE_MINUTE = "one_minute"
    TIME_UP = "time_up"
    AGREED = "agreed"
    """Both sides agreed, or the sheet was accepted."""
    IDENTIFY = "identify"
    DIRECTOR_CALLED = "director_called"
    """Silent at the table: the lamp alone, until the call ends."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """On for ``on_ms``, off for ``off_ms``, so many ``times``; 0 times is on until it is ended."""

    on_ms: int
    off_ms: int
    times: int

    @property
    def steady(self) -> bool:
        """Whether it stays on until it is ended."""
        return self.times == 0

    @property
    def length_ms(self) -> int:
        """From the first on to the last off; 0 for a steady one."""
        return max(0, self.times * (self.on_ms + self.off_ms) - self.off_ms)

    @property
    def alternating(self) -> tuple[int, ...]:
        """On, off, on, … in milliseconds, as a reader's own buzzer takes it."""
        return (self.on_ms, *(self.off_ms, self.on_ms) * (self.times - 1)) if self.times else ()


@dataclass(frozen=True, slots=True)
class Signal:
    """Sound and light of one pattern. A sound never cuts off one of a higher ``rank`` that is still playing."""

    rank: int
    sound: Pulse | None = None
    lamp: Pulse | None = None


SIGNALS: Final[Mapping[SignalPattern, Signal]] = MappingProxyType(
    {
        SignalPattern.CARD_READ: Signal(0, Pulse(30, 0, 1)),
        SignalPattern.AGREED: Signal(1, Pulse(60, 60, 2)),
        SignalPattern.NEEDS_A_HUMAN: Signal(2, Pulse(120, 80, 2), Pulse(400, 0, 1)),
        SignalPattern.FIVE_MINUTES: Signal(3, Pulse(300, 0, 1)),
        SignalPattern.ONE_MINUTE: Signal(3, Pulse(300, 200, 2), Pulse(1_000, 1_000, 30)),
        SignalPattern.ROUND_STARTS: Signal(4, Pulse(400, 0, 1)),
        SignalPattern.TIME_UP: Signal(5, Pulse(700, 250, 3), Pulse(10_000, 0, 1)),
        SignalPattern.IDENTIFY: Signal(1, Pulse(200, 200, 5), Pulse(150, 150, 20)),
        SignalPattern.DIRECTOR_CALLED: Signal(0, None, Pulse(0, 0, 0)),
    }
)
