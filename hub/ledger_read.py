"""The lines of a ledger's file for whoever only reads it, also while its hub writes: nothing is changed or made."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from hub.errors import LedgerError


def stored_lines(path: Path) -> Iterator[bytes]:
    """Each line as it is stored, oldest first, as the file was when the first was asked for.

    Raises ``LedgerError`` (``ledger-unreadable``).
    """
    log = path.with_name(f"{path.name}-wal")
    # Without a write-ahead log beside it nobody has the file open: then nothing is made beside it either.
    mode = "mode=ro" if log.exists() and log.stat().st_size > 0 else "immutable=1"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?{mode}", uri=True, timeout=5)) as db:
            for (line,) in db.execute("SELECT line FROM ledger ORDER BY ledger_seq"):
                yield bytes(line)
    except sqlite3.DatabaseError as reason:
        raise LedgerError(
            "ledger-unreadable", f"The ledger {path} cannot be read ({str(reason)[:200]}). Verify it, or its backup."
        ) from None
