"""Everything that is known of an evening, to be asked for one thing: the ledger's lines, the fold of them, journals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hub.tournament.fold import fold_line, unread
from hub.tournament.state import TableRound, Tournament
from kiosk.journal.outside import Journalled
from tallybox.envelope import Event, KioskEvent, superseded
from tallybox.errors import TallyboxError
from tallybox.ledger_line import LedgerLine, event_of, is_branch


@dataclass(frozen=True, slots=True)
class Stored:
    """Where an event stands in the ledger; ``received_at`` in ms since 1970 by the hub's clock."""

    ledger_seq: int
    received_at: int
    hash: str
    branch: bool


@dataclass(frozen=True, slots=True)
class Known:
    """One event: in the ledger (``line``), in a box's journal (``kept``), or in both."""

    id: str
    event: Event
    line: Stored | None = None
    kept: Journalled | None = None

    @property
    def place(self) -> tuple[int | None, int | None]:
        """Round and table that it is about."""
        return self.event.round, self.event.table

    @property
    def text(self) -> dict[str, object]:
        """Its body."""
        return self.event.body

    @property
    def branch(self) -> bool:
        """Whether it continues another past than the one that counts."""
        return self.line is not None and self.line.branch

    @property
    def supersedes(self) -> tuple[str, ...]:
        """What it takes the place of."""
        return superseded(self.event)


@dataclass(slots=True)
class Record:
    """All events by id, in the ledger's order and then in the journals', and the tournament that they make."""

    events: dict[str, Known] = field(default_factory=dict)
    tournament: Tournament = field(default_factory=Tournament)

    def add_ledger(self, lines: Iterable[LedgerLine]) -> None:
        """Take over a ledger; what cannot be folded is kept and changes nothing."""
        for line in lines:
            try:
                event = event_of(line)
            except TallyboxError:
                continue  # no event at all: “tallybox verify” says so
            stored = Stored(line.ledger_seq, line.received_at, line.hash, is_branch(line))
            self.events[line.id] = Known(line.id, event, stored)
            try:
                self.tournament = fold_line(self.tournament, line, event)
            except Exception:  # noqa: BLE001 (as the hub itself: one line that cannot be folded changes nothing)
                self.tournament = unread(self.tournament, line)

    def add_journal(self, rows: Sequence[Journalled]) -> None:
        """Take over a box's journal."""
        for row in rows:
            known = self.events.get(row.id)
            self.events[row.id] = Known(row.id, row.event, None if known is None else known.line, row)

    def table_of(self, known: Known) -> TableRound | None:
        """The hub's view of the table that an event is about."""
        return self.tournament.table(*known.place)

    def at_table(self, known: Known) -> list[Known]:
        """All events about the same table and round, in order."""
        return [each for each in self.events.values() if each.place == known.place and known.place != (None, None)]


def stamp_of(event: Event) -> tuple[str, str, int, int] | None:
    """The reader's own name of what it saw: reader, boot, frame and its clock's ms; ``None`` for anything else."""
    if event.type not in {"card.read", "card.removed"} or not isinstance(event, KioskEvent):
        return None
    match event.body.get("stamp"):
        case {"id": str(reader), "boot": str(boot), "seq": int(seq), "ms": int(ms)}:
            return reader, boot, seq, ms
    return None


def digest_in(event: Event) -> str | None:
    """The sheet digest that an event names."""
    if event.type in {"sheet.signed", "signature.waived", "sheet.submitted", "sheet.accepted"}:
        named = event.body.get("digest")
        return named if isinstance(named, str) else None
    return None
