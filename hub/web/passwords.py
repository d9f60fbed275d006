"""The verifiers of passwords: in a file of the hub's folder that its owner alone can read, never in the ledger.

The ledger is exported and handed on, so it says that a password was set and not what proves it.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from hub.errors import HubError
from tallybox.envelope import Name

FILE: Final = "passwords.json"
LARGEST: Final = 262_144
"""Bytes; room for five hundred officials."""


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    v: Literal[1] = 1
    passwords: dict[Name, Annotated[str, Meta(max_length=256)]] = {}


class Passwords:
    """Opened from the hub's folder; raises ``HubError`` when the file is there and cannot be read."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._kept = _read(self._path)

    def of(self, official: str) -> str | None:
        """The verifier of an official's password, once there is one."""
        return self._kept.passwords.get(official)

    def put(self, official: str, verifier: str) -> None:
        """Keep a verifier; raises ``HubError`` with the old one kept when the file cannot be written."""
        with self._lock:
            self._write(_Kept(passwords={**self._kept.passwords, official: verifier}))

    def drop(self, official: str) -> None:
        """Forget the password of somebody who left."""
        with self._lock:
            if official in self._kept.passwords:
                self._write(_Kept(passwords={k: v for k, v in self._kept.passwords.items() if k != official}))

    def _write(self, kept: _Kept) -> None:
        write_secret(self._path, msgspec.json.encode(kept))
        self._kept = kept


def write_secret(path: Path, content: bytes) -> None:
    """Whole or not at all, for its owner alone; raises ``HubError``."""
    half = path.with_suffix(".new")
    try:
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as reason:
        raise HubError(
            "cannot-write", f"{path} cannot be written: {reason.strerror}. Make room on the disk, then try again."
        ) from None


def _read(path: Path) -> _Kept:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST)
        return msgspec.json.decode(content, type=_Kept)
    except FileNotFoundError:
        return _Kept()
    except OSError as reason:
        raise HubError("cannot-read", f"{path} cannot be read: {reason.strerror}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise HubError(
            "bad-passwords",
            f"{path} is damaged. Restore it, or remove it: then the first director signs in with a new set-up code.",
        ) from None
