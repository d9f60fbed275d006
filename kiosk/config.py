"""A box's own settings, read from one TOML file: which box it is, where its journal and key lie, broker, reader, pins.

```toml
box = "K-04"
venue = "main-hall"
data = "."                 # folder of journal and key, from this file's folder on
key = "box.key"
[broker]
host = "hub.local"
port = 1883
decks = "decks.toml"       # the venue's enrolled bid cards; leave it out where all cards are printed ones
[reader]
kind = "deck"              # a card reader; "barcode" for plain scanners
port = "/dev/tallybox-reader"
device = "TBR-0042"        # refuse any other reader
[pins]
driver = "lgpio"           # lgpio, mock or none
buzzer = 18
lamp = 23
director = 24              # a button to ground
shutdown = 25              # another, to be held for three seconds
```

Plain barcode scanners: one for the table, or one at each seat.

```toml
[reader]
kind = "barcode"
port = "/dev/ttyACM0"      # or: ports = { N = "/dev/…", E = "/dev/…", S = "/dev/…", W = "/dev/…" }
baud = 9600
```
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from kiosk.errors import ConfigError
from tallybox.envelope import BoxId
from tallybox.errors import SignatureError
from tallybox.seats import Seat
from tallybox.signing import SEED_BYTES, SigningKey
from tallybox.toml_faults import toml_fault

LARGEST_CONFIG: Final = 65_536
"""Bytes; a box's settings are a dozen lines."""

Venue = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]{0,31}$")]
Text = Annotated[str, Meta(min_length=1, max_length=255)]
PortNumber = Annotated[int, Meta(ge=1, le=65_535)]
Baud = Annotated[int, Meta(ge=300, le=921_600)]
Pin = Annotated[int, Meta(ge=0, le=27)]


class BrokerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the venue's broker is."""

    host: Text = "127.0.0.1"
    port: PortNumber = 1883


class ReaderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What reads the bid cards: a card reader (``deck``), or plain barcode scanners.

    ``port`` is the reader's, or the one scanner's; ``ports`` are those of a scanner at each seat. ``device`` is the one
    card reader that belongs to this box, if it must be that one; ``baud`` is for scanners.
    """

    kind: Literal["deck", "barcode"] = "deck"
    port: Text | None = None
    ports: dict[Seat, Text] = {}
    device: Text | None = None
    baud: Baud | None = None

    def __post_init__(self) -> None:
        """Refuse settings that do not go together (``ValueError``, which msgspec tells with the place)."""
        if self.kind == "deck":
            if self.port is None or self.ports or self.baud is not None:
                raise ValueError("a card reader takes port, and may take device; ports and baud are for scanners")
        elif self.device is not None:
            raise ValueError("a barcode scanner has no device; leave it out")
        elif (self.port is None) == (not self.ports):
            raise ValueError("barcode scanners take port for one at the table, or ports with one at each seat")
        elif len(set(self.ports.values())) < len(self.ports):
            raise ValueError("two seats have the same port; for one scanner at the table give port alone")


class PinSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Buzzer, lamp and buttons by GPIO number (BCM); ``none`` for a box without pins.

    ``director`` calls the director, ``shutdown`` switches the box off when it is held; there is none where left out.
    """

    driver: Literal["lgpio", "mock", "none"] = "none"
    buzzer: Pin | None = 18
    lamp: Pin | None = 23
    director: Pin | None = None
    shutdown: Pin | None = None

    def __post_init__(self) -> None:
        """Refuse one pin for two things (``ValueError``)."""
        used = [pin for pin in (self.buzzer, self.lamp, self.director, self.shutdown) if pin is not None]
        if len(set(used)) < len(used):
            raise ValueError("two of buzzer, lamp, director and shutdown have the same pin; give each its own")


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    box: BoxId
    venue: Venue | None = None
    data: Text = "."
    key: Text = "box.key"
    broker: BrokerSettings | None = None
    decks: Text | None = None
    reader: ReaderSettings | None = None
    pins: PinSettings = PinSettings()


@dataclass(frozen=True, slots=True)
class BoxConfig:
    """A box's settings, with paths made whole."""

    box: str
    venue: str
    journal: Path
    key_file: Path
    broker: BrokerSettings
    decks: Path | None
    reader: ReaderSettings | None
    pins: PinSettings


def read_config(path: Path, *, venue: str | None = None, broker: BrokerSettings | None = None) -> BoxConfig:
    """Read a box's settings. ``venue`` and ``broker`` are the room's, where the file itself does not say them.

    Raises ``ConfigError`` with file, key and what is allowed.
    """
    try:
        raw = tomllib.loads(_limited(path).decode("utf-8"))
    except (ValueError, RecursionError) as reason:
        raise ConfigError("bad-config", f"{path} is not a TOML file: {toml_fault(reason)}. Mend it there.") from None
    try:
        settings = msgspec.convert(raw, _File)
    except msgspec.ValidationError as reason:
        raise ConfigError("bad-config", f"{path}: {reason}. Mend that setting.") from None
    named = settings.venue or venue
    if named is None:
        raise ConfigError("bad-config", f"{path} does not say the venue. Add a line such as venue = “main-hall”.")
    folder = path.parent / settings.data
    return BoxConfig(
        box=settings.box,
        venue=named,
        journal=folder / "journal.sqlite",
        key_file=folder / settings.key,
        broker=settings.broker or broker or BrokerSettings(),
        decks=None if settings.decks is None else folder / settings.decks,
        reader=settings.reader,
        pins=settings.pins,
    )


def read_box_key(path: Path) -> SigningKey:
    """A box's key file: 64 hex digits on one line. Raises ``ConfigError``."""
    text = _limited(path)
    try:
        return SigningKey(bytes.fromhex(text.decode("ascii").strip()))
    except (SignatureError, ValueError):
        raise ConfigError(
            "bad-key", f"{path} holds no key of {2 * SEED_BYTES} hex digits. Restore it, or give the box a new one."
        ) from None


def _limited(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_CONFIG + 1)
    except FileNotFoundError:
        raise ConfigError("no-config", f"{path} is not there. Give the box its settings and its key first.") from None
    except OSError as reason:
        raise ConfigError(
            "cannot-read", f"{path} cannot be read: {reason.strerror}. Look at who may read it."
        ) from None
    if len(content) > LARGEST_CONFIG:
        raise ConfigError("too-large", f"{path} has more than {LARGEST_CONFIG} bytes; it is not a box's file.")
    return content
