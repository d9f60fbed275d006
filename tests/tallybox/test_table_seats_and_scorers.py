"""Seats changed before the deal, the bid deck declined, and two scorekeepers who enter apart (C-05, C-13)."""

from __future__ import annotations

import pytest
from table_play import MSO, WHIST, WSOS, Play

from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.messages import Outcome
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side
from tallybox.table.bidding import deck_lies
from tallybox.table.shown import open_hand_score, sheet_json
from tallybox.table.state import Step
from tallybox.table.steps import two_scorers


def claimed(ruleset: str) -> Play:
    """A table whose box may speak, before anybody has confirmed a seat."""
    play = Play(ruleset)
    play.do(ev.ClaimMade())
    play.state = renewed(play.state, tenure=1)
    return play


def numbers(play: Play) -> dict[Side, int]:
    return {side: team.number for side, team in play.state.teams.items()}


def test_teams_that_change_sides_say_again_that_they_sit_right() -> None:
    play = claimed(WHIST)
    play.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    play.do(rl.SeatsSwapped())
    assert (play.step, play.state.seats_confirmed) == (Step.SEATS, frozenset())
    assert numbers(play) == {Side.NS: 6, Side.EW: 7}
    play.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    assert play.said[0] == "wrong-team"
    play.do(ev.SeatsConfirmed(side=Side.NS, team=6))
    play.do(ev.SeatsConfirmed(side=Side.EW, team=7))
    assert play.step is Step.SCOREKEEPER
    assert sheet_json(play.state)["teams"] == {
        "NS": {"number": 6, "names": ["Six A", "Six B"]},
        "EW": {"number": 7, "names": ["Seven A", "Seven B"]},
    }


def test_partners_change_seats_and_only_their_side_confirms_again() -> None:
    play = claimed(WHIST)
    play.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    play.do(ev.SeatsConfirmed(side=Side.EW, team=6))
    play.do(rl.SeatsSwapped(side=Side.EW))
    assert play.state.seats_confirmed == {Side.NS}
    assert [team.names for team in play.state.teams.values()] == [("Seven A", "Seven B"), ("Six B", "Six A")]
    play.do(rl.SeatsSwapped(side=Side.EW))
    assert play.state.teams[Side.EW].names == ("Six A", "Six B")


def test_once_cards_are_dealt_only_an_official_swaps_and_only_until_a_hand_is_recorded() -> None:
    play = Play(WHIST).sit()
    play.do(rl.SeatsSwapped())
    assert play.said == ("dealt", "Cards have been dealt. Only an official swaps seats.")
    play.do(rl.SeatsSwapped(side=Side.NS, official="Dana"))
    assert play.said == ("dealt", "Cards have been dealt: partners keep their seats for this hand.")
    play.do(rl.SeatsSwapped(official="Dana"))
    assert (play.step, numbers(play)) == (Step.DEAL, {Side.NS: 6, Side.EW: 7})
    play.whist_hand()
    play.do(rl.SeatsSwapped(official="Dana"))
    assert play.said == ("recorded", "A hand is recorded: the teams stay where they sit.")


def test_a_deck_is_declined_by_both_sides_or_not_at_all() -> None:
    play = Play(WSOS).sit()
    play.do(rl.BidDeckWaived(side=Side.NS))
    assert deck_lies(play.state)
    play.do(rl.BidDeckWaived(side=Side.NS))
    assert play.said == ("waived", "North–South have declined the bid deck already.")
    play.do(rl.BidDeckWaived(side=Side.EW))
    assert not deck_lies(play.state)
    play.count_cards()
    reading = play.card(Seat.E, "4")
    play.do(ev.CallMade(hand=1, seat=Seat.E, call="4", source="scanned", reading=reading))
    assert play.said == ("no-deck", "Both sides declined the bid deck. Type the call.")
    play.call("5")
    play.card(Seat.E, "4")
    assert (play.step, play.hand.conflict) == (Step.AUCTION, None)


def test_c18_a_deck_that_one_side_declines_is_used() -> None:
    play = Play(WSOS).sit()
    play.do(rl.BidDeckWaived(side=Side.EW))
    play.count_cards()
    play.scan("4")
    assert (play.state.refused, play.hand.turn) == ((), Seat.S)
    play.do(rl.BidDeckWaived(side=Side.NS))
    assert play.said == ("bidding-begun", "The bidding has begun: the bid deck stays as it was agreed.")


def test_a_deck_is_declined_by_teams_that_are_seated() -> None:
    play = claimed(WSOS)
    play.do(rl.BidDeckWaived(side=Side.NS))
    assert play.said == ("seats-first", "First both sides confirm their seats.")


@pytest.mark.parametrize("ruleset", [WHIST, MSO])
def test_other_rules_know_no_waiver(ruleset: str) -> None:
    play = Play(ruleset).sit()
    play.do(rl.BidDeckWaived(side=Side.NS))
    assert play.said == ("no-waiver", "These rules do not let a table decline the bid cards.")
    assert deck_lies(play.state)


def seated(ruleset: str) -> Play:
    """Both sides sit, and nobody keeps the score yet."""
    play = claimed(ruleset)
    play.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    play.do(ev.SeatsConfirmed(side=Side.EW, team=6))
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=False)
    return play


