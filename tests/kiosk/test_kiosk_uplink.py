"""The link over a real broker: nothing lost, nothing twice, and the box never waits for any of it."""

from __future__ import annotations

import hashlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from broker_room import TOPICS, Broker, SmallHub, wait_for
from seated import (
    BOX,
    at_step,
    clock,
    desired,
    did,
    ids,
    open_box,
    seating,
    shut,
    sit_down,
    to_auction,
    types,
    whist_hand,
)

from kiosk.box import Box
from kiosk.link.sending import Patience
from kiosk.link.uplink import Timing, Uplink, connect_to
from kiosk.view import ClockStatus, LinkStatus, NoticeKind
from tallybox.envelope import encode_event, event_id
from tallybox.events import table as events
from tallybox.messages import Ack, Fault, KioskState, Room
from tallybox.seats import Seat
from tallybox.table.state import Step

QUICK = Timing(
    retry_first=50, retry_most=200, welcome=500, steady=100, ping=200, quick_ping=50, deaf=1_500, births=500,
    births_on_change=100, patience=Patience(first=150, most=600),
)  # fmt: skip


@dataclass
class Hall:
    """Broker, hub and one box."""

    broker: Broker
    hub: SmallHub
    box: Box
    path: Path

    def all_there(self) -> bool:
        mine = ids(self.box._journal.events())
        return self.hub.ids() == mine and self.box.view.unsent == 0

    def link(self) -> Uplink:
        assert isinstance(self.box._link, Uplink)
        return self.box._link

    def restart(self) -> None:
        shut(self.box)
        self.box = a_box(self.path, self.broker.port)


def a_box(path: Path, port: int) -> Box:
    return open_box(path, uplink=connect_to("main-hall", "127.0.0.1", port, box=BOX, timing=QUICK))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    broker = Broker(tmp_path / "broker")
    broker.start()
    hub = SmallHub(broker.port)
    hub.start()
    path = tmp_path / "journal.db"
    made = Hall(broker, hub, a_box(path, broker.port), path)
    yield made
    shut(made.box)
    hub.stop()
    broker.kill()


def linked(hall: Hall) -> bool:
    return hall.box.view.link.status is LinkStatus.LINKED


def test_a_whole_hand_reaches_the_hub_in_order_and_the_outbox_empties(hall: Hall) -> None:
    sit_down(hall.box)
    whist_hand(hall.box)
    wait_for(hall.all_there)
    assert hall.hub.types() == types(hall.box)
    wait_for(lambda: linked(hall))
    assert hall.box.view.link.message == "Linked to the hub."


def test_the_birth_says_where_the_box_is(hall: Hall) -> None:
    hall.hub.say(TOPICS.room, Room(v=1, rev=(3, 40), title="Spring"))
    sit_down(hall.box)
    wait_for(hall.all_there)
    head = hall.box._journal.head
    wait_for(lambda: hall.hub.states[-1].seq == head.seq and hall.hub.states[-1].unsent == 0)
    born = hall.hub.states[-1]
    assert (born.kiosk, born.online, born.epoch, born.rev) == (BOX, True, head.epoch, (3, 40))
    assert (born.software, born.reader is not None and born.reader.state) == ("tallybox 0.1.0", "none")


def test_a_box_that_goes_says_so_and_one_that_dies_is_missed(hall: Hall) -> None:
    wait_for(lambda: hall.hub.states and hall.hub.states[-1].online)
    hall.box._link.stop()  # type: ignore[union-attr]
    wait_for(lambda: hall.hub.states[-1] == KioskState(v=1, kiosk=BOX, online=False))
    hall.restart()
    wait_for(lambda: hall.hub.states[-1].online)
    before = len(hall.hub.states)
    client = hall.link()._client
    assert client is not None
    connection = client.socket()
    assert connection is not None
    socket.socket(fileno=os.dup(connection.fileno())).shutdown(socket.SHUT_RDWR)  # a pulled plug
    wait_for(lambda: KioskState(v=1, kiosk=BOX, online=False) in hall.hub.states[before:])
    wait_for(lambda: hall.hub.states[-1].online)


def test_nothing_leaves_the_outbox_without_an_ack_and_the_oldest_is_sent_again_and_again(hall: Hall) -> None:
    hall.hub.mute = True
    sit_down(hall.box)
    count = len(types(hall.box))
    wait_for(lambda: hall.hub.received and hall.hub.received.count(hall.hub.received[0]) >= 4)
    assert hall.box.view.unsent == count
    hall.hub.mute = False
    wait_for(hall.all_there)


def test_events_that_get_lost_on_the_way_are_made_up_for(hall: Hall) -> None:
    lost: set[str] = set()

    def lose(event: object) -> bool:
        name = event_id(event)  # type: ignore[arg-type]
        if hash(name) % 3 == 0 and name not in lost:
            lost.add(name)
            return True
        return False

    hall.hub.lose = lose
    sit_down(hall.box)
    whist_hand(hall.box)
    wait_for(hall.all_there)
    assert len(hall.hub.ids()) == len(set(hall.hub.ids()))


def test_a_journal_longer_than_the_window_drains_in_order(hall: Hall) -> None:
    hall.hub.mute = True
    sit_down(hall.box)
    for number in range(150):
        did(hall.box, events.ScorekeeperChosen(seat=Seat.E if number % 2 else Seat.W))
    assert len(set(hall.hub.received)) <= 50
    hall.hub.mute = False
    wait_for(hall.all_there)


