"""A hub whose disk is full or refuses: no ack before its commit, pages answered, acts refused in words."""

from __future__ import annotations

import html
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from broken_file import cut, emptied, garbage_page
from failing_disk import DyingDisk, SmallDisk
from hub_bench import HUB_KEY, KEYS, TOPICS, Bench, roster
from hub_fake_kiosk import FakeKiosk
from hub_whole_night import play_round
from hub_wire import Wire
from waiting import until

from hub.broker import RunningBroker, start_broker
from hub.errors import HubError, LedgerError
from hub.hub import Hub
from hub.line.desired import desired_for
from hub.record.backup import back_up
from hub.record.disk import SAFE, running_low
from hub.record.engine import call_before_commit, ledger_url
from hub.record.ledger import Ledger, Pending
from hub.tournament.state import Stage
from hub.web.app import create_app
from hub.web.plan import DOORS
from hub.web.serve import serve
from tallybox.envelope import encode_event, event_id
from tallybox.events import table as bodies
from tallybox.ledger_line import FIRST_PREV
from tallybox.messages import DiskReport, KioskState, encode

MIB = 1024
FULL = f"The hub's disk is full, so nothing new is written down. {SAFE}"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[SmallDisk]:
    made = SmallDisk(tmp_path / "small", 2 * MIB)
    yield made
    made.unmount()


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    running = start_broker(tmp_path_factory.mktemp("broker"))
    yield running
    running.stop()


def open_hub(folder: Path, port: int) -> Hub:
    hub = Hub(folder, venue="hall", key=HUB_KEY, kiosks=KEYS, host="127.0.0.1", port=port)
    hub.start()
    return hub


@pytest.fixture
def hub(small: SmallDisk, broker: RunningBroker) -> Iterator[Hub]:
    running = open_hub(small.folder, broker.port)
    running.director.create_tournament("dana", template="capitol-4", title="Spring", teams=roster(4), hands=2)
    running.director.assign_box("dana", "K-01", 1)
    running.director.publish_round("dana")
    until(lambda: running.connected)
    yield running
    running.stop()


@pytest.fixture
def wire(hub: Hub, broker: RunningBroker) -> Iterator[Wire]:
    made = Wire("K-01", broker.port)
    yield made
    made.close()


def kiosk_of(hub: Hub) -> FakeKiosk:
    kiosk = FakeKiosk("K-01")
    kiosk.told(desired_for(hub.tournament, "K-01", hub.rev))
    return kiosk


def held(hub: Hub) -> list[str]:
    return [line.id for line in hub.ledger.lines()]


def test_what_the_disk_refuses_is_never_acked_and_goes_in_by_itself_once(
    small: SmallDisk, hub: Hub, wire: Wire
) -> None:
    kiosk = kiosk_of(hub)
    wire.send([kiosk.claim()])
    kiosk.told(wire.last_desired(lambda told: told.tenure is not None))
    before = held(hub)
    small.fill()
    acted = kiosk.sit()
    for event in acted * 100:
        wire.put("evt", encode_event(event))
    wire.birth("e1", seq=kiosk.head.seq, unsent=len(acted))
    until(lambda: hub.trouble is not None and hub.trouble.startswith(FULL))
    until(lambda: "K-01" in hub.presence and hub.presence["K-01"].unsent == len(acted))
    assert held(hub) == before
    assert max(ack.upto for ack in wire.acks) == 1
    small.make_room()
    wire.ack_where(lambda ack: ack.id == event_id(acted[-1]))
    until(lambda: not (hub.trouble or "").startswith(FULL))  # so many payloads may have been too much besides
    assert [line for line in held(hub) if line not in before][: len(acted)] == [event_id(event) for event in acted]


def test_acts_are_refused_at_once_in_a_sentence_and_are_not_done_later(small: SmallDisk, hub: Hub, wire: Wire) -> None:
    kiosk = kiosk_of(hub)
    small.fill()
    wire.put("evt", encode_event(kiosk.claim()))
    until(lambda: hub.trouble is not None)
    with pytest.raises(HubError) as refused:
        hub.director.assign_box("dana", "K-02", 2)
    assert refused.value.message.startswith(FULL)
    assert refused.value.message.endswith("What you asked for was not done; ask again then.")
    small.make_room()
    until(lambda: hub.trouble is None)
    assert hub.tournament.boxes == {1: "K-01"}
    hub.director.assign_box("dana", "K-02", 2)
    assert hub.tournament.boxes == {1: "K-01", 2: "K-02"}


