"""Whole hands through a box: what people do, what the box adds, what is not written."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from seated import (
    MSO,
    Time,
    at_step,
    call,
    check,
    clock,
    desired,
    did,
    open_box,
    play,
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

from firmware_bridge.signals import SignalPattern
from kiosk.times import monotonic_ms
from kiosk.view import BoxView, NoticeKind, Outcome
from tallybox.countdown import Sample
from tallybox.events import table as events
from tallybox.seats import Seat, Side
from tallybox.table.shown import lines_digest, open_hand_score, score, sheet_digest
from tallybox.table.state import Step


def test_bid_whist_round_from_claim_to_submission(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box, hands=2)
    whist_hand(box)
    whist_hand(box, ns=4)
    assert at_step(box) is Step.SIGN
    sign(box, Side.NS)
    sign(box, Side.EW)
    did(box, events.SheetSubmitted(digest=sheet_digest(box.view.state)))
    hand = [
        "hand.opened", "hand.counted", "call.made", "call.made", "call.made", "call.made", "contract.locked",
        "play.started", "result.entered", "hand.checked", "hand.checked", "hand.recorded",
    ]  # fmt: skip
    assert types(box) == [
        "claim.made", "seats.confirmed", "seats.confirmed", "scorekeeper.chosen", "dealer.drawn", *hand, *hand,
        "sheet.signed", "sheet.signed", "sheet.submitted",
    ]  # fmt: skip
    assert at_step(box) is Step.SUBMITTED
    # North dealt hand 1: East bid 4 and took 2 books. East dealt hand 2: South bid 4 and took 4.
    totals = score(box.view.state).totals
    assert totals.points == {Side.NS: 4, Side.EW: 4}
    assert totals.hands_won == {Side.NS: 1, Side.EW: 1}
    shut(box)


def test_spades_hand_is_recorded_and_the_next_dealer_is_the_printed_one(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box, MSO)
    tricks = {Seat.N: 3, Seat.E: 4, Seat.S: 3, Seat.W: 3}
    play(box, ("3", "4", "nil", "2"), events.ResultEntered(hand=1, tricks=tricks))
    state = box.view.state
    assert [(hand.number, hand.dealer) for hand in state.hands] == [(1, Seat.N)]
    assert state.hand is not None
    assert (state.hand.number, state.hand.dealer) == (2, Seat.E)
    shut(box)


def test_a_checked_hand_stays_on_the_screen_before_the_next_deal(tmp_path: Path) -> None:
    moment = Time()
    box = open_box(tmp_path / "journal.db", monotonic=moment, pause=1_000)
    sit_down(box)
    whist_hand(box)
    assert (at_step(box), len(box.view.state.hands)) == (Step.NEXT, 1)
    moment.now += 999
    settled(box)
    assert at_step(box) is Step.NEXT
    moment.now += 1
    settled(box)
    assert at_step(box) is Step.DEAL
    shut(box)


def test_a_second_tap_writes_nothing(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    before = types(box)
    assert box.do(events.ScorekeeperChosen(seat=Seat.N)).result(60) == Outcome()
    assert box.do(events.HandOpened(hand=1, dealer=Seat.N)).result(60) == Outcome()
    assert types(box) == before
    number = to_auction(box)
    call(box, "4", "pass", "pass", "pass")
    did(box, events.ContractLocked(hand=number))
    did(box, events.PlayStarted(hand=number))
    did(box, events.ResultEntered(hand=number, books={Side.NS: 5, Side.EW: 8}))
    check(box, Side.NS)
    again = events.HandChecked(hand=number, side=Side.EW, lines=lines_digest(open_hand_score(box.view.state)))
    did(box, again)
    before = types(box)
    assert box.do(again).result(60) == Outcome()
    assert types(box) == before
    assert box.view.notice is None
    shut(box)


def test_a_refused_act_leaves_a_sentence_and_no_event(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    call(box, "5")
    before = types(box)
    done = refused(box, events.CallMade(hand=1, seat=Seat.S, call="4", source="typed"))
    assert types(box) == before
    notice = box.view.notice
    assert done.refusal is not None
    assert notice is not None
    assert (notice.text, notice.kind, notice.seat) == (done.refusal.message, NoticeKind.REFUSED, Seat.S)
    call(box, "6")
    assert box.view.notice is None
    shut(box)


@pytest.mark.parametrize("books", [{Side.NS: 8, Side.EW: 6}, {Side.NS: 0, Side.EW: 13}, {Side.NS: 13, Side.EW: 13}])
def test_books_that_do_not_fit_the_deck_are_refused_in_words(tmp_path: Path, books: dict[Side, int]) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    call(box, "pass", "4", "pass", "pass")
    did(box, events.ContractLocked(hand=1))
    did(box, events.PlayStarted(hand=1))
    before = types(box)
    refused(box, events.ResultEntered(hand=1, books=books))
    assert types(box) == before
    assert at_step(box) is Step.PLAY
    shut(box)


@pytest.mark.parametrize(
    "body",
    [
        events.HandCounted(hand=0),
        events.ResultEntered(hand=1, books={Side.NS: -1, Side.EW: 14}),
        events.CallMade(hand=1, seat=Seat.E, call="x" * 200, source="typed"),
        events.DirectorCalled(reason="x" * 100_000),
        events.SheetSigned(side=Side.NS, seat=Seat.N, digest="short", strokes=((1, 2),)),
    ],
)
def test_values_that_no_hub_would_read_are_not_written(tmp_path: Path, body: events.Body) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    before = types(box)
    done = refused(box, body)
    assert done.refusal is not None
    assert (done.refusal.code, types(box)) == ("bad-body", before)
    shut(box)


def test_nothing_is_done_without_a_table(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    done = refused(box, events.ClaimMade())
    assert done.refusal is not None
    assert done.refusal.message == "This box has no table yet. The director can give it one."
    refused(box, events.HandCounted(hand=1))
    assert types(box) == []
    shut(box)


def test_a_table_that_another_box_has_cannot_be_claimed(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    box.take(desired(1, seating(), tenure=1, kiosk="K-09"))
    done = refused(box, events.ClaimMade())
    assert done.refusal is not None
    assert done.refusal.message == "Table 4 already has box K-09. Only the director can move it here."
    shut(box)


def test_a_second_result_names_the_one_it_replaces(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    call(box, "4", "pass", "pass", "pass")
    did(box, events.ContractLocked(hand=1))
    did(box, events.PlayStarted(hand=1))
    first = did(box, events.ResultEntered(hand=1, books={Side.NS: 3, Side.EW: 10}))
    second = did(box, events.ResultEntered(hand=1, books={Side.NS: 4, Side.EW: 9}))
    did(box, events.HandQuestioned(hand=1, side=Side.NS, what="result"))
    did(box, events.ResultEntered(hand=1, books={Side.NS: 5, Side.EW: 8}))
    written = [event for event in box._journal.events() if event.type == "result.entered"]
    assert written[1].supersedes == (first,)
    assert written[2].supersedes == (second,)
    shut(box)


def test_a_call_taken_back_names_the_call(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    call(box, "4")
    last = box._journal.head.id
    did(box, events.CallTakenBack(hand=1, seat=Seat.E))
    taken = box._journal.events()[-1]
    assert taken.supersedes == (last,)
    assert box.view.state.hand is not None
    assert box.view.state.hand.calls == ()
    shut(box)


def test_a_void_deal_is_dealt_again_by_the_same_dealer_with_the_same_number(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    for _ in range(3):
        did(box, events.HandVoided(hand=1, reason="misdeal"))
        hand = box.view.state.hand
        assert hand is not None
        assert (hand.number, hand.dealer, hand.counted) == (1, Seat.N, False)
    shut(box)


def test_a_busy_box_answers_at_once(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    acts = [box.do(events.ScorekeeperChosen(seat=Seat.E if n % 2 else Seat.W)) for n in range(600)]
    codes = {done.refusal.code for act in acts if (done := act.result(20)).refusal is not None}
    assert codes <= {"busy"}
    assert sum(1 for act in acts if act.result(0).event_id is not None) >= 200
    shut(box)


def test_subscribers_hear_whole_views_until_they_leave(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    heard: list[Step] = []
    forget = box.subscribe(lambda view: heard.append(view.step))
    box.take(desired(1, seating()))
    did(box, events.ClaimMade())
    forget()
    box.take(desired(2, seating(), tenure=1))
    settled(box)
    assert heard == [Step.IDLE, Step.CLAIMED]
    assert at_step(box) is Step.SEATS
    shut(box)


class Bell:
    """Notes what would sound."""

    fault: str | None = None

    def __init__(self) -> None:
        self.played: list[SignalPattern] = []
        self.ended: list[SignalPattern] = []

    def play(self, pattern: SignalPattern) -> None:
        self.played.append(pattern)

    def end(self, pattern: SignalPattern) -> None:
        self.ended.append(pattern)


def test_the_box_sounds_by_itself_when_its_time_has_come(tmp_path: Path) -> None:
    bell = Bell()
    box = open_box(tmp_path / "journal.db", signals=bell)
    now = monotonic_ms()
    box.take_sample(Sample(sent=now, received=now, hub=now))
    box.take(clock(1, "waiting"))
    box.take(clock(2, "running", seconds=61, deadline=now + 61_500))
    until = time.monotonic() + 30
    while len(bell.played) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    assert bell.played == [SignalPattern.ROUND_STARTS, SignalPattern.ONE_MINUTE]
    box.take(clock(3, "ended"))
    box.identify()
    settled(box)
    assert sorted(bell.played[2:]) == [SignalPattern.IDENTIFY, SignalPattern.TIME_UP]
    sit_down(box)
    did(box, events.DirectorCalled())
    did(box, events.DirectorCancelled())
    assert bell.played[-1] is SignalPattern.DIRECTOR_CALLED
    assert bell.ended == [SignalPattern.DIRECTOR_CALLED]
    shut(box)


def test_a_screen_that_fails_does_not_stop_the_table(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")

    def broken(_view: BoxView) -> None:
        raise RuntimeError("no window")

    box.subscribe(broken)
    sit_down(box)
    whist_hand(box)
    assert len(box.view.state.hands) == 1
    shut(box)


def test_a_fault_of_the_program_becomes_a_sentence_and_the_box_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    before = types(box)
    with monkeypatch.context() as patched:
        patched.setattr("kiosk.scribe.replaced_by", lambda *_: 1 // 0)
        done = refused(box, events.HandCounted(hand=1))
    assert done.refusal is not None
    assert done.refusal.code == "went-wrong"
    assert box.view.notice is not None
    assert box.view.notice.kind is NoticeKind.BOX
    assert types(box) == before
    to_auction(box)
    shut(box)