def test_play_goes_on_without_a_broker_and_the_box_catches_up(hall: Hall) -> None:
    sit_down(hall.box)
    wait_for(hall.all_there)
    hall.broker.kill()
    wait_for(lambda: not linked(hall))
    assert hall.box.view.link.message == "No hub. Play on: your scores are safe in this box."
    began = time.monotonic()
    whist_hand(hall.box)
    assert time.monotonic() - began < 15
    assert hall.box.view.unsent == 12
    assert at_step(hall.box) is Step.DEAL
    hall.broker.start()
    wait_for(hall.all_there)
    wait_for(lambda: linked(hall))


def test_a_box_that_starts_without_a_broker_plays_and_is_heard_later(hall: Hall) -> None:
    sit_down(hall.box)
    wait_for(hall.all_there)
    hall.broker.kill()
    hall.restart()
    whist_hand(hall.box)
    hall.broker.start()
    wait_for(hall.all_there)


def test_a_hub_that_is_away_is_told_on_the_screen(hall: Hall) -> None:
    wait_for(lambda: linked(hall))
    hall.hub.stop()
    wait_for(lambda: not linked(hall))
    sit_down(hall.box)
    assert hall.box.view.unsent == len(types(hall.box))


def test_a_hub_that_lost_its_memory_gets_everything_again(hall: Hall) -> None:
    sit_down(hall.box)
    wait_for(hall.all_there)
    with hall.hub._lock:
        epoch = hall.box._journal.head.epoch
        del hall.hub.held[epoch][3:]
    to_auction(hall.box)
    wait_for(hall.all_there)


def test_desired_state_and_clock_arrive_retained(hall: Hall) -> None:
    hall.hub.to_box("desired", desired(1, seating(minutes=25)), retain=True)
    ends = time.time_ns() // 1_000_000 + 60_000
    hall.hub.say(TOPICS.clock, clock(2, "running", deadline=ends))
    wait_for(lambda: hall.box.view.state.assignment is not None)
    wait_for(lambda: hall.box.view.clock.status is ClockStatus.RUNNING)
    left = hall.box.view.clock.seconds_left(hall.box.now())
    assert left is not None
    assert 20 <= left <= 60
    hall.restart()
    assert hall.box.view.state.assignment is not None
    wait_for(lambda: hall.box.view.clock.status is ClockStatus.RUNNING)
    left_now = (hall.box.view.clock.deadline or 0) - hall.box.now()
    assert abs(left_now - (ends - time.time_ns() // 1_000_000)) < 2_000


@pytest.mark.parametrize("leaf", ["ack", "desired", "pong"])
@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b'{"v":2}', b"\xff\xfe\x00", b"[" * 50_000, b'"' + b"x" * 1_100_000 + b'"', b'{"v":1,"hack":true}'],
    ids=["empty", "torn", "version", "bytes", "deep", "huge", "field"],
)
def test_what_cannot_be_read_is_counted_and_said_and_nothing_stops(one_hall: Hall, leaf: str, payload: bytes) -> None:
    hall = one_hall
    wait_for(lambda: linked(hall))
    before = hall.link().strange
    heard = threading.Event()

    def listen(view: object) -> None:
        notice = hall.box.view.notice
        if notice is not None and notice.kind is NoticeKind.HUB and "cannot be read" in notice.text:
            heard.set()

    forget = hall.box.subscribe(listen)
    hall.hub.to_box(leaf, payload)
    wait_for(lambda: hall.link().strange == before + 1)
    assert heard.wait(30)
    forget()
    did(hall.box, events.DirectorCalled())
    did(hall.box, events.DirectorCancelled())
    wait_for(hall.all_there)


@pytest.fixture(scope="module")
def one_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall")
    broker = Broker(folder / "broker")
    broker.start()
    hub = SmallHub(broker.port)
    hub.start()
    made = Hall(broker, hub, a_box(folder / "journal.db", broker.port), folder / "journal.db")
    sit_down(made.box)
    yield made
    shut(made.box)
    hub.stop()
    broker.kill()


def test_a_fault_of_the_box_stops_its_events_until_somebody_tries_again(hall: Hall) -> None:
    sit_down(hall.box)
    wait_for(hall.all_there)
    hall.hub.mute = True
    to_auction(hall.box)
    last = hall.box._journal.events()[-1]
    wait_for(lambda: hall.hub.received[-1] == encode_event(last))
    payload = hashlib.sha256(encode_event(last)).hexdigest()
    fault = Fault(code="bad-signature", message="The signature is not this box's.", payload=payload)
    hall.hub.to_box("ack", Ack(v=1, epoch=last.epoch, upto=0, fault=fault))
    wait_for(lambda: hall.box.view.link.status is LinkStatus.STOPPED)
    time.sleep(0.3)
    count = len(hall.hub.received)
    did(hall.box, events.DirectorCalled())
    time.sleep(0.5)
    assert len(hall.hub.received) == count
    assert hall.box.view.unsent == 2
    hall.hub.mute = False
    hall.box.try_again()
    wait_for(hall.all_there)
    wait_for(lambda: linked(hall))


def test_a_broker_that_is_none_is_tried_again_and_again(tmp_path: Path) -> None:
    """A port that takes connections and says nothing sensible must not stop the box, nor its end."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(8)
        box = a_box(tmp_path / "journal.db", listener.getsockname()[1])
        listener.settimeout(30)
        first, _ = listener.accept()
        first.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        second, _ = listener.accept()
        sit_down(box)
        assert box.view.link.status is LinkStatus.NO_HUB
        first.close()
        second.close()
        began = time.monotonic()
        shut(box)
        assert time.monotonic() - began < 15


def test_stopping_is_quick_while_nobody_answers(tmp_path: Path) -> None:
    box = a_box(tmp_path / "journal.db", 1)
    began = time.monotonic()
    shut(box)
    assert time.monotonic() - began < 15
