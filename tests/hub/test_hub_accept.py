"""Acceptance, rules 1 to 4 of docs/journal.md, as a table and as a law."""

from __future__ import annotations

import hashlib
import json

import msgspec
import pytest
from hub_bench import KEYS, TOPICS
from hub_fake_kiosk import FakeKiosk, key_of
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.accepting.accept import Accepted, Branch, Duplicate, Gap, Quarantined, Verdict, accept
from hub.accepting.held import Held, Place
from tallybox.envelope import LARGEST_EVENT, Identified, KioskEvent, encode_event, event_id, identified
from tallybox.events import table as bodies
from tallybox.seats import Seat

TOPIC = TOPICS.kiosk("K-01", "evt")


def read(event: KioskEvent) -> Identified:
    return identified(encode_event(event))


def journal(length: int, epoch: str = "e1") -> list[KioskEvent]:
    kiosk = FakeKiosk("K-01", epoch)
    return [kiosk.say(bodies.DealerDrawn(seat=Seat.N)) for _ in range(length)]


def other_past(events: list[KioskEvent], shared: int, more: int) -> list[KioskEvent]:
    """What a box writes that was restored from an image of ``shared`` events."""
    kiosk = FakeKiosk("K-01", events[0].epoch)
    kiosk.head = type(kiosk.head)(events[0].epoch, shared, event_id(events[shared - 1]) if shared else None)
    return [kiosk.say(bodies.DealerDrawn(seat=Seat.E)) for _ in range(more)]


def keep(held: Held, verdict: Verdict) -> None:
    if isinstance(verdict, Accepted):
        held.add("K-01", verdict.id, Place(verdict.event.epoch, verdict.event.seq))
    elif isinstance(verdict, Branch):
        held.add("K-01", verdict.id, Place(verdict.event.epoch, verdict.event.seq, verdict.common))


def holding(events: list[KioskEvent]) -> Held:
    held = Held()
    for event in events:
        verdict = judge(held, event)
        assert isinstance(verdict, Accepted | Branch)
        keep(held, verdict)
    return held


def judge(held: Held, event: KioskEvent) -> Verdict:
    return accept(held, KEYS, TOPICS, TOPIC, encode_event(event))


def test_the_next_event_is_accepted_and_nothing_else_changes() -> None:
    events = journal(3)
    assert judge(holding(events[:2]), events[2]) == Accepted(*read(events[2]))


def test_the_same_event_again_is_a_duplicate() -> None:
    events = journal(3)
    assert [judge(holding(events), event) for event in events] == [Duplicate("K-01", "e1")] * 3


def test_an_event_past_a_gap_is_not_taken() -> None:
    events = journal(4)
    assert judge(holding(events[:1]), events[2]) == Gap("K-01", "e1")
    assert judge(holding([]), events[1]) == Gap("K-01", "e1")


def test_another_event_at_a_known_seq_opens_a_branch_at_the_last_common_event() -> None:
    events = journal(5)
    fork = other_past(events, 2, 1)[0]
    assert judge(holding(events), fork) == Branch(*read(fork), 2)


def test_a_branch_goes_on_past_the_main_journal_and_is_acked_again_as_a_branch() -> None:
    events = journal(3)
    fork = other_past(events, 1, 4)
    held = holding([*events, *fork[:3]])
    assert judge(held, fork[3]) == Branch(*read(fork[3]), 1)
    assert judge(held, fork[2]) == Duplicate("K-01", "e1", 1)
    assert judge(holding([*events, fork[0]]), fork[3]) == Gap("K-01", "e1")


def test_a_next_event_whose_prev_is_not_the_one_held_opens_a_branch() -> None:
    events = journal(3)
    stranger = other_past(events, 2, 2)[1]
    assert stranger.seq == 4
    assert judge(holding(events), stranger) == Branch(*read(stranger), 0)


def test_another_first_event_opens_a_branch_with_nothing_in_common() -> None:
    events = journal(2)
    first = other_past(events, 0, 1)[0]
    assert judge(holding(events), first) == Branch(*read(first), 0)


