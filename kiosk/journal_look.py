"""A look at a journal's file from outside, also while its box writes it: nothing is changed, nothing is made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kiosk.errors import JournalError
from kiosk.journal_file import damaged
from kiosk.schema import SCHEMA_VERSION

_COUNTS: Final = """
SELECT count(*), count(*) FILTER (WHERE seq > coalesce(upto, 0) AND NOT EXISTS (
    SELECT 1 FROM epochs AS later WHERE later.parent = events.epoch AND events.seq > later.parent_seq
)) FROM events LEFT JOIN acked USING (epoch)
"""
"""Events of a past that another one took the place of wait for nobody."""


@dataclass(frozen=True, slots=True)
class JournalSeen:
    """What stands in a journal: whose it is (``None``: nobody's yet), its events, and those that no ack covers."""

    box: str | None
    events: int
    unsent: int


def look_at(path: Path) -> JournalSeen:
    """Read and check the whole file. Raises ``JournalError`` (``damaged``, ``other-version``, ``cannot-read``)."""
    try:
        with closing(sqlite3.connect(_read_only(path), uri=True, timeout=5)) as db:
            found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
            if found != "ok":
                raise damaged(path, found)
            return _seen(path, db)
    except sqlite3.OperationalError as reason:
        raise JournalError("cannot-read", f"{path} cannot be read ({reason}).") from None
    except sqlite3.DatabaseError as reason:
        raise damaged(path, str(reason)) from None


def _seen(path: Path, db: sqlite3.Connection) -> JournalSeen:
    version, box = db.execute("SELECT version, box FROM journal").fetchone() or (SCHEMA_VERSION, None)
    if version != SCHEMA_VERSION:
        raise JournalError(
            "other-version", f"{path} is of version {version}; this program writes version {SCHEMA_VERSION}."
        )
    events, unsent = db.execute(_COUNTS).fetchone()
    return JournalSeen(box, int(events), int(unsent))


def _read_only(path: Path) -> str:
    """Without a write-ahead log beside it nobody has the file open: then nothing is made beside it either."""
    log = path.with_name(f"{path.name}-wal")
    still = log.exists() and log.stat().st_size > 0
    return f"file:{quote(str(path))}?{'mode=ro' if still else 'immutable=1'}"
