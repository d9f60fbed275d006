"""A box's own settings, read from one TOML file: which box it is, where its journal and key lie, broker, reader, pins.

```toml
box = "K-04"
venue = "main-hall"
data = "."                 # folder of journal and key, from this file's folder on
key = "box.key"
[broker]
host = "hub.local"
port = 1883
[reader]
port = "/dev/tallybox-reader"
device = "TBR-0042"        # refuse any other reader
[pins]
driver = "lgpio"           # lgpio, mock or none
buzzer = 18
lamp = 23
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
from tallybox.signing import SEED_BYTES, SigningKey

LARGEST_CONFIG: Final = 65_536
"""Bytes; a box's settings are a dozen lines."""

Venue = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]{0,31}$")]
Text = Annotated[str, Meta(min_length=1, max_length=255)]
PortNumber = Annotated[int, Meta(ge=1, le=65_535)]
Pin = Annotated[int, Meta(ge=0, le=27)]


class BrokerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the venue's broker is."""

    host: Text = "127.0.0.1"
    port: PortNumber = 1883


class ReaderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The card reader's port, and the one device that belongs to this box, if it must be that one."""

    port: Text
    device: Text | None = None


class PinSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Buzzer and lamp by GPIO number (BCM); ``none`` for a box without pins."""

    driver: Literal["lgpio", "mock", "none"] = "none"
    buzzer: Pin | None = 18
    lamp: Pin | None = 23


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    box: BoxId
    venue: Venue | None = None
    data: Text = "."
    key: Text = "box.key"
    broker: BrokerSettings | None = None
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
    reader: ReaderSettings | None
    pins: PinSettings


def read_config(path: Path, *, venue: str | None = None, broker: BrokerSettings | None = None) -> BoxConfig:
    """Read a box's settings. ``venue`` and ``broker`` are the room's, where the file itself does not say them.

    Raises ``ConfigError`` with file, key and what is allowed.
    """
    try:
        raw = tomllib.loads(_limited(path).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as reason:
        raise ConfigError("bad-config", f"{path} is not a TOML file: {reason}. Mend that line.") from None
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
