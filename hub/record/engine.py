"""The one place that knows which database engine keeps the ledger.

SQLite in WAL mode with ``synchronous=FULL``: what a commit says is stored is stored, power strip or not. The ledger is
append-only by the database's own word: triggers abort every UPDATE and DELETE.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from hub.errors import LedgerError

VERSION: Final = 1
"""The version of the ledger's tables, kept in the file's own header; 0 is a file from before there was one."""

BUSY_MS: Final = 5_000
"""How long a reader waits for the writer before it gives up."""


LEDGER: Final = "ledger.sqlite"
"""The ledger's file in a hub's data folder."""


def ledger_url(data: Path, name: str = LEDGER) -> str:
    """The address of the ledger inside a hub's data folder, or of a copy under another name."""
    return f"sqlite:///{data / name}"


def open_engine(url: str) -> Engine:
    """Connect to the ledger's database; raises ``LedgerError`` for an engine that cannot keep it append-only."""
    try:
        kind = make_url(url).get_backend_name()
    except ArgumentError:
        raise LedgerError("bad-address", "The ledger's address cannot be read. Use sqlite:///FILE.") from None
    if kind != "sqlite":
        raise LedgerError("engine-unknown", f"This version keeps its ledger in SQLite, not in {kind}.")
    engine = create_engine(url)
    event.listen(engine, "connect", _durable)
    return engine


def place_of(url: str) -> Path | None:
    """The folder the database's file lies in; ``None`` for one that has no file."""
    name = make_url(url).database
    return Path(name).parent if name and name != ":memory:" else None


def check_whole(engine: Engine) -> int:
    """See that the file is whole and of this version before anything is written to it; raises ``LedgerError``.

    The version it has, 0 when it has none yet.

    A damaged file is left as it is: whoever has to look at it finds what the disk holds.
    """
    path = Path(engine.url.database or "")
    log = Path(f"{path}-wal")
    if path.is_file() and path.stat().st_size == 0 and log.is_file() and log.stat().st_size:
        raise _broken(path, "it is empty, and its log is not")
    try:
        with engine.connect() as connection:
            found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
            version = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    except SQLAlchemyError as reason:
        cause = getattr(reason, "orig", None)
        if isinstance(cause, sqlite3.DatabaseError) and not isinstance(cause, sqlite3.OperationalError):
            raise _broken(path, str(cause)) from None
        raise
    if found != "ok":
        raise _broken(path, found)
    if version not in {0, VERSION}:
        raise LedgerError(
            "other-version",
            f"{path} was written by version {version} of the ledger; this hub reads version {VERSION}. "
            "It was left as it is. Start the hub that wrote it, or bring this one up to date.",
        )
    return version


def stamp_version(engine: Engine) -> None:
    """Write this version into the file's header: also the least there is to write, to see whether the disk takes it."""
    with engine.begin() as connection:
        connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")


def _broken(path: Path, how: str) -> LedgerError:
    return LedgerError(
        "ledger-damaged",
        f"The ledger {path} cannot be opened: it is damaged ({how[:200]}). It was left as it is. Keep a copy of it, "
        "then “tallybox restore” puts the last backup in its place; the tables send again what they have.",
    )


def call_before_commit(engine: Engine, before_commit: Callable[[], None]) -> None:
    """Have every transaction call this just before it commits: it may take its time, or fail as a disk does.

    A ``sqlite3.OperationalError`` of its own reaches the caller as one of the database, with nothing committed.
    """

    def commits(_connection: Connection) -> None:
        try:
            before_commit()
        except sqlite3.OperationalError as reason:
            raise OperationalError("COMMIT", None, reason) from reason

    event.listen(engine, "commit", commits)


def make_append_only(engine: Engine, table: str) -> None:
    """Have the database itself refuse to change or remove a row of ``table``."""
    with engine.begin() as connection:
        for act in ("UPDATE", "DELETE"):
            connection.execute(
                text(
                    f"CREATE TRIGGER IF NOT EXISTS {table}_no_{act.lower()} BEFORE {act} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, 'The ledger is append-only.'); END"
                )
            )


def copy_database(source: Path, target: Path) -> None:
    """Copy a database that may be in use, as it is at one moment; ``target`` is whole only once this returns.

    Raises ``LedgerError`` when one cannot be read or the other not written.
    """
    try:
        with (
            closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True, timeout=BUSY_MS / 1000)) as old,
            closing(sqlite3.connect(target, timeout=BUSY_MS / 1000)) as new,
        ):
            old.backup(new)
            found = str(new.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.Error as reason:
        raise LedgerError("ledger-unreadable", f"{source} cannot be copied to {target}: {reason}.") from None
    if found != "ok":
        raise LedgerError("ledger-unreadable", f"{source} is damaged: {found[:200]}. Take another copy.")


def in_one_file(database: Path) -> None:
    """Bring everything that belongs to a database that nobody uses into its one file; raises ``LedgerError``."""
    try:
        with closing(sqlite3.connect(database, timeout=BUSY_MS / 1000)) as connection:
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as reason:
        raise LedgerError("ledger-unreadable", f"{database} cannot be closed for copying: {reason}.") from None


def _durable(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
