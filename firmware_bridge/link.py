"""A reader on a serial port: the thread that keeps the conversation going over cables that come and go."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import Final

import structlog

from firmware_bridge import reader
from firmware_bridge.errors import PortBusyError, PortDeniedError, PortError, PortStalledError
from firmware_bridge.limits import MAX_BUZZ, MAX_BUZZ_MS
from firmware_bridge.port import SerialPort
from firmware_bridge.reader import DeviceStamp, ReaderEvent, ReaderHealth, ReaderStatistics
from firmware_bridge.session import HostSession
from tallybox.seats import Seat

BACKOFF_FIRST: Final = 0.25
"""Seconds until a lost port is tried again; doubles up to ``BACKOFF_MOST``."""

BACKOFF_MOST: Final = 2.0
STOP_WITHIN: Final = 2.0

_log = structlog.get_logger("firmware_bridge")


def _no_news(_: ReaderHealth) -> None:
    """Take health changes of a link nobody listens to."""


class SerialLink:
    """A ``BidReader`` over a serial port that speaks PROTOCOL.md.

    ``port`` is a path, opened again after every loss, so a symbolic link that points elsewhere later is followed.
    ``persist`` is called in the link's thread, one event at a time and in the device's order. It must have the event
    on disk when it returns; when it raises, the device keeps the event and sends it again. ``on_health`` is called
    in the same thread when state or sentence change. ``device`` refuses any other device id. ``remembered`` is the
    stamp of the last event on disk, so that a restart of the box does not take its repetition for a new card.
    """

    def __init__(
        self,
        port: str,
        persist: Callable[[ReaderEvent], None],
        on_health: Callable[[ReaderHealth], None] = _no_news,
        *,
        device: str | None = None,
        remembered: DeviceStamp | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = port
        self._on_health = on_health
        self._clock = clock
        self._session = HostSession(persist, lambda: secrets.token_hex(4), expected=device, remembered=remembered)
        self._health = reader.STOPPED
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._port: SerialPort | None = None

    def start(self) -> None:
        """Begin reading; returns at once. A link that was stopped may be started again."""
        if self._thread is not None and self._thread.is_alive():
            return
        self._stopping = threading.Event()
        self._say(reader.STARTING)
        self._thread = threading.Thread(
            target=self._run, args=(self._stopping,), name=f"reader {self._path}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop reading, within two seconds; a port that hangs is closed under its thread."""
        self._stopping.set()
        self._wake()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(STOP_WITHIN * 0.6)
            port = self._port
            if thread.is_alive() and port is not None:
                port.close()
                thread.join(STOP_WITHIN * 0.1)
        self._say(reader.STOPPED)

    @property
    def health(self) -> ReaderHealth:
        """How the reader is doing now, with the sentence for the screen."""
        return self._health

    @property
    def statistics(self) -> ReaderStatistics:
        """Counts so far, as a copy."""
        return self._session.copy_statistics()

    def light(self, seat: Seat, on: bool) -> None:
        """Turn a seat's light on or off; never blocks, and holds over a reconnection."""
        self._session.commands.light(seat, on)
        self._wake()

    def buzz(self, *times: int) -> None:
        """Sound the reader's own buzzer, milliseconds on, off, on, …; never blocks, dropped when 3 s late."""
        if not 1 <= len(times) <= MAX_BUZZ or not all(1 <= each <= MAX_BUZZ_MS for each in times):
            raise ValueError(f"A buzz takes 1 to {MAX_BUZZ} times of 1 to {MAX_BUZZ_MS} ms.")
        self._session.commands.buzz(times, self._clock())
        self._wake()

    def _run(self, stopping: threading.Event) -> None:
        backoff = BACKOFF_FIRST
        while not stopping.is_set():
            if self._connect(stopping):
                backoff = BACKOFF_FIRST
            stopping.wait(backoff)
            backoff = min(backoff * 2, BACKOFF_MOST)

    def _connect(self, stopping: threading.Event) -> bool:
        """One life of the port, from opening to its loss; whether a device was greeted in it."""
        before = self._session.statistics.connections
        port: SerialPort | None = None
        try:
            self._port = port = SerialPort(self._path)
            self._converse(port, stopping)
        except PortError as failure:
            self._failed(port_health(failure), failure, stopping)
        except Exception as failure:  # noqa: BLE001 - a thread that dies quietly leaves a screen that says it works
            self._failed(reader.SILENT, failure, stopping)
        finally:
            if port is not None:
                port.close()
        return self._session.statistics.connections > before

    def _converse(self, port: SerialPort, stopping: threading.Event) -> None:
        """Talk until the port fails (raises ``PortError``), the device is hopeless or the link stops."""
        session = self._session
        session.opened(self._clock())
        data = b""
        while not stopping.is_set():
            now = self._clock()
            session.receive(data, now)
            session.tick(now)
            output = session.take_output()
            if output:
                port.write(output)
            news = session.health(now)
            if news is not None and not stopping.is_set():
                self._say(news)
            if session.hopeless(now):
                return
            data = port.read()

    def _failed(self, health: ReaderHealth, failure: Exception, stopping: threading.Event) -> None:
        if stopping.is_set() or health == self._health:
            return
        self._say(health)
        _log.info("reader port", path=self._path, failure=str(failure))

    def _wake(self) -> None:
        port = self._port
        if port is not None:
            port.wake()

    def _say(self, health: ReaderHealth) -> None:
        if health == self._health:
            return
        self._health = health
        try:
            self._on_health(health)
        except Exception as failure:  # noqa: BLE001 - a screen that cannot show it must not stop the reading
            _log.warning("reader health not shown", failure=repr(failure))


def port_health(failure: PortError) -> ReaderHealth:
    """What a port's failure means for the reader, in words for the screen."""
    match failure:
        case PortBusyError():
            return reader.BUSY
        case PortDeniedError():
            return reader.DENIED
        case PortStalledError():
            return reader.SILENT
        case _:
            return reader.LOST