def test_trouble_from_an_act_alone_ends_by_itself(small: SmallDisk, hub: Hub) -> None:
    small.fill()
    with pytest.raises(HubError):
        hub.director.assign_box("dana", "K-02", 2)
    assert (hub.trouble or "").startswith(FULL)
    small.make_room()
    until(lambda: hub.trouble is None)


def test_every_page_is_answered_with_the_banner_and_what_was_typed_stays(small: SmallDisk, hub: Hub) -> None:
    small.fill()
    with pytest.raises(HubError):
        hub.director.assign_box("dana", "K-02", 2)
    server = serve(create_app(hub), port=0)
    try:
        with httpx.Client(base_url=server.url, timeout=20) as desk:
            shown = pages(desk)
            framed = [path for path, page in shown.items() if 'class="nav"' in page]
            assert [path for path in framed if FULL not in html.unescape(shown[path])] == []
            assert {"/", "/devices", "/calls", "/rounds", "/sheets", "/teams", "/record", "/setup"} <= set(framed)
            token = re.search(r'name="token" value="([^"]+)"', shown["/devices"])
            assert token is not None
            answer = desk.post(
                "/devices/K-02/assign",
                data={"token": token[1], "table": "2"},
                headers={"HX-Request": "true", "HX-Target": "said", "Origin": server.url.rstrip("/")},
            )
            assert answer.status_code == 409
            assert html.unescape(answer.text).count(FULL) == 1
            assert {"HX-Redirect", "HX-Trigger"} & set(answer.headers) == set()
    finally:
        server.stop()


def pages(desk: httpx.Client) -> dict[str, str]:
    """Every page that has one address for all, as a browser gets it."""
    found = {}
    for door in DOORS:
        if door.posts or "{" in door.path or door.path in {"/events", "/screens/events"} or "event" in door.path:
            continue
        answer = desk.get(door.path)
        if answer.status_code == 200 and answer.headers["content-type"].startswith("text/html"):
            found[door.path] = answer.text
    return found


def test_a_box_in_trouble_stands_out_on_its_page_and_in_the_room(hub: Hub, wire: Wire) -> None:
    said = "The disk of this box is full: nothing new is kept."
    state = KioskState(v=1, kiosk="K-01", online=True, epoch="e1", disk=DiskReport(state="full", message=said))
    wire.put("state", encode(state), retain=True)
    until(lambda: "K-01" in hub.presence)
    server = serve(create_app(hub), port=0)
    try:
        with httpx.Client(base_url=server.url, timeout=20) as desk:
            assert said in desk.get("/devices/K-01").text
            assert "Not kept" in desk.get("/").text
            assert "1 box needs somebody." in desk.get("/devices").text
    finally:
        server.stop()


def test_room_running_out_is_said_before_the_disk_is_full(small: SmallDisk, hub: Hub) -> None:
    assert hub.low is not None
    assert re.fullmatch(r"The hub's disk has \d MB left\. All is written down still\. Make room before the next round; "
                        r"whoever keeps the hub can help\.", hub.low)  # fmt: skip
    assert hub.trouble is None
    assert running_low(small.folder, low=1024) is None


def test_a_hub_killed_while_its_disk_refuses_has_lost_nothing(small: SmallDisk, broker: RunningBroker) -> None:
    process = start_hub(small.folder, broker)
    kiosk = FakeKiosk("K-05")
    wire = Wire("K-05", broker.port)
    try:
        first = [kiosk.say(bodies.DirectorCalled(reason=f"{n}")) for n in range(20)]
        wire.send(first)
        small.fill()
        later = [kiosk.say(bodies.DirectorCalled(reason="x" * 200)) for _ in range(60)]
        for event in later:
            wire.put("evt", encode_event(event))
        wire.acks.clear()
        wire.birth("e1", seq=80, unsent=60)
        acked = wire.ack_where(lambda ack: ack.epoch == "e1").upto
        assert 20 <= acked < 80
        process.kill()
        process.wait(timeout=30)
        small.make_room()
        stored = lines_of(small.folder, kiosk)
        assert stored[:acked] == [event_id(event) for event in (*first, *later)][:acked]
        hub = open_hub(small.folder, broker.port)
        wire.send(later, resend=0.3)
        hub.stop()
        assert lines_of(small.folder, kiosk) == [event_id(event) for event in (*first, *later)]
    finally:
        process.kill()
        process.wait(timeout=30)
        wire.close()


