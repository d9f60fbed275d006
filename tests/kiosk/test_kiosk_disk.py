"""A box on a disk that is full, refuses, dies or was damaged: said in words, readable, nothing lost or made up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from broken_file import cut, emptied, garbage_page
from failing_disk import DyingDisk, SmallDisk, writes_refused
from seated import BOX, KEY, Time, call, clock, desired, did, refused, seating, settled, shut, sit_down, to_auction
from test_kiosk_cards import Reader
from waiting import until

from firmware_bridge.reader import CardRead
from kiosk.box import Box
from kiosk.disk import GOOD_AGAIN, KEPT_NOW, Disk, words_for
from kiosk.errors import JournalError, NotKeptError
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from kiosk.mending import TRY_EVERY
from kiosk.view import Denied
from tallybox.calls import call_text
from tallybox.events import table as events
from tallybox.messages import DiskReport, Pins, Verifier
from tallybox.seats import Seat
from tallybox.table.state import Step

KIB = 1024
HASHER = PasswordHasher(time_cost=1, memory_cost=8192, parallelism=1)
PINS = Pins(
    v=1, kiosk=BOX, officials=(Verifier(official="D-1", name="R.", role="director", verifier=HASHER.hash("246810")),)
)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[SmallDisk]:
    made = SmallDisk(tmp_path / "small", 2 * KIB)
    yield made
    made.unmount()


@pytest.fixture
def dying(tmp_path: Path) -> Iterator[DyingDisk]:
    made = DyingDisk(tmp_path / "dying")
    yield made
    made.unmount()


class Table:
    """A box at an auction, its clock in the test's hand; ``low`` is out of the way unless a test is about it."""

    def __init__(self, folder: Path, low: int = 0) -> None:
        self.path = folder / "journal.sqlite"
        self.low = low
        self.time = Time()
        self.box = self.open()

    def open(self) -> Box:
        box = Box(Journal(self.path, low=self.low), KEY, Identity(BOX), pause=0, at_once=0, monotonic=self.time)
        box.start()
        return box

    def restart(self) -> None:
        shut(self.box)
        self.box = self.open()

    def bid(self) -> None:
        sit_down(self.box)
        to_auction(self.box)
        call(self.box, "4")

    def pass_by(self, ms: int = TRY_EVERY) -> None:
        self.time.now += ms
        self.box.dismiss_notice()

    def held(self) -> str | None:
        return self.box.view.state.held

    def state(self) -> Disk:
        return self.box.view.disk.state

    @property
    def calls(self) -> list[tuple[Seat, str]]:
        hand = self.box.view.state.hand
        assert hand is not None
        return [(made.seat, call_text(made.call)) for made in hand.calls]


def passes(seat: Seat) -> events.CallMade:
    return events.CallMade(hand=1, seat=seat, call="pass", source="typed")


def test_a_tap_on_a_full_disk_waits_in_sight_and_goes_in_by_itself(small: SmallDisk) -> None:
    table = Table(small.folder)
    table.bid()
    before = table.box.view.state
    small.fill()
    done = refused(table.box, passes(Seat.S))
    view = table.box.view
    assert done.refusal is not None
    assert (done.refusal.code, done.refusal.message) == ("disk-full", words_for(Disk.FULL))
    assert (view.disk.state, view.disk.message, view.disk.waiting) == (Disk.FULL, words_for(Disk.FULL), 1)
    assert (view.state, view.step) == (before, Step.AUCTION)
    assert table.box.birth().disk == DiskReport(state="full", message=words_for(Disk.FULL))
    small.make_room()
    table.pass_by()
    until(lambda: table.box.view.disk.keeps)
    assert len(table.calls) == 2
    assert table.box.view.disk.waiting == 0
    assert table.box.view.notice is not None
    assert table.box.view.notice.text == KEPT_NOW
    assert table.box.birth().disk is None
    table.restart()
    assert len(table.calls) == 2
    shut(table.box)


