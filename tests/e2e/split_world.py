"""A hub and its boxes without a network: the real record keeper, the real journals, and a line that is up when told.

Any box can be put back to an earlier image of its card, the hub to an earlier copy of its ledger.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from hub.accepting.keeper import Keeper
from hub.accepting.received import Received
from hub.clock import clock_message
from hub.desk.director import Director
from hub.line.desired import desired_for
from hub.record.backup import back_up, restore
from hub.record.engine import LEDGER, ledger_url
from hub.record.ledger import Ledger
from hub.timekeeping import HubTime
from hub.tournament.state import TableRound
from kiosk.hub_side import HubSide
from kiosk.journal.journal import Journal, Parcel
from kiosk.link.answers import Answers
from kiosk.scribe import Scribe
from kiosk.times import Times
from tallybox.countdown import Sample
from tallybox.events import table as bodies
from tallybox.events.table import Body
from tallybox.messages import Team
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey
from tallybox.table.shown import lines_digest, open_hand_score, sheet_digest
from tallybox.table.state import Step, TableState
from tallybox.topics import Topics

HUB_KEY = SigningKey(b"hub".ljust(32, b"."))
TOPICS = Topics("hall")
BOXES = ("K-01", "K-02", "K-03")
STROKES = ((10, 10, 200, 300), (300, 300, 20, 40))
WINDOW = 500


def key_of(box: str) -> SigningKey:
    return SigningKey(box.encode().ljust(32, b"."))


@dataclass
class Clockwork:
    """Milliseconds that go on by one at every look, so that no two facts have the same moment."""

    now: Iterator[int] = field(default_factory=lambda: count(1_790_000_000_000))

    def ms(self) -> int:
        return next(self.now)

    def pass_by(self, ms: int) -> None:
        self.now = count(next(self.now) + ms)


class Table:
    """One box without screen and network."""

    def __init__(self, folder: Path, box: str, clock: Clockwork) -> None:
        self.box, self.path, self.clockwork = box, folder / box / "journal.sqlite", clock
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.open()

    def open(self) -> None:
        self.journal = Journal(self.path)
        self.journal.write_as(self.box, key_of(self.box))
        self.hub = HubSide(self.journal, self.box)
        self.hub.take_sample(Sample(sent=0, received=0, hub=0))
        self.scribe = Scribe(self.journal, self.hub, self.box, Times(self.clockwork.ms, self.clockwork.ms), pause=0)
        self.answers = Answers(self.journal, self.scribe)

    def image(self, name: str) -> Path:
        """A copy of its card as it is now."""
        copy = self.path.with_name(name)
        with closing(sqlite3.connect(self.path)) as here, closing(sqlite3.connect(copy)) as there:
            here.backup(there)
        return copy

    def restored(self, image: Path | None) -> None:
        """The card is an older one now, or a new one (``None``)."""
        self.journal.close()
        for part in ("", "-wal", "-shm"):
            Path(f"{self.path}{part}").unlink(missing_ok=True)
        if image is not None:
            shutil.copy(image, self.path)
        self.open()

    @property
    def state(self) -> TableState:
        return self.scribe.state

    def act(self, *, books: int = 10) -> bool:
        """Somebody does the next thing; whether there was one."""
        body = next_act(self.state, self.scribe.step, books)
        if body is None:
            self.scribe.react()
            before = self.journal.head
            self.scribe.deal(self.clockwork.ms())
            return self.journal.head != before
        done = self.scribe.act(body)
        self.scribe.react()
        return done.refusal is None


def next_act(state: TableState, at: Step, books: int) -> Body | None:
    """What the people at a table do next; nothing when the box goes on by itself, or waits."""
    hand = state.hand
    match at:
        case Step.IDLE:
            return bodies.ClaimMade() if state.assignment is not None else None
        case Step.SEATS:
            side = next(side for side in Side if side not in state.seats_confirmed)
            return bodies.SeatsConfirmed(side=side, team=state.teams[side].number)
        case Step.SCOREKEEPER:
            return bodies.ScorekeeperChosen(seat=Seat.N if state.scorekeeper is None else Seat.E)
        case Step.DRAW:
            return bodies.DealerDrawn(seat=Seat.N)
        case Step.SIGN:
            return _signing(state)
    return None if hand is None else _playing(state, at, books)


def _signing(state: TableState) -> Body:
    digest = sheet_digest(state)
    for side in Side:
        signed = state.signatures.get(side)
        if signed is None or signed.digest != digest:
            return bodies.SheetSigned(side=side, seat=side.seats[0], digest=digest, strokes=STROKES)
    return bodies.SheetSubmitted(digest=digest)


def _playing(state: TableState, at: Step, books: int) -> Body | None:
    hand = state.hand
    assert hand is not None
    match at:
        case Step.DEAL:
            return bodies.HandCounted(hand=hand.number)
        case Step.AUCTION:
            assert hand.turn is not None
            said = "4" if not hand.calls else "pass"
            return bodies.CallMade(hand=hand.number, seat=hand.turn, call=said, source="typed")
        case Step.CONTRACT:
            locked, play = bodies.ContractLocked(hand=hand.number), bodies.PlayStarted(hand=hand.number)
            return play if hand.locked else locked
        case Step.PLAY | Step.RESULT:
            bidder = hand.dealer.left.side
            return bodies.ResultEntered(hand=hand.number, books={bidder: books, bidder.other: 13 - books})
        case Step.CHECK:
            side = next((side for side in Side if side not in hand.checked), Side.NS)
            return bodies.HandChecked(hand=hand.number, side=side, lines=lines_digest(open_hand_score(state)))
    return None


class World:
    """One table, its box, two spares; ``speaks`` is the box that people sit at."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, Clockwork()
        (folder / "hub").mkdir(parents=True)
        self.open_hub()
        self.tables = {box: Table(folder, box, self.clock) for box in BOXES}
        self.images: list[tuple[str, Path | None]] = [(box, None) for box in BOXES]
        self.copies: list[Path] = []
        self.names = count(1)

    def open_hub(self) -> None:
        self.ledger = Ledger(ledger_url(self.folder / "hub"))
        time = HubTime(lambda: self.clock.ms() / 1000, lambda: self.clock.ms() / 1000)
        keys = {box: key_of(box).public for box in BOXES}
        self.keeper = Keeper(self.ledger, topics=TOPICS, key=HUB_KEY, kiosks=keys, time=time)
        self.director = Director(self.keeper.act, keys)

    def begin(self, *, hands: int = 3) -> None:
        teams = tuple(Team(number=n, names=(f"North {n}", f"South {n}")) for n in (1, 2))
        self.director.create_tournament("dana", template="capitol-4", title="Spring Open", teams=teams, hands=hands)
        self.director.assign_box("dana", "K-01", 1)
        self.director.publish_round("dana")
        self.director.start_clock("dana", 3_600)

    def close(self) -> None:
        for table in self.tables.values():
            table.journal.close()
        self.ledger.close()

    # The line

    def link(self, box: str) -> None:
        """The line of one box is up until both sides have said everything."""
        table = self.tables[box]
        for turn in range(12):
            before = (table.journal.head, table.journal.unsent, self.ledger.head_seq, table.hub.rev)
            self._greets(table)
            self._events(table)
            self._tell(table)
            if turn and before == (table.journal.head, table.journal.unsent, self.ledger.head_seq, table.hub.rev):
                return
        raise AssertionError(f"{box} and the hub do not come to rest: {table.journal.unsent} unsent")

    def _greets(self, table: Table) -> None:
        if table.hub.rev is not None:
            self.keeper.hear_rev(table.box, table.hub.rev)
        for answer in self.keeper.acks(table.box, table.journal.head.epoch):
            table.answers.take(answer.ack)

    def _events(self, table: Table) -> None:
        parcels = table.journal.parcels(WINDOW)
        if parcels:
            topic = TOPICS.kiosk(table.box, "evt")
            for answer in self.keeper.take([Received(topic, parcel.payload) for parcel in parcels]):
                assert table.answers.take(answer.ack) is None

    def _tell(self, table: Table) -> None:
        if self.keeper.doubt is None:
            for word in (
                clock_message(self.keeper.tournament.clock, self.keeper.rev),
                desired_for(self.keeper.tournament, table.box, self.keeper.rev),
            ):
                if table.hub.take(word):
                    table.scribe.follow_hub()
                    table.scribe.react()

    def hears(self, box: str, parcels: list[Parcel]) -> None:
        """The hub hears these, and the box hears nothing of it."""
        topic = TOPICS.kiosk(box, "evt")
        self.keeper.take([Received(topic, parcel.payload) for parcel in parcels])

    def tells(self, box: str) -> None:
        """The box hears what the hub wants shown."""
        self._tell(self.tables[box])

    def link_all(self) -> None:
        for box in (*BOXES, *BOXES):
            self.link(box)

    # Accidents

    def keep_image(self, box: str) -> None:
        self.images.append((box, self.tables[box].image(f"image-{next(self.names)}.sqlite")))

    def restore_image(self, which: int) -> None:
        box, image = self.images[which % len(self.images)]
        self.tables[box].restored(image)

    def keep_copy(self) -> None:
        copy = self.folder / f"copy-{next(self.names)}.sqlite"
        back_up(self.folder / "hub", copy)
        self.copies.append(copy)

    def restore_copy(self, which: int) -> None:
        self.ledger.close()
        restore(self.folder / "hub", self.copies[which % len(self.copies)])
        assert (self.folder / "hub" / LEDGER).exists()
        self.open_hub()

    # What there is to see

    @property
    def table(self) -> TableRound:
        found = self.keeper.tournament.table(1, 1)
        assert found is not None
        return found

    def recorded_anywhere(self) -> dict[str, dict[str, Any]]:
        """Every recorded hand that a journal or the ledger holds, by its fact: a fact journalled anew is the same."""
        found: dict[str, dict[str, Any]] = {}
        for table in self.tables.values():
            with closing(sqlite3.connect(table.path)) as db:
                rows = [json.loads(row[0]) for row in db.execute("SELECT payload FROM events")]
            found |= {fact_of(event): event for event in rows if event["type"] == "hand.recorded"}
        lines = [dict(line.event) for line in self.ledger.lines()]
        return found | {fact_of(event): event for event in lines if event["type"] == "hand.recorded"}

    def shown(self) -> set[str]:
        """The recorded hands that the director is shown: in the table's record, refused or not, or kept aside."""
        events = (*self.table.journal, *self.table.aside, *self.keeper.tournament.ahead)
        return {
            fact_of({"kiosk": event.kiosk, "at": {"wall": event.at.wall, "mono": event.at.mono}, "body": event.body})
            for event in events if event.type == "hand.recorded"
        }  # fmt: skip


def fact_of(event: dict[str, Any]) -> str:
    """What happened, whatever epoch tells it: who wrote it, when, and the facts."""
    at = event["at"]
    return json.dumps([event["kiosk"], at["wall"], at["mono"], event["body"]["facts"]], sort_keys=True)
