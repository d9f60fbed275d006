"""One table's round, folded act by act: the way on at every step, and every refusal in the table's words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_play import MSO, STROKES, WHIST, WSOS, Play, stamp

from deploy.robot_player import LayCard, next_act
from tallybox.calls import Direction, call_text
from tallybox.events import table as ev
from tallybox.messages import Outcome
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side
from tallybox.table.fold import Ruled
from tallybox.table.shown import lines_digest, open_hand_score, score, sheet_digest, sheet_facts
from tallybox.table.state import Step
from tallybox.table.steps import next_dealer, next_number


def test_a_whist_round_goes_from_idle_to_submitted() -> None:
    play = Play(WHIST, hands=1)
    steps = [play.step]
    play.do(ev.ClaimMade())
    steps.append(play.step)
    play.state = renewed(play.state, tenure=1)
    steps.append(play.step)
    play.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    play.do(ev.SeatsConfirmed(side=Side.EW, team=6))
    steps.append(play.step)
    play.do(ev.ScorekeeperChosen(seat=Seat.W))
    steps.append(play.step)
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=False)
    steps.append(play.step)
    play.do(ev.DealerDrawn(seat=Seat.S))
    steps.append(play.step)
    play.open()
    steps.append(play.step)
    play.count_cards()
    steps.append(play.step)
    play.auction("pass", "4", "5 no", "pass")
    steps.append(play.step)
    play.lock("up")
    steps.append(play.step)
    play.books(2, 11)
    steps.append(play.step)
    play.check().record()
    steps.append(play.step)
    play.sign(Side.NS)
    play.sign(Side.EW)
    play.submit()
    steps.append(play.step)
    assert steps == [
        Step.IDLE, Step.CLAIMED, Step.SEATS, Step.SCOREKEEPER, Step.CLOCK, Step.DRAW, Step.NEXT, Step.DEAL,
        Step.AUCTION, Step.CONTRACT, Step.PLAY, Step.CHECK, Step.SIGN, Step.SUBMITTED,
    ]  # fmt: skip
    assert play.state.refused == ()
    assert dict(score(play.state).totals.points) == {Side.NS: 0, Side.EW: 10}


def test_both_sides_see_the_lines_before_they_agree() -> None:
    play = Play(MSO).sit().count_cards().auction("3", "4", "nil", "2").lock()
    play.tricks(3, 4, 3, 3)
    hand = open_hand_score(play.state)
    assert [(line.side, line.points) for line in hand.lines if line.points] != []
    play.do(ev.HandChecked(hand=1, side=Side.NS, lines="0" * 64))
    assert play.said == ("lines-changed", "The score changed while it was being checked. Look at it once more.")


@pytest.mark.parametrize("dealer", list(Seat))
def test_left_of_the_dealer_bids_first_whoever_deals(dealer: Seat) -> None:
    play = Play(WHIST, dealer=dealer).sit().count_cards()
    turns = []
    for text in ("pass", "pass", "pass", "4"):
        turns.append(play.hand.turn)
        play.call(text)
    assert turns == [dealer.left, dealer.left.left, dealer.left.left.left, dealer]
    assert play.step is Step.CONTRACT


def test_an_illegal_call_is_refused_in_the_rules_words_and_nothing_changes() -> None:
    play = Play(WHIST).sit().count_cards().auction("5")
    before = play.state
    play.call("5 special")
    code, message = play.said
    assert (code, "6 SPECIAL" in message, renewed(play.state, refused=()) == before) == ("too-low", True, True)


def test_only_the_seat_on_turn_calls() -> None:
    play = Play(WHIST).sit().count_cards()
    play.call("4", Seat.S)
    assert play.said == ("out-of-turn", "East bids now, not South.")


@pytest.mark.parametrize("text", ["5 maybe", "nil", "14 14", "☃"])
def test_what_is_no_call_of_the_game_is_refused(text: str) -> None:
    play = Play(WHIST).sit().count_cards()
    play.call(text)
    assert play.said[0] == "not-a-call"


def test_a_scanned_call_rests_on_the_card_that_lies_there() -> None:
    play = Play(MSO).sit().count_cards()
    reading = play.card(Seat.E, "4")
    play.do(ev.CallMade(hand=1, seat=Seat.E, call="5", source="scanned", reading=reading))
    assert play.said == ("reading-differs", "No card that says 5 lies at East. Lay it again, or type the call.")
    play.do(ev.CallMade(hand=1, seat=Seat.E, call="4", source="scanned", reading=reading))
    assert [call_text(called.call) for called in play.hand.calls] == ["4"]


def test_a_card_that_differs_from_the_typed_call_asks_the_table() -> None:
    play = Play(WHIST).sit().count_cards()
    play.call("5 no")
    play.card(Seat.E, "5 special")
    assert play.step is Step.CONFLICT
    play.call("pass")
    assert play.said == ("conflict", "First say which call stands: the card or the typed one.")
    play.do(ev.ReadingResolved(hand=1, seat=Seat.E, read="5 special", typed="5 no", stands="read"))
    assert [(c.seat, call_text(c.call), c.source) for c in play.hand.calls] == [(Seat.E, "5 special", "scanned")]


def test_the_typed_call_may_stand_against_the_card() -> None:
    play = Play(WHIST).sit().count_cards()
    play.call("5 no")
    play.card(Seat.E, "5 special")
    play.do(ev.ReadingResolved(hand=1, seat=Seat.E, read="5 special", typed="5 no", stands="typed"))
    assert (play.step, [call_text(called.call) for called in play.hand.calls]) == (Step.AUCTION, ["5 no"])
    assert play.hand.call_of(Seat.E) == play.hand.calls[0]
    assert play.hand.call_of(Seat.S) is None


def test_a_call_is_recorded_without_the_direction_which_is_stated_later() -> None:
    play = Play(WHIST).sit().count_cards()
    play.call("4 no up")
    assert (call_text(play.hand.calls[0].call), play.hand.direction) == ("4 no", None)
    play.auction("pass", "pass", "pass").lock("up")
    assert play.hand.direction is Direction.UP


def test_a_call_for_the_director_is_taken_back_once() -> None:
    play = Play(WHIST).sit()
    play.do(ev.DirectorCalled(reason="a card is missing"))
    assert (play.state.calling is not None, play.step) == (True, Step.DEAL)
    play.do(ev.DirectorCancelled())
    assert play.state.calling is None
    play.do(ev.DirectorCancelled())
    assert play.said == ("not-called", "The director is not called.")


def test_the_clock_s_end_closes_a_round_whose_contract_is_not_on_record() -> None:
    play = Play(WSOS).sit().count_cards().auction("3", "3")
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)
    assert play.step is Step.SIGN
    play = Play(WSOS).sit().count_cards().auction("3", "3", "3", "3").lock()
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)
    play.tricks(4, 3, 3, 3)
    play.check().record()
    assert (play.step, len(play.state.hands)) == (Step.SIGN, 1)


def test_a_spades_round_goes_on_until_a_limit_is_met() -> None:
    play = Play(MSO).sit().count_cards().auction("3", "3", "3", "3").lock()
    play.tricks(4, 3, 3, 3)
    play.check().record()
    assert (play.step, next_dealer(play.state), next_number(play.state)) == (Step.NEXT, Seat.E, 2)


def test_neither_of_two_calls_makes_the_seat_bid_again() -> None:
    play = Play(WHIST).sit().count_cards()
    play.call("5 no")
    play.card(Seat.E, "5 special")
    play.do(ev.ReadingResolved(hand=1, seat=Seat.E, read="5 special", typed="5 no"))
    assert (play.hand.calls, play.hand.turn, play.step) == ((), Seat.E, Step.AUCTION)


def test_a_card_that_equals_the_typed_call_raises_nothing() -> None:
    play = Play(WHIST).sit().count_cards()
    play.call("5 no")
    play.card(Seat.E, "5 no")
    assert (play.step, play.hand.turn) == (Step.AUCTION, Seat.S)


def test_an_unknown_card_changes_no_call() -> None:
    play = Play(WHIST).sit().count_cards()
    play.card(Seat.E, None, "garbage")
    assert (play.hand.calls, play.state.readings[Seat.E].call) == ((), None)
    play.do(ev.CardRemoved(seat=Seat.E, card="garbage", stamp=stamp(99)))
    assert dict(play.state.readings) == {}


def test_only_the_last_call_is_taken_back_and_only_before_the_lock() -> None:
    play = Play(WHIST).sit().count_cards()
    first = play.call("4")
    second = play.call("5")
    play.do(ev.CallTakenBack(hand=1, seat=Seat.E), first)
    assert play.said == ("not-the-last", "Only the last call can be taken back: South's 5 HIGH.")
    play.do(ev.CallTakenBack(hand=1, seat=Seat.S), second)
    assert play.hand.turn is Seat.S
    play.auction("pass", "pass", "pass")
    play.do(ev.ContractLocked(hand=1))
    play.do(ev.CallTakenBack(hand=1, seat=Seat.N), play.hand.calls[-1].id)
    assert play.said == ("locked", "The contract is on record. Ask the director to change it.")


def test_play_waits_for_the_direction_of_a_no_bid() -> None:
    play = Play(WHIST).sit().count_cards().auction("4 no", "pass", "pass", "pass")
    play.do(ev.ContractLocked(hand=1))
    play.do(ev.PlayStarted(hand=1))
    assert (play.said, play.step) == (("no-direction", "First the bidder says UP or DOWN."), Step.CONTRACT)
    play.do(ev.DirectionStated(hand=1, direction="down"))
    play.do(ev.PlayStarted(hand=1))
    assert play.step is Step.PLAY


def test_tricks_that_are_not_thirteen_are_refused_and_the_hand_stays_open() -> None:
    play = Play(MSO).sit().count_cards().auction("3", "4", "3", "2").lock()
    play.tricks(4, 3, 3, 2)
    code, message = play.said
    assert (code, "12" in message, play.step) == ("tricks-sum", True, Step.PLAY)


def test_a_second_result_names_the_first_and_clears_the_checks() -> None:
    play = Play(WHIST).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
    first = play.books(3, 10)
    play.do(ev.HandChecked(hand=1, side=Side.EW, lines=lines_digest(open_hand_score(play.state))))
    play.books(2, 11)
    assert play.said[0] == "result-known"
    play.books(2, 11, first)
    assert (play.hand.checked, play.hand.result and play.hand.result.books) == (frozenset(), {Side.NS: 2, Side.EW: 11})


def test_a_questioned_result_goes_back_once_and_then_to_the_director() -> None:
    play = Play(WHIST).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
    play.books(3, 10)
    play.do(ev.HandQuestioned(hand=1, side=Side.NS, what="result"))
    steps = [play.step]
    play.books(2, 11)
    play.do(ev.HandQuestioned(hand=1, side=Side.NS, what="result"))
    assert [*steps, play.step] == [Step.RESULT, Step.DISPUTED]


def test_a_recorded_hand_must_be_the_checked_one() -> None:
    play = Play(WHIST).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
    play.books(3, 10)
    play.check()
    lines = lines_digest(open_hand_score(play.state))
    digest = play.state.playing.ruleset.digest
    play.do(ev.HandRecorded(hand=1, facts={"dealer": "N"}, ruleset=digest, lines=lines))
    assert play.said == ("other-facts", "The recorded hand is not the one that both sides checked.")
    play.do(ev.HandRecorded(hand=1, facts={}, ruleset="0" * 64, lines=lines))
    assert play.said == ("other-ruleset", "The hand was scored by another ruleset.")


def test_a_void_hand_keeps_number_and_dealer_and_scores_nothing() -> None:
    play = Play(WHIST).sit()
    play.do(ev.HandVoided(hand=1, reason="misdeal", code="WRONG_COUNT"))
    assert (next_number(play.state), next_dealer(play.state), len(play.state.counting)) == (1, Seat.N, 0)
    play.open().whist_hand()
    assert (next_number(play.state), next_dealer(play.state)) == (2, Seat.E)


def test_a_hand_opens_once_however_often_it_is_asked_for() -> None:
    play = Play(WHIST).sit()
    play.do(ev.HandOpened(hand=1, dealer=Seat.N))
    assert (play.said, play.hand.number) == (("hand-open", "Hand 1 is still open."), 1)


def test_no_hand_opens_once_the_clock_has_ended_and_a_locked_one_is_finished() -> None:
    play = Play(WHIST).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)
    assert play.step is Step.PLAY
    play.books(3, 10)
    play.check().record()
    assert (play.step, score(play.state).round.reason) == (Step.SIGN, "time")
    play.do(ev.HandOpened(hand=2, dealer=Seat.E))
    assert play.said == ("time-is-up", "Time is up: no new hand begins.")


def test_an_unlocked_hand_does_not_count_when_the_clock_ends() -> None:
    play = Play(WHIST).sit().whist_hand().open().count_cards().auction("4")
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)
    assert (play.step, len(sheet_facts(play.state).hands)) == (Step.SIGN, 1)
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=False)
    assert play.step is Step.AUCTION


def test_nothing_counts_without_a_tenure() -> None:
    play = Play(WHIST)
    play.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    assert play.said == ("no-tenure", "This box does not speak for the table yet. Claim the table first.")


def test_the_wrong_team_is_sent_to_the_pairings() -> None:
    play = Play(WHIST)
    play.do(ev.ClaimMade())
    play.state = renewed(play.state, tenure=1)
    play.do(ev.SeatsConfirmed(side=Side.NS, team=9))
    assert play.said == (
        "wrong-team",
        "Team 7 plays NS here. Team 9 sits at another table; look at the pairings.",
    )


def test_a_signature_covers_exactly_the_sheet_that_is_shown() -> None:
    play = Play(WHIST, hands=1).sit().whist_hand()
    play.do(ev.SheetSigned(side=Side.NS, seat=Seat.N, digest="0" * 64, strokes=STROKES))
    assert play.said[0] == "sheet-changed"
    cure = play.state.refused[0].id
    play.do(ev.SheetSigned(side=Side.NS, seat=Seat.E, digest=sheet_digest(play.state), strokes=STROKES), cure)
    assert play.said == ("other-seat", "East does not play for North–South.")


def test_a_refused_event_blocks_signing_until_an_event_that_counts_supersedes_it() -> None:
    play = Play(WHIST, hands=1).sit().count_cards()
    play.call("3")
    bad = play.state.refused[0].id
    play.auction("pass", "4", "pass", "pass").lock()
    play.books(2, 11)
    play.check().record()
    assert play.step is Step.SIGN
    play.sign(Side.NS)
    assert play.said[0] == "refused-open"
    signing = play.state.refused[-1].id
    play.sign(Side.NS, bad, signing)
    assert (play.state.refused, set(play.state.signatures)) == ((), {Side.NS})


def test_a_submission_needs_both_signatures_on_the_same_sheet() -> None:
    play = Play(WHIST, hands=1).sit().whist_hand()
    play.sign(Side.EW)
    play.submit()
    assert play.said == ("signature-missing", "Both sides sign before it is submitted.")


def test_after_submission_the_table_changes_nothing_until_the_sheet_is_reopened() -> None:
    play = Play(WHIST, hands=1).sit().whist_hand()
    play.sign(Side.NS)
    play.sign(Side.EW)
    play.submit()
    play.do(ev.HandOpened(hand=2, dealer=Seat.E))
    assert play.said == ("submitted", "The sheet is with the hub. Only an official can change it now.")
    play.do(ev.DirectorCalled(reason="about the sheet"))
    assert play.state.calling is not None
    play.state = play.state.with_hub(
        outcome=Outcome(reopened="Hand 1 is missing."), clock_started=True, clock_ended=True
    )
    assert play.step is Step.SIGN


def test_what_the_hub_refuses_does_not_count_here_either() -> None:
    play = Play(WHIST, hands=1).sit().whist_hand()
    play.sign(Side.NS)
    play.sign(Side.EW)
    play.do(
        ev.SheetSubmitted(digest=sheet_digest(play.state)), ruled=Ruled("sheet-stale", "The hub has another sheet.")
    )
    assert (play.step, play.said) == (Step.SIGN, ("sheet-stale", "The hub has another sheet."))


@settings(max_examples=25, deadline=None)
@given(ruleset=st.sampled_from([WHIST, MSO, WSOS]), seed=st.integers(0, 10_000))
def test_every_robot_round_ends_signed_with_nothing_refused(ruleset: str, seed: int) -> None:
    play = Play(ruleset)
    for _ in range(600):
        at = play.step
        if at is Step.SUBMITTED:
            break
        if at is Step.CLAIMED:
            play.state = renewed(play.state, tenure=1)
        elif at is Step.CLOCK:
            play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=False)
        elif at is Step.NEXT:
            play.open()
        elif at is Step.CHECK and play.hand.checked == frozenset(Side):
            play.record()
        else:
            planned = next_act(play.state, str(seed))
            assert planned is not None
            act = planned[0]
            if isinstance(act, LayCard):
                assert play.hand.turn is act.seat
                play.scan(call_text(act.call))
            else:
                play.do(act)
    assert (play.step, play.state.refused) == (Step.SUBMITTED, ())
    assert score(play.state).round.over


def test_the_clocks_end_after_the_last_hand_voids_no_signature() -> None:
    play = Play(WHIST, hands=1).sit().whist_hand()
    play.sign(Side.NS)
    before = sheet_digest(play.state)
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)
    assert (sheet_digest(play.state), score(play.state).round.reason) == (before, "hand-limit")
    play.sign(Side.EW)
    play.submit()
    assert play.step is Step.SUBMITTED


def test_a_card_under_another_lies_there_still_when_the_upper_one_is_lifted() -> None:
    play = Play(WHIST).sit().count_cards()
    lower = play.card(Seat.E, "4", "E-4")
    upper = play.card(Seat.E, "5", "E-5")
    assert [reading.id for reading in play.state.lying(Seat.E)] == [lower, upper]
    assert (play.state.readings[Seat.E].card, play.hand.calls) == ("E-5", ())
    play.do(ev.CardRemoved(seat=Seat.E, card="E-5", stamp=stamp(play.count)))
    assert [reading.card for reading in play.state.lying(Seat.E)] == ["E-4"]
    assert dict(play.state.under) == {}
    play.do(ev.CardRemoved(seat=Seat.E, card="E-4", stamp=stamp(play.count)))
    assert (play.state.lying(Seat.E), dict(play.state.readings)) == ((), {})


def test_the_lower_of_two_cards_may_be_lifted_first_and_no_more_than_eight_are_remembered() -> None:
    play = Play(WHIST).sit().count_cards()
    for number in range(10):
        play.card(Seat.S, "4", f"S-{number}")
    assert [reading.card for reading in play.state.lying(Seat.S)] == [f"S-{number}" for number in range(2, 10)]
    play.do(ev.CardRemoved(seat=Seat.S, card="S-4", stamp=stamp(play.count)))
    play.do(ev.CardRemoved(seat=Seat.S, card="S-1", stamp=stamp(play.count)))
    assert [reading.card for reading in play.state.lying(Seat.S)] == [f"S-{n}" for n in (2, 3, 5, 6, 7, 8, 9)]
    play.card(Seat.S, "5", "S-2")
    assert [reading.card for reading in play.state.lying(Seat.S)] == [f"S-{n}" for n in (3, 5, 6, 7, 8, 9, 2)]


def test_act_on_another_hand_than_the_open_one_is_refused_by_both_numbers() -> None:
    play = Play(WHIST).sit()
    before = play.state
    play.do(ev.HandCounted(hand=99))
    assert play.said == ("other-hand", "Hand 1 is open, not hand 99.")
    assert renewed(play.state, refused=()) == before
