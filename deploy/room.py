"""A venue's folder: its settings, its keys, and a place for each box's journal.

```
venue.toml                      the venue's name, its broker, and where its dashboard opens
hub/hub.key      hub/kiosks.toml     the hub's secret; which public key belongs to which box
kiosks/K-01/box.key  …/box.toml      a box's secret and settings
hub/tls/  kiosks/K-01/tls/           each end's certificate, where venue.toml says that the line has TLS
hub/dashboard/                       the dashboard's certificate, where venue.toml has dashboard_hosts
```
"""

from __future__ import annotations

import argparse
import re
import ssl
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from deploy.dashboard_line import DashboardPlan, read_plan, server_context
from deploy.errors import RoomError
from deploy.files import write_new, write_whole
from deploy.line import LineFiles
from tallybox.errors import SignatureError
from tallybox.signing import SEED_BYTES, SigningKey
from tallybox.toml_faults import toml_fault
from tallybox.topics import Topics

LARGEST_FILE: Final = 262_144
"""Bytes of a settings file; a venue of two thousand boxes needs less."""
_HEX_KEY: Final = re.compile(r"^[0-9a-f]{64}$")
_HOST: Final = re.compile(r"^[A-Za-z0-9:.\-\[\]]{1,253}$")
_BOX: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$")


@dataclass(frozen=True, slots=True)
class Room:
    """A venue as its folder describes it."""

    folder: Path
    venue: str
    broker_host: str
    broker_port: int
    tls: bool = False
    """Whether the line has TLS. A room without is for one machine alone."""
    dashboard: DashboardPlan | None = None
    """Where the dashboard opens in the venue; ``None``: on this machine alone."""

    @property
    def hub_folder(self) -> Path:
        """Where the hub keeps its ledger and its key."""
        return self.folder / "hub"

    def kiosk_folder(self, box: str) -> Path:
        """Where a box keeps its journal and its key."""
        return self.folder / "kiosks" / box

    def hub_key(self) -> SigningKey:
        """The hub's key; raises ``RoomError`` when it is missing or damaged."""
        return read_key(self.hub_folder / "hub.key")

    def hub_line(self) -> ssl.SSLContext | None:
        """The TLS of the hub's end of the line, ``None`` for a plain one; raises ``RoomError``."""
        return LineFiles(self.hub_folder / "tls").context() if self.tls else None

    @property
    def dashboard_files(self) -> LineFiles:
        """The dashboard's certificate and key, where it opens in the venue."""
        return LineFiles(self.hub_folder / "dashboard")

    def dashboard_line(self) -> ssl.SSLContext | None:
        """The TLS of the dashboard, ``None`` where it serves this machine alone; raises ``RoomError``."""
        return None if self.dashboard is None else server_context(self.dashboard_files)

    def kiosk_line(self, box: str) -> ssl.SSLContext | None:
        """The TLS of a box's end of the line, ``None`` for a plain one; raises ``RoomError``."""
        return LineFiles(self.kiosk_folder(box) / "tls").context() if self.tls else None

    def known_kiosks(self) -> dict[str, str]:
        """Public key by box id, as the hub trusts them; raises ``RoomError``."""
        path = self.hub_folder / "kiosks.toml"
        table = read_toml(path).get("kiosks")
        if not isinstance(table, dict):
            # An empty file is one that is being copied, or was copied in part: it must not take every box off.
            raise RoomError("bad-room", f"{path} needs [kiosks], with a line for each box. Copy it again, whole.")
        known = cast("dict[str, object]", table)
        for box, public in known.items():
            if not _BOX.fullmatch(box) or not isinstance(public, str) or not _HEX_KEY.fullmatch(public):
                raise RoomError("bad-room", f"kiosks.toml: “{box}” needs a public key of 64 hex digits.")
        return cast("dict[str, str]", known)


def boxes_in(folder: Path) -> tuple[str, ...]:
    """The boxes whose folders lie in a room's folder."""
    try:
        return tuple(sorted(each.name for each in (folder / "kiosks").iterdir() if each.is_dir()))
    except OSError:
        return ()


def folder(text: str) -> Path:
    """A folder named on the command line; an empty name would silently mean the working folder."""
    if not text.strip():
        raise argparse.ArgumentTypeError("name a folder")
    return Path(text)


