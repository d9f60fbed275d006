"""What a box's disk takes and what it refuses, and how the people at the table are told.

A failing disk stops what is new, never what can be read: the last state stays on the screen (docs/journal.md, Disks).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from kiosk.errors import JournalError
from tallybox.said import say

LOW: Final = 64 * 1024 * 1024
"""Bytes left from which on somebody is told; a day at a table writes a few hundred thousand."""

ENOUGH: Final = 128 * 1024
"""Bytes that have to be free before a disk that was full counts as good again: an entry and its place in the file."""


class Disk(StrEnum):
    """How the disk is, as the hub is told it too."""

    FINE = "fine"
    LOW = "low"
    """Everything is kept, but not for much longer."""
    FULL = "full"
    READ_ONLY = "read_only"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class DiskView:
    """The disk's state, with the sentence for the screen; ``waiting``: how many taps wait until it takes them."""

    state: Disk = Disk.FINE
    message: str = ""
    waiting: int = 0

    @property
    def keeps(self) -> bool:
        """Whether what is entered now is kept."""
        return self.state in {Disk.FINE, Disk.LOW}


_WORDS: Final[Mapping[Disk, str]] = {
    Disk.LOW: say(
        "The disk of this box is almost full. Everything is still kept. Tell a helper before the next round: it needs "
        "room."
    ),
    Disk.FULL: say(
        "The disk of this box is full: nothing new is kept. What was there stays. Write on paper; ask a helper to make "
        "room."
    ),
    Disk.READ_ONLY: say(
        "The disk of this box takes nothing new. What was there stays. Write on paper; ask the director for another "
        "box."
    ),
    Disk.FAILING: say(
        "The disk of this box fails: nothing new is kept. What was there stays. Write on paper; ask the director for "
        "another box."
    ),
}
_CODES: Final[Mapping[Disk, str]] = {
    Disk.FULL: "disk-full",
    Disk.READ_ONLY: "disk-read-only",
    Disk.FAILING: "disk-failing",
}
DISK_CODES: Final = frozenset(_CODES.values())
"""The codes of a ``JournalError`` that the disk is the reason for: it may go through once the disk works."""

GOOD_AGAIN: Final = say("The disk of this box works again. What is entered is kept.")
KEPT_NOW: Final = say("The disk of this box works again. What you tapped before is kept now: compare it.")

_FULL: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
_DISK: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    }
)


def words_for(state: Disk) -> str:
    """The sentence for the table; empty when there is nothing to say."""
    return _WORDS.get(state, "")


def refusal(state: Disk) -> JournalError:
    """What is raised when this disk did not take something."""
    return JournalError(_CODES[state], words_for(state))


def what_failed(reason: sqlite3.Error, path: Path) -> Disk | None:
    """Why the disk refused; ``None`` when it was not the disk."""
    code = getattr(reason, "sqlite_errorcode", None)
    if code is None:
        # Raised by hand, as a rehearsed fault is: the words are all there is.
        return _by_words(str(reason)) if isinstance(reason, sqlite3.OperationalError) else None
    if code & 0xFF not in _DISK:
        return None
    if code & 0xFF == sqlite3.SQLITE_READONLY or read_only(path):
        return Disk.READ_ONLY
    return Disk.FULL if code in _FULL else full_or_failing(path)


def full_or_failing(path: Path) -> Disk:
    """What it is when a disk refuses without a reason: where no room is left, that is the reason."""
    return Disk.FULL if short(path) else Disk.FAILING


def short(path: Path) -> bool:
    """Whether there is too little room for an entry."""
    left = free(path)
    return left is not None and left < ENOUGH


def free(path: Path) -> int | None:
    """Bytes that may still be written where the journal lies; ``None`` when the machine does not say."""
    try:
        found = os.statvfs(path.parent)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def read_only(path: Path) -> bool:
    """Whether the machine has made this disk read-only, as it does with a card that fails."""
    try:
        return bool(os.statvfs(path.parent).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def not_allowed(path: Path) -> bool:
    """Whether the disk is well, and whoever runs the box may not write there: that is a matter of its set-up."""
    if read_only(path) or short(path):
        return False
    return not os.access(path.parent, os.W_OK, effective_ids=True) or not os.access(path, os.W_OK, effective_ids=True)


def _by_words(reason: str) -> Disk:
    if "full" in reason:
        return Disk.FULL
    return Disk.READ_ONLY if "readonly" in reason else Disk.FAILING