def test_the_later_of_two_taps_about_the_same_stands(small: SmallDisk) -> None:
    table = Table(small.folder)
    table.bid()
    small.fill()
    refused(table.box, passes(Seat.S))
    refused(table.box, events.CallMade(hand=1, seat=Seat.S, call="5", source="typed"))
    refused(table.box, events.DirectorCalled())
    assert table.box.view.disk.waiting == 2
    small.make_room()
    table.pass_by()
    until(lambda: table.box.view.disk.keeps)
    assert table.calls[-1] == (Seat.S, "5")
    assert table.box.view.state.calling is not None
    shut(table.box)


def test_what_waits_is_judged_again_by_the_table_as_it_is_then(small: SmallDisk) -> None:
    table = Table(small.folder)
    table.bid()
    small.fill()
    refused(table.box, passes(Seat.S))
    table.box.take(desired(3, seating(), tenure=1, hold="A ruling comes."))
    until(lambda: table.box.view.disk.waiting == 1)
    assert table.held() is None
    small.make_room()
    table.pass_by()
    until(lambda: table.held() == "A ruling comes.")
    assert len(table.calls) == 1
    assert table.box.view.disk.waiting == 0
    shut(table.box)


def test_the_last_word_of_each_kind_from_the_hub_is_taken_once_the_disk_works(small: SmallDisk) -> None:
    table = Table(small.folder)
    table.bid()
    small.fill()
    table.box.take(desired(3, seating(), tenure=1, hold="first"))
    table.box.take(desired(4, seating(), tenure=1, hold="second"))
    table.box.take(clock(5, "paused", remaining=60_000))
    until(lambda: not table.box.view.disk.keeps)
    assert table.held() is None
    small.make_room()
    table.pass_by()
    until(lambda: table.box.view.disk.keeps)
    assert table.held() == "second"
    assert table.box.view.clock.remaining == 60_000
    assert table.box.view.notice is not None
    assert table.box.view.notice.text == GOOD_AGAIN
    table.restart()
    assert table.held() == "second"
    shut(table.box)


def test_a_card_stays_with_the_reader_and_no_pin_is_tried(small: SmallDisk) -> None:
    table = Table(small.folder)
    table.bid()
    table.box.take(PINS)
    until(lambda: table.box.view.officials.known == 1)
    small.fill()
    reader = Reader(table.box)
    with pytest.raises(NotKeptError):
        reader.lay(Seat.S, "pass")
    assert table.box.check_pin("246810").result(60).denied is Denied.BUSY
    small.make_room()
    table.box.reader_event(CardRead(Seat.S, reader.card("pass", Seat.S), reader.stamp()))
    assert [seat for seat, _ in table.calls] == [Seat.E, Seat.S]
    assert table.box.check_pin("246810").result(60).official is not None
    shut(table.box)


def test_a_low_disk_is_said_once_and_told_to_the_hub_while_all_is_kept(small: SmallDisk) -> None:
    table = Table(small.folder, low=1024 * KIB)
    table.bid()
    assert table.state() is Disk.FINE
    small.fill(leave=512 * KIB)
    did(table.box, passes(Seat.S))
    until(lambda: table.state() is Disk.LOW)
    table.box.test_readers(False)
    until(lambda: table.box.view.notice is not None)
    assert table.box.view.notice is not None
    assert table.box.view.notice.text == words_for(Disk.LOW)
    assert table.box.birth().disk == DiskReport(state="low", message=words_for(Disk.LOW))
    assert (table.box.view.disk.keeps, len(table.calls)) == (True, 2)
    table.box.dismiss_notice()
    until(lambda: table.box.view.notice is None)
    did(table.box, passes(Seat.W))
    settled(table.box)
    assert table.box.view.notice is not None
    assert table.box.view.notice.text == "Hand 1 is open, not hand 99."
    shut(table.box)


def test_a_disk_that_dies_in_play_leaves_the_table_readable_and_its_file_whole(dying: DyingDisk) -> None:
    table = Table(dying.folder)
    table.bid()
    kept = [parcel.id for parcel in table.box.parcels(100)]
    dying.die()
    done = refused(table.box, passes(Seat.S))
    assert done.refusal is not None
    assert done.refusal.code in {"disk-read-only", "disk-failing"}
    assert table.box.view.disk.message == words_for(table.box.view.disk.state)
    assert [parcel.id for parcel in table.box.parcels(100)] == kept
    assert table.box.birth().unsent == len(kept)
    dying.unmount()
    dying.mount()
    table.pass_by()
    until(lambda: table.box.view.disk.keeps)
    assert len(table.calls) == 2
    table.restart()
    assert [parcel.id for parcel in table.box.parcels(100)][: len(kept)] == kept
    assert len(table.calls) == 2
    shut(table.box)


