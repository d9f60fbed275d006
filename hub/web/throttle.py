"""Wrong tries are counted, and after five of them somebody waits: five minutes, then twice as long each time.

A try is counted before it is looked at, so that many at once get no more than five either. In memory only; a restart
of the hub forgets, and whoever can restart it needs no password.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hub.web.errors import WebError
from hub.web.views.words import counted

TRIES: Final = 5
WAIT: Final = 300.0
"""Seconds after the fifth wrong try; doubled each further time."""
LONGEST_WAIT: Final = 3_600.0
FORGET: Final = 12 * 3_600.0
"""Seconds after the last try when all is forgotten."""
MOST: Final = 4_096
"""Names and addresses that are remembered; the ones tried longest ago go first."""


@dataclass(frozen=True, slots=True)
class Tries:
    """What is remembered of a name or an address; times in seconds of the hub's monotonic clock."""

    wrong: int = 0
    waited: int = 0
    until: float = 0.0
    last: float = 0.0


class Throttle:
    """Counts tries by key, from any thread. ``seconds`` is the hub's monotonic clock."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Tries] = OrderedDict()

    def take(self, *keys: str) -> int:
        """Count one try for every key; the tries that are left afterwards, should this one be wrong.

        Raises ``WebError`` (429) with the waiting time when one of them has none left.
        """
        with self._lock:
            now = self._seconds()
            wait = max(self._of(key, now).until - now for key in keys)
            if wait > 0:
                raise waiting(wait)
            return min(self._count(key, now) for key in keys)

    def right(self, key: str) -> None:
        """The try was right: this key begins anew."""
        with self._lock:
            self._known.pop(key, None)

    def give_back(self, key: str) -> None:
        """The try was right: it is not counted here, but what was wrong before stays."""
        with self._lock:
            tries = self._known.get(key)
            if tries is None:
                return
            if tries.wrong > 0:
                self._known[key] = Tries(tries.wrong - 1, tries.waited, tries.until, tries.last)
            elif tries.waited > 0:
                self._known[key] = Tries(TRIES - 1, tries.waited - 1, 0.0, tries.last)

    def _of(self, key: str, now: float) -> Tries:
        tries = self._known.get(key, Tries())
        return Tries() if now - tries.last > FORGET else tries

    def _count(self, key: str, now: float) -> int:
        tries = self._of(key, now)
        wrong, waited, until = tries.wrong + 1, tries.waited, 0.0
        left = TRIES - wrong
        if left <= 0:
            until = now + min(LONGEST_WAIT, WAIT * 2**waited)
            wrong, waited = 0, min(waited + 1, 16)
        self._known[key] = Tries(wrong, waited, until, now)
        self._known.move_to_end(key)
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return max(0, left)


def waiting(seconds: float) -> WebError:
    """What somebody is told who has no tries left."""
    minutes = max(1, -(-int(seconds + 0.999) // 60))
    return WebError(
        429, "wait", f"Too many tries. This waits {counted(minutes, 'minute', 'minutes')} more.",
        "Somebody else who is an official can go on meanwhile.", headers={"Retry-After": str(max(1, int(seconds)))},
    )  # fmt: skip


def tries_left(left: int) -> str:
    """The second half of the sentence after a wrong try."""
    if left <= 0:
        return "Wait 5 minutes or longer before the next try."
    return f"{counted(left, 'try', 'tries')} left, then wait 5 minutes."
