"""What the hub's disk takes and refuses, in sentences for the director (docs/journal.md, Disks)."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

LOW: Final = 256 * 1024 * 1024
"""Bytes left from which the director is told; a tournament of 300 tables writes about half of that."""

ENOUGH: Final = 256 * 1024
"""Bytes that have to be free before a disk that was full counts as good again."""

MB: Final = 1_000_000

SAFE: Final = "Nothing is lost: the tables keep what they have and send it by themselves once it is taken."
_FULL: Final = (
    "The hub's disk is full, so nothing new is written down. {safe} Make room on the disk; the hub then goes "
    "on by itself."
)
_READ_ONLY: Final = (
    "The hub's disk can only be read, so nothing new is written down. {safe} Have whoever keeps the hub look at it."
)
_FAILING: Final = (
    "The hub's disk refuses what is to be written down ({reason}). {safe} Have whoever keeps the hub look at the disk."
)
_REFUSED: Final = "The ledger cannot be written: {reason}. {safe} Show this to whoever keeps the hub."
_DAMAGED: Final = (
    "The ledger's file is damaged, so nothing new is written down. {safe} Have whoever keeps the hub stop it, keep a "
    "copy of the file and restore the last backup."
)
_LOW: Final = (
    "The hub's disk has {free} MB left. All is written down still. Make room before the next round; whoever keeps the "
    "hub can help."
)


def unwritten(reason: BaseException, place: Path | None) -> str:
    """Why something was not written down, what is safe, and what to do."""
    if isinstance(reason, sqlite3.IntegrityError):
        return _REFUSED.format(safe=SAFE, reason=str(reason)[:120])
    code = getattr(reason, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return _DAMAGED.format(safe=SAFE)
    if code == sqlite3.SQLITE_FULL or "full" in str(reason) or short(place):
        return _FULL.format(safe=SAFE)
    if code == sqlite3.SQLITE_READONLY or (place is not None and _read_only(place)):
        return _READ_ONLY.format(safe=SAFE)
    return _FAILING.format(safe=SAFE, reason=str(reason)[:120])


def disk_refuses(reason: SQLAlchemyError, place: Path | None) -> bool:
    """Whether a file could not be opened because its disk is full or can only be read."""
    code = getattr(reason.orig, "sqlite_errorcode", 0) & 0xFF if isinstance(reason, DBAPIError) else 0
    refused = code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY}
    return refused or (place is not None and (short(place) or _read_only(place)))


def running_low(place: Path, low: int = LOW) -> str | None:
    """The warning before the disk is full; ``None`` while there is room."""
    left = free(place)
    return None if left is None or left >= low else _LOW.format(free=left // MB)


def short(place: Path | None) -> bool:
    """Whether there is too little room for a group of lines."""
    left = None if place is None else free(place)
    return left is not None and left < ENOUGH


def free(place: Path) -> int | None:
    """Bytes that may still be written in this folder; ``None`` when the machine does not say."""
    try:
        found = os.statvfs(place)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def _read_only(place: Path) -> bool:
    try:
        return bool(os.statvfs(place).f_flag & os.ST_RDONLY)
    except OSError:
        return False
