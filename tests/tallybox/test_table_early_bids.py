"""Bids before their turn: answered by the other side, and the rotation that follows (B-27, C-16, Q-38 to Q-40)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from table_play import MSO, WHIST, WSOS, Play, assignment

from tallybox.calls import Number, call_text
from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.renewed import renewed
from tallybox.rules.auction import legal_calls
from tallybox.rules.hand import Ruling
from tallybox.rules.ruleset import with_settings
from tallybox.seats import Seat, Side
from tallybox.table.early import may_call_out_of_turn
from tallybox.table.shown import hand_facts, open_hand_score, score
from tallybox.table.state import Step


def early(play: Play, seat: Seat, call: str) -> str:
    return play.do(rl.OutOfTurnMade(hand=play.hand.number, seat=seat, call=call, source="typed"))


def accept(play: Play, seat: Seat, made: str) -> str:
    return play.do(rl.OutOfTurnAccepted(hand=play.hand.number, seat=seat, made=made))


def decline(play: Play, seat: Seat, made: str) -> str:
    return play.do(rl.OutOfTurnDeclined(hand=play.hand.number, seat=seat, made=made))


def penalties(play: Play) -> list[tuple[Side, int, str]]:
    return [(line.side, line.points, line.rule) for line in open_hand_score(play.state).lines if line.kind == "penalty"]


def with_rules(ruleset: str, **settings: Any) -> Play:
    play = Play(ruleset)
    playing = assignment(ruleset)
    play.state = renewed(play.state, assignment=replace(playing, ruleset=with_settings(playing.ruleset, settings)))
    return play


def test_bi8_an_accepted_bid_is_the_first_and_the_rotation_goes_on_from_it() -> None:
    play = Play(MSO).sit().count_cards()
    assert (play.hand.dealer, play.hand.turn) == (Seat.N, Seat.E)
    made = early(play, Seat.W, "4")
    assert play.step is Step.EARLY
    accept(play, Seat.N, made)
    turns = []
    for text in ("3", "2", "1"):
        turns.append(play.hand.turn)
        play.call(text)
    assert (play.step, turns) == (Step.CONTRACT, [Seat.N, Seat.E, Seat.S])
    assert [call_text(call) for call in hand_facts(play.hand).calls] == ["2", "1", "4", "3"]
    play.lock().tricks(3, 3, 2, 5)
    assert penalties(play) == [(Side.EW, -25, "B-27")]
    play.check().record()
    assert dict(score(play.state).totals.points) == {Side.NS: 41, Side.EW: 37}


def test_a_seat_that_was_passed_over_bids_in_order_after_the_offender() -> None:
    play = Play(MSO).sit().count_cards().auction("3")
    accept(play, Seat.E, early(play, Seat.N, "2"))
    turns = []
    for text in ("3", "3"):
        turns.append(play.hand.turn)
        play.call(text)
    assert (turns, play.step) == ([Seat.S, Seat.W], Step.CONTRACT)


def test_bi9_a_declined_bid_costs_the_same_and_the_proper_seat_bids() -> None:
    play = Play(MSO).sit().count_cards()
    decline(play, Seat.S, early(play, Seat.W, "4"))
    assert (play.step, play.hand.turn, play.hand.calls) == (Step.AUCTION, Seat.E, ())
    play.auction("2", "1", "7", "3").lock().tricks(3, 3, 2, 5)
    assert penalties(play) == [(Side.EW, -25, "B-27")]
    assert hand_facts(play.hand).rulings == (Ruling("BID_TURN", side=Side.EW, seat=Seat.W, accepted=False),)


def test_c15_a_declined_bid_of_the_world_series_is_repeated_and_costs_nothing() -> None:
    play = Play(WSOS).sit().count_cards()
    decline(play, Seat.N, early(play, Seat.W, "4"))
    play.auction("2", "1")
    assert legal_calls(play.state.playing.ruleset, play.hand.dealer, play.hand.made, play.hand.locked_calls) == (
        Number(4),
    )
    play.call("5")
    assert play.said == ("must-repeat", "West bid 4 out of turn and must now repeat it. Bid 4.")
    play.auction("4", "3").lock().tricks(3, 3, 2, 5)
    assert penalties(play) == [(Side.EW, 0, "C-16")]


@pytest.mark.parametrize("answering", [accept, decline])
def test_only_the_other_side_answers(answering: Any) -> None:
    play = Play(WSOS).sit().count_cards()
    made = early(play, Seat.W, "4")
    answering(play, Seat.E, made)
    assert play.said == ("own-side", "North–South say whether West's bid stands.")
    answering(play, Seat.S, "f" * 64)
    assert play.said == ("no-early-call", "No bid before its turn waits for an answer here.")
    answering(play, Seat.S, made)
    assert (play.step, play.hand.early) == (Step.AUCTION, None)


def test_nobody_else_bids_before_the_answer() -> None:
    play = Play(MSO).sit().count_cards()
    early(play, Seat.S, "4")
    play.call("3", Seat.E)
    assert play.said == ("early-call", "South bid before the turn. First the other side says whether that stands.")
    early(play, Seat.W, "3")
    assert play.said[0] == "early-call"


@pytest.mark.parametrize(
    ("seat", "call", "said"),
    [
        (Seat.S, "4", ("in-turn", "It is South's turn: the bid counts as it is.")),
        (Seat.E, "4", ("has-called", "East has bid already.")),
        (Seat.W, "13", ("not-a-bid", "13 cannot be bid here. West bids 1 to 12, or NIL.")),
        (Seat.W, "pass", ("not-a-call", "“pass” is not a spades bid. Bid a number of tricks, or nil.")),
    ],
)
def test_what_is_no_bid_before_its_turn_is_refused(seat: Seat, call: str, said: tuple[str, str]) -> None:
    play = Play(MSO).sit().count_cards().auction("3")
    early(play, seat, call)
    assert play.said == said


def test_nobody_bids_early_once_all_four_have_bid() -> None:
    play = Play(MSO).sit().count_cards().auction("3", "3", "3", "3")
    early(play, Seat.W, "4")
    assert play.said == ("auction-over", "All four have called. Bidding back is not allowed.")


def test_in_bid_whist_a_call_out_of_turn_is_at_most_a_tech() -> None:
    play = Play(WHIST).sit().count_cards()
    early(play, Seat.W, "4")
    said = "A call out of turn does not count in bid whist. The opponents can call an official for a Tech."
    assert (play.said, play.step) == (("no-early-call", said), Step.AUCTION)


def test_the_screens_know_who_could_bid_early() -> None:
    play = Play(MSO).sit()
    assert [may_call_out_of_turn(play.state, seat) for seat in Seat] == [False] * 4
    play.count_cards().auction("3")
    assert [seat for seat in Seat if may_call_out_of_turn(play.state, seat)] == [Seat.N, Seat.W]
    assert not may_call_out_of_turn(Play(MSO).state, Seat.N)


def test_an_early_bid_rests_on_the_card_that_lies_there() -> None:
    play = Play(MSO).sit().count_cards()
    reading = play.card(Seat.W, "4")
    play.do(rl.OutOfTurnMade(hand=1, seat=Seat.W, call="5", source="scanned", reading=reading))
    assert play.said == ("reading-differs", "No card that says 5 lies at West. Lay it again, or type the call.")
    made = play.do(rl.OutOfTurnMade(hand=1, seat=Seat.W, call="4", source="scanned", reading=reading))
    accept(play, Seat.N, made)
    called = play.hand.calls[0]
    assert (called.id, called.seat, called.source, called.reading) == (made, Seat.W, "scanned", reading)


def test_an_early_bid_that_was_a_slip_is_taken_back_before_the_answer() -> None:
    play = Play(MSO).sit().count_cards()
    made = early(play, Seat.W, "4")
    play.do(ev.CallTakenBack(hand=1, seat=Seat.W), made)
    assert (play.step, play.hand.early, play.hand.rulings) == (Step.AUCTION, None, ())


def test_an_accepted_bid_that_is_taken_back_takes_its_ruling_along() -> None:
    play = Play(MSO).sit().count_cards()
    made = early(play, Seat.W, "4")
    accept(play, Seat.N, made)
    play.do(ev.CallTakenBack(hand=1, seat=Seat.W), made)
    assert (play.hand.calls, play.hand.rulings, play.hand.accepted_early, play.hand.turn) == ((), (), (), Seat.E)


def test_a_call_that_the_sheet_s_order_would_refuse_is_refused_at_once() -> None:
    play = with_rules(MSO, min_team_bid=4).sit().count_cards()
    accept(play, Seat.N, early(play, Seat.W, "2"))
    play.auction("3", "nil")
    assert play.said[0] == "below-team-minimum"
    play.auction("2", "4")
    assert (play.step, [call_text(call) for call in play.hand.calls_in_order]) == (Step.CONTRACT, ["2", "4", "2", "3"])
