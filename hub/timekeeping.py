"""The hub's clock: the wall clock at start, carried on by the monotonic clock, so that a jump moves no deadline."""

from __future__ import annotations

from collections.abc import Callable


class HubTime:
    """``monotonic`` and ``wall`` give seconds, as ``time.monotonic`` and ``time.time`` do."""

    def __init__(self, monotonic: Callable[[], float], wall: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._offset = wall() - monotonic()

    def now(self) -> int:
        """Milliseconds since 1970 by the hub's clock; it never goes back while the hub runs."""
        return max(0, int((self._monotonic() + self._offset) * 1_000))

    def mono(self) -> int:
        """Milliseconds of the monotonic clock."""
        return int(self._monotonic() * 1_000)

    def seconds(self) -> float:
        """Seconds of the monotonic clock, for measuring how long ago something was."""
        return self._monotonic()
