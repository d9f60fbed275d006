"""The one place that knows which database engine keeps the ledger.

SQLite in WAL mode with ``synchronous=FULL``: what a commit says is stored is stored, power strip or not. The ledger is
append-only by the database's own word: triggers abort every UPDATE and DELETE.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Engine, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from hub.errors import LedgerError

BUSY_MS: Final = 5_000
"""How long a reader waits for the writer before it gives up."""


def ledger_url(data: Path) -> str:
    """The address of the ledger inside a hub's data folder."""
    return f"sqlite:///{data / 'ledger.sqlite'}"


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


def _durable(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
