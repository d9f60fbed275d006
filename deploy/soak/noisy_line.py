"""A serial line between two pseudo-terminals that drops, flips and delays, and can be pulled and put back."""

from __future__ import annotations

import os
import select
import tempfile
import threading
import time
import tty
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final, Self

CHUNK: Final = 64
"""Bytes that share one fate: a full-speed USB packet."""

GATHER: Final = 0.003
"""Seconds in which bytes become one chunk; a device may hand them over one by one."""

TEAR: Final = 0.1
"""Seconds that a host has to read the first half of a frame before the cable is pulled."""

LONGEST_DELAY: Final = 0.05
BACKLOG: Final = 4096
"""Bytes a direction holds while its far end does not read; then the near end's bytes wait in its own terminal."""


@dataclass(frozen=True, slots=True)
class Weather:
    """How much of each direction's chunks is lost, altered and late, each between 0 and 1."""

    dropped: float = 0.0
    flipped: float = 0.0
    delayed: float = 0.0


FAIR: Final = Weather()


@dataclass(slots=True)
class _Way:
    """One direction: what was read and not yet judged, and what waits to be written."""

    source: int
    sink: int
    chance: Random
    read: bytearray = field(default_factory=bytearray)
    judge_at: float = 0.0
    ready: bytearray = field(default_factory=bytearray)
    write_at: float = 0.0


class NoisyLine:
    """Connects ``device`` and ``host``, two paths to open, over a line with ``weather``; order is kept, always.

    ``host`` is a symbolic link as udev makes one. ``unplug`` closes the host's terminal under it, ``replug`` opens
    another one. The device's side stays, as a reader's that has its own power. Use it as a context manager.
    """

    def __init__(self, seed: int = 0, weather: Weather = FAIR) -> None:
        self.weather = weather
        self.deaf = False
        """Whether everything on its way to the device is lost, as over a broken wire."""
        self.dropped = 0
        self.flipped = 0
        self.delayed = 0
        self._directory = tempfile.TemporaryDirectory(prefix="tallybox-line-")
        self.host = str(Path(self._directory.name) / "reader")
        self._device_master, self._device_slave = _terminal()
        self.device = os.ttyname(self._device_slave)
        # Repeatable on purpose, nothing secret.
        self._chances = Random(f"{seed} out"), Random(f"{seed} in")  # noqa: S311
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._host_master = self._host_slave = -1
        self._ways: tuple[_Way, ...] = ()
        self._pull_after = b""
        self._pull_at = 0.0
        self.replug()
        self._thread = threading.Thread(target=self._run, name=f"line {seed}", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    @property
    def terminal(self) -> str:
        """The host's terminal of the moment, such as ``/dev/pts/3``."""
        return os.ttyname(self._host_slave)

    def unplug(self) -> None:
        """Pull the cable: what was on its way is lost, the host's path is gone."""
        with self._lock:
            self._ways = ()
            Path(self.host).unlink(missing_ok=True)
            os.close(self._host_master)
            os.close(self._host_slave)
            self._host_master = self._host_slave = -1

    def unplug_after(self, marker: bytes) -> None:
        """Pull the cable in the middle of a frame: once the host has read ``marker`` and nothing beyond it."""
        with self._lock:
            self._pull_after = marker

    def replug(self) -> None:
        """Put the cable back, into another terminal behind the same path."""
        with self._lock:
            self._host_master, self._host_slave = _terminal()
            Path(self.host).symlink_to(os.ttyname(self._host_slave))
            out, back = self._chances
            self._ways = (
                _Way(self._device_master, self._host_master, out),
                _Way(self._host_master, self._device_master, back),
            )

    def to_host(self, data: bytes) -> None:
        """Put bytes on the line that no device sent."""
        with self._lock:
            if self._ways:
                self._ways[0].ready += data

    def close(self) -> None:
        """End the line; both paths are gone. A second call does nothing."""
        if self._over.is_set():
            return
        self._over.set()
        self._thread.join()
        for descriptor in (self._device_master, self._device_slave, self._host_master, self._host_slave):
            if descriptor >= 0:
                os.close(descriptor)
        self._directory.cleanup()

    def _run(self) -> None:
        while not self._over.is_set():
            if self._pull_at and time.monotonic() >= self._pull_at:
                self._pull_at = 0.0
                self.unplug()
            with self._lock:
                ways = self._ways
                for way in ways:
                    self._move(way, time.monotonic())
            self._wait(ways)

    def _wait(self, ways: tuple[_Way, ...]) -> None:
        """Until something can be moved, at most 20 ms; a cable pulled meanwhile ends it too."""
        if not ways:
            self._drain_device()
            self._over.wait(0.02)
            return
        poll = select.poll()
        busy = any(way.read or way.ready for way in ways)
        for way in ways:
            if len(way.ready) < BACKLOG:
                poll.register(way.source, select.POLLIN)
        with suppress(OSError):
            if busy:
                self._over.wait(GATHER / 2)
            else:
                poll.poll(20)

    def _drain_device(self) -> None:
        """Nobody at the other end: what the device says goes nowhere."""
        with suppress(OSError):
            os.read(self._device_master, 4096)

    def _move(self, way: _Way, now: float) -> None:
        if len(way.ready) < BACKLOG:
            with suppress(OSError):
                came = os.read(way.source, CHUNK - len(way.read))
                if came and not way.read:
                    way.judge_at = now + GATHER
                way.read += came
        if way.read and (now >= way.judge_at or len(way.read) >= CHUNK):
            self._judge(way, now)
        if way.ready and now >= way.write_at:
            with suppress(OSError):
                del way.ready[: os.write(way.sink, way.ready)]

    def _judge(self, way: _Way, now: float) -> None:
        """A chunk's fate. A late one holds up what comes after it, as a line does."""
        chunk, way.read = way.read, bytearray()
        if self.deaf and way.sink == self._device_master:
            return
        weather, fate = self.weather, way.chance.random()
        if fate < weather.dropped:
            self.dropped += 1
            return
        if fate < weather.dropped + weather.flipped:
            self.flipped += 1
            chunk[way.chance.randrange(len(chunk))] ^= 1 << way.chance.randrange(8)
        elif fate < weather.dropped + weather.flipped + weather.delayed:
            self.delayed += 1
            way.write_at = max(now, way.write_at) + way.chance.random() * LONGEST_DELAY
        way.ready += chunk
        if way.source == self._device_master:
            self._tear(way, now)

    def _tear(self, way: _Way, now: float) -> None:
        """Let nothing through beyond the marker, and give the host a moment to read up to it."""
        if self._pull_at:
            way.ready.clear()
        elif self._pull_after and (at := way.ready.find(self._pull_after)) >= 0:
            del way.ready[at + len(self._pull_after) :]
            self._pull_after, self._pull_at = b"", now + TEAR


def _terminal() -> tuple[int, int]:
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    return master, slave
