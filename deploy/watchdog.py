"""Feeds the service manager's watchdog, and only on the strength of what really came back (docs/decisions/0010).

Three things can come of a round trip. It came *back*: the watchdog is fed. The part is *silent*: it is not fed, and the
service manager starts the service anew. The part *refuses*, and says why, such as a full disk: it is not fed either;
but a process that shows people what is wrong is worth more to them than one that begins anew on the same full disk, so
the watchdog is asked for patience, once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import structlog

from deploy import notify

ROUNDS: Final = 3
"""Round trips within the watchdog's time: one that is late by chance ends nothing."""

SHARE: Final = 0.4
"""How much of the pause between two rounds each way may take: all three together still leave time for the next."""

PATIENCE: Final = 600.0
"""Seconds in which people can make room on a disk before a fresh start is tried."""

log = structlog.get_logger("deploy.watchdog")


class Way(StrEnum):
    """How a way of a round trip ended."""

    BACK = "back"
    REFUSED = "refused"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one way, and a sentence for the service's status where there is something to say."""

    way: Way
    words: str = ""


Trip = Callable[[float], Told]
"""Goes one way and says within so many seconds what came of it."""


def watched(trips: Sequence[Trip], words: str) -> Callable[[], None]:
    """Feed this process's watchdog, if it has one, until the answer is called."""
    seconds = notify.watchdog_seconds() if notify.heard() else None
    if seconds is None:
        return lambda: None
    watchdog = Watchdog(trips, seconds=seconds, words=words)
    watchdog.start()
    return watchdog.stop


class Watchdog:
    """Goes the ``trips`` one after another on a thread of its own, ``ROUNDS`` times within ``seconds``.

    ``words``: what the service says of itself while all is well. It never waits for a trip that does not end: then
    nobody feeds the watchdog, which is what it is for.
    """

    def __init__(self, trips: Sequence[Trip], *, seconds: float, words: str, patience: float = PATIENCE) -> None:
        self._trips = tuple(trips)
        self._seconds = seconds
        self._patience = patience
        self._words = words
        self._status = words
        self._patient = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Go the first round now."""
        self._thread.start()

    def stop(self) -> None:
        """Go no more; returns at once, as a trip under way may be waiting for what was just stopped."""
        self._ended.set()

    def _run(self) -> None:
        pause = self._seconds / ROUNDS
        while not self._ended.is_set():
            told = [self._gone(trip, pause * SHARE) for trip in self._trips]
            if not self._ended.is_set():
                self._answer(told)
            self._ended.wait(pause)

    def _gone(self, trip: Trip, within: float) -> Told:
        try:
            return trip(within)
        except Exception:
            log.exception("round_trip_stumbled")
            return Told(Way.SILENT, "A part of this service could not be asked whether it works.")

    def _answer(self, told: Sequence[Told]) -> None:
        ways = {each.way for each in told}
        words = " ".join(each.words for each in told if each.words) or self._words
        if words != self._status:
            self._status = words
            notify.status(words)
            log.warning("round_trip", ways=[each.way.value for each in told], words=words)
        if Way.SILENT in ways:
            return
        if Way.REFUSED in ways:
            if not self._patient:
                self._patient = True
                notify.watch(self._patience)
            return
        if self._patient:
            self._patient = False
            notify.watch(self._seconds)
        notify.alive()
