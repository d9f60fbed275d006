"""A box's journal on SQLite: events that are only ever added, and beside them what the hub said.

Everything is on disk (WAL, ``synchronous=FULL``) before a method returns. The only place in the kiosk with SQL.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from kiosk import disk
from kiosk.disk import Disk
from kiosk.errors import JournalError
from kiosk.journal.file import JournalFile
from kiosk.journal.rows import JournalRows
from kiosk.journal.schema import SCHEMA_VERSION
from kiosk.journal.succession import Stretch, renewed
from kiosk.text.heard import heard
from tallybox.envelope import (
    LARGEST_EVENT,
    At,
    Fact,
    Head,
    KioskEvent,
    Occasion,
    encode_event,
    event_id,
    follow_kiosk,
)
from tallybox.errors import TallyboxError
from tallybox.messages import Ack, Fault, Refused
from tallybox.signing import SigningKey
from tallybox.table.fold import Ruled

EPOCH_BYTES: Final = 8

Kind = Literal["desired", "clock", "room"]


@dataclass(frozen=True, slots=True)
class Acked:
    """What an ack changed. ``diverged``: the hub holds another past of this epoch than this journal does.

    ``elsewhere``: it holds an epoch of this box that this journal never had: the card is an older copy, or a new one.
    ``refused``: events that the hub refuses and that were not known as refused before.
    """

    known: bool
    upto: int = 0
    diverged: bool = False
    elsewhere: bool = False
    refused: tuple[Refused, ...] = ()


@dataclass(frozen=True, slots=True)
class Parcel:
    """An event on its way: its id and its bytes."""

    id: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """What the hub last said of one kind, as it came, with its rev."""

    rev: tuple[int, int]
    payload: bytes


@dataclass(frozen=True, slots=True)
class Writer:
    """In whose name events are written."""

    box: str
    key: SigningKey


class Journal:
    """One box's journal. Methods may be called from any thread; each is one transaction.

    A file that is there and whole, on a disk that takes nothing, is read: ``disk`` says so, and whatever is to be
    written raises ``JournalError`` until ``probe`` finds the disk good again. ``low``: bytes left that are too few.
    ``before_commit`` is called before every commit; it may be slow, or raise ``sqlite3.OperationalError``, as disks do.
    Raises ``JournalError`` when the file cannot be opened, is damaged, or is in use by another program.
    """

    def __init__(
        self,
        path: Path,
        *,
        random: Callable[[int], bytes] = secrets.token_bytes,
        before_commit: Callable[[], None] | None = None,
        low: int = disk.LOW,
    ) -> None:
        self.path = path
        self._random = random
        self._writer: Writer | None = None
        self._line: tuple[Stretch, ...] = ()
        self._head = Head("", 0, None)
        self._file = JournalFile(path, low=low, before_commit=before_commit)
        self._lock, self._writing, self._reading = self._file.lock, self._file.writing, self._file.reading
        try:
            self._begin_or_check()
        except BaseException:
            self._file.close()
            raise

    def write_as(self, box: str, key: SigningKey) -> None:
        """Say who writes from now on; raises ``JournalError`` when the file belongs to another box."""
        with self._reading():
            owner = self._db.execute("SELECT box FROM journal").fetchone()[0]
        if owner is None:
            with self._writing():
                self._db.execute("UPDATE journal SET box = ?", (box,))
        elif owner != box:
            raise JournalError(
                "other-box", f"This journal belongs to box {owner}, not to box {box}. Give it back its own card."
            )
        self._writer = Writer(box, key)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    # The disk

    @property
    def disk(self) -> Disk:
        """How the disk took the last write, and how much room is left."""
        return self._file.disk

    def probe(self) -> Disk:
        """Write a row that says nothing, to see whether the disk takes it; a file that is back is used again."""
        with self._lock:
            try:
                if self._file.open_again(self._same_end):
                    self._line, self._head = self._rows.line()
                self.keep("probe", b"")
            except JournalError:
                return self.disk
            return self._file.doubt_room()

    def _same_end(self, rows: JournalRows) -> bool:
        return rows.line()[1] == self._head

    # Events

    @property
    def head(self) -> Head:
        """The end of the journal; the next event follows it."""
        with self._lock:
            return self._head

    def append(self, occasion: Occasion, fact: Fact, at: At, *, stamp: str | None = None) -> KioskEvent:
        """Write what happened; on disk when this returns. ``stamp`` names the reading it came from, if one did.

        Raises ``JournalError`` when it cannot be kept; then nothing was written.
        """
        return self.append_chain(occasion, (lambda _before: fact,), at, stamp=stamp)[0]

    def append_chain(
        self, occasion: Occasion, facts: Sequence[Callable[[str | None], Fact]], at: At, *, stamp: str | None = None
    ) -> tuple[KioskEvent, ...]:
        """Write facts that belong together, all or none; each is made from the id of the event before it.

        ``stamp`` belongs to the first. Raises ``JournalError``.
        """
        with self._lock:
            head, written = self._head, list[KioskEvent]()
            with self._writing():
                for made in facts:
                    event = self._compose(head, occasion, made(head.id), at)
                    head = self._rows.insert(event, stamp=None if written else stamp)
                    written.append(event)
            self._head = head
            return tuple(written)

    def events(self, occasion: Occasion | None = None) -> tuple[KioskEvent, ...]:
        """The events that count here, in order: the line of epochs that ends with the present one.

        With an ``occasion``: those of its tournament, round and table, whatever their tenure.
        """
        where = "" if occasion is None else " AND tournament IS ? AND round IS ? AND at_table IS ?"
        values = () if occasion is None else (occasion.tournament, occasion.round, occasion.table)
        with self._reading():
            found: list[KioskEvent] = []
            for stretch in self._line:
                found.extend(self._rows.select(stretch, where, values))
            return tuple(found)

    def outbox(self, limit: int) -> list[KioskEvent]:
        """The first ``limit`` events that no ack covers yet, in order."""
        with self._reading():
            waiting: list[KioskEvent] = []
            for stretch in self._line:
                rest = limit - len(waiting)
                if rest > 0:
                    after = self._rows.upto(stretch.epoch)
                    waiting.extend(self._rows.select(stretch, " AND seq > ? ORDER BY seq LIMIT ?", (after, rest)))
            return waiting

    def parcels(self, limit: int) -> list[Parcel]:
        """The outbox as it travels: ids and bytes, without reading the events again."""
        with self._reading():
            waiting: list[Parcel] = []
            for stretch in self._line:
                rows = self._db.execute(
                    "SELECT id, payload FROM events WHERE epoch = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
                    (stretch.epoch, self._rows.upto(stretch.epoch), stretch.last, limit - len(waiting)),
                )
                waiting.extend(Parcel(str(row[0]), bytes(row[1])) for row in rows)
            return waiting

    @property
    def unsent(self) -> int:
        """How many events no ack covers yet."""
        with self._reading():
            return sum(self._rows.count(stretch, self._rows.upto(stretch.epoch)) for stretch in self._line)

    def has_stamp(self, stamp: str) -> bool:
        """Whether a reading with this stamp is in the journal already."""
        with self._reading():
            return self._db.execute("SELECT 1 FROM events WHERE stamp = ? LIMIT 1", (stamp,)).fetchone() is not None

    def last_stamp(self) -> str | None:
        """The stamp of the youngest reading in the journal."""
        with self._reading():
            row = self._db.execute(
                "SELECT stamp FROM events WHERE stamp IS NOT NULL ORDER BY n DESC LIMIT 1"
            ).fetchone()
            return None if row is None else str(row[0])

    # What the hub says

    def acked(self, ack: Ack) -> Acked:
        """Take an ack: only what chains to its id leaves the outbox, and a lower ``upto`` refills it.

        A branch or an event that differs from the hub's changes nothing but is said in the answer.
        """
        with self._writing():
            if not any(stretch.epoch == ack.epoch for stretch in self._line):
                return Acked(known=False, elsewhere=ack.upto > 0 and not self._rows.has_epoch(ack.epoch))
            fresh = tuple(refused for refused in ack.refused if self._rows.refuse(refused))
            before, held = self._rows.upto(ack.epoch), self._rows.id_at(ack.epoch, ack.upto)
            chains = ack.upto == 0 or (held is not None and held == ack.id)
            # What was acked once is common to both pasts, so a branch takes nothing back.
            upto = max(before, ack.upto) if ack.branch else ack.upto
            if chains and upto != before:
                self._db.execute("INSERT OR REPLACE INTO acked (epoch, upto) VALUES (?, ?)", (ack.epoch, upto))
            if chains and upto > 0:
                # It takes an event only after the one before it, so it holds what this epoch goes on from too.
                self._rows.cover(self._line, before=ack.epoch)
            if ack.upto == 0:
                # A hub that holds nothing of an epoch may lack those before it too; what it has, it acks again.
                self._rows.doubt_acks([stretch.epoch for stretch in self._line], before=ack.epoch)
            diverged = (not chains or ack.branch) and ack.epoch == self._head.epoch
            return Acked(known=True, upto=self._rows.upto(ack.epoch), diverged=diverged, refused=fresh)

    def ruled(self) -> dict[str, Ruled]:
        """The hub's refusals by event id."""
        with self._reading():
            rows = self._db.execute("SELECT id, code, message FROM refusals").fetchall()
            return {str(row[0]): Ruled(str(row[1]), heard(str(row[2]))) for row in rows}

    def fault(self, fault: Fault) -> KioskEvent | None:
        """Keep a quarantine fault; the event whose bytes it names, or ``None`` when this box sent no such bytes."""
        with self._writing():
            event = self._rows.by_payload(fault.payload)
            self._db.execute(
                "INSERT INTO faults (payload_hash, id, code, message) VALUES (?, ?, ?, ?)",
                (fault.payload, None if event is None else event_id(event), fault.code, fault.message),
            )
            return event

    def faults_of(self, id: str) -> int:  # noqa: A002 (an event has an id)
        """In how many epochs the hub could not take this fact, counting those in which it was journalled before."""
        with self._reading():
            count, name = 0, id
            while name:
                count += self._db.execute("SELECT 1 FROM faults WHERE id = ? LIMIT 1", (name,)).fetchone() is not None
                row = self._db.execute("SELECT renews FROM events WHERE id = ?", (name,)).fetchone()
                name = "" if row is None or row[0] is None else str(row[0])
            return count

    def renew(self, why: str, claim: tuple[Occasion, Fact, At] | None = None) -> tuple[KioskEvent, ...]:
        """Open a fresh epoch that goes on from the last acked event, and journal the facts behind it anew.

        ``claim`` is written first when the table has to be claimed again; claims that were not acked fall with it.
        One transaction: there is never half an epoch. Returns the new events.
        """
        with self._lock:
            with self._writing():
                old = self._head.epoch
                after = self._rows.upto(old)
                unshared = self._rows.select(Stretch(old), " AND seq > ?", (after,))
                fresh = self._rows.new_epoch(self._epoch(), why, self._rows.parent_at(old, after))
                written = self._write_anew(fresh, unshared, claim)
            self._line, self._head = self._rows.line()
            return written

    def desired(self, kind: Kind) -> Stored | None:
        """What the hub last said of this kind, as it came."""
        with self._reading():
            row = self._db.execute(
                "SELECT hub_epoch, ledger_seq, CAST(payload AS BLOB) FROM desired WHERE kind = ?", (kind,)
            ).fetchone()
            return None if row is None else Stored((int(row[0]), int(row[1])), bytes(row[2]))

    def desire(self, kind: Kind, rev: tuple[int, int], payload: bytes) -> None:
        """Keep what the hub says before it is shown; it replaces what it said before."""
        with self._writing():
            self._db.execute(
                "INSERT OR REPLACE INTO desired (kind, hub_epoch, ledger_seq, payload) VALUES (?, ?, ?, ?)",
                (kind, *rev, payload),
            )

    # What the box remembers for itself

    def kept(self, name: str) -> bytes | None:
        """What this box keeps under a name beside its journal."""
        with self._reading():
            row = self._db.execute("SELECT payload FROM kept WHERE name = ?", (name,)).fetchone()
            return None if row is None else bytes(row[0])

    def keep(self, name: str, payload: bytes) -> None:
        """Keep it, in place of what was there; on disk when this returns. Raises ``JournalError``."""
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO kept (name, payload) VALUES (?, ?)", (name, payload))

    # Inside

    @property
    def _db(self) -> sqlite3.Connection:
        return self._file.db

    @property
    def _rows(self) -> JournalRows:
        return self._file.rows

    def _begin_or_check(self) -> None:
        """A new file gets its first epoch; one with rows is read, and nothing is written."""
        with self._reading():
            begun = self._db.execute("SELECT version FROM journal").fetchone() is not None
        if not begun:
            with self._writing():
                self._db.execute("INSERT INTO journal (one, version) VALUES (1, ?)", (SCHEMA_VERSION,))
                self._rows.new_epoch(self._epoch(), "made with the journal")
        with self._reading():
            self._line, self._head = self._rows.line()
            self._rows.check(self._line)

    def _epoch(self) -> str:
        return self._random(EPOCH_BYTES).hex()

    def _write_anew(
        self, head: Head, unshared: Iterable[KioskEvent], claim: tuple[Occasion, Fact, At] | None
    ) -> tuple[KioskEvent, ...]:
        written: list[KioskEvent] = []
        ids: dict[str, str] = {}

        def write(occasion: Occasion, fact: Fact, at: At, old: str | None, stamp: str | None) -> None:
            nonlocal head
            event = self._compose(head, occasion, fact, at)
            head = self._rows.insert(event, renews=old, stamp=stamp)
            written.append(event)
            if old is not None and head.id is not None:
                ids[old] = head.id

        if claim is not None:
            write(*claim, None, None)
        for event in unshared:
            if claim is not None and event.type == "claim.made":
                continue
            occasion = Occasion(event.tournament, event.round, event.table, event.tenure)
            old = event_id(event)
            stamp = self._db.execute("SELECT stamp FROM events WHERE id = ?", (old,)).fetchone()[0]
            write(occasion, renewed(event, ids), event.at, old, stamp)
        return tuple(written)

    def _compose(self, head: Head, occasion: Occasion, fact: Fact, at: At) -> KioskEvent:
        if self._writer is None:
            raise JournalError("no-writer", "This journal does not know yet which box writes in it.")
        try:
            event = follow_kiosk(head, self._writer.box, occasion, fact, at, self._writer.key)
        except TallyboxError as reason:
            raise JournalError(reason.code, f"This cannot be kept: {reason.message}") from None
        size = len(encode_event(event))
        if size > LARGEST_EVENT:
            raise JournalError("oversized", f"This is too much for one entry: {size} bytes of {LARGEST_EVENT}.")
        return event
