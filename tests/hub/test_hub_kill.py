"""A hub killed with SIGKILL in mid-stream, again and again: nothing acked is lost, nothing counts twice."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hub_bench import HUB_KEY, KEYS
from hub_fake_kiosk import FakeKiosk
from hub_wire import Wire
from waiting import until

from hub.broker import RunningBroker, start_broker
from hub.hub import Hub
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger
from tallybox.envelope import event_id
from tallybox.events import table as bodies
from tallybox.ledger_line import FIRST_PREV, line_hash

HERE = Path(__file__).parent


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = start_broker(tmp_path / "broker", kind="mosquitto")
    yield running
    running.stop()


def start_hub(folder: Path, broker: RunningBroker) -> subprocess.Popen[bytes]:
    roots = os.pathsep.join([str(HERE), str(HERE.parents[1])])
    return subprocess.Popen(
        [sys.executable, str(HERE / "hub_process.py"), str(folder), str(broker.port)],
        env={**os.environ, "PYTHONPATH": roots}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def test_a_hub_killed_in_mid_stream_stores_every_event_exactly_once(tmp_path: Path, broker: RunningBroker) -> None:
    folder = tmp_path / "hub"
    boxes = [FakeKiosk("K-01"), FakeKiosk("K-02")]
    journals = [[kiosk.say(bodies.DirectorCalled(reason=f"{n}")) for n in range(240)] for kiosk in boxes]
    wires = [Wire(kiosk.box, broker.port) for kiosk in boxes]
    senders = [
        threading.Thread(target=stream, args=(wire, journal)) for wire, journal in zip(wires, journals, strict=True)
    ]
    hub = start_hub(folder, broker)
    for sender in senders:
        sender.start()
    for acked in (60, 150):
        until(lambda acked=acked: held(wires[0]) >= acked)  # type: ignore[misc]
        promised = [held(wire) for wire in wires]
        hub.kill()
        hub.wait(timeout=30)
        ledger = Ledger(ledger_url(folder))
        stored = [line.event["kiosk"] for line in ledger.lines()]
        ledger.close()
        assert all(stored.count(kiosk.box) >= upto for kiosk, upto in zip(boxes, promised, strict=True))
        hub = start_hub(folder, broker)
    for sender in senders:
        sender.join(timeout=80)
    hub.kill()
    hub.wait(timeout=30)
    for wire in wires:
        wire.close()
    ledger = Ledger(ledger_url(folder))
    lines = list(ledger.lines())
    for kiosk, journal in zip(boxes, journals, strict=True):
        assert [line.id for line in lines if line.event["kiosk"] == kiosk.box] == [event_id(e) for e in journal]
    assert [line.prev_hash for line in lines] == [FIRST_PREV, *(line.hash for line in lines[:-1])]
    assert all(line.hash == line_hash(line) for line in lines)


def stream(wire: Wire, journal: list[object]) -> None:
    """Ten events at a time, each group resent until it is acked."""
    for first in range(0, len(journal), 10):
        wire.send(journal[first : first + 10], resend=0.3)  # type: ignore[arg-type]


def held(wire: Wire) -> int:
    return max((ack.upto for ack in wire.acks), default=0)


def test_a_stopped_hub_says_goodbye_and_a_killed_one_is_missed(tmp_path: Path, broker: RunningBroker) -> None:
    hub = Hub(tmp_path / "a", venue="hall", key=HUB_KEY, kiosks=KEYS, host=broker.host, port=broker.port)
    hub.start()
    until(lambda: hub.connected)
    with closing(Wire("K-01", broker.port)) as wire:
        heard: list[bytes] = []
        wire.listen("hub/state", heard)
        until(lambda: heard)
        until(lambda: b'"online":true' in heard[-1])
        hub.stop()
        until(lambda: b'"online":false' in heard[-1])
        process = start_hub(tmp_path / "b", broker)
        until(lambda: b'"online":true' in heard[-1])
        process.kill()
        process.wait(timeout=30)
        until(lambda: b'"online":false' in heard[-1])
