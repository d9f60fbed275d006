"""A box on a disk that is full, refuses, dies or was damaged: said in words, readable, nothing lost or made up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from failing_disk import DyingDisk, SmallDisk
from hub_wire import until
from seated import BOX, KEY, Time, call, refused, shut, sit_down, to_auction

from kiosk.box import Box, Identity
from kiosk.disk import KEPT_NOW, Disk, words_for
from kiosk.journal import Journal
from kiosk.mending import TRY_EVERY
from tallybox.events import table as events
from tallybox.messages import DiskReport
from tallybox.seats import Seat
from tallybox.table.state import Step

KIB = 1024


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

    @property
    def calls(self) -> list[tuple[Seat, str]]:
        hand = self.box.view.state.hand
        assert hand is not None
        return [(made.seat, str(made.call)) for made in hand.calls]


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