def make_room(
    folder: Path,
    *,
    boxes: int,
    random_bytes: Callable[[int], bytes],
    venue: str | None = None,
    host: str | None = None,
    port: int | None = None,
) -> Room:
    """Make the folder of a small room: keys for the hub and ``boxes`` kiosks. Keeps what is there already.

    ``None`` takes what the room says, or the usual: venue main-hall, broker 127.0.0.1:1883. Raises ``RoomError`` when
    the folder cannot be written, a setting cannot be used, or differs from what the room says; ``MessageError`` when
    the venue's name cannot be a topic.
    """
    if (folder / "venue.toml").exists():
        _as_it_is(open_room(folder), venue, host, port)
    venue, host, port = venue or "main-hall", host or "127.0.0.1", 1883 if port is None else port
    Topics(venue)
    if not _HOST.fullmatch(host) or not 0 < port < 65_536:
        raise RoomError("bad-room", "The broker needs a host name or address, and a port from 1 to 65535.")
    if not 1 <= boxes <= 999:
        raise RoomError("bad-room", "A room has 1 to 999 tables.")
    try:
        settings = f'venue = "{venue}"\n\n[broker]\nhost = "{host}"\nport = {port}\n'
        write_new(folder / "venue.toml", settings.encode())
        write_new(folder / "hub" / "hub.key", random_bytes(SEED_BYTES).hex().encode() + b"\n", secret=True)
        for number in range(1, boxes + 1):
            box = f"K-{number:02}"
            home = folder / "kiosks" / box
            write_new(home / "box.key", random_bytes(SEED_BYTES).hex().encode() + b"\n", secret=True)
            write_new(home / "box.toml", f'box = "{box}"\n'.encode())
        homes = sorted(home for home in (folder / "kiosks").iterdir() if (home / "box.key").exists())
        publics = {home.name: read_key(home / "box.key").public for home in homes}
        lines = "".join(f'{box} = "{public}"\n' for box, public in publics.items())
        write_whole(folder / "hub" / "kiosks.toml", f"[kiosks]\n{lines}".encode())
    except OSError as reason:
        raise RoomError(
            "cannot-write", f"{folder} cannot be written: {reason.strerror}. Choose another folder."
        ) from None
    return open_room(folder)


def _as_it_is(room: Room, venue: str | None, host: str | None, port: int | None) -> None:
    """Refuse settings that differ from a room that is there: its boxes already go by them."""
    if room.tls:
        raise RoomError(
            "room-exists", f"{room.folder} is a venue with certificates. “tallybox provision --add N” adds boxes to it."
        )
    said = {"venue": (venue, room.venue), "broker": (host, room.broker_host), "port": (port, room.broker_port)}
    for name, (asked, kept) in said.items():
        if asked is not None and asked != kept:
            raise RoomError(
                "room-exists", f"{room.folder} is a room already, with {name} {kept}. Change venue.toml there by hand."
            )


def open_room(folder: Path) -> Room:
    """Read a venue's folder; raises ``RoomError`` with what to do when it is none."""
    settings = read_toml(folder / "venue.toml")
    broker = settings.get("broker")
    table: Mapping[str, object] = cast("Mapping[str, object]", broker) if isinstance(broker, dict) else {}
    venue, host, port = settings.get("venue"), table.get("host"), table.get("port")
    if not (isinstance(venue, str) and isinstance(host, str) and isinstance(port, int) and 0 < port < 65_536):
        raise RoomError("bad-room", "venue.toml needs venue = “…”, and [broker] with host = “…” and port = 1 to 65535.")
    tls = table.get("tls", False)
    if not isinstance(tls, bool):
        raise RoomError("bad-room", "venue.toml, [broker]: tls is true or false.")
    Topics(venue)
    return Room(folder, venue, host, port, tls, read_plan(settings, tls=tls))


def read_key(path: Path) -> SigningKey:
    """A key file: 64 hex digits on one line; raises ``RoomError``."""
    try:
        return SigningKey(bytes.fromhex(read_limited(path).decode("ascii").strip()))
    except (SignatureError, ValueError):
        raise RoomError("bad-key", f"{path} holds no key. Restore it, or make the room again.") from None


def read_toml(path: Path) -> dict[str, object]:
    """A TOML file of bounded size; raises ``RoomError``."""
    try:
        return tomllib.loads(read_limited(path).decode("utf-8"))
    except (ValueError, RecursionError) as reason:
        raise RoomError("bad-room", f"{path} is not a TOML file: {toml_fault(reason)}. Mend it there.") from None


def read_limited(path: Path) -> bytes:
    """A file of at most ``LARGEST_FILE`` bytes; raises ``RoomError``."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise RoomError("no-room", f"{path} is not there. “tallybox init --data FOLDER” makes a room.") from None
    except PermissionError:
        raise RoomError(
            "cannot-read", f"{path} is another account's. On an installed machine, type “sudo” before the command."
        ) from None
    except OSError as reason:
        raise RoomError("cannot-read", f"{path} cannot be read: {reason.strerror}.") from None
    if len(content) > LARGEST_FILE:
        raise RoomError("too-large", f"{path} has more than {LARGEST_FILE} bytes.")
    return content