def start_hub(folder: Path, broker: RunningBroker) -> subprocess.Popen[bytes]:
    program = Path(__file__).with_name("hub_process.py")
    return subprocess.Popen([sys.executable, str(program), str(folder), str(broker.port)])


def lines_of(folder: Path, kiosk: FakeKiosk) -> list[str]:
    ledger = Ledger(ledger_url(folder))
    found = list(ledger.lines())
    ledger.close()
    assert [line.prev_hash for line in found] == [FIRST_PREV, *(line.hash for line in found[:-1])]
    return [line.id for line in found if line.event["kiosk"] == kiosk.box]


def test_a_disk_that_dies_leaves_pages_readable_and_the_ledger_whole(tmp_path: Path, broker: RunningBroker) -> None:
    disk = DyingDisk(tmp_path / "dying")
    try:
        hub = open_hub(disk.folder, broker.port)
        hub.director.create_tournament("dana", template="capitol-4", title="Spring", teams=roster(4), hands=2)
        before = held(hub)
        disk.die()
        with pytest.raises(LedgerError, match=r"nothing new is written down|refuses what is to be written down"):
            hub.director.publish_round("dana")
        assert held(hub) == before
        assert (hub.tournament.plan is not None, hub.tournament.current) == (True, None)
        assert SAFE in (hub.trouble or "")
        hub.stop()
        disk.unmount()
        disk.mount()
        hub = open_hub(disk.folder, broker.port)
        assert held(hub)[: len(before)] == before
        hub.director.publish_round("dana")
        hub.stop()
    finally:
        disk.unmount()


def test_a_hub_that_starts_on_a_full_disk_answers_and_goes_on(small: SmallDisk, broker: RunningBroker) -> None:
    hub = open_hub(small.folder, broker.port)
    hub.director.create_tournament("dana", template="capitol-4", title="Spring", teams=roster(4), hands=2)
    before = held(hub)
    hub.stop()
    small.fill(leave=64 * 1024)
    hub = open_hub(small.folder, broker.port)
    assert (held(hub), hub.tournament.plan is not None) == (before, True)
    small.fill()
    with pytest.raises(LedgerError, match=r"The hub's disk is full"):
        hub.director.publish_round("dana")
    small.make_room()
    until(lambda: hub.trouble is None)
    hub.director.publish_round("dana")
    hub.stop()


def test_a_hub_that_cannot_start_on_its_disk_says_why(small: SmallDisk) -> None:
    Ledger(ledger_url(small.folder)).close()
    small.fill()
    with pytest.raises(LedgerError, match=r"The hub's disk is full, so nothing new is written down"):
        Ledger(ledger_url(small.folder))
    small.make_room()
    small.read_only()
    with pytest.raises(HubError, match=r"cannot be used: Read-only file system"):
        Hub(small.folder, venue="hall", key=HUB_KEY, kiosks=KEYS, host="127.0.0.1", port=1)


def test_what_the_hub_owes_by_itself_is_made_up_for_once_the_disk_takes_it(tmp_path: Path) -> None:
    """The round's end is written down, its checkpoint is not: the disk fills up between the two."""
    bench = Bench(tmp_path)
    kiosks = bench.create()
    refuses = [False]

    def disk() -> None:
        if refuses[0] and bench.keeper.tournament.rounds[-1].stage is Stage.ENDED:
            raise sqlite3.OperationalError("database or disk is full")

    call_before_commit(bench.ledger._engine, disk)
    refuses[0] = True
    play_round(bench, kiosks)
    assert (bench.keeper.tournament.rounds[-1].stage, bench.keeper.tournament.checkpoints) == (Stage.ENDED, ())
    with pytest.raises(LedgerError, match=r"The hub's disk is full"):
        bench.keeper.keep_time()
    refuses[0] = False
    bench.keeper.keep_time()
    [signed] = bench.keeper.tournament.checkpoints
    assert (signed.round, signed.count) == (1, bench.ledger.head_seq - 1)
    bench.ledger.close()