@pytest.mark.parametrize("parent", [0, 2, 3])
def test_a_new_epoch_follows_a_known_event_or_none(parent: int) -> None:
    events = journal(3)
    kiosk = FakeKiosk("K-01", "e2")
    kiosk.head = type(kiosk.head)("e2", 0, event_id(events[parent - 1]) if parent else None)
    first = kiosk.say(bodies.ClaimMade())
    assert judge(holding(events), first) == Accepted(*read(first))


def test_a_new_epoch_waits_for_a_parent_that_is_not_here_yet() -> None:
    events = journal(3)
    kiosk = FakeKiosk("K-01", "e2")
    kiosk.head = type(kiosk.head)("e2", 0, event_id(events[2]))
    first = kiosk.say(bodies.ClaimMade())
    assert judge(holding(events[:2]), first) == Gap("K-01", "e2")


def quarantined(topic: str, payload: bytes) -> tuple[str | None, str, str]:
    verdict = accept(Held(), KEYS, TOPICS, topic, payload)
    assert isinstance(verdict, Quarantined)
    assert verdict.message.endswith(".")
    return verdict.box, verdict.code, verdict.payload


def test_what_is_not_authentic_or_not_readable_is_quarantined_with_its_hash() -> None:
    event = journal(1)[0]
    good = encode_event(event)
    forged = msgspec.structs.replace(event, sig=FakeKiosk("K-02").claim().sig)
    changed = msgspec.structs.replace(event, round=9)
    unknown = FakeKiosk("K-99").claim()
    fraction = json.dumps(json.loads(good) | {"body": {"seat": 0.5}}).encode()
    cases = {
        (TOPIC, b"{"): ("K-01", "undecodable"),
        (TOPIC, b"\xff\xfe"): ("K-01", "undecodable"),
        (TOPIC, b"[" * 50_000): ("K-01", "undecodable"),
        (TOPIC, b" " * (LARGEST_EVENT + 1)): ("K-01", "oversized"),
        (TOPIC, fraction): ("K-01", "not-canonical"),
        (TOPIC, encode_event(forged)): ("K-01", "bad-signature"),
        (TOPIC, encode_event(changed)): ("K-01", "bad-signature"),
        (TOPICS.kiosk("K-02", "evt"), good): ("K-02", "wrong-topic"),
        (TOPICS.kiosk("K-99", "evt"), encode_event(unknown)): ("K-99", "unknown-kiosk"),
        (TOPICS.kiosk("K-01", "state"), good): (None, "wrong-topic"),
        ("elsewhere", good): (None, "wrong-topic"),
    }
    for (topic, payload), (box, code) in cases.items():
        assert quarantined(topic, payload) == (box, code, hashlib.sha256(payload).hexdigest())


def test_a_box_that_calls_itself_the_hub_is_not_known() -> None:
    kiosk = FakeKiosk("hub")
    kiosk.key = key_of("K-01")
    assert quarantined(TOPICS.kiosk("hub", "evt"), encode_event(kiosk.claim()))[:2] == ("hub", "unknown-kiosk")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 11), max_size=60))
def test_whatever_the_order_of_delivery_a_journal_is_held_once_and_in_order(order: list[int]) -> None:
    events = journal(12)
    held = Held()
    for index in [*order, *range(12)]:
        keep(held, judge(held, events[index]))
    assert [held.at("K-01", "e1", seq) for seq in range(1, 13)] == [event_id(event) for event in events]
    assert (held.upto("K-01", "e1"), held.at("K-01", "e1", 13), held.epochs("K-01")) == (12, None, ("e1",))


def test_a_failed_commit_is_forgotten() -> None:
    events = journal(3)
    held = holding(events)
    held.forget("K-01", event_id(events[2]))
    assert judge(held, events[2]) == Accepted(*read(events[2]))
    for event in reversed(events[:2]):
        held.forget("K-01", event_id(event))
    assert (held.upto("K-01", "e1"), held.epochs("K-01")) == (0, ())
