"""Where a box's time comes from: the machine's steady clock and its wall clock, both in ms."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


def monotonic_ms() -> int:
    """This machine's monotonic clock in ms."""
    return time.monotonic_ns() // 1_000_000


def wall_ms() -> int:
    """This machine's wall clock in ms since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Times:
    """Where a box's time comes from: ``monotonic`` and ``wall`` (since 1970), both in ms."""

    monotonic: Callable[[], int] = monotonic_ms
    wall: Callable[[], int] = wall_ms
