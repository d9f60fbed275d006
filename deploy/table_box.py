"""A table's box, put together from a room's folder: journal, link to the hub, reader, buzzer and lamp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from deploy.room import Room
from firmware_bridge.gpio import PinDriver, Signals
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import BidReader, DeviceStamp, ReaderEvent, ReaderHealth
from kiosk.box import PAUSE, Box, Identity
from kiosk.journal import Journal
from kiosk.uplink import connect_to

JOURNAL: Final = "journal.sqlite"


@dataclass(slots=True)
class TableBox:
    """A box and the journal it writes; ``stop`` ends both, in that order."""

    box: Box
    journal: Journal

    def stop(self) -> None:
        """No more acts, then close the journal."""
        self.box.stop()
        self.journal.close()


def open_box(
    room: Room, name: str, *, reader: str | None = None, pins: PinDriver = PinDriver.NONE, pause: int = PAUSE
) -> TableBox:
    """The box ``name`` of a room, not yet started.

    ``reader`` is the serial port of its card reader; ``pause`` how long (ms) a checked hand stays on the screen.
    Raises ``RoomError`` or ``KioskError`` with what to do.
    """
    key = room.kiosk_key(name)
    journal = Journal(room.kiosk_folder(name) / JOURNAL)
    try:
        box = Box(
            journal,
            key,
            Identity(name, f"tallybox {version('tallybox')}"),
            connect_to(room.venue, room.broker_host, room.broker_port, box=name),
            None if reader is None else _reader_at(reader),
            None if pins is PinDriver.NONE else Signals.opened(pins),
            pause=pause,
        )
    except BaseException:
        journal.close()
        raise
    return TableBox(box, journal)


def _reader_at(
    port: str,
) -> Callable[[Callable[[ReaderEvent], None], Callable[[ReaderHealth], None], DeviceStamp | None], BidReader]:
    return lambda persist, on_health, remembered: SerialLink(port, persist, on_health, remembered=remembered)
