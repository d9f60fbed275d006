"""The host's commands to a device: bounded, one at a time, sent again until answered or given up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from firmware_bridge.frames import Buzz, Command, Light, Snapshot
from firmware_bridge.reader import ReaderStatistics
from tallybox.seats import Seat

RETRY_FIRST: Final = 0.3
"""Seconds until a command is sent again; doubles up to ``RETRY_MOST``."""

RETRY_MOST: Final = 2.0
TRIES: Final = 6
"""A command that is not answered this often lets the others go first and comes again after them."""

BUZZES: Final = 8
"""Buzzes that may wait; the oldest gives way."""

BUZZ_STALE: Final = 3.0
"""A buzz that is this many seconds late is dropped: a late sound says something untrue."""


@dataclass(slots=True)
class _Flight:
    frame: Command
    began: float
    due: float
    tries: int = 1

    def spent(self, now: float) -> bool:
        """Whether to let others go first; for a sound, whether it is too late."""
        return now - self.began > BUZZ_STALE if isinstance(self.frame, Buzz) else self.tries >= TRIES


class CommandQueue:
    """What the host wants of the device. Asking is safe from any thread; everything else is the link's thread."""

    def __init__(self, statistics: ReaderStatistics) -> None:
        self._statistics = statistics
        self._lock = threading.Lock()
        self._wanted: dict[Seat, bool] = {}
        self._told: dict[Seat, bool] = {}
        self._buzzes: deque[tuple[tuple[int, ...], float]] = deque()
        self._snapshot = False
        self._passed: set[Seat | None] = set()
        self._flight: _Flight | None = None
        self._number = 0

    def light(self, seat: Seat, on: bool) -> None:
        """Want a seat's light on or off; the latest wish counts, also after a reconnection."""
        with self._lock:
            self._wanted[seat] = on

    def buzz(self, times: tuple[int, ...], now: float) -> None:
        """Want a sound, milliseconds on, off, on, …"""
        with self._lock:
            if len(self._buzzes) >= BUZZES:
                self._buzzes.popleft()
                self._statistics.commands_dropped += 1
            self._buzzes.append((times, now))

    def ask_snapshot(self) -> None:
        """Want to know which cards lie on the readers."""
        with self._lock:
            self._snapshot = True

    def new_session(self) -> None:
        """The device starts its commands at 1 with all lights off: tell it again what is wanted."""
        with self._lock:
            self._flight, self._number, self._snapshot = None, 0, True
            self._passed.clear()
            self._told = dict.fromkeys(Seat, False)

    def next_frame(self, now: float) -> Command | None:
        """The command to send now, new or again; None while one is on its way and not yet due again."""
        with self._lock:
            if self._flight is not None:
                return self._again(self._flight, now)
            make = self._choose(now)
            if make is None:
                return None
            self._number += 1
            self._flight = _Flight(make(self._number), now, now + RETRY_FIRST)
            self._statistics.commands += 1
            return self._flight.frame

    def answered(self, number: int) -> bool:
        """Take the answer to a command; False when it answers nothing that is on its way."""
        with self._lock:
            if self._flight is None or self._flight.frame.command != number:
                return False
            if isinstance(self._flight.frame, Light):
                self._told[self._flight.frame.seat] = self._flight.frame.on
            self._flight = None
            return True

    def _again(self, flight: _Flight, now: float) -> Command | None:
        if now < flight.due:
            return None
        if flight.spent(now):
            self._statistics.commands_dropped += 1
            self._pass(flight.frame)
            self._flight = None
            return None
        flight.due = now + min(RETRY_FIRST * 2**flight.tries, RETRY_MOST)
        flight.tries += 1
        self._statistics.commands_again += 1
        return flight.frame

    def _pass(self, frame: Command) -> None:
        """Let the others go first; a sound that is too late is gone."""
        if isinstance(frame, Light):
            self._passed.add(frame.seat)
        if isinstance(frame, Snapshot):
            self._passed.add(None)
            self._snapshot = True

    def _choose(self, now: float) -> Callable[[int], Command] | None:
        """The next command but for its number: sounds first, then lights, then the snapshot (None among seats)."""
        while self._buzzes:
            times, asked = self._buzzes.popleft()
            if now - asked <= BUZZ_STALE:
                return partial(Buzz, times=times)
            self._statistics.commands_dropped += 1
        due: list[Seat | None] = [seat for seat, on in self._wanted.items() if self._told.get(seat) != on]
        due += [None] if self._snapshot else []
        if not due:
            return None
        if self._passed.issuperset(due):
            self._passed.clear()
        chosen = next(each for each in due if each not in self._passed)
        if chosen is None:
            self._snapshot = False
            return Snapshot
        # Until the answer comes nobody knows how the light stands: a later wish to the contrary must be sent too.
        self._told.pop(chosen, None)
        return partial(Light, seat=chosen, on=self._wanted[chosen])
