"""Which events to publish now: a bounded window in order, sent again from its start when no ack came. Pure.

The hub takes only the next event of an epoch, so a lost one makes all behind it worthless: what is sent again begins
with the oldest. Timers run from the moment of sending. When a whole room sends what it has after an outage, the hub
needs its time for what is under way, and to send all of it again would only make it more: so the boxes learn from the
acks how long is too long, begin with a narrow window, widen it while acks come soon, and narrow it when they do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

WINDOW: Final = 160
"""Events that may be under way without an ack, at most; the hub lets 200 of a box wait."""

SHARED: Final = 50
"""As many at most may be while others send too, which shows in how long an ack takes."""

ALONE: Final = 20
"""So many times sooner than a slow one is an ack of a hub that has little else to do."""

NARROW: Final = 4
"""As many may be on a new connection: what 500 boxes send at once is then written before any of them asks again."""

NARROWER: Final = 4
"""So many times narrower is the window after each time that no ack came."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Milliseconds without an ack after which the window is sent again; doubled each time, up to ``most``.

    ``first`` is the least; where acks take longer, it is twice what the latest one took.
    """

    first: int = 2_000
    most: int = 30_000
    slow: int = 2_000
    """Of an ack that takes longer the window narrows; it widens while acks take less than a quarter of that."""


@dataclass(slots=True)
class Sending:
    """What is under way. ``under_way`` are ids in the order of sending, ``width`` is how many there may be now."""

    patience: Patience = Patience()
    under_way: tuple[str, ...] = ()
    since: int = 0
    width: int = NARROW
    wait: int = field(init=False)
    _first_sent: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wait = self.patience.first

    def due(self, outbox: Sequence[str], now: int) -> list[str]:
        """The ids to publish at ``now`` (ms), given the ids that wait for an ack, oldest first, at most a window."""
        known = frozenset(outbox[:WINDOW])
        still = tuple(name for name in self.under_way if name in known)
        if still != self.under_way:
            self._acked(known, now)
        waiting = tuple(outbox[: self.width])
        if waiting[: len(still)] != still:
            self._first_sent = {}
            return self._send(waiting, (), now)
        if still and now - self.since >= self.wait:
            self.wait = min(self.wait * 2, self.patience.most)
            self.width = max(1, min(self.width, len(still)) // NARROWER)
            return self._send(waiting[: self.width], (), now)
        return self._send(waiting, still, now)

    def again(self) -> None:
        """A new connection: nothing is under way any more."""
        self.under_way, self.wait, self.width = (), self.patience.first, NARROW
        self._first_sent = {}

    def next_due(self) -> int | None:
        """The ms at which the window is sent again; ``None`` when nothing is under way."""
        return self.since + self.wait if self.under_way else None

    def _acked(self, known: frozenset[str], now: int) -> None:
        """Some are gone from the window: wait for the rest twice as long as the last of them took.

        The window widens when that was soon, and narrows when it was slow: then the hub has enough before it.
        """
        took = now - max(self._first_sent[name] for name in self.under_way if name not in known)
        if took > self.patience.slow:
            self.width = max(1, self.width // 2)
        elif ALONE * took <= self.patience.slow:
            self.width = min(2 * self.width, WINDOW)
        elif 4 * took <= self.patience.slow and self.width < SHARED:
            self.width = min(2 * self.width, SHARED)
        self._first_sent = {name: at for name, at in self._first_sent.items() if name in known}
        self.since, self.wait = now, min(max(2 * took, self.patience.first), self.patience.most)

    def _send(self, waiting: tuple[str, ...], still: tuple[str, ...], now: int) -> list[str]:
        fresh = list(waiting[len(still) :])
        if fresh and not still:
            self.since = now
        self.under_way = waiting
        for name in fresh:
            self._first_sent.setdefault(name, now)
        return fresh
