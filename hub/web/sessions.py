"""Who is signed in: sessions live in the hub's memory; a browser holds a random token, the hub its hash alone.

A restart of the hub signs everybody out.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from tallybox.roles import Role

IDLE: Final = 2 * 3_600.0
"""Seconds without an act or a page somebody opened, after which the session ends. Not for viewers, who change nothing:
a screen on the wall is one of them."""
LONGEST: Final = 14 * 3_600.0
"""Seconds after the sign-in when every session ends: a tournament's day."""
MOST: Final = 400
"""Sessions at once; the one not used for longest goes first."""


@dataclass(frozen=True, slots=True)
class Session:
    """An official at a browser; times in seconds of the hub's monotonic clock."""

    official: str
    role: Role
    began: float
    used: float


class Sessions:
    """All of them, from any thread. ``draw`` makes a token of 256 random bits."""

    def __init__(self, seconds: Callable[[], float], draw: Callable[[], str] = lambda: secrets.token_hex(32)) -> None:
        self._seconds = seconds
        self._draw = draw
        self._lock = threading.Lock()
        self._open: dict[str, Session] = {}

    def begin(self, official: str, role: Role) -> str:
        """A new session; the token for the browser's cookie."""
        token, now = self._draw(), self._seconds()
        with self._lock:
            for key in [key for key, known in self._open.items() if _over(known, now)]:
                del self._open[key]
            while len(self._open) >= MOST:
                del self._open[min(self._open, key=lambda key: self._open[key].used)]
            self._open[_hash(token)] = Session(official, role, now, now)
        return token

    def find(self, token: str, *, used: bool) -> Session | None:
        """The session of this token while it lasts; ``used``: a person did something, not the page by itself."""
        if not token:
            return None
        key, now = _hash(token), self._seconds()
        with self._lock:
            known = self._open.get(key)
            if known is None:
                return None
            if _over(known, now):
                del self._open[key]
                return None
            if used:
                known = self._open[key] = replace(known, used=now)
            return known

    def end(self, token: str) -> None:
        """Sign out this browser."""
        with self._lock:
            self._open.pop(_hash(token), None)

    def end_all(self, official: str, *, but: str = "") -> int:
        """Sign an official out everywhere, ``but`` at the browser with this token; how many sessions ended."""
        kept = _hash(but) if but else ""
        with self._lock:
            ended = [key for key, known in self._open.items() if known.official == official and key != kept]
            for key in ended:
                del self._open[key]
        return len(ended)

    def count(self, official: str) -> int:
        """At how many browsers an official is signed in."""
        now = self._seconds()
        with self._lock:
            return sum(1 for known in self._open.values() if known.official == official and not _over(known, now))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _over(session: Session, now: float) -> bool:
    idle = session.role is not Role.VIEWER and now - session.used > IDLE
    return idle or now - session.began > LONGEST
