"""The file under a journal: opened once, held by one program, and refused in words when it cannot be used."""

from __future__ import annotations

import fcntl
import sqlite3
from pathlib import Path
from typing import IO

from kiosk.errors import JournalError
from kiosk.schema import PRAGMAS, SCHEMA


def hold(path: Path) -> IO[bytes]:
    """Keep a second program from writing the same journal; raises ``JournalError`` when one does."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = path.with_name(path.name + ".lock").open("ab")
    except OSError as reason:
        raise _unwritable(path, reason.strerror or str(reason)) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise JournalError("in-use", f"{path} is in use by another program. Stop that one first.") from None
    return held


def opened(path: Path) -> sqlite3.Connection:
    """The file with its tables, made if it is not there; raises ``JournalError`` when it cannot be used."""
    db: sqlite3.Connection | None = None
    try:
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in PRAGMAS:
            db.execute(pragma)
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise damaged(path, str(found))
        db.executescript(SCHEMA)
    except sqlite3.OperationalError as reason:
        _close(db)
        raise _unwritable(path, str(reason)) from None
    except sqlite3.DatabaseError as reason:
        _close(db)
        raise damaged(path, str(reason)) from None
    except JournalError:
        _close(db)
        raise
    return db


def _close(db: sqlite3.Connection | None) -> None:
    if db is not None:
        db.close()


def damaged(path: Path, how: str) -> JournalError:
    """The sentence for a journal that cannot be trusted any more."""
    return JournalError(
        "damaged",
        f"The journal {path} is damaged ({how[:200]}). Keep the file as it is. The director can give this table "
        "another box: what the hub has of the round goes on there.",
    )


def _unwritable(path: Path, why: str) -> JournalError:
    return JournalError(
        "cannot-write",
        f"The journal {path} cannot be written ({why}). Look at the disk and who may write there, or use another box.",
    )