def test_a_file_that_breaks_under_a_running_hub_is_said_and_pages_stay(tmp_path: Path, broker: RunningBroker) -> None:
    hub = open_hub(tmp_path, broker.port)
    hub.director.create_tournament("dana", template="capitol-4", title="Spring", teams=roster(4), hands=2)
    with hub.ledger._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    hub.ledger._engine.dispose()
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(path.read_bytes()[:4096] + b"x" * 4096 * 30)
    with pytest.raises(LedgerError, match=r"The ledger's file is damaged, so nothing new is written down\."):
        hub.director.publish_round("dana")
    with pytest.raises(LedgerError, match=r"What is on the other pages still holds\."):
        list(hub.ledger.lines())
    assert hub.tournament.plan is not None
    hub.stop()


def test_a_backup_that_does_not_fit_is_a_sentence_and_leaves_nothing(tmp_path: Path, small: SmallDisk) -> None:
    Ledger(ledger_url(tmp_path)).close()
    small.fill()
    with pytest.raises(LedgerError, match=r"database or disk is full"):
        back_up(tmp_path, small.folder / "copy.sqlite")
    assert sorted(found.name for found in small.folder.iterdir()) == ["ballast"]


def test_wal_and_full_sync_are_in_force_on_every_connection(tmp_path: Path) -> None:
    ledger = Ledger(ledger_url(tmp_path))
    with ledger._engine.connect() as one, ledger._engine.connect() as other:
        for connection in (one, other):
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
    ledger.close()


def test_a_single_event_is_committed_at_once_and_a_backlog_in_groups(tmp_path: Path, broker: RunningBroker) -> None:
    groups: list[int] = []
    hub = Hub(
        tmp_path, venue="hall", key=HUB_KEY, kiosks=KEYS, host="127.0.0.1", port=broker.port,
        before_commit=lambda: groups.append(1),
    )  # fmt: skip
    kiosk = FakeKiosk("K-01")
    events = [kiosk.say(bodies.DirectorCalled(reason=f"{n}")) for n in range(122)]
    hub.start()
    hub.receive(TOPICS.kiosk("K-01", "evt"), encode_event(events[0]))
    until(lambda: event_id(events[0]) in held(hub))  # what a hub writes down at its start is behind it
    groups.clear()
    hub.receive(TOPICS.kiosk("K-01", "evt"), encode_event(events[1]))
    until(lambda: event_id(events[1]) in held(hub))
    alone = len(groups)
    blocked = threading.Event()

    def busy() -> None:
        blocked.wait(60)

    hub.subscribe(busy)
    hub.receive(TOPICS.kiosk("K-01", "evt"), encode_event(events[2]))
    until(lambda: event_id(events[2]) in held(hub))
    groups.clear()
    for event in events[3:]:
        hub.receive(TOPICS.kiosk("K-01", "evt"), encode_event(event))
    blocked.set()
    until(lambda: hub.ledger.head is not None and hub.ledger.head.id == event_id(events[-1]))
    hub.stop()
    assert alone == 1
    assert 1 <= len(groups) <= 3
    assert lines_of(tmp_path, kiosk) == [event_id(event) for event in events]


def other_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 7")


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (cut, "ledger-damaged"),
        (garbage_page, "ledger-damaged"),
        (emptied, "ledger-damaged"),
        (other_version, "other-version"),
    ],
)
def test_a_damaged_ledger_is_a_sentence_and_is_left_as_it_is(
    tmp_path: Path, damage: Callable[[Path], None], code: str
) -> None:
    ledger = Ledger(ledger_url(tmp_path))
    kiosk = FakeKiosk("K-01")
    ledger.append([Pending(kiosk.say(bodies.DirectorCalled(reason="x" * 200)), 1) for _ in range(60)])
    ledger.close()
    path = tmp_path / "ledger.sqlite"
    damage(path)
    before = path.read_bytes()
    with pytest.raises(LedgerError) as refused:
        Ledger(ledger_url(tmp_path))
    assert refused.value.code == code
    assert "left as it is" in refused.value.message
    assert path.read_bytes() == before
