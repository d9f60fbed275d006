"""A ledger's file for whoever is not its hub, also while the hub writes it: nothing is changed, nothing is made."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from hub.errors import LedgerError


@dataclass(frozen=True, slots=True)
class LedgerSeen:
    """What stands in a ledger: its lines, and the hub's last mark of the time, in ms since 1970."""

    lines: int
    mark: int | None


def look_at(path: Path) -> LedgerSeen:
    """Read and check the whole file. Raises ``LedgerError`` (``ledger-unreadable``) with what to do."""
    try:
        with _opened(path) as db:
            found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
            if found != "ok":
                raise _damaged(path, found)
            lines = int(db.execute("SELECT count(*) FROM ledger").fetchone()[0])
            mark = db.execute("SELECT max(wall) FROM clock_mark").fetchone()[0]
    except sqlite3.DatabaseError as reason:
        raise _damaged(path, str(reason)) from None
    return LedgerSeen(lines, None if mark is None else int(mark))


def stored_lines(path: Path) -> Iterator[bytes]:
    """Each line as it is stored, oldest first, as the file was when the first was asked for.

    Raises ``LedgerError`` (``ledger-unreadable``).
    """
    try:
        with _opened(path) as db:
            for (line,) in db.execute("SELECT line FROM ledger ORDER BY ledger_seq"):
                yield bytes(line)
    except sqlite3.DatabaseError as reason:
        raise _unreadable(path, str(reason), "Verify it, or its backup.") from None


def _opened(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    log = path.with_name(f"{path.name}-wal")
    # Without a write-ahead log beside it nobody has the file open: then nothing is made beside it either.
    mode = "mode=ro" if log.exists() and log.stat().st_size > 0 else "immutable=1"
    return closing(sqlite3.connect(f"file:{quote(str(path))}?{mode}", uri=True, timeout=5))


def _damaged(path: Path, how: str) -> LedgerError:
    return _unreadable(path, how, "Keep the file as it is, and put a backup in its place: tallybox restore.")


def _unreadable(path: Path, how: str, then: str) -> LedgerError:
    return LedgerError("ledger-unreadable", f"The ledger {path} cannot be read ({how[:200]}). {then}")
