"""What the hub answers: refusals and their cures, branches, faults. The box plays on in every case."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import msgspec
from seated import (
    BOX,
    Time,
    ack_all,
    at_step,
    call,
    check,
    clock,
    desired,
    did,
    ids,
    open_box,
    refused,
    seating,
    settled,
    shut,
    sign,
    sit_down,
    to_auction,
    types,
    whist_hand,
)

from kiosk.box import Box
from kiosk.view import LinkStatus, NoticeKind
from tallybox.envelope import KioskEvent, encode_event, event_id
from tallybox.events import table as events
from tallybox.messages import Ack, Desired, Fault, Outcome, Refused
from tallybox.seats import Seat, Side
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Step


def line(box: Box) -> tuple[KioskEvent, ...]:
    return box._journal.events()


def refuse(box: Box, event: KioskEvent, code: str = "hub-says-no", message: str = "The hub says no.") -> None:
    head = box._journal.head
    box.take(
        Ack(
            v=1, epoch=head.epoch, upto=head.seq, id=head.id,
            refused=(Refused(seq=event.seq, id=event_id(event), code=code, message=message),),
        )
    )  # fmt: skip


def fault(box: Box, event: KioskEvent, code: str = "undecodable") -> None:
    payload = hashlib.sha256(encode_event(event)).hexdigest()
    box.take(
        Ack(v=1, epoch=event.epoch, upto=0, fault=Fault(code=code, message="It cannot be read.", payload=payload))  # type: ignore[arg-type]
    )


def test_what_the_hub_refuses_is_said_and_does_not_count(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    heard: list[str] = []
    box.subscribe(lambda view: heard.extend([view.notice.text] if view.notice else []))
    sit_down(box)
    to_auction(box)
    call(box, "4", "5")
    refuse(box, line(box)[-1])
    settled(box)
    hand = box.view.state.hand
    assert hand is not None
    assert [called.seat for called in hand.calls] == [Seat.E]
    assert [(refusal.code, refusal.message) for refusal in box.view.state.refused] == [
        ("hub-says-no", "The hub says no.")
    ]
    assert heard[0] == "The hub does not count this: The hub says no."
    shut(box)


def test_a_refusal_outlives_a_restart_and_is_cured_by_the_next_act_of_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box)
    to_auction(box)
    call(box, "4", "5")
    bad = line(box)[-1]
    refuse(box, bad)
    settled(box)
    shut(box)
    box = open_box(path)
    assert [refusal.id for refusal in box.view.state.refused] == [event_id(bad)]
    call(box, "6")
    assert line(box)[-1].supersedes == (event_id(bad),)
    assert box.view.state.refused == ()
    shut(box)


def test_a_stale_sheet_is_signed_again_and_the_signature_cures_the_submission(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box, hands=1)
    whist_hand(box)
    sign(box, Side.NS)
    sign(box, Side.EW)
    digest = sheet_digest(box.view.state)
    did(box, events.SheetSubmitted(digest=digest))
    submission = line(box)[-1]
    refuse(box, submission, "sheet-stale", "The sheet changed after it was signed. Both sides sign again.")
    settled(box)
    assert at_step(box) is Step.SIGN
    sign(box, Side.NS)
    assert event_id(submission) in line(box)[-1].supersedes  # type: ignore[operator]
    sign(box, Side.EW)
    did(box, events.SheetSubmitted(digest=digest))
    assert (at_step(box), box.view.state.refused) == (Step.SUBMITTED, ())
    shut(box)


def test_a_record_that_the_hub_refuses_is_not_repeated_until_the_table_changes_it(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    whist_hand(box)
    record = next(event for event in line(box) if event.type == "hand.recorded")
    refuse(box, record)
    settled(box)
    before = types(box)
    settled(box)
    assert types(box) == before
    assert at_step(box) is Step.CHECK
    did(box, events.HandQuestioned(hand=1, side=Side.NS, what="result"))
    did(box, events.ResultEntered(hand=1, books={Side.NS: 6, Side.EW: 7}))
    check(box, Side.NS)
    check(box, Side.EW)
    settled(box)
    again = [event for event in line(box) if event.type == "hand.recorded"]
    assert len(again) == 2
    assert event_id(record) in again[1].supersedes  # type: ignore[operator]
    shut(box)


def test_a_deal_that_the_hub_refuses_is_tried_again_only_after_the_clock_changed(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    opened = next(event for event in line(box) if event.type == "hand.opened")
    refuse(box, opened, "time-is-up", "Time is up: no new hand begins.")
    settled(box)
    settled(box)
    assert types(box).count("hand.opened") == 1
    assert at_step(box) is Step.NEXT
    box.take(clock(50, "running", deadline=9_999_999_999_999))
    settled(box)
    assert types(box).count("hand.opened") == 2
    assert line(box)[-1].supersedes == (event_id(opened),)
    assert at_step(box) is Step.DEAL
    shut(box)


def test_a_fault_opens_a_new_epoch_with_the_facts_behind_the_last_accepted_event(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box)
    ack_all(box)
    settled(box)
    accepted = box._journal.head
    to_auction(box)
    call(box, "4", "pass")
    table = box.view.state
    old = line(box)
    fault(box, old[-2])
    settled(box)
    new = line(box)[-3:]
    assert [event.type for event in new] == ["hand.counted", "call.made", "call.made"]
    assert {event.epoch for event in new} == {box._journal.head.epoch}
    assert new[0].epoch != accepted.epoch
    assert [event.seq for event in new] == [1, 2, 3]
    assert (new[0].prev, line(box)[:-3]) == (accepted.id, old[:-3])
    assert [event.tenure for event in new] == [1, 1, 1]
    now = box.view.state
    assert now.hand is not None
    assert table.hand is not None
    assert [(c.seat, c.call) for c in now.hand.calls] == [(c.seat, c.call) for c in table.hand.calls]
    assert box.view.unsent == 3
    fault(box, old[-2])
    settled(box)
    assert line(box)[-3:] == new
    ack_all(box)
    settled(box)
    assert box.view.unsent == 0
    shut(box)
    again = open_box(path)
    assert again.view.state == now
    shut(again)


def test_a_fact_that_cannot_be_taken_twice_stops_the_sending_and_play_goes_on(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    fault(box, line(box)[-1], "oversized")
    settled(box)
    fault(box, line(box)[-1], "oversized")
    settled(box)
    assert box.view.link.status is LinkStatus.STOPPED
    assert (
        box.view.link.message == "The hub cannot read what this box sends. Play on; the director can look at this box."
    )
    call(box, "4")
    shut(box)


def test_a_fault_of_the_box_itself_stops_the_sending_and_says_so(tmp_path: Path) -> None:
    sentences = {
        "unknown-kiosk": "The hub does not know this box. Play on; the director can register it.",
        "bad-signature": "The hub does not accept this box's signature. Play on; the director can look at its key.",
        "wrong-topic": "This box is set up under another box's name. Play on; the director can set it right.",
    }
    for code, sentence in sentences.items():
        box = open_box(tmp_path / code / "journal.db")
        sit_down(box)
        before = line(box)
        fault(box, before[-1], code)
        settled(box)
        assert (box.view.link.status, box.view.link.message) == (LinkStatus.STOPPED, sentence)
        to_auction(box)
        assert line(box)[:-1] == before
        shut(box)


def test_a_fault_for_bytes_that_this_box_never_sent_changes_nothing(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    before = line(box)
    for code in ("undecodable", "bad-signature"):
        box.take(Ack(v=1, epoch=before[0].epoch, upto=0, fault=Fault(code=code, message="No.", payload="0" * 64)))
    settled(box)
    assert (line(box), box.view.link.status) == (before, LinkStatus.NO_HUB)
    shut(box)


def test_a_card_restored_from_an_old_image_claims_again_and_journals_its_facts_anew(tmp_path: Path) -> None:
    """The image is of hand 1's deal; the hub holds more. The box goes on from the last common event."""
    original = open_box(tmp_path / "now" / "journal.db")
    sit_down(original)
    ack_all(original)
    settled(original)
    common = original._journal.head
    shutil.copytree(tmp_path / "now", tmp_path / "image")
    to_auction(original)
    call(original, "4")
    held_by_hub = line(original)
    shut(original)

    box = open_box(tmp_path / "image" / "journal.db")
    heard: list[str] = []
    box.subscribe(lambda view: heard.extend([view.notice.text] if view.notice else []))
    did(box, events.HandVoided(hand=1, reason="misdeal"))
    unshared = [event.type for event in line(box)[common.seq :]]
    assert unshared == ["hand.voided", "hand.opened"]
    box.take(Ack(v=1, epoch=common.epoch, upto=common.seq, id=common.id, branch=True))
    settled(box)
    new = line(box)[common.seq :]
    assert [(event.type, event.tenure) for event in new] == [
        ("claim.made", None), ("hand.voided", 1), ("hand.opened", 1),
    ]  # fmt: skip
    assert new[0].prev == common.id
    assert box._journal.head.epoch != common.epoch
    assert "call the director if they differ" in heard[0]
    # The hub grants the claim and hands over the past that counts: that is what the table shows.
    box.take(desired(9, seating(), tenure=2, resume=held_by_hub))
    settled(box)
    hand = box.view.state.hand
    assert hand is not None
    assert (at_step(box), [called.seat for called in hand.calls]) == (Step.AUCTION, [Seat.E])
    call(box, "pass")
    assert line(box)[-1].tenure == 2
    shut(box)


