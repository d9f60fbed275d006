"""A table's box, put together from a room's folder: journal, link to the hub, reader, buzzer and lamp."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version

from deploy.room import Room
from firmware_bridge.gpio import PinDriver, SignalPins, Signals
from firmware_bridge.link import SerialLink
from kiosk.box import PAUSE, Box, Identity, ReaderFactory
from kiosk.config import BrokerSettings, ReaderSettings, read_box_key, read_config
from kiosk.journal import Journal
from kiosk.uplink import connect_to


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
    room: Room, name: str, *, reader: str | None = None, pins: PinDriver | None = None, pause: int = PAUSE
) -> TableBox:
    """The box ``name`` of a room as its ``box.toml`` says, not yet started.

    ``reader`` and ``pins`` go before the file's; ``pause`` is how long (ms) a checked hand stays on the screen.
    Raises ``KioskError`` with what to do.
    """
    at = BrokerSettings(host=room.broker_host, port=room.broker_port)
    config = read_config(room.kiosk_folder(name) / "box.toml", venue=room.venue, broker=at)
    key = read_box_key(config.key_file)
    port = ReaderSettings(port=reader) if reader is not None else config.reader
    driver = PinDriver(config.pins.driver) if pins is None else pins
    journal = Journal(config.journal)
    try:
        box = Box(
            journal,
            key,
            Identity(config.box, f"tallybox {version('tallybox')}"),
            connect_to(config.venue, config.broker.host, config.broker.port, box=config.box),
            None if port is None else _reader_at(port),
            None
            if driver is PinDriver.NONE
            else Signals.opened(driver, SignalPins(config.pins.buzzer, config.pins.lamp)),
            pause=pause,
        )
    except BaseException:
        journal.close()
        raise
    return TableBox(box, journal)


def _reader_at(settings: ReaderSettings) -> ReaderFactory:
    return lambda persist, on_health, remembered: SerialLink(
        settings.port, persist, on_health, device=settings.device, remembered=remembered
    )
