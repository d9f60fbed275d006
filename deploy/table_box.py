"""A table's box, put together from a room's folder: journal, link to the hub, reader, decks, buzzer, lamp, buttons."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

import structlog

from deploy.discovery import HubFinder
from deploy.first_boot import BoxSurvey
from deploy.line import LineFiles
from deploy.room import Room
from firmware_bridge.barcode import BAUD
from firmware_bridge.decks import BUILT_IN, Deck, read_decks
from firmware_bridge.gpio import BoxPins, ButtonPins, PinDriver, SignalPins
from firmware_bridge.link import SerialLink
from firmware_bridge.scanners import BarcodeScanners
from kiosk.box import PAUSE, Box
from kiosk.cards import AT_ONCE, deck_of
from kiosk.config import BoxConfig, BrokerSettings, PinSettings, ReaderSettings, read_box_key, read_config
from kiosk.first_boot import Survey
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from kiosk.link.shore import LinkFactory
from kiosk.link.uplink import connect_to
from kiosk.reader_side import ReaderFactory
from kiosk.times import wall_ms
from tallybox.rules.ruleset import Ruleset
from tallybox.seats import Seat

POWER_OFF: Final = ("systemctl", "poweroff")
POWER_OFF_WITHIN: Final = 20.0
"""Seconds that the machine may take to accept that it is to switch off."""

LAST_HUB: Final = "last-hub"
"""The file beside the journal that keeps at which address the hub was heard last."""

_log = structlog.get_logger("deploy")


@dataclass(slots=True)
class TableBox:
    """A box, the journal it writes and the pins it drives; ``stop`` ends them in that order."""

    box: Box
    journal: Journal
    pins: BoxPins
    survey: Survey
    """What the box says of itself while it has no table."""

    def stop(self) -> None:
        """No more acts, then close the journal and release the pins."""
        self.box.stop()
        self.journal.close()
        self.pins.close()


def open_box(
    room: Room,
    name: str,
    *,
    reader: str | None = None,
    pins: PinDriver | None = None,
    pause: int = PAUSE,
    before_commit: Callable[[], None] | None = None,
    wall: Callable[[], int] = wall_ms,
) -> TableBox:
    """The box ``name`` of a room as its ``box.toml`` says, not yet started.

    ``reader`` and ``pins`` go before the file's; ``pause`` is how long (ms) a checked hand stays on the screen. Who
    pauses less than people do also lays cards faster, so the time that counts as at once shrinks with it.
    ``before_commit`` is called before every commit of the journal, and ``wall`` gives the wall clock in ms: both for
    who tries what a disk and a clock can do.
    Raises ``KioskError`` or ``DeckError`` with what to do.
    """
    broker = BrokerSettings(host=room.broker_host, port=room.broker_port)
    home = room.kiosk_folder(name)
    config = read_config(home / "box.toml", venue=room.venue, broker=broker)
    key = read_box_key(config.key_file)
    uplink = _uplink(config, LineFiles(home / "tls") if room.tls else None)
    port = ReaderSettings(port=reader) if reader is not None else config.reader
    driver = PinDriver(config.pins.driver) if pins is None else pins
    decks = _decks(config.decks)
    journal = Journal(config.journal, before_commit=before_commit)
    board = _board(driver, config.pins)
    try:
        box = Box(
            journal,
            key,
            Identity(config.box, f"tallybox {version('tallybox')}"),
            uplink,
            None if port is None else _reader_at(port),
            board.signals,
            board.buttons,
            shut_down=power_off if driver is PinDriver.LGPIO else None,
            wall=wall,
            deck_of=decks,
            pause=pause,
            at_once=AT_ONCE * min(pause, PAUSE) // PAUSE,
        )
    except BaseException:
        board.close()
        journal.close()
        raise
    return TableBox(box, journal, board, BoxSurvey(room, config, key.public))


def power_off() -> None:
    """Ask the machine to switch off, without waiting for it: services are told to end and the box stops in order."""
    threading.Thread(target=_power_off, name="power off", daemon=True).start()


def _power_off() -> None:
    try:
        subprocess.run(POWER_OFF, check=True, capture_output=True, timeout=POWER_OFF_WITHIN)
    except (OSError, subprocess.SubprocessError) as reason:
        _log.error("the machine does not switch off", reason=str(reason))


def _uplink(config: BoxConfig, line: LineFiles | None) -> LinkFactory:
    """The way to the hub; on a ``line`` with TLS it is looked for all over, for it has to prove who it is."""
    host, port = config.broker.host, config.broker.port
    if line is None:
        return connect_to(config.venue, host, port, box=config.box)
    ways = HubFinder(config.venue, host, port, config.journal.with_name(LAST_HUB))
    return connect_to(config.venue, host, port, box=config.box, tls=line.context(host), ways=ways)


def _decks(file: Path | None) -> Callable[[Ruleset], Deck]:
    known = BUILT_IN if file is None else read_decks(file)
    return lambda ruleset: deck_of(ruleset, known)


def _board(driver: PinDriver, pins: PinSettings) -> BoxPins:
    return BoxPins.opened(driver, SignalPins(pins.buzzer, pins.lamp), ButtonPins(pins.director, pins.shutdown))


def _reader_at(settings: ReaderSettings) -> ReaderFactory:
    """What reads the cards; ``ReaderSettings`` has seen to it that the ports are there."""
    if settings.kind == "barcode":
        ports: dict[Seat | None, str] = dict(settings.ports.items())
        if settings.port is not None:
            ports[None] = settings.port
        return lambda persist, on_health, _: BarcodeScanners(ports, persist, on_health, baud=settings.baud or BAUD)
    port = settings.port or ""
    return lambda persist, on_health, remembered: SerialLink(
        port, persist, on_health, device=settings.device, remembered=remembered
    )
