"""Which events to publish now: a bounded window in order, sent again from its start when no ack came. Pure.

The hub takes only the next event of an epoch, so a lost one makes all behind it worthless: the whole window is sent
again. Timers run from the moment of sending. How long is too long is learnt from the acks: when a whole room sends what
it has after an outage, the hub needs seconds for what is under way, and to send it again would only make it more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

WINDOW: Final = 50
"""Events that may be under way without an ack."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Milliseconds without an ack after which the window is sent again; doubled each time, up to ``most``.

    ``first`` is the least; where acks take longer, it is twice what the latest one took.
    """

    first: int = 2_000
    most: int = 30_000


@dataclass(slots=True)
class Sending:
    """What is under way. ``under_way`` are ids in the order of sending."""

    patience: Patience = Patience()
    under_way: tuple[str, ...] = ()
    since: int = 0
    wait: int = field(init=False)
    _first_sent: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wait = self.patience.first

    def due(self, outbox: Sequence[str], now: int) -> list[str]:
        """The ids to publish at ``now`` (ms), given the ids that wait for an ack, oldest first, at most a window."""
        waiting = tuple(outbox[:WINDOW])
        known = frozenset(waiting)
        still = tuple(name for name in self.under_way if name in known)
        if still != self.under_way:
            self._acked(known, now)
        if waiting[: len(still)] != still:
            return self._send(waiting, (), now)
        if still and now - self.since >= self.wait:
            self.wait = min(self.wait * 2, self.patience.most)
            return self._send(waiting, (), now)
        return self._send(waiting, still, now)

    def again(self) -> None:
        """A new connection: nothing is under way any more."""
        self.under_way, self.wait = (), self.patience.first
        self._first_sent = {}

    def next_due(self) -> int | None:
        """The ms at which the window is sent again; ``None`` when nothing is under way."""
        return self.since + self.wait if self.under_way else None

    def _acked(self, known: frozenset[str], now: int) -> None:
        """Some are gone from the window: wait for the rest as long as twice what the last of them took."""
        took = now - max(self._first_sent[name] for name in self.under_way if name not in known)
        self.since, self.wait = now, min(max(2 * took, self.patience.first), self.patience.most)

    def _send(self, waiting: tuple[str, ...], still: tuple[str, ...], now: int) -> list[str]:
        fresh = list(waiting[len(still) :])
        if fresh and not still:
            self.since = now
        self.under_way = waiting
        self._first_sent = {name: self._first_sent.get(name, now) for name in waiting}
        return fresh
