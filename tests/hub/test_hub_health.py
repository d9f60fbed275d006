"""Round trips of a hub on a real mosquitto: what comes back, what is refused in words, and what stays silent."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from commit_gate import CommitGate
from hub_bench import HUB_KEY, KEYS, TOPICS, roster
from hub_fake_kiosk import FakeKiosk
from hub_wire import Wire
from waiting import until

from hub.broker import RunningBroker, start_broker
from hub.health import RENEWED_AFTER, Way
from hub.hub import Hub
from hub.line.echo import Echo
from tallybox.envelope import encode_event
from tallybox.events import table as bodies

BACK, REFUSED, SILENT = Way.BACK, Way.REFUSED, Way.SILENT


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = start_broker(tmp_path / "broker", kind="mosquitto")
    yield running
    running.stop()


@contextmanager
def running_hub(folder: Path, broker: RunningBroker, disk: CommitGate) -> Iterator[Hub]:
    hub = Hub(
        folder / "hub", venue="hall", key=HUB_KEY, kiosks=KEYS, host=broker.host, port=broker.port, before_commit=disk
    )
    hub.start()
    try:
        until(lambda: hub.connected)
        yield hub
    finally:
        disk.open.set()
        hub.stop()


def test_a_round_trip_notes_the_time_on_disk_and_hears_itself_through_the_broker(
    tmp_path: Path, broker: RunningBroker
) -> None:
    with running_hub(tmp_path, broker, CommitGate()) as hub, closing(Wire("K-01", broker.port)) as wire:
        heard: list[bytes] = []
        wire.listen("hub/echo", heard)
        before = hub.ledger.last_mark
        made = hub.health.make()
        assert (made.ledger, made.broker, made.ready) == (BACK, BACK, True)
        assert hub.ledger.last_mark != before
        assert hub.health.last_ready == made.at
        until(lambda: hub.health.make().ready and heard)
        assert hub.health.look() is hub.health.last, "whoever asks again at once gets the same answer"


def test_a_disk_that_refuses_is_said_and_not_ready_and_comes_back_by_itself(
    tmp_path: Path, broker: RunningBroker
) -> None:
    disk = CommitGate()
    with running_hub(tmp_path, broker, disk) as hub:
        disk.full = True
        assert (hub.health.make().ledger, "disk is full" in (hub.trouble or "")) == (REFUSED, True)
        disk.full = False
        assert (hub.health.make().ledger, hub.trouble) == (BACK, None)


def test_a_disk_that_takes_a_mark_and_not_what_tables_sent_is_not_ready(tmp_path: Path, broker: RunningBroker) -> None:
    disk = CommitGate()
    with running_hub(tmp_path, broker, disk) as hub, closing(Wire("K-01", broker.port)) as wire:
        hub.director.create_tournament("dana", template="capitol-4", title="Open", teams=roster(2), hands=1)
        disk.full = True
        claim = FakeKiosk("K-01").say(bodies.DirectorCalled(reason="a question"))
        wire.put("evt", encode_event(claim))
        until(lambda: hub.trouble)
        assert hub.health.make(within=5).ledger is REFUSED
        disk.full = False
        until(lambda: hub.health.make(within=5).ledger is BACK)
        assert hub.trouble is None
        assert any(line.event["type"] == "director.called" for line in hub.ledger.lines())


def test_a_writer_that_hangs_is_silent(tmp_path: Path, broker: RunningBroker) -> None:
    disk = CommitGate()
    with running_hub(tmp_path, broker, disk) as hub:
        disk.open.clear()
        made = hub.health.make(within=0.3)
        while made.broker is not BACK:
            assert made.ledger is SILENT
            made = hub.health.make(within=0.3)
        assert made.ledger is SILENT
        disk.open.set()
        assert hub.health.make().ledger is BACK


def test_without_a_broker_the_hub_is_not_ready_and_not_silent(tmp_path: Path, broker: RunningBroker) -> None:
    with running_hub(tmp_path, broker, CommitGate()) as hub:
        broker.stop()
        until(lambda: not hub.connected)
        made = hub.health.make()
        assert (made.ledger, made.broker, made.ready) == (BACK, REFUSED, False)


def test_a_broker_that_hangs_is_not_the_hubs_silence_and_the_line_is_made_anew(
    tmp_path: Path, broker: RunningBroker
) -> None:
    with running_hub(tmp_path, broker, CommitGate()) as hub:
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGSTOP)
        try:
            assert [hub.health.make(within=0.2).broker for _ in range(RENEWED_AFTER)] == [REFUSED] * RENEWED_AFTER
            until(lambda: not hub.connected)
        finally:
            os.kill(broker.pid, signal.SIGCONT)
        until(lambda: hub.connected)
        assert hub.health.make().broker is BACK


def test_a_stopped_hub_is_silent(tmp_path: Path, broker: RunningBroker) -> None:
    with running_hub(tmp_path, broker, CommitGate()) as hub:
        assert hub.health.make().ready
    made = hub.health.make(within=0.2)
    assert (made.ledger, made.broker) == (SILENT, SILENT)


def test_an_older_echo_or_a_strangers_word_proves_nothing() -> None:
    drawn = iter((b"first", b"second"))
    echo = Echo(lambda _length: next(drawn))
    first = echo.call()
    second = echo.call()
    for payload in (first, b"", b"else"):
        echo.heard(payload)
    assert not echo.back(0.01)
    echo.heard(second)
    assert echo.back(0)


def test_no_box_hears_or_says_anything_on_the_echos_topic() -> None:
    assert TOPICS.hub_echo == "tallybox/v1/hall/hub/echo"
    assert TOPICS.parse_kiosk(TOPICS.hub_echo) is None
