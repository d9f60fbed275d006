"""The file under a journal: opened once, held by one program, and refused in words when it cannot be used.

A file that is damaged, or that another version wrote, is left as it is: nothing is written to it, not even a table.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from kiosk import disk
from kiosk.disk import Disk
from kiosk.errors import JournalError
from kiosk.journal.faults import damaged, unwritable
from kiosk.journal.rows import JournalRows
from kiosk.journal.schema import PRAGMAS, SCHEMA, SCHEMA_VERSION

IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 (a folder in memory, for a machine whose disks take nothing)


_UNUSABLE: Final = frozenset({"cannot-write", *disk.DISK_CODES})
"""Why a file cannot be written though it may be whole: then it is read from a copy."""
_NOT_KEPT: Final = "This cannot be kept now ({reason}). Tap again in a moment; if it stays so, call the director."
_NOT_READ: Final = "This box cannot read its journal ({reason}). Play on; ask the director for another box."


class JournalFile:
    """The open file, or on a disk that takes nothing a copy of it in memory that nobody writes.

    ``rows`` and ``db`` are the file's; ``lock`` is held while they are used.
    """

    def __init__(self, path: Path, *, low: int, before_commit: Callable[[], None] | None) -> None:
        self.lock = threading.RLock()
        self._path = path
        self._low = low
        self._before_commit = before_commit
        self._refused: Disk | None = None
        self._held: IO[bytes] | None = None
        try:
            self._held, self.db = _held_and_open(path)
        except JournalError as reason:
            if reason.code not in _UNUSABLE or not path.exists() or disk.not_allowed(path):
                raise
            self.db = copied(path)
            self._refused = Disk.READ_ONLY if disk.read_only(path) else disk.full_or_failing(path)
        self.rows = JournalRows(self.db, path)

    @property
    def disk(self) -> Disk:
        """How the disk took the last write, and how much room is left."""
        if self._refused is not None:
            return self._refused
        left = disk.free(self._path)
        return Disk.LOW if left is not None and left < self._low else Disk.FINE

    def close(self) -> None:
        """Let go of the file."""
        with self.lock:
            self.db.close()
            if self._held is not None:
                self._held.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction; whatever the disk says becomes a ``JournalError``, and nothing is half-written."""
        with self.lock:
            try:
                self.db.execute("BEGIN IMMEDIATE")
                try:
                    yield
                    if self._before_commit is not None:
                        self._before_commit()
                except BaseException:
                    self._back()
                    raise
                self.db.execute("COMMIT")
            except sqlite3.Error as reason:
                self._back()
                raise self._not_kept(reason) from None
            self._refused = None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """The file is looked at; what cannot be read is said as a ``JournalError``."""
        with self.lock:
            try:
                yield
            except sqlite3.Error as reason:
                raise JournalError("not-read", _NOT_READ.format(reason=reason)) from None

    def doubt_room(self) -> Disk:
        """A small row may fit where an entry does not: so little room is as good as none."""
        if disk.short(self._path):
            self._refused = Disk.FULL
        return self.disk

    def open_again(self, same: Callable[[JournalRows], bool]) -> bool:
        """Use the file itself once it can be written: after a copy, or when its disk was put in again.

        Whether it is another connection now. Raises ``JournalError`` when it cannot be used, or is not the ``same``.
        """
        if self._held is not None and not _put_in_again(self._path, self._held):
            return False
        held, db = _held_and_open(self._path)
        rows = JournalRows(db, self._path)
        if not same(rows):
            db.close()
            held.close()
            raise JournalError("other-journal", "Another journal lies there now. Switch this box off and on.")
        self.close()
        self._held, self.db, self.rows = held, db, rows
        return True

    def _back(self) -> None:
        """Take back what was begun; a disk that fails even then has nothing of it."""
        if self.db.in_transaction:
            with suppress(sqlite3.Error):
                self.db.execute("ROLLBACK")

    def _not_kept(self, reason: sqlite3.Error) -> JournalError:
        found = disk.what_failed(reason, self._path)
        if found is None:
            return JournalError("not-kept", _NOT_KEPT.format(reason=reason))
        self._refused = found
        return disk.refusal(found)


def _held_and_open(path: Path) -> tuple[IO[bytes], sqlite3.Connection]:
    held = hold(path)
    try:
        return held, opened(path)
    except BaseException:
        held.close()
        raise


def hold(path: Path) -> IO[bytes]:
    """Keep a second program from writing the same journal; raises ``JournalError`` when one does."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = path.with_name(path.name + ".lock").open("ab")
    except OSError as reason:
        raise unwritable(path, reason.strerror or str(reason)) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise JournalError("in-use", f"{path} is in use by another program. Stop that one first.") from None
    return held


def _put_in_again(path: Path, held: IO[bytes]) -> bool:
    try:
        return path.stat().st_dev != os.fstat(held.fileno()).st_dev
    except OSError:
        return False


def opened(path: Path) -> sqlite3.Connection:
    """The file with its tables, made if it is not there; raises ``JournalError`` when it cannot be used."""
    db: sqlite3.Connection | None = None
    try:
        _not_cut_off(path)
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        _check(db, path)
        for pragma in PRAGMAS:
            db.execute(pragma)
        db.executescript(SCHEMA)
    except sqlite3.OperationalError as reason:
        _close(db)
        raise unwritable(path, str(reason)) from None
    except sqlite3.DatabaseError as reason:
        _close(db)
        raise damaged(path, str(reason)) from None
    except JournalError:
        _close(db)
        raise
    return db


def copied(path: Path) -> sqlite3.Connection:
    """The file's rows in memory, read where nothing can be written; raises ``JournalError`` when it is damaged."""
    kept = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
            beside = Path(folder) / path.name
            for part in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(f"{path}{part}", f"{beside}{part}")
            _not_cut_off(beside)
            with closing(sqlite3.connect(beside)) as found:
                _check(found, path)
                found.backup(kept)
        kept.execute("PRAGMA query_only = ON")
    except sqlite3.DatabaseError as reason:
        kept.close()
        raise damaged(path, str(reason)) from None
    except OSError as reason:
        kept.close()
        raise unwritable(path, reason.strerror or str(reason)) from None
    except JournalError:
        kept.close()
        raise
    return kept


def _check(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise damaged(path, str(found))
    tables = {str(row[0]) for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not tables:
        return
    if "journal" not in tables:
        raise damaged(path, "it is not a journal")
    version = db.execute("SELECT version FROM journal").fetchone()
    if version is not None and version[0] != SCHEMA_VERSION:
        raise JournalError(
            "other-version",
            f"{path} was written by version {version[0]} of the journal; this box reads version {SCHEMA_VERSION}. "
            "Update the box.",
        )


def _not_cut_off(path: Path) -> None:
    """A file cut to nothing with its log beside it: the program that opened it would throw the log away."""
    log = Path(f"{path}-wal")
    if path.exists() and path.stat().st_size == 0 and log.exists() and log.stat().st_size:
        raise damaged(path, "it is empty, and its log is not")


def _close(db: sqlite3.Connection | None) -> None:
    if db is not None:
        db.close()
