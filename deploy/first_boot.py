"""A box before it has a table: what its folder holds, what its own screen says of it, and waiting for its bundle."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog
from cryptography import x509

from deploy.addresses import own_addresses
from deploy.dashboard_line import in_address
from deploy.errors import RoomError
from deploy.line import LineFiles
from deploy.room import Room, boxes_in, open_room
from deploy.stick import brought, copied, settle
from kiosk.box import Box
from kiosk.config import BoxConfig, read_config
from kiosk.first_boot import (
    BROKEN_STICK,
    NO_BUNDLE,
    SEVERAL_BOXES,
    SEVERAL_ON_STICK,
    FirstBoot,
    Missing,
    ended,
    half_bundle,
    not_yet,
    trouble,
)
from tallybox.errors import TallyboxError

LOOK_EVERY: Final = 2.0
"""Seconds between two looks at a folder without a whole bundle."""
STOP_WITHIN: Final = 5.0
_KEY_SHOWN: Final = 16
"""Hex digits of a box's key that its code holds: enough to tell it from every other box."""

_log = structlog.get_logger("deploy")


@dataclass(frozen=True, slots=True)
class Bundle:
    """What lies in a box's folder: which box, as far as that is known, and what keeps it from running."""

    box: str = ""
    missing: Missing | None = None


def only_box(folder: Path) -> str:
    """The one box of a room's folder; raises ``RoomError`` when there is none, or when there are several."""
    found = boxes_in(folder)
    if not found:
        raise RoomError("no-box", f"{folder} holds no box. Copy a box's bundle there.")
    if len(found) > 1:
        some = ", ".join(found[:8])
        raise RoomError("which-box", f"{folder} holds {len(found)} boxes: {some}. “--box NAME” says which one this is.")
    return found[0]


def examined(folder: Path, wanted: str | None) -> Bundle:
    """What a box's folder holds; ``wanted`` is the box it is to be, if somebody said so."""
    found = (wanted,) if wanted is not None else boxes_in(folder)
    if len(found) > 1:
        return Bundle(missing=SEVERAL_BOXES)
    settings = folder / "venue.toml"
    if not settings.is_file():
        return Bundle("".join(found), half_bundle(settings.name) if boxes_in(folder) else NO_BUNDLE)
    if not found:
        return Bundle(missing=half_bundle("kiosks"))
    try:
        room = open_room(folder)
        home = room.kiosk_folder(found[0])
        wanted_files = [home / "box.toml"]
        if wanted_files[0].is_file():
            wanted_files.append(read_config(wanted_files[0], venue=room.venue).key_file)
        if room.tls:
            line = LineFiles(home / "tls")
            wanted_files += [line.authority, line.certificate, line.key]
    except TallyboxError as reason:
        return Bundle(found[0], trouble(reason.message))
    lacks = [file for file in wanted_files if not file.is_file()]
    return Bundle(found[0], half_bundle(lacks[0].name) if lacks else None)


@dataclass(frozen=True, slots=True)
class Dates:
    """From when until when a certificate is good."""

    begins: datetime
    ends: datetime

    def missing(self, now: datetime) -> tuple[Missing, ...]:
        """What is wrong with it at ``now``."""
        here = f"{now:%Y-%m-%d}"
        if now < self.begins:
            return (not_yet(f"{self.begins:%Y-%m-%d}", here),)
        return (ended(f"{self.ends:%Y-%m-%d}", here),) if now > self.ends else ()


def dates_of(certificate: Path) -> Dates | None:
    """The dates of a certificate, ``None`` where it cannot be read."""
    try:
        read = x509.load_pem_x509_certificate(certificate.read_bytes())
    except (OSError, ValueError):
        return None
    return Dates(read.not_valid_before_utc, read.not_valid_after_utc)


class BoxSurvey:
    """What a whole box says of itself while it has no table (``kiosk.first_boot.Survey``)."""

    def __init__(self, room: Room, config: BoxConfig, public_key: str) -> None:
        self._code = code_of(room, config.box, public_key)
        self._hub = hub_words(config.broker.host, config.broker.port)
        self._dates = dates_of(LineFiles(room.kiosk_folder(config.box) / "tls").certificate) if room.tls else None
        self._one_machine = not room.tls

    def __call__(self) -> FirstBoot:
        """As it is now."""
        addresses = own_addresses()
        missing = () if self._dates is None else self._dates.missing(datetime.now(UTC))
        network = self._one_machine or bool(addresses)
        return FirstBoot(self._code, addresses, self._hub, missing=missing, network=network)


def code_of(room: Room, box: str, public_key: str) -> str:
    """What a box's code holds: the desk's page for it; its name and key where its bundle does not name the desk.

    Only the bundle says where the desk is: a hint from the network must not lead a director's phone anywhere.
    """
    plan = room.dashboard
    if plan is not None:
        return f"https://{in_address(plan.hosts[0])}:{plan.port}/devices/{box}"
    return f"Tallybox {box} key {public_key[:_KEY_SHOWN]}"


def hub_words(host: str, port: int) -> str:
    """Which hub a box seeks."""
    return f"{host}:{port}"


class Arrival:
    """Waits until a folder holds a whole bundle, then has ``opened`` make the box of it.

    ``opened`` is called in this thread, and again after a while when it raises a ``TallyboxError``, whose sentence the
    screen shows meanwhile. ``sticks``: where this machine shows its USB sticks; a bundle on one of them is taken while
    the folder has none.
    """

    def __init__(
        self, folder: Path, wanted: str | None, opened: Callable[[str], Box], sticks: Path | None = None
    ) -> None:
        self._box: Future[Box] = Future()
        self._folder = folder
        self._wanted = wanted
        self._opened = opened
        self._sticks = sticks
        self._bundle = Bundle(missing=NO_BUNDLE)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="arrival", daemon=True)

    @property
    def name(self) -> str:
        """The box that this will be, as far as it is known."""
        return self._bundle.box

    def look(self) -> Box | None:
        """Look once; the box, if it is there."""
        self._bundle = examined(self._folder, self._wanted)
        if self._bundle.missing is NO_BUNDLE and self._sticks is not None:
            self._bundle = self._from_a_stick(self._sticks)
        if self._bundle.missing is not None:
            return None
        try:
            made = self._opened(self._bundle.box)
        except TallyboxError as reason:
            _log.warning("the box cannot run", code=reason.code, reason=reason.message)
            self._bundle = Bundle(self._bundle.box, trouble(reason.message))
            return None
        self._box.set_result(made)
        return made

    def _from_a_stick(self, sticks: Path) -> Bundle:
        found = brought(sticks)
        if not found.places:
            return self._bundle
        if found.one is None:
            return Bundle(missing=SEVERAL_ON_STICK)
        try:
            coming = copied(found.one, self._folder)
            bundle = examined(coming, self._wanted)
            if bundle.missing is None:
                settle(coming, self._folder)
        except OSError as reason:
            _log.warning("the stick cannot be copied", reason=reason.strerror)
            return Bundle(missing=BROKEN_STICK)
        return bundle

    def tell(self, hears: Callable[[Box], object]) -> None:
        """Call ``hears`` with the box once it is there, in whatever thread."""
        self._box.add_done_callback(lambda made: hears(made.result()))

    def start(self) -> None:
        """Look again and again; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(STOP_WITHIN)

    def survey(self) -> FirstBoot:
        """What is missing now."""
        addresses, missing = own_addresses(), self._bundle.missing
        return FirstBoot(addresses=addresses, missing=() if missing is None else (missing,), network=bool(addresses))

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_EVERY) and self.look() is None:
            pass
