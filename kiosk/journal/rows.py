"""The rows of a journal: what is asked of them and how they are added. Transactions are the journal's own."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from kiosk.journal.faults import damaged
from kiosk.journal.succession import EpochRow, Stretch, line_of
from tallybox.envelope import LARGEST_EVENT, Head, KioskEvent, decode_kiosk_event, encode_event, event_id
from tallybox.errors import TallyboxError
from tallybox.messages import Refused


class JournalRows:
    """Row by row access to one open journal file."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    def line(self) -> tuple[tuple[Stretch, ...], Head]:
        """The line of epochs that ends with the present one, and its head."""
        rows = self._db.execute("SELECT epoch, parent, parent_seq, parent_id FROM epochs ORDER BY n").fetchall()
        epochs = tuple(EpochRow(row[0], row[1], row[2] or 0, row[3]) for row in rows)
        youngest = epochs[-1]
        last = self._db.execute(
            "SELECT seq, id FROM events WHERE epoch = ? ORDER BY seq DESC LIMIT 1", (youngest.epoch,)
        ).fetchone()
        head = Head(youngest.epoch, 0, youngest.parent_id) if last is None else Head(youngest.epoch, last[0], last[1])
        return line_of(epochs), head

    def check(self, line: tuple[Stretch, ...]) -> None:
        """Every event that counts is there, unchanged, and follows the one before it; raises ``JournalError``."""
        before: str | None = None
        for stretch in line:
            rows = self._db.execute(
                "SELECT seq, id, payload FROM events WHERE epoch = ? ORDER BY seq", (stretch.epoch,)
            )
            expected = 1
            for seq, held, payload in rows:
                event = self.decoded(bytes(payload))
                follows = event.prev == before or not stretch.holds(seq)
                if not (seq == event.seq == expected and held == event_id(event) and follows):
                    raise damaged(self._path, f"event {expected} does not follow the one before it")
                before = str(held) if stretch.holds(seq) else before
                expected += 1
            if stretch.upto is not None and expected <= stretch.upto:
                raise damaged(self._path, f"event {expected} is missing")

    def new_epoch(self, epoch: str, why: str, parent: tuple[str, int, str] | None = None) -> Head:
        """Begin an epoch, after ``parent`` (epoch, seq, id) if it goes on from one; its head."""
        self._db.execute(
            "INSERT INTO epochs (epoch, parent, parent_seq, parent_id, why) VALUES (?, ?, ?, ?, ?)",
            (epoch, *(parent or (None, None, None)), why),
        )
        return Head(epoch, 0, None if parent is None else parent[2])

    def parent_at(self, epoch: str, seq: int) -> tuple[str, int, str] | None:
        """The event that a fresh epoch goes on from: the one at ``seq``, or what ``epoch`` itself went on from."""
        if seq > 0:
            row = self._db.execute("SELECT epoch, seq, id FROM events WHERE epoch = ? AND seq = ?", (epoch, seq))
        else:
            row = self._db.execute("SELECT parent, parent_seq, parent_id FROM epochs WHERE epoch = ?", (epoch,))
        found = row.fetchone()
        return None if found is None or found[0] is None else (str(found[0]), int(found[1]), str(found[2]))

    def insert(self, event: KioskEvent, *, renews: str | None = None, stamp: str | None = None) -> Head:
        """Add an event; ``renews`` is the id under which an older epoch holds its fact. The journal's new head."""
        payload, name = encode_event(event), event_id(event)
        self._db.execute(
            "INSERT INTO events (epoch, seq, id, tournament, round, at_table, payload, payload_hash, renews, stamp) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                event.epoch, event.seq, name, event.tournament, event.round, event.table,
                payload, sha256(payload).hexdigest(), renews, stamp,
            ),
        )  # fmt: skip
        return Head(event.epoch, event.seq, name)

    def select(self, stretch: Stretch, rest: str, values: tuple[object, ...]) -> list[KioskEvent]:
        """The events of a stretch in order; ``rest`` narrows them."""
        order = "" if "ORDER BY" in rest else " ORDER BY seq"
        rows = self._db.execute(
            f"SELECT payload FROM events WHERE epoch = ? AND seq <= ?{rest}{order}",  # noqa: S608 (both are literals of this module)
            (stretch.epoch, stretch.last, *values),
        ).fetchall()
        return [self.decoded(bytes(row[0])) for row in rows]

    def decoded(self, payload: bytes) -> KioskEvent:
        """A stored event; raises ``JournalError`` when it cannot be read any more."""
        try:
            return decode_kiosk_event(payload[: LARGEST_EVENT + 1])
        except TallyboxError as reason:
            raise damaged(self._path, reason.message) from None

    def count(self, stretch: Stretch, after: int) -> int:
        """How many events a stretch has after ``seq`` ``after``."""
        row = self._db.execute(
            "SELECT count(*) FROM events WHERE epoch = ? AND seq > ? AND seq <= ?",
            (stretch.epoch, after, stretch.last),
        ).fetchone()
        return int(row[0])

    def upto(self, epoch: str) -> int:
        """How far the hub's acks cover an epoch."""
        row = self._db.execute("SELECT upto FROM acked WHERE epoch = ?", (epoch,)).fetchone()
        return 0 if row is None else int(row[0])

    def has_epoch(self, epoch: str) -> bool:
        """Whether this file began that epoch."""
        return self._db.execute("SELECT 1 FROM epochs WHERE epoch = ?", (epoch,)).fetchone() is not None

    def doubt_acks(self, line: Sequence[str], *, before: str) -> None:
        """Take nothing as acked of the epochs of ``line`` that come before one."""
        self._db.executemany("DELETE FROM acked WHERE epoch = ?", [(epoch,) for epoch in line[: line.index(before)]])

    def cover(self, line: Sequence[Stretch], *, before: str) -> None:
        """Take all as acked of the epochs of ``line`` that come before one."""
        for stretch in itertools.takewhile(lambda each: each.epoch != before, line):
            if self.upto(stretch.epoch) < stretch.last:
                place = (stretch.epoch, stretch.last)
                self._db.execute("INSERT OR REPLACE INTO acked (epoch, upto) VALUES (?, ?)", place)

    def id_at(self, epoch: str, seq: int) -> str | None:
        """The id of an event by its place."""
        row = self._db.execute("SELECT id FROM events WHERE epoch = ? AND seq = ?", (epoch, seq)).fetchone()
        return None if row is None else str(row[0])

    def by_payload(self, payload_hash: str) -> KioskEvent | None:
        """The event whose bytes have this SHA-256."""
        row = self._db.execute("SELECT payload FROM events WHERE payload_hash = ?", (payload_hash,)).fetchone()
        return None if row is None else self.decoded(bytes(row[0]))

    def refuse(self, refused: Refused) -> bool:
        """Keep a refusal of the hub; whether it is new."""
        added = self._db.execute(
            "INSERT OR IGNORE INTO refusals (id, seq, code, message) VALUES (?, ?, ?, ?)",
            (refused.id, refused.seq, refused.code, refused.message),
        )
        return added.rowcount > 0
