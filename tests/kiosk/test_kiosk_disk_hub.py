"""A box and a hub on a real broker, each with its own disk that fills up: what one tells the other, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from failing_disk import SmallDisk
from seated import BOX, KEY, call, refused
from waiting import until

from hub.broker import start_broker
from hub.hub import Hub
from hub.record.disk import SAFE
from kiosk.box import Box
from kiosk.disk import Disk, words_for
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from kiosk.link.uplink import Timing, connect_to
from kiosk.view import LinkStatus
from tallybox.envelope import event_id
from tallybox.events import table as events
from tallybox.events.table import Body
from tallybox.messages import Team
from tallybox.seats import Seat
from tallybox.signing import SigningKey

KIB = 1024


@dataclass(slots=True)
class Both:
    """A hub whose round is posted and a box that speaks for table 1, each on a small disk."""

    hub: Hub
    hub_disk: SmallDisk
    box: Box
    box_disk: SmallDisk

    def did(self, body: Body) -> None:
        done = self.box.do(body).result(60)
        assert done.refusal is None, done.refusal

    def open_auction(self) -> None:
        until(lambda: self.box.view.state.assignment is not None)
        self.did(events.ClaimMade())
        until(lambda: self.box.view.state.tenure is not None)
        for side, team in self.box.view.state.playing.teams.items():
            self.did(events.SeatsConfirmed(side=side, team=team.number))
        self.did(events.ScorekeeperChosen(seat=Seat.N))
        self.did(events.DealerDrawn(seat=Seat.N))
        self.did(events.HandCounted(hand=1))
        until(lambda: self.box.view.unsent == 0)

    @property
    def kept(self) -> list[str]:
        """The ids of the box's own journal."""
        return [event_id(event) for event in self.box._journal.events()]

    @property
    def stored(self) -> list[str]:
        """The ids of the box in the hub's ledger, in its order."""
        return [line.id for line in self.hub.ledger.lines() if line.event["kiosk"] == BOX]


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Both]:
    broker = start_broker(tmp_path / "broker")
    hub_disk, box_disk = SmallDisk(tmp_path / "hub", 2 * KIB), SmallDisk(tmp_path / "box", 2 * KIB)
    hub = Hub(
        hub_disk.folder, venue="hall", key=SigningKey(b"hub".ljust(32, b".")), kiosks={BOX: KEY.public},
        host="127.0.0.1", port=broker.port,
    )  # fmt: skip
    hub.start()
    teams = [Team(number=number, names=(f"N{number}", f"S{number}")) for number in range(1, 5)]
    hub.director.create_tournament("dana", template="capitol-4", title="Spring", teams=teams, hands=2)
    hub.director.assign_box("dana", BOX, 1)
    hub.director.publish_round("dana")
    hub.director.start_clock("dana")
    journal = Journal(box_disk.folder / "journal.sqlite", low=0)
    timing = Timing(births=1_000, births_on_change=200)
    link = connect_to("hall", "127.0.0.1", broker.port, box=BOX, timing=timing)
    box = Box(journal, KEY, Identity(BOX), link, pause=0, at_once=0)
    box.start()
    yield Both(hub, hub_disk, box, box_disk)
    box.stop()
    journal.close()
    hub.stop()
    broker.stop()
    hub_disk.unmount()
    box_disk.unmount()


def test_each_disk_fills_and_works_again_and_every_entry_is_in_the_ledger_once(both: Both) -> None:
    both.open_auction()
    both.hub_disk.fill()
    call(both.box, "4")
    until(lambda: SAFE in (both.hub.trouble or ""))
    assert both.box.view.link.status is LinkStatus.LINKED
    assert both.box.view.unsent == 1
    assert both.box.view.disk.keeps
    both.box_disk.fill()
    refused(both.box, events.CallMade(hand=1, seat=Seat.S, call="pass", source="typed"))
    until(lambda: both.hub.presence[BOX].disk is not None)
    told = both.hub.presence[BOX].disk
    assert told is not None
    assert (told.state, told.message) == ("full", words_for(Disk.FULL))
    both.box_disk.make_room()
    until(lambda: both.box.view.disk.keeps)
    until(lambda: both.hub.presence[BOX].disk is None)
    until(lambda: both.box.view.unsent == 2)
    both.hub_disk.make_room()
    until(lambda: both.box.view.unsent == 0)
    until(lambda: both.hub.trouble is None)
    assert both.stored == both.kept
    table = both.hub.tournament.table(1, 1)
    assert table is not None
    assert table.state.hand == both.box.view.state.hand
