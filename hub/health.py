"""Whether the hub does what it is there for: a mark really written to its disk, a message really through the broker.

Neither says anything about the tournament, and both cost next to nothing; so whoever must know (a service manager, a
monitoring program, the person who set the hub up) need not believe flags.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from hub.errors import HubError

WITHIN: Final = 4.0
"""Seconds that each of the two ways may take."""

FRESH: Final = 5.0
"""Seconds for which a round trip answers everybody who asks."""

TURN_SECONDS: Final = 5.0
"""A writer that tries a failing disk again goes round every second."""

LINE_SECONDS: Final = 90.0
"""The line's thread may wait for a name, a connection and a handshake in one turn, each for many seconds."""

RENEWED_AFTER: Final = 3
"""Echoes in a row that do not come back over a connection that is up, before it is made anew."""


class Way(StrEnum):
    """How one way of a round trip ended."""

    BACK = "back"
    """It came back: the part does its work."""
    REFUSED = "refused"
    """The part answers, and says why it cannot: the disk is full, the broker is away."""
    SILENT = "silent"
    """The part does not answer at all."""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """What came of one: to the disk, to the broker, how long it took and when (seconds of the hub's clock)."""

    ledger: Way
    broker: Way
    took: float
    at: float

    @property
    def ready(self) -> bool:
        """Whether both came back."""
        return self.ledger is Way.BACK and self.broker is Way.BACK


class Parts(Protocol):
    """What a round trip needs of a hub."""

    @property
    def writer_trouble(self) -> str | None:
        """Why the ledger takes nothing now, in a sentence."""

    def ask_mark(self) -> Future[None]:
        """Have a mark committed."""

    def writer_turned(self) -> float:
        """Seconds since the writer went round last."""

    def echo(self, within: float) -> bool:
        """Whether a message came back through the broker."""

    def line_turned(self) -> float:
        """Seconds since the line's thread went round last."""

    @property
    def connected(self) -> bool:
        """Whether the line says that it is up."""

    def renew_line(self) -> None:
        """Make the connection anew."""


class Health:
    """Makes round trips, one at a time; ``seconds`` is the hub's monotonic clock."""

    def __init__(self, hub: Parts, seconds: Callable[[], float]) -> None:
        self._hub = hub
        self._seconds = seconds
        self._one_at_a_time = threading.Lock()
        self._unheard = 0
        self.last: RoundTrip | None = None
        self.last_ready: float | None = None
        """When a round trip came back whole for the last time, in seconds of the hub's clock."""

    def look(self, within: float = WITHIN) -> RoundTrip | None:
        """The last round trip if it is fresh, else a new one, of at most twice ``within`` seconds.

        While another one is under way: the last, whatever its age; ``None`` while there was none. Nobody queues here.
        """
        if not self._one_at_a_time.acquire(blocking=False):
            return self.last
        try:
            if self.last is not None and self._seconds() - self.last.at <= FRESH:
                return self.last
            return self._made(within)
        finally:
            self._one_at_a_time.release()

    def make(self, within: float = WITHIN) -> RoundTrip:
        """A new round trip, of at most twice ``within`` seconds."""
        with self._one_at_a_time:
            return self._made(within)

    def _made(self, within: float) -> RoundTrip:
        began = self._seconds()
        ledger, broker = self._to_the_disk(within), self._to_the_broker(within)
        now = self._seconds()
        self.last = made = RoundTrip(ledger, broker, now - began, now)
        if made.ready:
            self.last_ready = now
        return made

    def _to_the_disk(self, within: float) -> Way:
        try:
            self._hub.ask_mark().result(within)
        except HubError:
            return Way.REFUSED
        except FutureTimeout:
            # A writer that holds what came and tries its disk again and again takes no mark meanwhile.
            tries = self._hub.writer_trouble is not None and self._hub.writer_turned() <= TURN_SECONDS
            return Way.REFUSED if tries else Way.SILENT
        # A disk may still have room for a mark and none for what the tables sent.
        return Way.BACK if self._hub.writer_trouble is None else Way.REFUSED

    def _to_the_broker(self, within: float) -> Way:
        if self._hub.echo(within):
            self._unheard = 0
            return Way.BACK
        self._unheard = self._unheard + 1 if self._hub.connected else 0
        if self._unheard >= RENEWED_AFTER:
            self._unheard = 0
            self._hub.renew_line()
        return Way.REFUSED if self._hub.line_turned() <= LINE_SECONDS else Way.SILENT
