"""The pings that measure how far the hub's clock is from this box's: when one is sent, which answers count. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

REMEMBERED: Final = 8
"""Pings whose answer may still come."""


@dataclass(slots=True)
class Pings:
    """All times in ms: ``every`` between two pings, ``quick`` between the first ``quick_ones`` of a connection."""

    every: int
    quick: int
    quick_ones: int
    _sent: tuple[int, ...] = ()
    _count: int = 0

    def due(self, now: int) -> bool:
        """Whether to send one at ``now``; then it counts as sent."""
        if self._sent and now - self._sent[-1] < self._pause:
            return False
        self._count += 1
        self._sent = (*self._sent[-REMEMBERED:], now)
        return True

    def next_due(self) -> int | None:
        """When the next one is to be sent; ``None`` before the first: at once."""
        return self._sent[-1] + self._pause if self._sent else None

    def answered(self, sent: int) -> bool:
        """Whether somebody answered one of them: the one that was sent at this time."""
        if sent not in self._sent:
            return False
        # The last one stays: the next pause is counted from it.
        self._sent = tuple(each for each in self._sent if each != sent or each == self._sent[-1])
        return True

    def again(self) -> None:
        """Somebody else answers from now on: nothing of what was measured counts."""
        self._sent, self._count = (), 0

    @property
    def _pause(self) -> int:
        return self.quick if self._count < self.quick_ones else self.every
