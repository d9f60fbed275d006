"""What a part of the room is told of its disk and its clock, and what it did about it.

The run writes a part's weather into a file; the part looks there before each commit. What really struck the part writes
down in a second file, line by line, so that only faults that happened are counted.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from deploy.files import write_whole

FAILS_EVERY: Final = 2
"""Of a failing disk every so-manieth commit fails."""

CLOCK: Final = "clock"
"""What a part writes down when its wall clock is another than before."""

LARGEST: Final = 4_096
"""Bytes of a weather file that are read."""


class Disk(StrEnum):
    """How a disk is."""

    WELL = "well"
    SLOW = "slow"
    FULL = "full"
    FAILING = "failing"
    DEADLY = "deadly"
    """The part dies at its next commit, before it."""


class Weather(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``slow_ms``: how long a commit takes on a slow disk. ``wall_ms``: how far the wall clock is off.

    ``rest``: the robot is to get up from its table, and the director to direct no more, so that all can come to rest.
    """

    disk: Disk = Disk.WELL
    slow_ms: int = 0
    wall_ms: int = 0
    rest: bool = False


@dataclass(frozen=True, slots=True)
class WeatherFiles:
    """The two files of one part, in the run's own folder."""

    folder: Path
    part: str

    @property
    def forecast(self) -> Path:
        """What the part is told."""
        return self.folder / f"{self.part}.weather.json"

    @property
    def struck(self) -> Path:
        """What struck it, one word a line."""
        return self.folder / f"{self.part}.struck"

    def tell(self, weather: Weather) -> None:
        """Change the part's weather, as a whole."""
        write_whole(self.forecast, msgspec.json.encode(weather))

    def count(self, word: str) -> int:
        """How often a disk of this kind, or another clock (``CLOCK``), struck the part so far."""
        try:
            return self.struck.read_text("ascii").split("\n").count(word)
        except FileNotFoundError:
            return 0


class Barometer:
    """The part's end: asks for the weather when it matters."""

    def __init__(self, files: WeatherFiles) -> None:
        self._files = files
        self._seen = (0, 0)
        self._commits = 0
        self._off = 0
        self.weather = Weather()
        self.look()

    def look(self) -> Weather:
        """The weather now; as before when there is no news."""
        try:
            found = self._files.forecast.stat()
            if (found.st_ino, found.st_mtime_ns) != self._seen:
                with self._files.forecast.open("rb") as file:
                    self.weather = msgspec.json.decode(file.read(LARGEST), type=Weather)
                self._seen = (found.st_ino, found.st_mtime_ns)
        except FileNotFoundError:
            pass
        return self.weather

    def before_commit(self) -> None:
        """Do what the disk does; raises ``sqlite3.OperationalError`` in the words of a disk that is full or failing."""
        weather = self.look()
        self._commits += 1
        match weather.disk:
            case Disk.SLOW:
                self._write(weather.disk)
                time.sleep(weather.slow_ms / 1000)
            case Disk.FULL:
                self._write(weather.disk)
                raise sqlite3.OperationalError("database or disk is full")
            case Disk.FAILING if self._commits % FAILS_EVERY == 0:
                self._write(weather.disk)
                raise sqlite3.OperationalError("disk I/O error")
            case Disk.DEADLY:
                self._write(weather.disk)
                os.kill(os.getpid(), signal.SIGKILL)

    def wall(self) -> float:
        """The wall clock in seconds, as far off as the weather has it."""
        off = self.look().wall_ms
        if off != self._off:
            self._off = off
            self._write(CLOCK)
        return time.time() + off / 1000

    def wall_ms(self) -> int:
        """The wall clock in ms."""
        return int(self.wall() * 1000)

    def _write(self, word: str) -> None:
        with self._files.struck.open("a", encoding="ascii") as file:
            file.write(f"{word}\n")
