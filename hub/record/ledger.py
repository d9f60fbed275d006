"""The ledger: everything authentic the hub was told or decided, in one chain, never changed (docs/journal.md).

SQL lives here alone. One writer appends; any thread may read. Quarantined payloads and the hub's clock mark are kept
beside the chain, not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final, cast

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    delete,
    false,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from hub.errors import LedgerError
from hub.record.disk import disk_refuses, short, unwritten
from hub.record.engine import (
    VERSION,
    call_before_commit,
    check_whole,
    make_append_only,
    open_engine,
    place_of,
    stamp_version,
)
from tallybox.envelope import Event, event_form, id_in
from tallybox.errors import MessageError
from tallybox.ledger_line import FIRST_PREV, LedgerLine, chained, decode_line

PAGE: Final = 1_000
"""Lines read at a time, so that a long reader never holds the database."""

MOST_IDS: Final = 500
"""Events asked for by id in one query; SQLite takes 999."""

QUARANTINE_KEPT: Final = 500
"""Quarantined payloads kept; a flood pushes out the oldest."""

FIRST_BYTES: Final = 512
"""How much of a quarantined payload is kept for the director's eyes."""

_metadata: Final = MetaData()

_lines: Final = Table(
    "ledger",
    _metadata,
    Column("ledger_seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("id", String(64), nullable=False, unique=True),
    Column("kiosk", String(32), nullable=False),
    Column("epoch", String(32), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("branch", Boolean, nullable=False),
    Column("line", LargeBinary, nullable=False),
)
Index(
    "ledger_once",
    _lines.c.kiosk,
    _lines.c.epoch,
    _lines.c.seq,
    unique=True,
    sqlite_where=_lines.c.branch == false(),
    postgresql_where=_lines.c.branch == false(),
)

_INSERT: Final = "INSERT INTO ledger (ledger_seq, id, kiosk, epoch, seq, branch, line) VALUES (?, ?, ?, ?, ?, ?, ?)"
"""Said to SQLite as it is: to have it put together for every line takes longer than to store the line."""

_Row = tuple[int, str, str, str, int, bool, bytes]

_quarantine: Final = Table(
    "quarantine",
    _metadata,
    Column("number", Integer, primary_key=True),
    Column("payload", String(64), nullable=False),
    Column("topic", String(200), nullable=False),
    Column("code", String(40), nullable=False),
    Column("message", String(400), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("first_bytes", LargeBinary, nullable=False),
    Column("received_at", BigInteger, nullable=False),
    Column("times", Integer, nullable=False),
)
Index("quarantine_once", _quarantine.c.payload, _quarantine.c.topic, unique=True)

_mark: Final = Table(
    "clock_mark",
    _metadata,
    Column("only", Integer, primary_key=True),
    Column("wall", BigInteger, nullable=False),
)

_restored: Final = Table(
    "restored",
    _metadata,
    Column("only", Integer, primary_key=True),
    Column("after", BigInteger, nullable=False),
)


class Pending(msgspec.Struct, frozen=True, gc=False):
    """An event on its way into the ledger; ``received_at`` in ms since 1970 by the hub's clock.

    ``form``: its canonical JSON, and ``id``, which is made of it; both stand here where they are known already.
    """

    event: Event
    received_at: int
    branch: bool = False
    id: str | None = None
    form: bytes | None = None


@dataclass(frozen=True, slots=True)
class QuarantinedPayload:
    """Something that arrived and is not in the chain: its SHA-256, its beginning, and why. ``times``: how often."""

    payload: str
    topic: str
    code: str
    message: str
    size: int
    first_bytes: bytes
    received_at: int
    times: int = 1


class Ledger:
    """The ledger at a database URL, made if it is not there; raises ``LedgerError`` with a sentence.

    ``before_commit`` is called before every commit; it may be slow, or raise ``sqlite3.OperationalError``, as disks do.
    ``committed`` is told of every group of lines on disk: how many, and the seconds that took.
    """

    def __init__(
        self,
        url: str,
        *,
        before_commit: Callable[[], None] | None = None,
        committed: Callable[[int, float], None] | None = None,
    ) -> None:
        self._committed = committed
        self._engine = open_engine(url)
        if before_commit is not None:
            call_before_commit(self._engine, before_commit)
        self._place = place_of(url)
        try:
            new = check_whole(self._engine) != VERSION
            _metadata.create_all(self._engine)
            make_append_only(self._engine, _lines.name)
            if new:
                stamp_version(self._engine)
            with self._engine.connect() as connection:
                last = connection.execute(
                    select(_lines.c.line).order_by(_lines.c.ledger_seq.desc()).limit(1)
                ).scalar_one_or_none()
                marked = cast("int | None", connection.execute(select(func.max(_mark.c.wall))).scalar_one())
        except SQLAlchemyError as reason:
            if disk_refuses(reason, self._place):
                raise self._unwritten(reason) from None
            raise LedgerError("ledger-unreadable", f"The ledger cannot be opened: {_cause(reason)}.") from None
        self._head: LedgerLine | None = None if last is None else _decoded(cast("bytes", last))
        self._noted = max(marked or 0, 0 if self._head is None else self._head.received_at)

    @property
    def head(self) -> LedgerLine | None:
        """The last line; ``None`` while the ledger is empty."""
        return self._head

    @property
    def head_seq(self) -> int:
        """The number of the last line, 0 while there is none."""
        return 0 if self._head is None else self._head.ledger_seq

    def append(self, batch: Sequence[Pending], quarantined: Sequence[QuarantinedPayload] = ()) -> list[LedgerLine]:
        """Store everything in one transaction, chained; all of it or, with ``LedgerError``, nothing."""
        made, rows = self._chain(batch)
        began = perf_counter()
        try:
            with self._engine.begin() as connection:
                if made:
                    connection.exec_driver_sql(_INSERT, rows)
                    if made[-1].received_at < self._noted:
                        # The clock went back: a mark of before would make a later jump ahead look like no jump.
                        _note(connection, made[-1].received_at)
                for payload in quarantined:
                    _set_aside(connection, payload)
                if quarantined:
                    _prune(connection)
        except SQLAlchemyError as reason:
            raise self._unwritten(reason) from None
        if self._committed is not None:
            self._committed(len(made), perf_counter() - began)
        if made:
            self._head = made[-1]
            self._noted = made[-1].received_at
        return made

    def _chain(self, batch: Sequence[Pending]) -> tuple[list[LedgerLine], list[_Row]]:
        """The lines of these events after the last one, and the rows that store them."""
        made, rows = list[LedgerLine](), list[_Row]()
        seq, prev = self.head_seq, FIRST_PREV if self._head is None else self._head.hash
        for pending in batch:
            event = pending.event
            form = pending.form or event_form(event)
            seq, identity, branch = seq + 1, pending.id or id_in(form), pending.branch
            line, text = chained(seq, prev, event, pending.received_at, identity, form, branch=branch)
            made.append(line)
            rows.append((seq, identity, event.kiosk, event.epoch, event.seq, branch, text))
            prev = line.hash
        return made, rows

    def probe(self) -> None:
        """Write what changes nothing, to see whether the disk takes it again; raises ``LedgerError``.

        A disk with so little room that the next group would not fit is not good yet.
        """
        try:
            stamp_version(self._engine)
        except SQLAlchemyError as reason:
            raise self._unwritten(reason) from None
        if short(self._place):
            raise LedgerError("ledger-unwritable", unwritten(OSError("full"), self._place))

    def _unwritten(self, reason: SQLAlchemyError) -> LedgerError:
        return LedgerError("ledger-unwritable", unwritten(getattr(reason, "orig", None) or reason, self._place))

    def encoded(self, from_seq: int = 1) -> Iterator[bytes]:
        """The stored bytes of each line from ``from_seq`` on, oldest first."""
        while True:
            try:
                with self._engine.connect() as connection:
                    page = connection.execute(
                        select(_lines.c.ledger_seq, _lines.c.line)
                        .where(_lines.c.ledger_seq >= from_seq)
                        .order_by(_lines.c.ledger_seq)
                        .limit(PAGE)
                    ).all()
            except SQLAlchemyError as reason:
                raise _unreadable(reason) from None
            for row in page:
                yield cast("bytes", row[1])
            if len(page) < PAGE:
                return
            from_seq = cast("int", page[-1][0]) + 1

    def lines(self, from_seq: int = 1) -> Iterator[LedgerLine]:
        """The lines from ``from_seq`` on, oldest first."""
        return (_decoded(text) for text in self.encoded(from_seq))

    def lines_of(self, ids: Iterable[str]) -> dict[str, LedgerLine]:
        """The lines of these events, by event id; what the ledger does not hold is left out."""
        wanted, found = sorted(set(ids)), dict[str, LedgerLine]()
        for start in range(0, len(wanted), MOST_IDS):
            some = wanted[start : start + MOST_IDS]
            try:
                with self._engine.connect() as connection:
                    rows = connection.execute(select(_lines.c.id, _lines.c.line).where(_lines.c.id.in_(some))).all()
            except SQLAlchemyError as reason:
                raise _unreadable(reason) from None
            found |= {cast("str", row[0]): _decoded(cast("bytes", row[1])) for row in rows}
        return found

    def backwards(self, before: int | None = None) -> Iterator[LedgerLine]:
        """The lines before the one numbered ``before``, newest first; whoever stops early reads no further."""
        while True:
            older = _lines.c.ledger_seq < before if before is not None else _lines.c.ledger_seq > 0
            try:
                with self._engine.connect() as connection:
                    page = connection.execute(
                        select(_lines.c.ledger_seq, _lines.c.line)
                        .where(older)
                        .order_by(_lines.c.ledger_seq.desc())
                        .limit(PAGE // 4)
                    ).all()
            except SQLAlchemyError as reason:
                raise _unreadable(reason) from None
            for row in page:
                yield _decoded(cast("bytes", row[1]))
            if len(page) < PAGE // 4:
                return
            before = cast("int", page[-1][0])

    def quarantined(self, limit: int = 200) -> tuple[QuarantinedPayload, ...]:
        """What was set aside, newest first."""
        columns = [column for column in _quarantine.c if column.name != "number"]
        newest = select(*columns).order_by(_quarantine.c.received_at.desc()).limit(limit)
        try:
            with self._engine.connect() as connection:
                rows = connection.execute(newest).all()
        except SQLAlchemyError as reason:
            raise _unreadable(reason) from None
        return tuple(QuarantinedPayload(*row) for row in rows)

    def mark(self, wall: int) -> None:
        """Note the hub's clock (ms since 1970), so that a restart can tell how long it was away."""
        try:
            with self._engine.begin() as connection:
                _note(connection, wall)
        except SQLAlchemyError as reason:
            raise self._unwritten(reason) from None
        self._noted = wall

    @property
    def last_mark(self) -> int | None:
        """The newest of the clock mark and the last line's time, in ms since 1970."""
        with self._engine.connect() as connection:
            marked = cast("int | None", connection.execute(select(func.max(_mark.c.wall))).scalar_one())
        known = [at for at in (marked, None if self._head is None else self._head.received_at) if at is not None]
        return max(known) if known else None

    def mark_restored(self) -> None:
        """Note that this is a copy from a backup, which ends with the present last line."""
        try:
            with self._engine.begin() as connection:
                connection.execute(delete(_restored))
                connection.execute(insert(_restored).values(only=1, after=self.head_seq))
        except SQLAlchemyError as reason:
            raise LedgerError("ledger-unwritable", f"The copy cannot be written: {_cause(reason)}.") from None

    @property
    def restored_after(self) -> int | None:
        """The number of the last line that a backup brought; ``None`` when this is no copy from one."""
        with self._engine.connect() as connection:
            return cast("int | None", connection.execute(select(_restored.c.after)).scalar_one_or_none())

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()


def _note(connection: Connection, wall: int) -> None:
    if not connection.execute(update(_mark).values(wall=wall)).rowcount:
        connection.execute(insert(_mark).values(only=1, wall=wall))


def _set_aside(connection: Connection, payload: QuarantinedPayload) -> None:
    same = (_quarantine.c.payload == payload.payload) & (_quarantine.c.topic == payload.topic)
    again = update(_quarantine).where(same).values(times=_quarantine.c.times + 1, received_at=payload.received_at)
    if connection.execute(again).rowcount:
        return
    connection.execute(
        insert(_quarantine).values(
            payload=payload.payload,
            topic=payload.topic[:200],
            code=payload.code,
            message=payload.message[:400],
            size=payload.size,
            first_bytes=payload.first_bytes[:FIRST_BYTES],
            received_at=payload.received_at,
            times=1,
        )
    )


def _prune(connection: Connection) -> None:
    newest = select(func.max(_quarantine.c.number)).scalar_subquery()
    connection.execute(delete(_quarantine).where(_quarantine.c.number <= newest - QUARANTINE_KEPT))


def _decoded(text: bytes) -> LedgerLine:
    try:
        return decode_line(text)
    except MessageError as reason:
        raise LedgerError(
            "ledger-broken", f"The ledger holds something that is no line of it: {reason.message} Restore a backup."
        ) from None


def _unreadable(reason: SQLAlchemyError) -> LedgerError:
    return LedgerError(
        "ledger-unreadable",
        f"The ledger cannot be read ({_cause(reason)}). What is on the other pages still holds. Have whoever keeps the "
        "hub look at its disk.",
    )


def _cause(reason: SQLAlchemyError) -> str:
    return str(getattr(reason, "orig", None) or reason)[:200]