def test_a_hub_that_holds_more_than_the_box_is_a_branch_before_anything_is_sent(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    ack_all(box)
    settled(box)
    head = box._journal.head
    box.take(Ack(v=1, epoch=head.epoch, upto=head.seq + 3, id="e" * 64))
    box.take(Ack(v=1, epoch=head.epoch, upto=head.seq + 3, id="e" * 64))
    settled(box)
    assert types(box)[head.seq :] == ["claim.made"]
    assert line(box)[-1].prev == head.id
    shut(box)


def test_a_restored_hub_gets_everything_again(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    ack_all(box)
    settled(box)
    assert box._journal.outbox(50) == []
    third = line(box)[2]
    box.take(Ack(v=1, epoch=third.epoch, upto=3, id=event_id(third)))
    settled(box)
    assert ids(box._journal.outbox(50)) == ids(line(box)[3:])
    assert box.view.unsent == len(line(box)) - 3
    shut(box)


def test_a_claim_is_made_once_until_the_hub_has_it(tmp_path: Path) -> None:
    time = Time()
    box = open_box(tmp_path / "journal.db", monotonic=time)
    box.take(desired(1, seating()))
    did(box, events.ClaimMade())
    refused(box, events.ClaimMade())
    time.now += 60_000
    refused(box, events.ClaimMade())
    ack_all(box)
    did(box, events.ClaimMade())
    box.take(desired(2, seating(), tenure=1))
    done = refused(box, events.ClaimMade())
    assert done.refusal is not None
    assert done.refusal.message == "This box speaks for table 4 already."
    assert box.view.notice is not None
    assert box.view.notice.kind is NoticeKind.REFUSED
    shut(box)


def test_the_oldest_waiting_event_is_dated(tmp_path: Path) -> None:
    time = Time()
    box = open_box(tmp_path / "journal.db", monotonic=time)
    box.take(desired(1, seating()))
    did(box, events.ClaimMade())
    time.now += 4_000
    settled(box)
    assert (box.view.unsent, box.view.oldest_unsent_ms, box.view.unsent_for(time.now)) == (1, 1_000_000, 4_000)
    ack_all(box)
    settled(box)
    assert (box.view.unsent, box.view.oldest_unsent_ms, box.view.unsent_for(time.now)) == (0, None, 0)
    shut(box)


def test_a_branch_that_the_hub_cannot_place_takes_back_nothing_that_was_acked(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    ack_all(box)
    settled(box)
    common = box._journal.head
    to_auction(box)
    box.take(Ack(v=1, epoch=common.epoch, upto=0, branch=True))
    settled(box)
    assert types(box)[common.seq :] == ["claim.made", "hand.counted"]
    assert line(box)[common.seq].prev == common.id
    shut(box)


def test_a_call_that_an_official_settled_is_over_and_the_table_may_call_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box)
    first = did(box, events.DirectorCalled(reason="one"))
    box.take(desired(3, seating(), tenure=1, outcome=Outcome(answered=first)))
    settled(box)
    assert box.view.state.calling is None
    second = did(box, events.DirectorCalled(reason="two"))
    before = box.view.state
    shut(box)
    box = open_box(path)
    assert box.view.state == before
    assert before.calling is not None
    assert (before.calling.id, before.refused) == (second, ())
    shut(box)


def test_what_the_hub_says_to_this_box_is_put_on_the_screen_once(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    heard: list[tuple[int, str]] = []
    box.subscribe(lambda view: heard.extend([(view.notice.number, view.notice.text)] if view.notice else []))
    told = Desired(v=1, rev=(1, 1), kiosk=BOX, message="This box has no table yet. The director assigns it.")
    box.take(told)
    box.take(msgspec.structs.replace(told, rev=(1, 2)))
    settled(box)
    assert {text for number, text in heard if number == 1} == {"This box has no table yet. The director assigns it."}
    assert [text for number, text in heard if number > 1 and "no table" in text] == []
    shut(box)
