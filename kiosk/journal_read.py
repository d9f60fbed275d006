"""A journal's events for whoever only reads them, also while its box writes: nothing is changed, nothing is made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from kiosk.errors import JournalError
from tallybox.envelope import LARGEST_EVENT, KioskEvent, decode_kiosk_event
from tallybox.errors import MessageError

_ROWS = """
SELECT events.id, payload, renews, coalesce(upto, 0), refusals.code, refusals.message
FROM events LEFT JOIN acked ON acked.epoch = events.epoch LEFT JOIN refusals ON refusals.id = events.id
ORDER BY events.n
"""


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


def journalled(path: Path) -> tuple[Journalled, ...]:
    """Everything that was ever journalled there, oldest first; raises ``JournalError`` (``cannot-read``)."""
    log = path.with_name(f"{path.name}-wal")
    # Without a write-ahead log beside it nobody has the file open: then nothing is made beside it either.
    mode = "mode=ro" if log.exists() and log.stat().st_size > 0 else "immutable=1"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?{mode}", uri=True, timeout=5)) as db:
            return tuple(_row(*row) for row in db.execute(_ROWS))
    except (sqlite3.DatabaseError, MessageError) as reason:
        raise JournalError("cannot-read", f"The journal {path} cannot be read ({str(reason)[:200]}).") from None


def _row(name: str, payload: bytes, renews: str | None, upto: int, code: str | None, message: str | None) -> Journalled:
    event = decode_kiosk_event(payload[: LARGEST_EVENT + 1])
    refused = None if code is None else (code, message or "")
    return Journalled(name, event, renews, event.seq <= upto, refused)
