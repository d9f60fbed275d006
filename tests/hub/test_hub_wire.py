"""The hub on a real mosquitto: acks after commit, faults, births, desired state, and what bad input does."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hub_bench import BOXES, HUB_KEY, KEYS, roster
from hub_fake_kiosk import FakeKiosk
from hub_wire import Wire
from waiting import until

from hub.broker import RunningBroker, start_broker
from hub.errors import HubError, LedgerError
from hub.hub import Hub
from tallybox.envelope import LARGEST_EVENT, encode_event, event_id
from tallybox.events import table as bodies
from tallybox.messages import Ping, encode
from tallybox.seats import Side


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = start_broker(tmp_path / "broker", kind="mosquitto")
    yield running
    running.stop()


def make_hub(folder: Path, broker: RunningBroker) -> Hub:
    return Hub(folder / "hub", venue="hall", key=HUB_KEY, kiosks=KEYS, host=broker.host, port=broker.port)


@pytest.fixture
def hub(tmp_path: Path, broker: RunningBroker) -> Iterator[Hub]:
    made = make_hub(tmp_path, broker)
    made.start()
    until(lambda: made.connected)
    yield made
    made.stop()


@pytest.fixture
def wire(hub: Hub, broker: RunningBroker) -> Iterator[Wire]:
    assert hub.connected
    with closing(Wire("K-01", broker.port)) as made:
        yield made


def opened(hub: Hub, tables: int = 1) -> None:
    hub.director.create_tournament("dana", template="capitol-4", title="Spring Open", teams=roster(2 * tables), hands=1)
    for table in range(1, tables + 1):
        hub.director.assign_box("dana", BOXES[table - 1], table)
    hub.director.publish_round("dana")


def test_a_round_is_played_over_the_wire(hub: Hub, wire: Wire) -> None:
    opened(hub)
    kiosk = FakeKiosk("K-01")
    kiosk.told(wire.last_desired(lambda desired: desired.seating))
    wire.send([kiosk.claim()])
    kiosk.told(wire.last_desired(lambda desired: desired.tenure))
    hub.director.start_clock("dana")
    until(lambda: wire.clocks and wire.clocks[-1].state == "running")
    kiosk.clock()
    wire.send(kiosk.play_round())
    until(lambda: wire.rooms and wire.rooms[-1].standings and wire.rooms[-1].standings[0].hands_won == 1)
    hub.director.accept_sheet("mona", 1, 1)
    hub.director.end_clock("dana")
    hub.director.end_round("dana")
    released = wire.last_desired(lambda desired: desired.outcome.released)
    revs = [desired.rev for desired in wire.desired]
    assert revs == sorted(revs)
    assert released.outcome.accepted == kiosk.state.submitted
    stored = [line.id for line in hub.ledger.lines() if line.event["kiosk"] == "K-01"]
    assert stored == [event_id(event) for event in kiosk.journal]


def test_an_ack_is_sent_only_after_the_commit(hub: Hub, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    append, order = hub.ledger.append, []
    full = True

    def slow(*arguments: object) -> object:
        order.append(("commit", len(wire.acks)))
        if full:
            raise LedgerError("ledger-unwritable", "The ledger cannot be written: the disk is full.")
        return append(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(hub.ledger, "append", slow)
    event = FakeKiosk("K-01").claim()
    wire.put("evt", encode_event(event))
    until(lambda: hub.trouble is not None)
    assert wire.acks == []
    full = False
    ack = wire.ack_where(lambda ack: ack.upto == 1)
    until(lambda: hub.trouble is None)
    assert ack.id == event_id(event)
    assert {acks for _, acks in order} == {0}


def test_bad_payloads_are_quarantined_and_answered_while_play_goes_on(hub: Hub, wire: Wire) -> None:
    kiosk = FakeKiosk("K-01")
    stranger = FakeKiosk("K-02")
    bad = {
        b'{"half": ': "undecodable",
        b"x" * (LARGEST_EVENT + 1): "oversized",
        encode_event(stranger.claim()): "wrong-topic",
        encode_event(msgspec.structs.replace(kiosk.claim(), sig=stranger.journal[0].sig)): "bad-signature",
    }
    for payload in bad:
        wire.put("evt", payload)
    kiosk = FakeKiosk("K-01")
    wire.send([kiosk.claim()])
    until(lambda: len(hub.quarantine) == len(bad) and sum(ack.fault is not None for ack in wire.acks) == len(bad))
    told = {ack.fault.payload: ack.fault.code for ack in wire.acks if ack.fault}
    assert told == {hashlib.sha256(payload).hexdigest(): code for payload, code in bad.items()}
    assert {kept.payload: kept.code for kept in hub.quarantine} == told
    assert [line.event["type"] for line in hub.ledger.lines()] == ["key.trusted", "key.trusted", "claim.made"]
    assert [line.id for line in hub.ledger.lines(3)] == [kiosk.head.id]


def test_an_unknown_box_is_told_and_listed(hub: Hub, broker: RunningBroker) -> None:
    with closing(Wire("K-77", broker.port)) as stranger:
        stranger.put("evt", encode_event(FakeKiosk("K-77").claim()))
        stranger.birth("e1")
        ack = stranger.ack_where(lambda ack: ack.fault)
        assert ack.fault is not None
        assert ack.fault.code == "unknown-kiosk"
        until(lambda: len(hub.quarantine) == 2)
        assert {kept.code for kept in hub.quarantine} == {"unknown-kiosk"}
    assert hub.presence == {}


def test_a_birth_is_answered_with_what_is_held_and_noted(hub: Hub, wire: Wire) -> None:
    kiosk = FakeKiosk("K-01")
    wire.send([kiosk.claim()], resend=60)  # once: a second ack would come in between
    wire.acks.clear()
    wire.birth("e1", seq=1)
    assert wire.ack_where(lambda ack: ack.epoch == "e1").upto == 1
    presence = hub.presence["K-01"]
    assert (presence.online, presence.epoch, presence.seq, presence.unsent) == (True, "e1", 1, 0)
    wire.acks.clear()
    wire.birth("e2", unsent=1)
    wire.ack_where(lambda ack: ack.epoch == "e1")
    assert [(ack.epoch, ack.upto) for ack in wire.acks] == [("e2", 0), ("e1", 1)]


def test_a_ping_is_answered_with_the_hubs_clock(hub: Hub, wire: Wire) -> None:
    wire.put("ping", encode(Ping(v=1, mono=4_711)))
    until(lambda: wire.pongs)
    assert wire.pongs[0].mono == 4_711
    assert abs(wire.pongs[0].hub - hub.time.now()) < 5_000


def test_malformed_states_and_pings_harm_nothing(hub: Hub, wire: Wire) -> None:
    wire.put("state", b"{")
    wire.put("ping", b"[]")
    wire.put("state", encode(Ping(v=1, mono=1)))
    wire.put("ping", encode(Ping(v=1, mono=5)))
    until(lambda: wire.pongs)
    until(lambda: len(hub.quarantine) == 2)
    assert {kept.code for kept in hub.quarantine} == {"undecodable"}


def test_a_branch_is_acked_as_one(hub: Hub, wire: Wire) -> None:
    kiosk = FakeKiosk("K-01")
    first, image = kiosk.claim(), kiosk.head
    wire.send([first, kiosk.say(bodies.DirectorCalled())])
    kiosk.head = image
    wire.put("evt", encode_event(kiosk.say(bodies.DirectorCancelled())))
    ack = wire.ack_where(lambda ack: ack.branch)
    assert (ack.upto, ack.id) == (1, event_id(first))
    until(lambda: len(hub.tournament.branches) == 1)


def test_everything_is_published_again_when_the_broker_comes_back_empty(
    hub: Hub, broker: RunningBroker, tmp_path: Path
) -> None:
    opened(hub)
    assert broker.pid is not None
    os.kill(broker.pid, signal.SIGKILL)
    broker.stop()
    until(lambda: not hub.connected)
    hub.director.announce("dana", "The network is back")
    again = start_broker(tmp_path / "broker2", broker.port, kind="mosquitto")
    try:
        until(lambda: hub.connected)
        with closing(Wire("K-01", broker.port)) as late:
            late.last_desired(lambda desired: desired.seating and desired.rev == hub.rev)
            until(lambda: late.rooms and late.clocks)
            assert (late.rooms[-1].announcement, late.clocks[-1].state) == ("The network is back", "waiting")
    finally:
        again.stop()


def test_a_restored_hub_acks_at_once_and_shows_nothing_until_confirmed(hub: Hub, wire: Wire) -> None:
    opened(hub)
    wire.last_desired(lambda desired: desired.seating)
    wire.birth("e1", rev=(9, 900))
    until(lambda: hub.trouble is not None)
    shown = len(wire.desired)
    hub.director.assign_box("dana", "K-01", 2)
    kiosk = FakeKiosk("K-01")
    wire.send([kiosk.claim()])
    assert len(wire.desired) == shown
    hub.director.confirm_restored("dana", "The copy of this morning counts")
    assert wire.last_desired(lambda desired: desired.rev[0] == 10).seating is None
    assert hub.trouble is None


def test_subscribers_hear_of_changes_and_one_that_stumbles_disturbs_nobody(hub: Hub) -> None:
    heard: list[int] = []

    def stumble() -> None:
        raise RuntimeError("a page went away")

    def deadlock() -> None:
        try:
            hub.director.announce("dana", "From the wrong thread")
        except HubError as reason:
            codes.append(reason.code)

    codes: list[str] = []
    hub.subscribe(stumble)
    unsubscribe = hub.subscribe(lambda: heard.append(hub.tournament.seq))
    hub.subscribe(deadlock)
    hub.director.announce("dana", "Welcome")
    until(lambda: 2 in heard and codes)
    assert set(codes) == {"own-thread"}
    unsubscribe()
    before = len(heard)
    hub.director.announce("dana", "Welcome again")
    assert (len(heard), hub.tournament.announcement) == (before, "Welcome again")


def test_two_hubs_never_write_one_ledger(hub: Hub, tmp_path: Path, broker: RunningBroker) -> None:
    with pytest.raises(LedgerError, match="A hub is running"):
        make_hub(tmp_path, broker)
    hub.stop()
    with pytest.raises(HubError, match="not running"):
        hub.director.announce("dana", "Nobody writes this")
    second = make_hub(tmp_path, broker)
    second.start()
    until(lambda: second.connected)
    second.stop()


def test_a_table_without_a_box_hears_nothing_of_others(hub: Hub, wire: Wire) -> None:
    opened(hub, tables=2)
    desired = wire.last_desired(lambda desired: desired.seating)
    assert desired.seating is not None
    assert {side: team.number for side, team in desired.seating.teams.items()} == {Side.NS: 1, Side.EW: 2}
    assert hub.tournament.table_of("K-03") is None
