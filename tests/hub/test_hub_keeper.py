"""The record keeper on a real ledger: acks, faults, branches, the hub's own chain, restarts and restored copies."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest
from hub_bench import HUB_KEY, TOPICS, Bench, roster
from hub_fake_kiosk import FakeKiosk

from hub.accepting.keeper import Answer
from hub.accepting.received import Received
from hub.errors import HubError, LedgerError
from hub.line.publications import TOO_LONG, Publications
from hub.record.ledger import Pending
from tallybox.envelope import Fact, Head, HubEvent, KioskEvent, authentic, event_id, follow_kiosk
from tallybox.events import table as bodies
from tallybox.ledger_line import encode_line, event_of, next_line
from tallybox.messages import Ack, Desired, Fault, decode
from tallybox.seats import Seat


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def drawn(kiosk: FakeKiosk, count: int) -> list[KioskEvent]:
    return [kiosk.say(bodies.DirectorCalled(reason=f"{number}")) for number in range(count)]


def test_an_ack_names_the_last_event_without_a_gap(bench: Bench) -> None:
    kiosk = FakeKiosk("K-01")
    events = drawn(kiosk, 4)
    ack = bench.ack(events[0], events[1], events[3])
    assert (ack.epoch, ack.upto, ack.id) == ("e1", 2, event_id(events[1]))
    ack = bench.ack(events[2])
    assert (ack.upto, ack.id) == (3, event_id(events[2]))
    ack = bench.ack(*events)
    assert (ack.upto, ack.id, len(bench.told)) == (4, event_id(events[3]), 4)


def test_a_fault_names_the_payload_and_what_is_held(bench: Bench) -> None:
    kiosk = FakeKiosk("K-01")
    events = drawn(kiosk, 2)
    bench.take(*events)
    payload = b'{"v": 1'
    [answer] = bench.keeper.take([Received(TOPICS.kiosk("K-01", "evt"), payload)])
    digest = hashlib.sha256(payload).hexdigest()
    fault = answer.ack.fault
    assert isinstance(fault, Fault)
    assert answer == Answer(
        "K-01", Ack(v=1, epoch="e1", upto=2, id=event_id(events[1]), fault=Fault(
            code="undecodable", message=fault.message, payload=digest)),
    )  # fmt: skip
    [kept] = bench.keeper.quarantine
    assert (kept.payload, kept.code, kept.first_bytes, kept.topic) == (
        digest, "undecodable", payload, TOPICS.kiosk("K-01", "evt"),
    )  # fmt: skip
    assert len(bench.told) == 2


def test_an_unknown_box_gets_its_fault_though_nothing_of_it_is_held(bench: Bench) -> None:
    ack = bench.ack(FakeKiosk("K-77").claim())
    assert (ack.epoch, ack.upto, ack.id, ack.fault is not None and ack.fault.code) == ("0", 0, None, "unknown-kiosk")


def test_a_branch_is_stored_acked_at_the_fork_and_never_folded(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    image = kiosk.head
    mine = drawn(kiosk, 1)
    bench.take(*mine)
    kiosk.head = image
    fork = kiosk.say(bodies.DirectorCancelled())
    ack = bench.ack(fork)
    assert (ack.epoch, ack.upto, ack.id, ack.branch) == ("e1", image.seq, image.id, True)
    assert bench.ack(fork) == ack
    assert [event.id for event in bench.keeper.tournament.branches] == [event_id(fork)]
    assert bench.table(1, 1).journal == (mine[0],)
    bench.restart()
    assert bench.ack(fork) == ack
    kiosk.new_epoch("e2", image)
    claim = kiosk.claim()
    assert bench.ack(claim).upto == 1
    tenure = bench.table(1, 1).tenure
    assert tenure is not None
    assert (tenure.number, tenure.claim, tenure.resumes) == (2, event_id(claim), event_id(mine[0]))


def test_a_gap_in_a_new_epoch_is_answered_with_what_is_held_of_the_old_one(bench: Bench) -> None:
    kiosk = FakeKiosk("K-01")
    events = drawn(kiosk, 3)
    bench.take(*events[:1])
    kiosk.new_epoch("e2")
    first = kiosk.claim()
    answers = bench.take(first)
    assert [(answer.ack.epoch, answer.ack.upto) for answer in answers] == [("e2", 0), ("e1", 1)]
    bench.take(*events)
    assert bench.ack(first).upto == 1


def test_nothing_is_held_or_acked_when_the_commit_fails(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    kiosk = FakeKiosk("K-01")
    events = drawn(kiosk, 2)

    def refuse(*_: object) -> None:
        raise LedgerError("ledger-unwritable", "The ledger cannot be written.")

    with monkeypatch.context() as broken:
        broken.setattr(bench.ledger, "append", refuse)
        with pytest.raises(LedgerError):
            bench.take(*events)
    assert [answer.ack.upto for answer in bench.keeper.acks("K-01", "e1")] == [0]
    assert bench.ack(*events).upto == 2


def test_births_are_told_what_is_held_of_every_epoch(bench: Bench) -> None:
    kiosk = FakeKiosk("K-01")
    bench.take(*drawn(kiosk, 2))
    last = kiosk.head.id
    kiosk.new_epoch("e2")
    assert [(a.ack.epoch, a.ack.upto, a.ack.id) for a in bench.keeper.acks("K-01", "e2")] == [
        ("e2", 0, None), ("e1", 2, last),
    ]  # fmt: skip


def test_the_hubs_own_facts_are_one_signed_chain_across_restarts(bench: Bench) -> None:
    bench.create()
    bench.restart()
    bench.director.announce("dana", "Round 1 begins")
    bench.restart()
    bench.director.announce("dana", "Lunch is at noon")
    own = [event for line in bench.ledger.lines() if isinstance(event := event_of(line), HubEvent)]
    assert [event.prev for event in own] == [None, *(event_id(event) for event in own[:-1])]
    assert all(authentic(event, HUB_KEY.public) for event in own)
    assert [(event.epoch, event.seq) for event in own[-2:]] == [("2", 1), ("3", 1)]
    assert [event.type for event in own if event.body["actor"] != "dana"] == ["key.trusted"]
    assert bench.keeper.rev == (3, bench.ledger.head_seq)


def test_what_cannot_be_written_down_is_refused_in_words_and_changes_nothing(bench: Bench) -> None:
    bench.create()
    lines = bench.ledger.head_seq
    with pytest.raises(HubError, match="cannot be written down"):
        bench.director.announce("", "Nobody says this")
    for text, said in (("", "Write down"), ("x" * 300, "Shorten")):
        with pytest.raises(HubError, match=said):
            bench.director.announce("dana", text)
    with pytest.raises(HubError, match="on this hub already"):
        bench.director.create_tournament("dana", template="mso", title="Second", teams=roster(4))
    with pytest.raises(HubError, match="not known to this hub"):
        bench.director.assign_box("dana", "K-99", 1)
    with pytest.raises(HubError, match="Round 1 is not over"):
        bench.director.publish_round("dana")
    assert bench.ledger.head_seq == lines


def test_entries_that_make_no_tournament_are_refused_in_words(bench: Bench) -> None:
    for template, title, teams, said in (
        ("chess", "Open", roster(4), "Choose capitol-4"),
        ("mso", "Open", roster(1), "at least two teams"),
        ("mso", "Open", roster(2) + roster(1), "same number"),
        ("mso", " ", roster(4), "no title"),
    ):
        with pytest.raises(HubError, match=said):
            bench.director.create_tournament("dana", template=template, title=title, teams=teams)
    assert bench.ledger.head_seq == 0


def test_an_event_that_this_version_does_not_know_is_kept_and_refused(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    at = kiosk.journal[0].at
    for fact in (Fact("cards.juggled", {"balls": 3}), Fact("dealer.drawn", {"seat": "Q"})):
        event = follow_kiosk(kiosk.head, kiosk.box, kiosk.occasion, fact, at, kiosk.key)
        kiosk.head = Head(event.epoch, event.seq, event_id(event))
        bench.take(event)
    assert [(no.type, no.code) for no in bench.keeper.tournament.refusals] == [
        ("cards.juggled", "unknown-type"),
        ("dealer.drawn", "bad-body"),
    ]


def test_a_line_that_breaks_the_fold_is_refused_and_the_hub_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)

    def stumble(*_: object) -> None:
        raise RuntimeError("a fault of the program")

    event = kiosk.say(bodies.DirectorCalled())
    with monkeypatch.context() as broken:
        broken.setattr("hub.tournament.at_tables._at_table", stumble)
        assert [no.code for no in bench.ack(event).refused] == ["unread"]
    assert bench.keeper.tournament.seq == bench.ledger.head_seq


def test_events_of_another_tournament_do_not_count(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    kiosk.occasion = type(kiosk.occasion)("elsewhere", 1, 1, 1)
    assert [no.code for no in bench.ack(kiosk.say(bodies.DealerDrawn(seat=Seat.N))).refused] == ["other-tournament"]


def test_odd_claims_and_tenures_of_one_box_keep_no_other_from_its_ack(bench: Bench) -> None:
    odd, good = bench.create()
    bench.take(odd.say(bodies.DealerDrawn(seat=Seat.N), tenure=2**53 - 1))
    bench.take(odd.say(bodies.ClaimMade(), table=None))
    assert bench.desired(odd.box).message == "The claim names no table. Ask the director which table this box is for."
    bench.take(odd.say(bodies.ClaimMade(), round=2**53 - 1))
    bench.seat(good)
    tenure = bench.table(1, 2).tenure
    assert tenure is not None
    assert (tenure.number, tenure.box) == (1, good.box)


def test_a_record_too_long_for_any_broker_is_left_out_and_said(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.take(*drawn(kiosk, 3))
    bench.take(kiosk.claim())
    publications = Publications(TOPICS, (kiosk.box,))
    whole = shown(publications, bench)
    assert (len(whole.resume), whole.hold) == (3, None)
    monkeypatch.setattr("hub.line.publications.LARGEST_MESSAGE", 2_000)
    publications.forget()
    cut = shown(publications, bench)
    assert (cut.resume, cut.hold, cut.tenure) == ((), TOO_LONG, whole.tenure)


def shown(publications: Publications, bench: Bench) -> Desired:
    changed = publications.changed(bench.keeper.tournament, bench.keeper.rev)
    assert publications.changed(bench.keeper.tournament, bench.keeper.rev) == []
    [payload] = [each.payload for each in changed if each.topic.endswith("/desired")]
    return decode(payload, Desired)


def test_a_hub_on_an_older_copy_is_in_doubt_until_the_director_confirms(bench: Bench) -> None:
    bench.create()
    head = bench.ledger.head_seq
    bench.keeper.hear_rev("K-01", (1, head))
    doubts = [bench.keeper.doubt]
    bench.keeper.hear_rev("K-01", (1, head + 50))
    doubts.append(bench.keeper.doubt)
    assert bench.keeper.epoch == 2
    bench.director.confirm_restored("dana", "The morning's copy is what we have")
    doubts.append(bench.keeper.doubt)
    assert bench.keeper.rev == (2, head + 1)
    bench.keeper.hear_rev("K-01", (1, head + 50))
    doubts.append(bench.keeper.doubt)
    bench.restart()
    bench.keeper.hear_rev("K-01", (1, head + 50))
    doubts.append(bench.keeper.doubt)
    assert [doubt is not None and doubt.startswith("The tables know more") for doubt in doubts] == [
        False, True, False, False, False,
    ]  # fmt: skip


def replaced(bench: Bench, seq: int, text: bytes) -> None:
    with sqlite3.connect(bench.folder / "ledger.sqlite") as raw:
        raw.execute("DROP TRIGGER ledger_no_update")
        raw.execute("UPDATE ledger SET line = ? WHERE ledger_seq = ?", (text, seq))


def test_a_ledger_whose_chain_breaks_is_not_folded(bench: Bench) -> None:
    lines = bench.ledger.append([Pending(event, 1) for event in drawn(FakeKiosk("K-01"), 3)])
    replaced(bench, 2, encode_line(next_line(2, "f" * 64, FakeKiosk("K-02").claim(), 1)))
    with pytest.raises(LedgerError, match="The ledger's chain breaks at line 2"):
        bench.restart()
    assert len(lines) == 3


def test_a_ledger_that_holds_no_lines_is_not_folded(bench: Bench) -> None:
    bench.ledger.append([Pending(event, 1) for event in drawn(FakeKiosk("K-01"), 3)])
    replaced(bench, 2, b"{}")
    with pytest.raises(LedgerError, match="no line of it"):
        bench.restart()


def test_a_birth_that_no_box_could_know_is_set_aside_and_not_believed(bench: Bench) -> None:
    bench.create()
    before = bench.keeper.epoch
    bench.keeper.hear_rev("K-01", (2**53 - 1, 1))
    assert (bench.keeper.epoch, bench.keeper.doubt) == (before, None)
    assert [(odd.code, odd.topic.endswith("/kiosk/K-01/state")) for odd in bench.keeper.quarantine] == [
        ("impossible-rev", True)
    ]
