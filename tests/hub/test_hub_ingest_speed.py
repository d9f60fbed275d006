"""What makes ingest fast changes nothing of what it decides: payloads that come again, tables that nobody touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import BOXES, KEYS, TOPICS, Bench

from hub.accepting.accept import Duplicate
from hub.accepting.lately import Lately
from hub.accepting.received import Received
from hub.errors import LedgerError
from hub.line.desired import Wanted, wanted
from hub.line.flow import FLOOD, SHUT_SECONDS, Allowance, Flow
from hub.line.presence import Roll
from hub.line.publications import Publications
from hub.tournament.state import Tournament
from tallybox.envelope import encode_event
from tallybox.events import table as bodies
from tallybox.messages import KioskState, Room, decode


def test_what_comes_again_in_the_same_bytes_is_acked_again_and_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path)
    [kiosk, _other] = bench.create()
    claim = kiosk.claim()
    first = bench.ack(claim)
    lines = bench.ledger.head_seq
    monkeypatch.setattr("hub.accepting.looking.look", None)
    assert bench.ack(claim) == first
    assert bench.ledger.head_seq == lines


def test_the_same_bytes_on_another_topic_or_under_another_key_are_judged(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    [kiosk, other] = bench.create()
    claim = kiosk.claim()
    bench.take(claim)
    [elsewhere] = bench.keeper.take([Received(TOPICS.kiosk(other.box, "evt"), encode_event(claim))])
    assert (elsewhere.ack.fault is not None, elsewhere.ack.fault and elsewhere.ack.fault.code) == (True, "wrong-topic")
    known = KEYS[kiosk.box]
    try:
        KEYS[kiosk.box] = KEYS[other.box]
        revoked = bench.ack(claim)
    finally:
        KEYS[kiosk.box] = known
    assert revoked.fault is not None
    assert revoked.fault.code == "bad-signature"


def test_what_could_not_be_committed_is_not_taken_for_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(tmp_path)
    [kiosk, _other] = bench.create()
    claim = kiosk.claim()

    def full(*_: object) -> None:
        raise LedgerError("ledger-unwritable", "The disk is full.")

    with monkeypatch.context() as failing:
        failing.setattr(bench.ledger, "append", full)
        with pytest.raises(LedgerError):
            bench.take(claim)
    assert bench.ack(claim).upto == 1
    assert [line.event["type"] for line in bench.told[-2:]] == ["claim.made", "tenure.granted"]


def test_a_branch_that_comes_again_is_acked_as_a_branch_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    [kiosk, _other] = bench.create()
    bench.seat(kiosk)
    image, before = kiosk.head, kiosk.state
    bench.take(kiosk.say(bodies.DirectorCalled()))
    kiosk.head, kiosk.state = image, before
    twin = kiosk.say(bodies.DirectorCalled(reason="again"))
    first = bench.ack(twin)
    assert first.branch
    assert bench.ack(twin) == first


def test_only_so_many_payloads_are_remembered_and_the_oldest_go_first() -> None:
    lately = Lately(most=2)
    marks = [lately.mark("key", "topic", bytes([number])) for number in range(3)]
    for mark in marks:
        lately.keep([(mark, Duplicate("K-01", "e1"))])
    assert [lately.find(mark) is not None for mark in marks] == [False, True, True]


def test_a_table_that_something_was_entered_at_is_the_only_one_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path)
    kiosks = bench.create(teams=8)
    bench.seat(kiosks[2])
    asked: list[str] = []
    publications = Publications(TOPICS, BOXES)
    publications.changed(bench.keeper.tournament, bench.keeper.rev)

    def counted(tournament: Tournament, box: str) -> Wanted:
        asked.append(box)
        return wanted(tournament, box)

    monkeypatch.setattr("hub.line.publications.wanted", counted)
    bench.take(kiosks[2].say(bodies.DirectorCalled()))
    assert publications.changed(bench.keeper.tournament, bench.keeper.rev) == []
    assert asked == [kiosks[2].box]


def test_scores_that_change_one_after_the_other_are_published_at_most_twice_a_second_and_the_last_always(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path)
    [kiosk, other] = bench.create()
    publications = Publications(TOPICS, BOXES)

    def standings(now: float) -> list[tuple[int, int]] | None:
        """What the room is told of the standings at ``now``: teams and hands won; ``None``: nothing."""
        told = publications.changed(bench.keeper.tournament, bench.keeper.rev, now)
        rooms = [decode(each.payload, Room) for each in told if each.topic == TOPICS.room]
        return [(row.team, row.hands_won) for row in rooms[0].standings] if rooms else None

    for each in (kiosk, other):
        bench.seat(each)
    bench.director.start_clock("dana")
    for each in (kiosk, other):
        each.told(bench.desired(each.box))
        each.clock()
        bench.take(*each.sit())
    standings(100.0)
    bench.take(*kiosk.play_hand(10))
    first = standings(101.0)
    bench.take(*other.play_hand(10))
    assert (standings(101.2), publications.owing) == (None, True)
    bench.director.announce("dana", "Coffee is here.")
    at_once = standings(101.3)
    assert first is not None
    assert at_once is not None
    assert (sum(won for _, won in first), sum(won for _, won in at_once)) == (1, 2)
    bench.take(*kiosk.play_hand(11))
    assert standings(101.4) is None
    last = standings(101.8)
    assert last is not None
    assert (sum(won for _, won in last), publications.owing) == (3, False)
    assert standings(200.0) is None


def test_whatever_happens_publications_are_those_of_a_hub_that_looks_at_every_table(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    kiosks = bench.create(teams=8)
    publications, said = Publications(TOPICS, BOXES), dict[str, bytes]()

    def follow() -> None:
        now = (bench.keeper.tournament, bench.keeper.rev)
        said.update({each.topic: _without_rev(each.payload) for each in publications.changed(*now)})
        fresh = {each.topic: _without_rev(each.payload) for each in Publications(TOPICS, BOXES).changed(*now)}
        assert said == fresh

    follow()
    for kiosk in kiosks:
        bench.seat(kiosk)
        follow()
    bench.director.start_clock("dana")
    follow()
    for kiosk in kiosks:
        kiosk.told(bench.desired(kiosk.box))
        kiosk.clock()
    for step in zip(*(kiosk.play_round() for kiosk in kiosks), strict=False):
        for event in step:
            bench.take(event)
            follow()
    bench.director.lock_box("dana", kiosks[1].box, "A card is stuck.")
    follow()
    bench.director.assign_box("dana", BOXES[7], 3)
    follow()


def _without_rev(payload: bytes) -> bytes:
    head, _rev, tail = payload.partition(b'"rev":[')
    return head + tail[tail.index(b"]") :]


def test_every_box_of_a_batch_counts_as_heard_at_once() -> None:
    roll = Roll()
    for box in ("K-01", "K-02", "K-03"):
        roll.note(KioskState(v=1, kiosk=box, online=True), 1.0)
    roll.heard({"K-01", "K-03", "K-99"}, 5.0)
    assert {box: there.last_heard for box, there in roll.boxes.items()} == {"K-01": 5.0, "K-02": 1.0, "K-03": 5.0}


def test_nobody_is_shut_out_while_nobody_floods_and_whoever_does_is_until_the_end() -> None:
    flow = Flow({"K-01": "…", "K-02": "…"}, Allowance(burst=1, per_second=0, under_way=5))
    assert flow.shut(0.0) == frozenset()
    for _ in range(FLOOD + 1):
        flow.take("K-01", 0, 1.0)
    for _ in range(FLOOD + 1):
        flow.take("K-02", 0, 2.0)
    assert flow.shut(1.0 + SHUT_SECONDS - 0.1) == {"K-01", "K-02"}
    assert flow.shut(1.0 + SHUT_SECONDS) == {"K-02"}
    assert flow.shut(2.0 + SHUT_SECONDS) == frozenset()
