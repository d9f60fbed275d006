"""Whatever comes in and does not count has a place at the desk: each kind of docs/journal.md, Accepting."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import get_args

import httpx
import pytest
from hub_bench import HUB_KEY, KEYS, TOPICS, Watch, roster
from hub_fake_kiosk import FakeKiosk
from waiting import until

from hub.accepting.accept import Accepted, Branch, Duplicate, FaultCode, Gap, Quarantined, Verdict
from hub.accepting.items import Heartbeat
from hub.hub import Hub
from hub.line.desired import desired_for
from hub.web.app import create_app
from hub.web.serve import serve
from tallybox.envelope import LARGEST_EVENT, KioskEvent, encode_event
from tallybox.events import table as bodies
from tallybox.messages import KioskState
from tallybox.seats import Seat
from tallybox.signing import SigningKey

WATCH = Watch()


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    running = Hub(
        tmp_path_factory.mktemp("hub"), venue="hall", key=HUB_KEY, kiosks=KEYS, host="127.0.0.1", port=1,
        monotonic=lambda: WATCH.mono, wall=lambda: WATCH.wall,
    )  # fmt: skip
    running.start()
    running.director.create_tournament("dana", template="capitol-4", title="Spring", teams=roster(4), hands=2)
    running.director.assign_box("dana", "K-01", 1)
    running.director.assign_box("dana", "K-02", 2)
    running.director.publish_round("dana")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def desk(hub: Hub) -> Iterator[httpx.Client]:
    server = serve(create_app(hub), port=0)
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client
    server.stop()


def seated(hub: Hub, box: str) -> FakeKiosk:
    kiosk = FakeKiosk(box)
    kiosk.told(desired_for(hub.tournament, box, hub.rev))
    hub.receive(TOPICS.kiosk(box, "evt"), encode_event(kiosk.claim()))
    until(lambda: desired_for(hub.tournament, box, hub.rev).tenure is not None)
    kiosk.told(desired_for(hub.tournament, box, hub.rev))
    return kiosk


def send(hub: Hub, kiosk: FakeKiosk, *events: KioskEvent) -> None:
    for event in events:
        hub.receive(TOPICS.kiosk(kiosk.box, "evt"), encode_event(event))


def page(desk: httpx.Client, path: str) -> str:
    answer = desk.get(path)
    assert answer.status_code == 200
    return " ".join(html.unescape(answer.text).split())


@pytest.mark.parametrize("code", get_args(FaultCode))
def test_what_is_set_aside_is_on_the_page_of_calls_and_of_its_box(hub: Hub, desk: httpx.Client, code: str) -> None:
    about = "K-99" if code == "unknown-kiosk" else "K-03"
    before = len(hub.quarantine)
    WATCH.pass_by(1)
    hub.receive(TOPICS.kiosk(about, "evt"), set_aside(code))
    until(lambda: len(hub.quarantine) > before)
    assert hub.quarantine[0].code == code
    assert f"({code})" in page(desk, "/calls")
    assert f"Box {about}: set aside" in page(desk, "/calls")
    if about in KEYS:
        assert code in page(desk, f"/devices/{about}")


def set_aside(code: str) -> bytes:
    """A payload on the topic of K-03 (or of a box that nobody knows) that is refused for this reason."""
    other = FakeKiosk("K-04")
    mine = FakeKiosk("K-03")
    event = encode_event(mine.say(bodies.DirectorCalled()))
    match code:
        case "undecodable":
            return b"no event"
        case "oversized":
            return b" " * (LARGEST_EVENT + 1)
        case "not-canonical":
            return event.replace(b'"body":{}', b'"body":{"reason":1.5}')
        case "bad-signature":
            mine.key = SigningKey(b"another".ljust(32, b"."))
            return encode_event(mine.say(bodies.DirectorCalled()))
        case "wrong-topic":
            return encode_event(other.say(bodies.DirectorCalled()))
    return encode_event(FakeKiosk("K-99").say(bodies.DirectorCalled()))


def test_every_verdict_has_its_place_here() -> None:
    """What is accepted, or held already, needs none; whoever adds a kind finds that it has to be shown."""
    assert set(get_args(Verdict)) == {Accepted, Duplicate, Branch, Gap, Quarantined}


def test_a_branch_is_in_the_room_among_the_calls_and_side_by_side_on_its_box(hub: Hub, desk: httpx.Client) -> None:
    kiosk = seated(hub, "K-01")
    copy = FakeKiosk("K-01")
    copy.told(desired_for(hub.tournament, "K-01", hub.rev))
    send(hub, copy, copy.say(bodies.DirectorCalled(reason="from an old card")))
    until(lambda: hub.tournament.branches)
    assert kiosk.head.seq == 1
    assert "Two pasts" in page(desk, "/")
    assert "Box K-01: two pasts" in page(desk, "/calls")
    assert "Two journals of K-01" in page(desk, "/devices/K-01")


def test_what_the_rules_refuse_is_in_the_room_and_among_the_calls_with_its_reason(hub: Hub, desk: httpx.Client) -> None:
    kiosk = seated(hub, "K-02")
    send(hub, kiosk, kiosk.say(bodies.CallMade(hand=7, seat=Seat.N, call="4", source="typed")))
    until(lambda: any(refusal.box == "K-02" for refusal in hub.tournament.refusals))
    refusal = next(refusal for refusal in hub.tournament.refusals if refusal.box == "K-02")
    assert "Refused" in page(desk, "/")
    assert "Table 2: refused" in page(desk, "/calls")
    assert refusal.message in page(desk, "/calls")


def test_a_gap_is_told_by_the_entries_that_wait_in_its_box(hub: Hub, desk: httpx.Client) -> None:
    """Nothing past a gap is taken; the box keeps it, and says how much waits."""
    kiosk = FakeKiosk("K-05")
    first, later = (kiosk.say(bodies.DirectorCalled(reason=f"{n}")) for n in range(2))
    before = hub.ledger.head_seq
    send(hub, kiosk, later)
    hub._writer.put(Heartbeat(KioskState(v=1, kiosk="K-05", online=True, epoch="e1", seq=2, unsent=2)))
    until(lambda: "K-05" in hub.presence)
    assert hub.ledger.head_seq == before
    page(desk, "/devices")
    WATCH.pass_by(16)
    assert "Unsent" in page(desk, "/devices")
    assert "1 box needs somebody." in page(desk, "/devices") or "boxes need somebody." in page(desk, "/devices")
    send(hub, kiosk, first, later)
    until(lambda: hub.ledger.head_seq >= before + 2)