def test_c13_each_side_chooses_its_own_scorekeeper_and_may_choose_again() -> None:
    play = seated(WSOS)
    play.do(ev.ScorekeeperChosen(seat=Seat.W))
    assert (play.step, play.state.scorekeepers) == (Step.SCOREKEEPER, frozenset({Seat.W}))
    play.do(ev.ScorekeeperChosen(seat=Seat.E))
    assert (play.step, play.state.scorekeepers) == (Step.SCOREKEEPER, frozenset({Seat.E}))
    play.do(ev.ScorekeeperChosen(seat=Seat.S))
    assert (play.step, play.state.scorekeepers) == (Step.DRAW, frozenset({Seat.E, Seat.S}))
    play.do(ev.ScorekeeperChosen(seat=Seat.N))
    assert (play.step, play.state.scorekeeper, play.state.scorekeepers) == (
        Step.DRAW,
        Seat.E,
        frozenset({Seat.E, Seat.N}),
    )


@pytest.mark.parametrize("ruleset", [MSO, WHIST])
def test_elsewhere_the_other_side_s_scorekeeper_takes_the_first_one_s_place(ruleset: str) -> None:
    play = seated(ruleset)
    play.do(ev.ScorekeeperChosen(seat=Seat.W))
    play.do(ev.ScorekeeperChosen(seat=Seat.N))
    assert (play.step is Step.SCOREKEEPER, play.state.scorekeepers) == (False, frozenset({Seat.N}))


def test_a_journal_that_names_one_scorekeeper_where_two_enter_folds_as_it_did() -> None:
    play = seated(WSOS)
    play.do(ev.DealerDrawn(seat=Seat.S))
    assert play.said[0] == "dealer-known"
    play.do(ev.ScorekeeperChosen(seat=Seat.N))
    play.do(ev.DealerDrawn(seat=Seat.S))
    assert (play.step, play.state.first_dealer, play.state.scorekeepers) == (Step.NEXT, Seat.S, frozenset({Seat.N}))
    play.open()
    assert play.step is Step.DEAL


def enter(play: Play, scorer: Side, taken: tuple[int, int, int, int], *supersedes: str) -> str:
    tricks = dict(zip(Seat, taken, strict=True))
    return play.do(ev.ResultEntered(hand=play.hand.number, tricks=tricks, scorer=scorer), *supersedes)


def played(ruleset: str = WSOS) -> Play:
    return Play(ruleset).sit().count_cards().auction("3", "3", "3", "3").lock()


RIGHT, WRONG = (4, 3, 3, 3), (3, 4, 3, 3)


def test_two_equal_entries_are_the_result() -> None:
    play = played()
    assert two_scorers(play.state)
    enter(play, Side.NS, RIGHT)
    assert (play.step, play.hand.result) == (Step.RESULT, None)
    last = enter(play, Side.EW, RIGHT)
    assert (play.step, play.hand.result and play.hand.result.id) == (Step.CHECK, last)
    play.check().record()
    assert play.step is Step.NEXT


def test_c19_entries_that_differ_are_compared_and_one_is_changed() -> None:
    play = played()
    enter(play, Side.NS, RIGHT)
    other = enter(play, Side.EW, WRONG)
    assert (play.step, play.hand.result, play.hand.unequal) == (Step.COMPARE, None, 1)
    enter(play, Side.EW, RIGHT)
    assert play.said[0] == "result-known"
    enter(play, Side.EW, RIGHT, other)
    assert (play.step, dict(open_hand_score(play.state).points)) == (Step.CHECK, {Side.NS: 61, Side.EW: 60})


def test_entries_unequal_a_second_time_are_the_director_s_and_kept() -> None:
    play = played()
    first = enter(play, Side.NS, RIGHT)
    enter(play, Side.EW, WRONG)
    second = enter(play, Side.NS, (2, 5, 3, 3), first)
    assert (play.step, set(play.hand.entries)) == (Step.DISPUTED, set(Side))
    enter(play, Side.NS, WRONG, second)
    assert play.step is Step.CHECK


def test_an_entry_changed_after_both_were_equal_is_compared_again() -> None:
    play = played()
    first = enter(play, Side.NS, RIGHT)
    enter(play, Side.EW, RIGHT)
    enter(play, Side.NS, WRONG, first)
    assert (play.step, play.hand.result) == (Step.COMPARE, None)


def test_one_entry_for_both_scorekeepers_settles_what_they_differ_about() -> None:
    play = played()
    enter(play, Side.NS, RIGHT)
    enter(play, Side.EW, WRONG)
    play.tricks(4, 3, 3, 3)
    assert (play.step, play.hand.entries) == (Step.CHECK, {})


def test_a_questioned_result_is_entered_by_both_again() -> None:
    play = played()
    enter(play, Side.NS, RIGHT)
    enter(play, Side.EW, RIGHT)
    play.do(ev.HandQuestioned(hand=1, side=Side.EW, what="result"))
    assert (play.step, play.hand.entries) == (Step.RESULT, {})
    enter(play, Side.NS, WRONG)
    enter(play, Side.EW, WRONG)
    assert play.step is Step.CHECK


def test_an_entry_makes_thirteen_by_itself() -> None:
    play = played()
    enter(play, Side.NS, (4, 3, 3, 2))
    assert (play.said[0], play.hand.entries) == ("tricks-sum", {})


@pytest.mark.parametrize("ruleset", [MSO, WHIST])
def test_elsewhere_one_scorekeeper_enters(ruleset: str) -> None:
    if ruleset == WHIST:
        play = Play(WHIST).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
        play.do(ev.ResultEntered(hand=1, books={Side.NS: 3, Side.EW: 10}, scorer=Side.NS))
    else:
        play = played(MSO)
        enter(play, Side.NS, RIGHT)
    assert play.said == ("one-scorer", "One scorekeeper enters the result at this table.")
