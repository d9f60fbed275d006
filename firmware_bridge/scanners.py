"""Plain barcode scanners as a table's card reader: one for the table, or one at each seat."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

import structlog

from firmware_bridge import barcode, reader
from firmware_bridge.barcode import Repetition, ScannerLines
from firmware_bridge.errors import PortError
from firmware_bridge.limits import QUEUE_LIMIT
from firmware_bridge.link import BACKOFF_FIRST, BACKOFF_MOST, STOP_WITHIN, port_health
from firmware_bridge.port import SerialPort
from firmware_bridge.reader import CardShown, DeviceStamp, ReaderEvent, ReaderHealth, ReaderState, ReaderStatistics
from tallybox.seats import CLOCKWISE, Seat

KEEP_AGAIN: Final = 0.5
"""Seconds until a scan that could not be kept is tried again: a scanner itself holds nothing."""

_log = structlog.get_logger("firmware_bridge")

Place = Seat | None
"""Where a scanner is: at a seat, or ``None`` for the one of the whole table."""


def _no_news(_: ReaderHealth) -> None:
    """Take health changes of scanners nobody listens to."""


class BarcodeScanners:
    """A ``BidReader`` over plain serial scanners: no acknowledgement, no removal, codes on lines.

    ``ports`` has one path under ``None`` (the box says whose card it is), or one for each seat that has a scanner.
    ``persist`` is called in one thread, in the order in which the codes came, whichever scanner read them. A scan that
    it refuses is held here, at most ``QUEUE_LIMIT``, and tried again. ``again_after`` are the seconds for which a code
    must be out of sight before it counts again.
    """

    def __init__(
        self,
        ports: Mapping[Place, str],
        persist: Callable[[ReaderEvent], None],
        on_health: Callable[[ReaderHealth], None] = _no_news,
        *,
        baud: int = barcode.BAUD,
        again_after: float = barcode.AGAIN_AFTER,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not ports or (None in ports and len(ports) > 1):
            raise ValueError("One scanner for the table, or one for each seat.")
        self._persist = persist
        self._on_health = on_health
        self._again_after = again_after
        self._clock = clock
        self._began = clock()
        self._boot = secrets.token_hex(4)
        self._seq = 0
        self._held: deque[CardShown] = deque()
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._unkept = False
        self._telling = threading.Lock()
        self._health = reader.STOPPED
        self._statistics = ReaderStatistics()
        self._scanners = [_Scanner(self, place, path, baud) for place, path in ports.items()]
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Begin reading; returns at once. Scanners that were stopped may be started again."""
        if any(thread.is_alive() for thread in self._threads):
            return
        self._stopping = threading.Event()
        self._say(reader.STARTING)
        runs: list[tuple[str, Callable[[threading.Event], None]]] = [("scans", self._deliver)]
        runs += [(f"scanner {scanner.path}", scanner.run) for scanner in self._scanners]
        self._threads = [
            threading.Thread(target=run, args=(self._stopping,), name=name, daemon=True) for name, run in runs
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop reading, within two seconds."""
        self._stopping.set()
        for scanner in self._scanners:
            scanner.wake()
        with self._changed:
            self._changed.notify_all()
        until = time.monotonic() + STOP_WITHIN
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, until - time.monotonic()))
        self._say(reader.STOPPED)

    @property
    def health(self) -> ReaderHealth:
        """How the scanners are doing now, with the sentence for the screen."""
        return self._health

    @property
    def statistics(self) -> ReaderStatistics:
        """Counts so far, as a copy."""
        with self._changed:
            return replace(self._statistics, bad_frames=sum(scanner.bad for scanner in self._scanners))

    def light(self, seat: Seat, on: bool) -> None:
        """Do nothing: a scanner has no lights."""

    # What the scanners say

    def opened(self) -> None:
        """A port was opened."""
        with self._changed:
            self._statistics.connections += 1

    def scanned(self, place: Place, uid: str) -> None:
        """A code was read that counts: give it its number and its time, and let it be kept."""
        with self._changed:
            self._statistics.frames += 1
            if len(self._held) >= QUEUE_LIMIT:
                self._statistics.device_dropped += 1
                return
            self._seq += 1
            ms = int((self._clock() - self._began) * 1000)
            self._held.append(CardShown(uid, DeviceStamp(_name(place), self._boot, self._seq, ms), place))
            self._changed.notify_all()

    def repeated(self) -> None:
        """A code was read again while its card stayed in view."""
        with self._changed:
            self._statistics.duplicates += 1

    def news(self) -> None:
        """A scanner came, went or turned out to be none."""
        with self._telling:
            if not self._stopping.is_set():
                self._say(self._overall())

    def is_new(self) -> Repetition:
        """A fresh memory of what was read last."""
        return Repetition(self._again_after)

    def now(self) -> float:
        """The time in seconds."""
        return self._clock()

    # Inside

    def _deliver(self, stopping: threading.Event) -> None:
        """Keep the scans one after the other; what cannot be kept waits and holds back those behind it."""
        while not stopping.is_set():
            with self._changed:
                self._changed.wait_for(lambda: self._held or stopping.is_set())
                if stopping.is_set():
                    return
                scan = self._held[0]
            kept = self._keep(scan)
            if kept:
                with self._changed:
                    self._held.popleft()
                    self._statistics.events += 1
            self._unkept = not kept
            self.news()
            if not kept:
                stopping.wait(KEEP_AGAIN)

    def _keep(self, scan: CardShown) -> bool:
        try:
            self._persist(scan)
        except Exception as failure:  # noqa: BLE001 - whatever the caller's disk raises, the scan is held
            with self._changed:
                self._statistics.unkept += 1
            if not self._unkept:
                _log.warning("scan not kept, tried again", failure=repr(failure))
            return False
        return True

    def _overall(self) -> ReaderHealth:
        """One word for all: working, some seats failing, or what is the matter with every one."""
        if self._unkept:
            return reader.HOLDING
        found = [scanner.health for scanner in self._scanners]
        if all(health.reads for health in found):
            return reader.WORKING
        if not any(health.reads for health in found):
            return next((health for health in found if health.state is not ReaderState.STARTING), reader.STARTING)
        failing = {scanner.place for scanner in self._scanners if not scanner.health.reads}
        return reader.partial(tuple(seat for seat in CLOCKWISE if seat in failing))

    def _say(self, health: ReaderHealth) -> None:
        if health == self._health:
            return
        self._health = health
        try:
            self._on_health(health)
        except Exception as failure:  # noqa: BLE001 - a screen that cannot show it must not stop the reading
            _log.warning("reader health not shown", failure=repr(failure))


class _Scanner:
    """One scanner's port, opened again after every loss. ``health`` is its own."""

    def __init__(self, table: BarcodeScanners, place: Place, path: str, baud: int) -> None:
        self.place = place
        self.path = path
        self.health = reader.STARTING
        self.bad = 0
        self._table = table
        self._baud = baud
        self._port: SerialPort | None = None

    def run(self, stopping: threading.Event) -> None:
        backoff = BACKOFF_FIRST
        while not stopping.is_set():
            if self._connect(stopping):
                backoff = BACKOFF_FIRST
            stopping.wait(backoff)
            backoff = min(backoff * 2, BACKOFF_MOST)

    def wake(self) -> None:
        port = self._port
        if port is not None:
            port.wake()

    def _connect(self, stopping: threading.Event) -> bool:
        """One life of the port, from opening to its loss; whether it could be opened."""
        port: SerialPort | None = None
        try:
            self._port = port = SerialPort(self.path, self._baud)
            self._table.opened()
            self._listen(port, stopping)
        except PortError as failure:
            _log.info("scanner port", path=self.path, failure=str(failure))
            self._say(port_health(failure))
        finally:
            if port is not None:
                with suppress(PortError):
                    port.close()
        return port is not None

    def _listen(self, port: SerialPort, stopping: threading.Event) -> None:
        lines, repetition = ScannerLines(), self._table.is_new()
        before = self.bad
        self._say(reader.WORKING)
        while not stopping.is_set():
            codes = lines.feed(port.read())
            self.bad = before + lines.bad
            if lines.is_reader:
                self._say(reader.NOT_A_SCANNER)
            for uid in codes:
                if repetition.is_new(uid, self._table.now()):
                    self._table.scanned(self.place, uid)
                else:
                    self._table.repeated()

    def _say(self, health: ReaderHealth) -> None:
        if health != self.health:
            self.health = health
            self._table.news()


def _name(place: Place) -> str:
    return "scanner" if place is None else f"scanner-{place}"
