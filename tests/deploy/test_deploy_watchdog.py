"""The watchdog of real services, heard on a real datagram socket: fed after what came back, and after nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commit_gate import CommitGate
from free_ports import free_port
from panel_display import PanelDisplay
from service_manager import Listener, listening
from venue_broker import running, venue
from waiting import until

from deploy.box_watch import journal_trip
from deploy.hub_service import HubService, open_hub
from deploy.hub_watch import NO_BROKER, hub_trips
from deploy.room import Room, make_room, open_room
from deploy.table_box import open_box
from deploy.watchdog import Told, Trip, Watchdog, Way
from hub.broker import RunningBroker, start_broker

SECONDS = 1.2
FED = "WATCHDOG=1"
SHORT = f"WATCHDOG_USEC={round(SECONDS * 1e6)}"
LONG = "WATCHDOG_USEC=60000000"


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    with listening(tmp_path / "notify") as made:
        monkeypatch.setenv("NOTIFY_SOCKET", made.address)
        yield made


@contextmanager
def fed_by(*trips: Trip) -> Iterator[None]:
    watchdog = Watchdog(trips, seconds=SECONDS, words="All is well.", patience=60)
    watchdog.start()
    try:
        yield
    finally:
        watchdog.stop()


def hungry(manager: Listener) -> None:
    """Nobody feeds the watchdog for longer than it would wait; what was on its way may still come."""
    manager.listen(SECONDS / 2)
    until(lambda: FED not in manager.listen(SECONDS), 20)


def says(manager: Listener, line: str) -> None:
    """Until this was said, now or before."""
    until(lambda: line in manager.heard or line in manager.listen(0.05))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return make_room(tmp_path / "room", venue="club", boxes=1, random_bytes=os.urandom, port=free_port())


@pytest.fixture
def broker(room: Room) -> Iterator[RunningBroker]:
    made = start_broker(room.folder / "broker", room.broker_port)
    yield made
    made.stop()


@contextmanager
def hub_of(room: Room, disk: CommitGate | None = None) -> Iterator[HubService]:
    service = open_hub(room, port=0, before_commit=disk)
    try:
        until(lambda: service.hub.connected)
        yield service
    finally:
        if disk is not None:
            disk.open.set()
        service.stop()


def test_a_hub_is_fed_while_ledger_broker_and_pages_answer_and_not_once_its_writer_hangs(
    room: Room, broker: RunningBroker, manager: Listener
) -> None:
    assert broker.pid
    disk = CommitGate()
    with hub_of(room, disk) as service, fed_by(*hub_trips(service)):
        manager.wait_for(FED)
        disk.open.clear()
        hungry(manager)
        says(manager, "STATUS=The ledger's writer does not answer.")
        disk.open.set()
        manager.wait_for(FED)
        assert "STATUS=All is well." in manager.heard


def test_a_full_disk_is_not_fed_but_people_are_given_time_once(
    room: Room, broker: RunningBroker, manager: Listener
) -> None:
    assert broker.pid
    disk = CommitGate()
    with hub_of(room, disk) as service, fed_by(*hub_trips(service)):
        manager.wait_for(FED)
        disk.full = True
        manager.wait_for(LONG)
        hungry(manager)
        assert manager.heard.count(LONG) == 1
        assert any("disk is full" in word for word in manager.heard if word.startswith("STATUS="))
        disk.full = False
        manager.wait_for(FED)
        assert manager.heard.index(LONG) < manager.heard.index(SHORT)


def test_a_hub_whose_loop_of_pages_is_blocked_is_not_fed(room: Room, broker: RunningBroker, manager: Listener) -> None:
    assert broker.pid
    go_on = threading.Event()
    with hub_of(room) as service, fed_by(*hub_trips(service)):
        manager.wait_for(FED)
        loop = service.desk.notifier._loop  # the only way to block it from outside
        assert loop is not None
        loop.call_soon_threadsafe(go_on.wait)
        try:
            hungry(manager)
            says(manager, "STATUS=The dashboard does not answer.")
        finally:
            go_on.set()
        manager.wait_for(FED)


def test_a_hub_is_not_ended_because_the_broker_is_away(room: Room, broker: RunningBroker, manager: Listener) -> None:
    with hub_of(room) as service, fed_by(*hub_trips(service)):
        manager.wait_for(FED)
        broker.stop()
        manager.wait_for(f"STATUS={NO_BROKER}")
        manager.wait_for(FED)
        again = start_broker(room.folder / "broker", room.broker_port)
        try:
            manager.wait_for("STATUS=All is well.")
        finally:
            again.stop()


def test_in_a_venue_with_certificates_the_hub_may_call_to_itself(tmp_path: Path, manager: Listener) -> None:
    port = venue(tmp_path / "v", boxes=1)
    with running(tmp_path / "v", port), hub_of(open_room(tmp_path / "v")) as service:
        until(lambda: service.hub.health.make().ready)
        with fed_by(*hub_trips(service)):
            manager.wait_for(FED)


def test_a_box_is_fed_without_a_hub_and_not_once_its_thread_or_its_journal_hangs(room: Room, manager: Listener) -> None:
    disk = CommitGate()
    table = open_box(room, "K-01", before_commit=disk)
    table.box.start()
    go_on = threading.Event()
    try:
        with fed_by(journal_trip(table.box)):
            manager.wait_for(FED)
            disk.open.clear()
            hungry(manager)
            disk.open.set()
            manager.wait_for(FED)
            table.box.subscribe(lambda _view: (go_on.wait(60), None)[1])
            table.box.speak("es")
            hungry(manager)
            says(manager, "STATUS=The box's own thread does not answer.")
            go_on.set()
            manager.wait_for(FED)
    finally:
        disk.open.set()
        go_on.set()
        table.stop()


def test_a_box_with_a_full_disk_is_not_fed_and_is_given_time(room: Room, manager: Listener) -> None:
    disk = CommitGate()
    table = open_box(room, "K-01", before_commit=disk)
    table.box.start()
    try:
        with fed_by(journal_trip(table.box)):
            manager.wait_for(FED)
            disk.full = True
            manager.wait_for(LONG)
            hungry(manager)
            disk.full = False
            manager.wait_for(FED)
    finally:
        table.stop()


def test_a_part_that_cannot_even_be_asked_is_silent(manager: Listener) -> None:
    def stumbles(_within: float) -> Told:
        raise RuntimeError("a fault of the program")

    with fed_by(lambda _within: Told(Way.BACK), stumbles):
        manager.wait_for("STATUS=A part of this service could not be asked whether it works.")
        hungry(manager)
    assert FED not in manager.heard


@pytest.fixture
def display() -> Iterator[PanelDisplay]:
    """A display for a box with a screen."""
    made = PanelDisplay()
    yield made
    made.close()


@pytest.mark.parametrize(
    "words", [("hub", "--port", "0", "--with-broker"), ("kiosk", "--box", "K-01")], ids=["hub", "box with a screen"]
)
def test_a_service_says_that_it_is_up_and_one_stopped_dead_is_not_fed(
    words: tuple[str, ...], room: Room, manager: Listener, display: PanelDisplay
) -> None:
    service = subprocess.Popen(
        [sys.executable, "-m", "deploy.cli", words[0], "--data", str(room.folder), *words[1:]],
        env={**display.environment, "WATCHDOG_USEC": f"{round(SECONDS * 1e6)}"},
        stderr=subprocess.DEVNULL,
    )
    try:
        manager.wait_for("READY=1", 60)
        manager.wait_for(FED)
        service.send_signal(signal.SIGSTOP)
        hungry(manager)
        service.send_signal(signal.SIGCONT)
        manager.wait_for(FED)
        service.terminate()
        manager.wait_for("STOPPING=1")
        assert service.wait(30) == 0
    finally:
        service.kill()
        service.wait()
