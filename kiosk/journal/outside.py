"""A journal's file for whoever is not its box, also while the box writes it: nothing is changed, nothing is made."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kiosk.errors import JournalError
from kiosk.journal.faults import damaged
from kiosk.journal.schema import SCHEMA_VERSION
from tallybox.envelope import LARGEST_EVENT, KioskEvent, decode_kiosk_event
from tallybox.errors import MessageError

_COUNTS: Final = """
SELECT count(*), count(*) FILTER (WHERE seq > coalesce(upto, 0) AND NOT EXISTS (
    SELECT 1 FROM epochs AS later WHERE later.parent = events.epoch AND events.seq > later.parent_seq
)) FROM events LEFT JOIN acked USING (epoch)
"""
"""Events of a past that another one took the place of wait for nobody."""

_ROWS: Final = """
SELECT events.id, payload, renews, coalesce(upto, 0), refusals.code, refusals.message
FROM events LEFT JOIN acked ON acked.epoch = events.epoch LEFT JOIN refusals ON refusals.id = events.id
ORDER BY events.n
"""


@dataclass(frozen=True, slots=True)
class JournalSeen:
    """What stands in a journal: whose it is (``None``: nobody's yet), its events, and those that no ack covers."""

    box: str | None
    events: int
    unsent: int


@dataclass(frozen=True, slots=True)
class Journalled:
    """An event as its box has it. ``renews``: the id under which an older epoch holds its fact.

    ``acked``: whether the hub's acks cover it. ``refused``: code and sentence of the hub's refusal.
    """

    id: str
    event: KioskEvent
    renews: str | None
    acked: bool
    refused: tuple[str, str] | None


def look_at(path: Path) -> JournalSeen:
    """Read and check the whole file. Raises ``JournalError`` (``damaged``, ``other-version``, ``cannot-read``)."""
    try:
        with _opened(path) as db:
            found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
            if found != "ok":
                raise damaged(path, found)
            return _seen(path, db)
    except sqlite3.OperationalError as reason:
        raise JournalError("cannot-read", f"{path} cannot be read ({reason}).") from None
    except sqlite3.DatabaseError as reason:
        raise damaged(path, str(reason)) from None


def journalled(path: Path) -> tuple[Journalled, ...]:
    """Everything that was ever journalled there, oldest first; raises ``JournalError`` (``cannot-read``)."""
    try:
        with _opened(path) as db:
            return tuple(_row(*row) for row in db.execute(_ROWS))
    except (sqlite3.DatabaseError, MessageError) as reason:
        raise JournalError("cannot-read", f"The journal {path} cannot be read ({str(reason)[:200]}).") from None


def _opened(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    log = path.with_name(f"{path.name}-wal")
    # Without a write-ahead log beside it nobody has the file open: then nothing is made beside it either.
    mode = "mode=ro" if log.exists() and log.stat().st_size > 0 else "immutable=1"
    return closing(sqlite3.connect(f"file:{quote(str(path))}?{mode}", uri=True, timeout=5))


def _seen(path: Path, db: sqlite3.Connection) -> JournalSeen:
    version, box = db.execute("SELECT version, box FROM journal").fetchone() or (SCHEMA_VERSION, None)
    if version != SCHEMA_VERSION:
        raise JournalError(
            "other-version", f"{path} is of version {version}; this program writes version {SCHEMA_VERSION}."
        )
    events, unsent = db.execute(_COUNTS).fetchone()
    return JournalSeen(box, int(events), int(unsent))


def _row(name: str, payload: bytes, renews: str | None, upto: int, code: str | None, message: str | None) -> Journalled:
    event = decode_kiosk_event(payload[: LARGEST_EVENT + 1])
    refused = None if code is None else (code, message or "")
    return Journalled(name, event, renews, event.seq <= upto, refused)
