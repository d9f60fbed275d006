"""When the hub leaves what comes at the broker for a moment, as its writer has enough before it. Pure.

A broker keeps within what a venue's settings let be under way only until the first acks come: mosquitto 2.0.11 hands
over two messages for each one that is dealt with. What is beyond the writer's bound would be dropped, and its box would
wait two seconds before it sends again. Left on the network it waits at the broker, which has room.
"""

from __future__ import annotations

from typing import Final

ENOUGH: Final = 4_000
"""Payloads before the writer from which on nothing is read; one turn of the line reads some hundred."""

LONGEST: Final = 2.0
"""Seconds. Whoever listens has to hear the broker itself, too, so after that the line reads whatever waits."""


class Brake:
    """Asked before each turn of the line."""

    def __init__(self) -> None:
        self._since: float | None = None

    def holds(self, waiting: int, now: float) -> bool:
        """Whether to leave what comes unread now (monotonic seconds), where so much waits for the writer."""
        if waiting < ENOUGH:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        return now - self._since < LONGEST