def test_a_box_that_starts_on_a_disk_it_may_only_read_shows_and_sends_what_it_has(small: SmallDisk) -> None:
    table = Table(small.folder)
    table.bid()
    kept = [parcel.id for parcel in table.box.parcels(100)]
    shut(table.box)
    small.read_only()
    table.box = table.open()
    view = table.box.view
    assert (view.disk.state, view.step, len(table.calls)) == (Disk.READ_ONLY, Step.AUCTION, 1)
    assert [parcel.id for parcel in table.box.parcels(100)] == kept
    refused(table.box, passes(Seat.S))
    small.writable()
    table.pass_by()
    until(lambda: table.box.view.disk.keeps)
    assert len(table.calls) == 2
    table.restart()
    assert len(table.calls) == 2
    shut(table.box)


def test_a_box_that_starts_on_a_full_disk_shows_what_it_has(small: SmallDisk) -> None:
    table = Table(small.folder)
    table.bid()
    shut(table.box)
    small.fill()
    table.box = table.open()
    table.pass_by()
    until(lambda: table.box.view.disk.state is Disk.FULL)
    assert (table.box.view.step, len(table.calls)) == (Step.AUCTION, 1)
    small.make_room()
    table.pass_by()
    until(lambda: table.box.view.disk.keeps)
    did(table.box, passes(Seat.S))
    table.restart()
    assert len(table.calls) == 2
    shut(table.box)


def test_writes_that_the_machine_refuses_leave_no_half_entry(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.bid()
    size = sum(Path(f"{table.path}{part}").stat().st_size for part in ("", "-wal"))
    with writes_refused(beyond=size // 2):
        done = refused(table.box, passes(Seat.S))
    assert done.refusal is not None
    assert done.refusal.code == "disk-failing"
    table.pass_by()
    until(lambda: table.box.view.disk.keeps)
    assert len(table.calls) == 2
    head = table.box._journal.head
    table.restart()
    assert table.box._journal.head == head
    shut(table.box)


def test_a_file_that_cannot_be_read_any_more_is_said_and_the_box_lives(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.bid()
    before = table.box.view.state
    table.box._journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    table.path.write_bytes(table.path.read_bytes()[:4096] + b"x" * 4096 * 40)
    table.box._journal._db.execute("PRAGMA cache_size = 0")
    table.box.dismiss_notice()
    assert table.box.parcels(10) == []
    until(lambda: table.box.view.notice is not None)
    assert table.box.view.notice is not None
    assert table.box.view.notice.text.endswith("Play on; ask the director for another box.")
    assert table.box.view.state == before
    table.box.dismiss_notice()
    shut(table.box)


def test_wal_and_full_sync_are_in_force_on_the_running_connection(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
    journal.close()


def other_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE journal SET version = 7")
        database.commit()


def other_tables(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE photos (picture BLOB)")
        database.commit()


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (cut, "damaged"),
        (garbage_page, "damaged"),
        (emptied, "damaged"),
        (other_tables, "damaged"),
        (other_version, "other-version"),
    ],
)
def test_a_damaged_journal_is_a_sentence_and_is_left_as_it_is(
    tmp_path: Path, damage: Callable[[Path], None], code: str
) -> None:
    table = Table(tmp_path)
    table.bid()
    shut(table.box)
    damage(table.path)
    before = table.path.read_bytes()
    with pytest.raises(JournalError) as refusal:
        Journal(table.path)
    assert refusal.value.code == code
    assert table.path.read_bytes() == before


def test_a_journal_whose_log_was_deleted_goes_on_from_what_it_has(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.bid()
    table.box._journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = table.box._journal.head
    did(table.box, passes(Seat.S))
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "journal.sqlite").write_bytes(table.path.read_bytes())
    shut(table.box)
    journal = Journal(copy / "journal.sqlite")
    assert journal.head == kept
    journal.close()
