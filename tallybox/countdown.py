"""Countdown arithmetic: a deadline on the hub's clock, read on a box's own monotonic clock (docs/journal.md, Clock).

Nothing is ever decremented and no wall clock of a box is used: a Pi has none.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """One ping and its pong: the box's monotonic ms at sending and receipt, the hub's ms in between."""

    sent: int
    received: int
    hub: int

    @property
    def round_trip(self) -> int:
        """Milliseconds there and back."""
        return self.received - self.sent

    @property
    def offset(self) -> int:
        """Hub's clock minus box's monotonic clock, in ms, as if the hub answered half way."""
        return self.hub - (self.sent + self.received) // 2


def best(kept: Sample | None, new: Sample, *, window: int = 600_000) -> Sample:
    """The sample to trust: the lowest round trip, unless the kept one is older than ``window`` ms."""
    if kept is None or new.round_trip <= kept.round_trip or new.received - kept.received > window:
        return new
    return kept


def local_deadline(hub_deadline: int, offset: int) -> int:
    """The hub's deadline on the box's monotonic clock, in ms."""
    return hub_deadline - offset


def seconds_left(deadline: int, now: int) -> int:
    """Whole seconds to show: rounded up, so that 0 means the time is up; never negative. All in ms of one clock."""
    return max(0, -((now - deadline) // 1000))


def next_change(deadline: int, now: int) -> int:
    """Milliseconds until the shown second changes; at least 1."""
    left = deadline - now
    return max(1, left % 1000 or 1000) if left > 0 else 1000


def clock_text(seconds: int) -> str:
    """``mm:ss``, or ``h:mm:ss`` from an hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"
