"""What one box may send: bounds that honest boxes never meet, and a flood that delays nobody else."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hub_bench import HUB_KEY, KEYS, TOPICS
from hub_fake_kiosk import FakeKiosk
from hub_wire import Wire
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import until

from deploy.mosquitto.configuration import (
    INFLIGHT,
    LARGEST_PACKET,
    LONGEST_KEEPALIVE,
    QUEUED,
    QUEUED_BYTES,
    SPARE_CONNECTIONS,
)
from deploy.room import LARGEST_FILE
from hub.broker import RunningBroker, start_broker
from hub.hub import Hub
from hub.line.arrivals import QUEUE_MOST
from hub.line.flow import BOX, FLOOD, REMEMBERED_SECONDS, SHUT_SECONDS, SIGNS, STRANGERS, UNIT, Allowance, Flow
from hub.record.ledger import FIRST_BYTES, QUARANTINE_KEPT
from hub.web.guard import LARGEST_BODY, MOST_FIELDS
from hub.web.live import MOST_LISTENERS
from tallybox.envelope import LARGEST_EVENT, event_id
from tallybox.events import table as bodies
from tallybox.messages import LARGEST_MESSAGE, Ping, encode

BOXES = {"K-01": "…", "K-02": "…"}
UNHEARD = "elsewhere/evt"
"""A topic that no hub listens to."""


def test_a_box_may_send_its_burst_at_once_and_then_what_is_refilled() -> None:
    flow = Flow(BOXES, Allowance(burst=10, per_second=2, under_way=100))
    assert [flow.take("K-01", 0, 5.0) for _ in range(12)] == [True] * 10 + [False] * 2
    assert [flow.take("K-01", 0, 6.0) for _ in range(3)] == [True, True, False]
    assert [flow.take("K-01", 0, 100.0) for _ in range(11)] == [True] * 10 + [False]


def test_births_and_pings_have_a_small_allowance_of_their_own() -> None:
    flow = Flow(BOXES)
    assert [flow.take("K-01", 0, 0.0, sign=True) for _ in range(SIGNS.burst + 1)] == [True] * SIGNS.burst + [False]
    assert flow.take("K-01", 0, 0.0)
    assert [flow.take("K-01", 0, 1.0, sign=True) for _ in range(6)] == [True] * 5 + [False]


def test_large_payloads_cost_more() -> None:
    flow = Flow(BOXES, Allowance(burst=10, per_second=0, under_way=100))
    assert flow.take("K-01", 8 * UNIT, 0.0)
    assert not flow.take("K-01", UNIT, 0.0)
    assert flow.take("K-01", UNIT - 1, 0.0)


def test_a_whole_days_outbox_with_its_signatures_passes_at_once() -> None:
    flow = Flow(BOXES)
    day = [600] * 2_000 + [16_384] * 20
    for at, size in enumerate(day):
        assert flow.take("K-01", size, at / 5_000, waits=True)
        flow.done("K-01")
    assert (flow.put_off, flow.sentence(1.0)) == (0, None)


def test_what_waits_to_be_written_is_bounded_for_each_box_alone() -> None:
    flow = Flow(BOXES, Allowance(burst=100, per_second=0, under_way=3))
    assert [flow.take("K-01", 0, 0.0, waits=True) for _ in range(4)] == [True, True, True, False]
    assert flow.take("K-02", 0, 0.0, waits=True)
    assert flow.take("K-01", 0, 0.0), "a ping waits for nobody"
    flow.done("K-01")
    assert flow.take("K-01", 0, 0.0, waits=True)


def test_strangers_share_one_small_allowance_and_leave_nothing_behind() -> None:
    flow = Flow(BOXES)
    taken = sum(flow.take(f"X-{number}", 0, 0.0) for number in range(10_000))
    assert taken == STRANGERS.burst
    assert flow.take(None, 0, 0.0) is False
    assert flow.take("K-01", 0, 0.0)
    assert len(flow._buckets) == 2


def test_the_director_is_told_who_floods_for_as_long_as_it_matters() -> None:
    flow = Flow(BOXES, Allowance(burst=1, per_second=0, under_way=10))
    assert flow.sentence(0.0) is None
    for box in ("K-02", "K-02", "K-01", "K-01"):
        flow.take(box, 0, 0.0)
    said = flow.sentence(1.0)
    assert said is not None
    assert said.startswith("Boxes K-01, K-02 send far more than a table has to say.")
    assert flow.sentence(REMEMBERED_SECONDS + 0.1) is None


def test_a_flood_is_shut_out_for_a_while_and_an_outbox_never_is() -> None:
    flow = Flow(BOXES, Allowance(burst=10, per_second=1, under_way=5))
    for at in range(FLOOD + 9):
        flow.take("K-01", 0, at / 1_000)
    assert flow.shut(1.0) == frozenset()
    flow.take("K-01", 0, 0.6)
    assert flow.shut(1.0) == {"K-01"}
    assert flow.shut(0.6 + SHUT_SECONDS) == frozenset()
    again = [flow.take("K-01", 0, 1.0 + SHUT_SECONDS) for _ in range(8)]
    assert again == [True] * 5 + [False] * 3, "who comes back gets no new burst"
    patient = Flow(BOXES, Allowance(burst=0, per_second=0, under_way=5))
    for resend in range(100):
        for _ in range(50):
            patient.take("K-02", 0, 2.0 * resend)
    assert patient.shut(200.0) == frozenset()


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["K-01", "K-02", "X"]), st.integers(0, 70_000), st.floats(0, 50))))
def test_nobody_ever_gets_more_than_burst_and_refill(sent: list[tuple[str, int, float]]) -> None:
    flow = Flow(BOXES, Allowance(burst=20, per_second=3, under_way=10), Allowance(burst=5, per_second=1, under_way=10))
    now, spent = 0.0, {"K-01": 0, "K-02": 0, "X": 0}
    for box, size, wait in sent:
        now += wait
        if flow.take(box, size, now):
            spent[box] += 1 + size // UNIT
    assert spent["K-01"] <= 20 + 3 * now + 1e-6
    assert spent["K-02"] <= 20 + 3 * now + 1e-6
    assert spent["X"] <= 5 + now + 1e-6


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = start_broker(tmp_path / "broker", kind="mosquitto")
    yield running
    running.stop()


@pytest.fixture
def hub(tmp_path: Path, broker: RunningBroker) -> Iterator[Hub]:
    made = Hub(tmp_path / "hub", venue="hall", key=HUB_KEY, kiosks=KEYS, host=broker.host, port=broker.port)
    made.start()
    until(lambda: made.connected)
    yield made
    made.stop()


@contextmanager
def flood(broker: RunningBroker, topic: str, payload: Path, qos: int) -> Iterator[None]:
    """mosquitto's own client sends as fast as it can."""
    words = ["-p", str(broker.port), "-t", topic, "-q", str(qos), "-f", str(payload), "--repeat", "100000000"]
    process = subprocess.Popen(["mosquitto_pub", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
        assert process.poll() is None, "the flood had ended before"
    finally:
        process.kill()
        process.wait(10)


def round_trips(wire: Wire, kiosk: FakeKiosk, count: int) -> float:
    """Median seconds from publishing an event to the ack that covers it, one event at a time.

    What a flood costs the machine and its broker is no matter of the hub: compare with a flood that it does not hear.
    """
    took = []
    for _ in range(count):
        event = kiosk.say(bodies.DirectorCalled() if kiosk.head.seq % 2 else bodies.DirectorCancelled())
        began = time.monotonic()
        wire.send([event], seconds=100)
        took.append(time.monotonic() - began)
    return sorted(took)[count // 2]


@pytest.mark.timeout(400)
@pytest.mark.parametrize("qos", [0, 1])
@pytest.mark.parametrize("size", [20, LARGEST_EVENT - 1])
def test_a_box_that_floods_is_named_and_shut_out_and_holds_no_other_up(
    hub: Hub, broker: RunningBroker, tmp_path: Path, size: int, qos: int
) -> None:
    junk = tmp_path / "junk"
    junk.write_bytes(b"x" * size)
    with closing(Wire("K-02", broker.port)) as wire:
        honest = FakeKiosk("K-02")
        with flood(broker, UNHEARD, junk, qos):
            quiet = round_trips(wire, honest, 20)
        with flood(broker, TOPICS.kiosk("K-01", "evt"), junk, qos):
            until(lambda: (hub.trouble or "").startswith("Box K-01 sends far more than a table has to say."))
            busy = round_trips(wire, honest, 40)
        assert busy < 0.2 + 10 * quiet
        assert len(hub.quarantine) == 1, "the same payload is kept once"


def test_a_box_that_stopped_flooding_is_heard_again_and_nothing_of_it_is_lost(
    hub: Hub, broker: RunningBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.line.flow.SHUT_SECONDS", 2.0)
    junk = tmp_path / "junk"
    junk.write_bytes(b"junk")
    with closing(Wire("K-01", broker.port)) as wire:
        own = FakeKiosk("K-01")
        with flood(broker, TOPICS.kiosk("K-01", "evt"), junk, 1):
            until(lambda: hub.trouble is not None)
        wire.send([own.claim(), own.say(bodies.DirectorCalled())])
        kept = [line.id for line in hub.ledger.lines() if line.event["kiosk"] == "K-01"]
        assert kept == [event_id(event) for event in own.journal]


@pytest.mark.timeout(400)
def test_a_flood_of_pings_and_states_is_put_off_too(hub: Hub, broker: RunningBroker, tmp_path: Path) -> None:
    ping = tmp_path / "ping"
    ping.write_bytes(encode(Ping(v=1, mono=1)))
    with closing(Wire("K-02", broker.port)) as wire:
        honest = FakeKiosk("K-02")
        with flood(broker, UNHEARD, ping, 0):
            quiet = round_trips(wire, honest, 10)
        for leaf in ("ping", "state"):
            with flood(broker, TOPICS.kiosk("K-01", leaf), ping, 0):
                until(lambda: hub.trouble is not None)
                assert round_trips(wire, honest, 20) < 0.2 + 10 * quiet


@pytest.mark.timeout(400)
def test_strangers_on_ever_new_topics_are_put_off_and_hold_nobody_up(hub: Hub, broker: RunningBroker) -> None:
    began = time.monotonic()
    with closing(Wire("X-00", broker.port)) as stranger, closing(Wire("K-02", broker.port)) as wire:
        for number in range(2_000):
            stranger.box = f"X-{number}"
            stranger.put("evt", b"junk %d" % number)
        until(lambda: hub.trouble is not None)
        assert hub.trouble is not None
        assert hub.trouble.startswith("Somebody whom the hub does not know sends it far too much.")
        assert round_trips(wire, FakeKiosk("K-02"), 20) < 2.0
        assert len(hub.quarantine) <= STRANGERS.burst + (time.monotonic() - began) * STRANGERS.per_second


def test_the_bounds_are_what_the_document_says() -> None:
    text = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
    rows = [
        f"| {BOX.burst:,} payloads at once, {BOX.per_second} a second after that, {BOX.under_way} waiting",
        f"every {UNIT:,} bytes count as one more",
        f"| {SIGNS.burst} at once, {SIGNS.per_second} a second after that |",
        f"| {STRANGERS.burst} payloads at once, {STRANGERS.per_second} a second after that, together |",
        f"a flood: {FLOOD} payloads put off without a pause of a second | ",
        f"| the hub does not listen to that box for {SHUT_SECONDS:.0f} s",
        f"| MQTT packet | {LARGEST_PACKET:,} bytes |",
        f"| messages waiting at the broker, for each client | {QUEUED:,}, {QUEUED_BYTES >> 20} MiB; {INFLIGHT:,} under",
        f"| connections | boxes + {SPARE_CONNECTIONS} |",
        f"| keep-alive | {LONGEST_KEEPALIVE} s at most |",
        f"| event | {LARGEST_EVENT:,} bytes |",
        f"| message | {LARGEST_MESSAGE:,} bytes |",
        f"| payloads waiting to be written, all boxes | {QUEUE_MOST:,} |",
        f"the newest {QUARANTINE_KEPT}, {FIRST_BYTES} bytes of each",
        f"| form of the dashboard | {LARGEST_BODY:,} bytes, {MOST_FIELDS} fields |",
        f"| browsers that listen for changes | {MOST_LISTENERS} |",
        f"| settings files of a room | {LARGEST_FILE:,} bytes |",
    ]
    assert [row for row in rows if row not in text] == []
