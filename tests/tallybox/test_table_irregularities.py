"""Irregularities, rulings, claims and concessions at the table: who may, what waits, and what the hand becomes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from table_play import MSO, WHIST, WSOS, Play, assignment

from tallybox.calls import Bid, Strain
from tallybox.errors import SheetError
from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.messages import DeskFact, Outcome
from tallybox.renewed import renewed
from tallybox.rules.hand import Phase, Ruling
from tallybox.rules.ruleset import with_settings
from tallybox.seats import Seat, Side
from tallybox.sheet import HandFacts
from tallybox.table.irregular import MAY, Misdeal, kind_of, kinds, lines_if, misdeals, ruling_of
from tallybox.table.shown import (
    agreed_now,
    hand_facts,
    lines_digest,
    open_hand_ended,
    open_hand_score,
    score,
    sheet_digest,
)
from tallybox.table.state import HandRuling, Irregularity, Step
from tallybox.table.steps import next_dealer, next_number


def whist(*calls: str) -> Play:
    """A hand of bid whist in play, dealt by North: East bids ``calls[0]`` and wins unless told otherwise."""
    calls = calls or ("5", "pass", "pass", "pass")
    return Play(WHIST).sit().count_cards().auction(*calls).lock("up" if calls[0].endswith("no") else None)


def spades(ruleset: str = MSO) -> Play:
    return Play(ruleset).sit().count_cards().auction("3", "3", "3", "3").lock()


def with_rules(play: Play, **settings: Any) -> Play:
    playing = assignment(play.state.playing.ruleset.name)
    ruleset = with_settings(playing.ruleset, settings)
    play.state = renewed(play.state, assignment=replace(playing, ruleset=ruleset))
    return play


def raised(play: Play, code: str, side: Side, caller: Seat, **rest: Any) -> str:
    return play.do(rl.IrregularityRaised(hand=play.hand.number, code=code, side=side, caller=caller, **rest))


def ruled(play: Play, *supersedes: str, hand: int = 1, raised: str | None = None, **ruling: Any) -> str:
    return play.do(
        rl.RulingEntered(hand=hand, ruling=ruling, official="Dana", raised=raised, reason="seen"), *supersedes
    )


def lines(play: Play) -> list[tuple[Side, int, str]]:
    return [(line.side, line.points, line.rule) for line in open_hand_score(play.state).lines]


def test_an_irregularity_stops_the_hand_until_an_official_has_ruled() -> None:
    play = whist()
    name = raised(play, "RENEGE_SUIT", Side.NS, Seat.E, seat=Seat.N)
    assert play.step is Step.RULING
    assert play.hand.irregularities == (Irregularity(name, "RENEGE_SUIT", Side.NS, Seat.E, seat=Seat.N),)
    play.books(3, 10)
    waiting = "An irregularity waits for an official. Keep your cards; both sides together can withdraw it."
    assert play.said == ("waiting", waiting)
    raised(play, "TALK", Side.EW, Seat.N, seat=Seat.E)
    assert play.said == ("waiting", waiting)
    ruled(play, raised=name, code="RENEGE_SUIT", side="NS", seat="N")
    assert (play.step, lines(play)) == (Step.CHECK, [(Side.EW, 5, "A-35")])
    assert play.hand.rulings[0].ruling == Ruling(
        "RENEGE_SUIT", side=Side.NS, seat=Seat.N, caller=Seat.E, official="Dana"
    )
    play.check().record()
    assert (play.step, play.state.hands[0].result, next_number(play.state)) == (Step.NEXT, None, 2)
    assert dict(score(play.state).totals.points) == {Side.NS: 0, Side.EW: 5}


def test_a30_what_is_not_proven_settles_the_matter_and_changes_nothing() -> None:
    play = whist()
    name = raised(play, "TALK", Side.NS, Seat.W, seat=Seat.S)
    ruled(play, raised=name, code="TALK", side="NS", proven=False)
    assert (play.step, play.hand.irregularities[0].ruled) == (Step.PLAY, True)
    play.books(2, 11)
    assert lines(play) == [(Side.EW, 5, "A-30")]


def test_both_sides_drop_an_irregularity_and_play_goes_on() -> None:
    play = whist()
    before = play.hand
    name = raised(play, "SIGNAL", Side.NS, Seat.W, seat=Seat.S)
    play.do(rl.IrregularityWithdrawn(hand=1, raised=name))
    assert (play.step, play.hand) == (Step.PLAY, before)
    play.do(rl.IrregularityWithdrawn(hand=1, raised=name))
    assert play.said == ("not-raised", "No such irregularity waits here.")


def test_what_an_official_ruled_is_not_withdrawn() -> None:
    play = whist()
    name = raised(play, "SIGNAL", Side.NS, Seat.W, seat=Seat.S)
    ruled(play, raised=name, code="SIGNAL", side="NS", proven=False)
    play.do(rl.IrregularityWithdrawn(hand=1, raised=name))
    assert play.said[0] == "not-raised"


def test_a31_only_the_opposing_team_calls_a_renege() -> None:
    play = whist()
    raised(play, "RENEGE_SUIT", Side.NS, Seat.S, seat=Seat.N)
    said = "South plays for the offenders. Only the opposing team may call this."
    assert (play.said, play.step) == (("caller-side", said), Step.PLAY)


def test_anybody_at_a_spades_table_calls_the_director() -> None:
    play = spades()
    raised(play, "REVOKE", Side.NS, Seat.S, seat=Seat.N)
    assert play.step is Step.RULING


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ({"code": "RENEGE_JOKER"}, ("not-here", "RENEGE_JOKER cannot have happened in this hand so far.")),
        ({"code": "VERBIAGE"}, ("not-here", "VERBIAGE cannot have happened in this hand so far.")),
        ({"code": "REVOKE"}, ("not-here", "REVOKE cannot have happened in this hand so far.")),
        ({"code": "TALK", "seat": Seat.E}, ("seat-side", "East does not play for North–South.")),
        ({"code": "TALK", "seat": None}, ("no-seat", "Say which seat it was.")),
        ({"code": "BAD_LAYDOWN"}, ("not-the-offender", "Only East–West can do that: the bid is theirs.")),
        ({"code": "EXPOSED", "card": "XX"}, ("no-such-card", "That is no card of the deck.")),
    ],
)
def test_an_irregularity_that_cannot_be_is_refused(rest: dict[str, Any], said: tuple[str, str]) -> None:
    play = whist()
    asked = {"code": "TALK", "side": Side.NS, "caller": Seat.E, "seat": Seat.N, **rest}
    play.do(rl.IrregularityRaised(hand=1, **asked))
    assert (play.said, play.step) == (said, Step.PLAY)


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ({"code": "RENOUNCE"}, ("no-card", "Say which card it was.")),
        ({"code": "LEAD_TURN"}, ("no-answer", "First the other side answers.")),
        ({"code": "LEAD_TURN", "accepted": False}, ("no-card", "Say which card it was.")),
        ({"code": "REVOKE", "card": "SK"}, ("ruling-field", "REVOKE takes no “card” here. Leave it out.")),
    ],
)
def test_what_the_rule_needs_is_asked_for(rest: dict[str, Any], said: tuple[str, str]) -> None:
    play = spades()
    play.do(rl.IrregularityRaised(hand=1, side=Side.NS, caller=Seat.E, seat=Seat.N, **rest))
    assert play.said == said


def test_bi5_a_king_of_spades_exposed_in_play_costs_50_and_the_hand_goes_on() -> None:
    play = spades()
    name = raised(play, "EXPOSED", Side.NS, Seat.W, seat=Seat.N, card="SK")
    assert play.hand.irregularities[0].phase is Phase.PLAY
    official = ruling_of(play.hand.irregularities[0], "Dana")
    shown = [(line.side, line.points) for line in lines_if(play.state, official).lines]
    ruled(play, raised=name, code="EXPOSED", side="NS", seat="N", card="SK", phase="play")
    assert (shown, play.step) == ([(Side.NS, -50)], Step.PLAY)
    play.tricks(4, 3, 3, 3)
    assert (Side.NS, -50, "B-27") in lines(play)


def test_bi10_an_accepted_lead_out_of_turn_needs_no_card() -> None:
    play = spades()
    name = raised(play, "LEAD_TURN", Side.NS, Seat.W, seat=Seat.N, accepted=True)
    ruled(play, raised=name, code="LEAD_TURN", side="NS", accepted=True)
    assert play.step is Step.PLAY


def test_c13_a_queen_of_spades_exposed_in_the_deal_costs_50_before_anybody_bids() -> None:
    play = Play(WSOS).sit()
    name = raised(play, "EXPOSED", Side.NS, Seat.W, seat=Seat.S, card="SQ")
    assert (play.step, play.hand.irregularities[0].phase) == (Step.RULING, Phase.DEAL)
    ruled(play, raised=name, code="EXPOSED", side="NS", seat="S", card="SQ", phase="deal")
    assert play.step is Step.DEAL
    play.do(ev.HandVoided(hand=1, reason="misdeal", code="count"))
    assert dict(score(play.state).totals.points) == {Side.NS: -50, Side.EW: 0}
    assert (next_number(play.state), next_dealer(play.state)) == (1, Seat.N)


def test_bi1_a_revoke_ends_the_hand_without_its_tricks() -> None:
    play = Play(MSO).sit().count_cards().auction("3", "3", "2", "3").lock()
    name = raised(play, "REVOKE", Side.NS, Seat.E, seat=Seat.N)
    ruled(play, raised=name, code="REVOKE", side="NS", seat="N")
    assert (play.step, lines(play)) == (Step.CHECK, [(Side.NS, -60, "Q-16"), (Side.EW, 50, "Q-16")])
    play.tricks(4, 3, 3, 3)
    assert play.said == ("hand-ended", "A ruling ended this hand. Both sides check its score.")
    play.check().record()
    assert play.step is Step.NEXT


def test_where_nils_count_as_played_a_revoke_waits_for_the_tricks() -> None:
    play = with_rules(Play(MSO), revoke_nil="as_played").sit().count_cards().auction("3", "nil", "2", "3").lock()
    ruled(play, code="REVOKE", side="NS")
    assert play.step is Step.PLAY
    play.tricks(4, 3, 3, 3)
    assert (play.step, lines(play)[0]) == (Step.CHECK, (Side.NS, -30, "Q-16"))


def test_a26_a_tech_in_the_auction_gives_the_hand_away_before_any_bid() -> None:
    play = Play(WHIST).sit().count_cards()
    name = raised(play, "OUT_OF_TURN_BID", Side.NS, Seat.E, seat=Seat.N)
    ruled(play, raised=name, code="OUT_OF_TURN_BID", side="NS", seat="N", phase="bidding")
    assert (play.step, lines(play)) == (Step.CHECK, [(Side.EW, 4, "A-36")])
    play.call("4", Seat.E)
    assert play.said[0] == "hand-ended"
    play.check().record()
    assert (play.step, next_dealer(play.state)) == (Step.NEXT, Seat.E)


def test_time_ends_no_round_over_a_ruling_that_waits_or_has_ended_the_hand() -> None:
    play = Play(WHIST).sit().count_cards()
    name = raised(play, "VERBIAGE", Side.NS, Seat.E, seat=Seat.N)
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)
    steps = [play.step]
    ruled(play, raised=name, code="VERBIAGE", side="NS", phase="bidding")
    steps.append(play.step)
    play.check().record()
    assert [*steps, play.step] == [Step.RULING, Step.CHECK, Step.SIGN]
    assert dict(score(play.state).totals.points) == {Side.NS: 0, Side.EW: 4}


def test_a_hand_that_time_cut_off_keeps_what_an_irregularity_cost() -> None:
    play = Play(MSO).sit().count_cards().auction("3", "3")
    ruled(play, code="EXPOSED", side="NS", card="SK", phase="bidding")
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)
    cut = score(play.state)
    assert (play.step, [hand.void for hand in cut.hands]) == (Step.SIGN, [True])
    assert (dict(cut.totals.points), cut.round.winner) == ({Side.NS: -50, Side.EW: 0}, Side.EW)
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=False)
    assert (play.step, score(play.state).hands) == (Step.AUCTION, ())


def test_nothing_is_questioned_while_an_irregularity_waits() -> None:
    play = spades()
    play.tricks(4, 3, 3, 3)
    raised(play, "REVOKE", Side.NS, Seat.E, seat=Seat.N)
    play.do(ev.HandQuestioned(hand=1, side=Side.NS, what="result"))
    assert (play.said[0], play.hand.questioned) == ("waiting", ())


def test_a_tech_that_voids_the_hand_is_recorded_as_void_and_dealt_again() -> None:
    play = with_rules(Play(WHIST), tech_no_bid_value="void").sit().count_cards()
    ruled(play, code="VERBIAGE", side="NS", phase="bidding")
    assert (play.step, lines(play)) == (Step.CHECK, [])
    play.check().record()
    assert (play.state.hands[0].void, next_number(play.state), next_dealer(play.state)) == ("director", 1, Seat.N)


def test_a25_a_late_misdeal_is_ruled_on_and_no_longer_dealt_again() -> None:
    play = whist("4", "pass", "pass", "pass")
    play.do(ev.HandVoided(hand=1, reason="misdeal", code="kitty-count"))
    said = "A card has been played: a misdeal found now costs a side the hand. Call it under Irregularity."
    assert play.said == ("card-played", said)
    name = raised(play, "MISDEAL_LATE", Side.NS, Seat.S)
    ruled(play, raised=name, code="MISDEAL_LATE", side="NS")
    assert lines(play) == [(Side.EW, 4, "A-35")]


def test_a_spades_deal_that_was_played_is_the_director_s() -> None:
    play = spades()
    play.do(ev.HandVoided(hand=1, reason="misdeal", code="count"))
    assert play.said == ("card-played", "A card has been played, so this deal stands. Ask the director.")
    play.do(ev.HandVoided(hand=1, reason="director", official="Dana", why="three Queens of hearts"))
    assert (play.state.hand, play.state.hands[0].void) == (None, "director")


def test_an_official_voids_a_hand_that_waits() -> None:
    play = whist()
    raised(play, "TALK", Side.NS, Seat.E, seat=Seat.N)
    play.do(ev.HandVoided(hand=1, reason="director"))
    assert play.said[0] == "waiting"
    play.do(ev.HandVoided(hand=1, reason="director", official="Dana", why="cards thrown in"))
    assert (play.step, score(play.state).hands[0].lines) == (Step.NEXT, ())


def test_an_adjustment_stays_on_a_void_hand_without_a_winner() -> None:
    play = whist()
    ruled(play, code="ADJUST", won_by="NS", points={"NS": 3}, why="agreed")
    assert (play.step, lines(play)) == (Step.CHECK, [(Side.NS, 3, "INV-7")])
    play.do(ev.HandVoided(hand=1, reason="director", official="Dana", why="replayed"))
    void = score(play.state).hands[0]
    assert (void.void, void.won_by, dict(void.points)) == (True, None, {Side.NS: 3, Side.EW: 0})


def test_the_first_ruling_that_ends_a_hand_decides_it() -> None:
    play = whist()
    ruled(play, code="TALK", side="NS")
    ruled(play, code="SIGNAL", side="EW")
    assert lines(play) == [(Side.EW, 5, "A-35")]


def test_a_second_ruling_takes_the_place_of_the_first() -> None:
    play = whist()
    name = raised(play, "TALK", Side.NS, Seat.E, seat=Seat.N)
    first = ruled(play, raised=name, code="TALK", side="NS")
    ruled(play, raised=name, code="TALK", side="NS", proven=False)
    assert play.said == ("ruled", "An official has ruled on this already. A new ruling names the first.")
    other = ruled(play, code="ADJUST", points={"NS": 1}, why="kindness")
    second = ruled(play, first, code="TALK", side="NS", proven=False)
    assert [(known.id, known.supersedes, known.raised) for known in play.hand.rulings] == [
        (second, (first,), name),
        (other, (), None),
    ]
    assert play.step is Step.PLAY
    third = ruled(play, second, code="TALK", side="NS", seat="S")
    assert play.hand.rulings[0] == HandRuling(
        third, Ruling("TALK", side=Side.NS, seat=Seat.S, official="Dana"), "Dana", raised=name, reason="seen",
        supersedes=(second, first),
    )  # fmt: skip


def test_a_ruling_clears_what_both_sides_had_agreed_with() -> None:
    play = spades()
    play.tricks(4, 3, 3, 3)
    play.do(ev.HandChecked(hand=1, side=Side.NS, lines=lines_digest(open_hand_score(play.state))))
    ruled(play, code="EXPOSED", side="NS", card="SK", phase="play")
    assert (play.step, play.hand.checked) == (Step.CHECK, frozenset())


def test_nothing_is_agreed_or_recorded_while_an_irregularity_waits() -> None:
    play = spades()
    play.tricks(4, 3, 3, 3)
    play.check()
    shown = lines_digest(open_hand_score(play.state))
    name = raised(play, "REVOKE", Side.NS, Seat.E, seat=Seat.N)
    play.do(ev.HandChecked(hand=1, side=Side.NS, lines=shown))
    assert play.said[0] == "waiting"
    play.record()
    assert play.said[0] == "waiting"
    play.do(rl.IrregularityWithdrawn(hand=1, raised=name))
    assert play.step is Step.CHECK


def test_a_recorded_hand_is_adjusted_and_its_signatures_fall() -> None:
    play = Play(WHIST, hands=1).sit().whist_hand()
    signed = sheet_digest(play.state)
    ruled(play, code="TALK", side="NS")
    assert play.said == ("recorded", "Hand 1 is on record. An official adjusts it, or corrects the hand.")
    first = ruled(play, code="ADJUST", points={"EW": 2}, why="a book was miscounted")
    assert (dict(score(play.state).totals.points)[Side.EW], sheet_digest(play.state) == signed) == (2, False)
    ruled(play, first, code="ADJUST", points={"EW": 0}, why="it was not", proven=False)
    assert dict(score(play.state).totals.points)[Side.EW] == 0


def test_an_adjustment_that_does_not_fit_a_recorded_hand_is_refused() -> None:
    play = Play(WHIST, hands=1).sit().whist_hand()
    before = play.state
    ruled(play, code="ADJUST", boston="EW", why="all books")
    assert play.said == ("boston-alone", "A Boston belongs to the side that won the hand. Say too who won it.")
    ruled(play, code="ADJUST", boston="NS", won_by="EW", why="all books")
    assert (play.said[0], renewed(play.state, refused=()) == before) == ("ruling-fit", True)
    ruled(play, hand=2, code="ADJUST", points={"EW": 2}, why="x")
    assert play.said == ("no-hand", "Hand 2 is neither open nor on record.")


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        ({"code": "NOTHING"}, "unknown-ruling"),
        ({"side": "NS"}, "missing"),
        ({"code": "TALK"}, "ruling-incomplete"),
        ({"code": "LATE", "side": "NS"}, "not-ruled-here"),
        ({"code": "IMPROPER_BID", "seat": "N", "said": "4", "corrected": "5"}, "not-ruled-here"),
        ({"code": "RENEGE_JOKER", "side": "NS"}, "ruling-fit"),
        ({"code": "RENEGE_SUIT", "side": "NS", "caller": "S"}, "caller-side"),
    ],
)
def test_a_ruling_that_the_rules_refuse_changes_nothing(ruling: dict[str, Any], code: str) -> None:
    play = whist()
    before = play.state
    ruled(play, **ruling)
    assert (play.said[0], renewed(play.state, refused=()) == before) == (code, True)


def test_a_ruling_answers_only_what_was_raised() -> None:
    play = whist()
    ruled(play, raised="e" * 64, code="TALK", side="NS")
    assert play.said == ("not-raised", "No such irregularity waits here. Look at the hand once more.")


def test_nobody_reneges_before_the_contract_stands() -> None:
    play = Play(WHIST).sit().count_cards()
    ruled(play, code="RENEGE_SUIT", side="NS")
    assert play.said == ("not-here", "RENEGE_SUIT cannot have happened in this hand so far.")
    ruled(play, code="TALK", side="NS")
    assert play.said == ("not-here", "TALK cannot end this hand as it stands.")
    ruled(play, code="TALK", side="NS", phase="bidding")
    assert play.step is Step.CHECK


def test_a_hand_holds_no_more_rulings_than_a_sheet() -> None:
    play = spades()
    for _ in range(50):
        ruled(play, code="EXPOSED", side="NS", card="H2", phase="play")
    assert play.state.refused == ()
    ruled(play, code="EXPOSED", side="NS", card="H2", phase="play")
    assert play.said == ("too-many", "This hand has as many rulings as a sheet holds.")


def test_a21_an_agreed_laydown_asks_for_the_books_at_once() -> None:
    play = whist("6", "pass", "pass", "pass")
    play.do(rl.ClaimOfTricksMade(hand=1, seat=Seat.E, agreed=True))
    assert play.step is Step.RESULT
    play.do(rl.SetConceded(hand=1, seat=Seat.E))
    assert play.said == ("claimed", "The rest is claimed already. Enter the result.")
    play.books(0, 13)
    assert (lines(play), open_hand_score(play.state).boston) == ([(Side.EW, 7, "A-30")], Side.EW)
    assert hand_facts(play.hand).rulings == (Ruling("LAYDOWN", side=Side.EW, seat=Seat.E),)


def test_only_the_bidders_lay_down() -> None:
    play = whist()
    play.do(rl.ClaimOfTricksMade(hand=1, seat=Seat.N, agreed=True))
    assert play.said == ("bidders-only", "Only East–West lay down: the bid is theirs.")


def test_a19_a_laydown_that_is_not_agreed_waits_for_an_official() -> None:
    play = whist("6", "pass", "pass", "pass")
    claim = play.do(rl.ClaimOfTricksMade(hand=1, seat=Seat.E, agreed=False))
    assert (play.step, play.hand.irregularities[0].code) == (Step.RULING, "BAD_LAYDOWN")
    ruled(play, raised=claim, code="BAD_LAYDOWN", side="EW")
    assert lines(play) == [(Side.NS, 6, "A-34")]


def test_a_doubted_claim_is_good_after_all_or_taken_back() -> None:
    play = whist()
    claim = play.do(rl.ClaimOfTricksMade(hand=1, seat=Seat.E, agreed=False))
    ruled(play, raised=claim, code="LAYDOWN", side="EW")
    assert play.step is Step.RESULT
    play = whist()
    claim = play.do(rl.ClaimOfTricksMade(hand=1, seat=Seat.E, agreed=False))
    play.do(rl.IrregularityWithdrawn(hand=1, raised=claim))
    assert (play.step, play.hand.claim) == (Step.PLAY, None)


def test_a_claim_in_spades_is_entered_as_tricks() -> None:
    play = spades()
    play.do(rl.ClaimOfTricksMade(hand=1, seat=Seat.N, agreed=True))
    assert (play.step, play.hand.rulings[0].ruling) == (Step.RESULT, Ruling("CLAIM", seat=Seat.N))
    play = spades()
    claim = play.do(rl.ClaimOfTricksMade(hand=1, seat=Seat.N, agreed=False))
    assert ruling_of(play.hand.irregularities[0], "Dana") == Ruling(
        "CLAIM", seat=Seat.N, caller=Seat.E, official="Dana", phase=Phase.PLAY
    )
    ruled(play, raised=claim, code="CLAIM", seat="N", phase="play")
    steps = [play.step]
    play.tricks(4, 3, 3, 3)
    assert [*steps, play.step] == [Step.RESULT, Step.CHECK]


def test_a20_a_conceded_set_is_checked_without_books() -> None:
    play = whist("6 no", "pass", "pass", "pass")
    play.do(rl.SetConceded(hand=1, seat=Seat.W))
    assert play.said == ("bidder-only", "Only East, who bid, concedes.")
    play.do(rl.SetConceded(hand=1, seat=Seat.E))
    assert (play.step, lines(play)) == (Step.CHECK, [(Side.NS, 12, "A-32")])
    play.check().record()
    assert dict(score(play.state).totals.points) == {Side.NS: 12, Side.EW: 0}


def test_a_concession_that_a_side_questions_is_taken_back_once() -> None:
    play = whist("6", "pass", "pass", "pass")
    play.do(rl.SetConceded(hand=1, seat=Seat.E))
    play.do(ev.HandQuestioned(hand=1, side=Side.EW, what="result"))
    assert (play.step, play.hand.conceded, play.hand.rulings) == (Step.RESULT, None, ())
    play.do(rl.SetConceded(hand=1, seat=Seat.E))
    steps = [play.step]
    play.do(ev.HandQuestioned(hand=1, side=Side.EW, what="result"))
    steps.append(play.step)
    play.check().record()
    assert [*steps, play.step] == [Step.DISPUTED, Step.DISPUTED, Step.NEXT]


def test_what_an_official_ruled_is_not_taken_back_by_a_question() -> None:
    play = whist()
    ruled(play, code="TALK", side="NS")
    play.do(ev.HandQuestioned(hand=1, side=Side.NS, what="penalty"))
    assert (play.step, len(play.hand.rulings)) == (Step.DISPUTED, 1)


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (Play(WHIST).sit().count_cards(), ("no-card-played", "No card has been played yet.")),
        (
            spades(),
            ("not-conceded", "Spades is played out: every trick can count. Enter what each player took."),
        ),
    ],
)
def test_a_set_is_conceded_in_play_by_the_bidder(play: Play, said: tuple[str, str]) -> None:
    play.do(rl.SetConceded(hand=1, seat=Seat.E))
    assert play.said == said


def test_a_hand_with_a_result_is_not_claimed() -> None:
    play = whist()
    play.books(3, 10)
    play.do(rl.ClaimOfTricksMade(hand=1, seat=Seat.E, agreed=True))
    assert play.said == ("result-known", "The result is entered already.")


def test_au3_a_bid_that_was_too_low_is_recorded_with_what_was_said() -> None:
    play = Play(WHIST).sit().count_cards().auction("4 special")
    play.do(ev.CallMade(hand=1, seat=Seat.S, call="5", source="typed", said="4"))
    play.auction("pass", "pass").lock()
    play.books(11, 2)
    corrected = Ruling(
        "IMPROPER_BID", side=Side.NS, seat=Seat.S, said=Bid(4, Strain.HIGH), corrected=Bid(5, Strain.HIGH)
    )
    assert (hand_facts(play.hand).rulings, lines(play)) == ((corrected,), [(Side.NS, 5, "A-30")])
    play.check().record()
    assert play.step is Step.NEXT


def test_a_correction_is_the_one_that_the_rules_demand() -> None:
    play = Play(WHIST).sit().count_cards().auction("4")
    play.do(ev.CallMade(hand=1, seat=Seat.S, call="6", source="typed", said="4"))
    assert play.said == ("other-correction", "4 HIGH does not beat 4 HIGH. South must now bid 5 HIGH.")
    play.do(ev.CallMade(hand=1, seat=Seat.S, call="6", source="typed", said="5"))
    assert play.said == ("not-improper", "5 HIGH is a call that counts. Record it as it was said.")
    play.do(ev.CallMade(hand=1, seat=Seat.S, call="6", source="typed", said="8"))
    assert play.said[0] == "other-correction"


def test_au13_where_no_next_number_is_left_the_seat_passes() -> None:
    play = Play(WHIST).sit().count_cards().auction("7")
    play.do(ev.CallMade(hand=1, seat=Seat.S, call="pass", source="typed", said="7 special"))
    play.auction("pass", "pass").lock()
    play.books(0, 13)
    assert (play.state.refused, play.step) == ((), Step.CHECK)


def test_a_corrected_bid_that_is_taken_back_leaves_nothing_behind() -> None:
    play = Play(WHIST).sit().count_cards().auction("4")
    made = play.do(ev.CallMade(hand=1, seat=Seat.S, call="5", source="typed", said="4"))
    play.do(ev.CallTakenBack(hand=1, seat=Seat.S), made)
    assert (play.hand.improper, hand_facts(play.hand).rulings) == ({}, ())


def test_an_improper_bid_that_lay_as_a_card_raises_no_question() -> None:
    play = Play(WHIST).sit().count_cards().auction("4")
    reading = play.card(Seat.S, "4 special")
    play.do(ev.CallMade(hand=1, seat=Seat.S, call="5 special", source="scanned", reading=reading, said="4 special"))
    assert (play.step, play.hand.turn) == (Step.AUCTION, Seat.W)
    play = Play(WHIST).sit().count_cards().auction("4")
    play.do(ev.CallMade(hand=1, seat=Seat.S, call="5", source="typed", said="4"))
    play.card(Seat.S, "4")
    assert play.step is Step.AUCTION


def test_a_void_deal_forgets_its_corrected_bids() -> None:
    play = Play(WHIST).sit().count_cards().auction("4")
    play.do(ev.CallMade(hand=1, seat=Seat.S, call="5", source="typed", said="4"))
    play.do(ev.HandVoided(hand=1, reason="misdeal"))
    assert hand_facts(play.state.hands[0]) == HandFacts(Seat.N, void="misdeal")


def codes(play: Play) -> list[str]:
    return [kind.code for kind in kinds(play.state)]


def test_what_can_be_called_follows_the_hand() -> None:
    play = Play(WHIST)
    assert codes(play) == []
    play.sit()
    seen = [codes(play)]
    play.count_cards()
    seen.append(codes(play))
    play.auction("4 no", "pass", "pass", "pass").lock("up")
    seen.append(codes(play))
    assert seen == [
        [],
        ["OUT_OF_TURN_BID", "VERBIAGE", "TALK", "SIGNAL", "EXPOSED"],
        ["RENEGE_SUIT", "RENEGE_JOKER", "JOKER_DISCARD", "OUT_OF_TURN_PLAY", "REOPEN", "BAD_LAYDOWN", "MISDEAL_LATE",
         "TALK", "SIGNAL", "EXPOSED"],
    ]  # fmt: skip
    raised(play, "TALK", Side.NS, Seat.E, seat=Seat.N)
    assert codes(play) == []
    plain = whist()
    assert not {"RENEGE_JOKER", "JOKER_DISCARD"} & set(codes(plain))


def test_what_can_be_called_in_spades_follows_the_hand() -> None:
    play = Play(MSO).sit()
    seen = [[(kind.code, kind.phase) for kind in kinds(play.state)]]
    play.count_cards()
    seen.append([(kind.code, kind.phase) for kind in kinds(play.state)])
    play.auction("3", "3", "3", "3").lock()
    seen.append([(kind.code, kind.phase) for kind in kinds(play.state)])
    assert seen == [
        [("EXPOSED", Phase.DEAL)],
        [("EXPOSED", Phase.BIDDING)],
        [(code, Phase.PLAY) for code in ("EXPOSED", "RENOUNCE", "LEAD_TURN", "REVOKE")],
    ]


def test_a_kind_says_its_rule_what_it_needs_and_who_may() -> None:
    play = whist("4 no", "pass", "pass", "pass")
    kind = kind_of(play.state, "JOKER_DISCARD")
    assert kind is not None
    why = "Only East–West can do that: the bid is theirs."
    assert (kind.title, kind.rule, kind.needs, kind.offenders, kind.callers(Side.EW)) == (
        "joker-discard", "A-18", frozenset({"seat"}), {Seat.N: why, Seat.E: MAY, Seat.S: why, Seat.W: MAY},
        (Seat.N, Seat.S),
    )  # fmt: skip
    late = kind_of(play.state, "MISDEAL_LATE")
    assert late is not None
    assert (late.rule, late.needs, late.callers(Side.NS)) == ("A-08", frozenset(), tuple(Seat))
    series = kind_of(spades(WSOS).state, "RENOUNCE")
    assert series is not None
    assert (series.rule, series.needs, series.callers(Side.NS)) == ("C-15", frozenset({"seat"}), tuple(Seat))
    assert kind_of(play.state, "REVOKE") is None


def test_a_misdeal_has_its_codes_until_a_card_is_played() -> None:
    play = Play(WHIST)
    assert misdeals(play.state) == ()
    play.sit()
    six = [each.code for each in misdeals(play.state)]
    assert six == ["exposed", "count", "kitty-count", "no-kitty", "first-last", "deck"]
    play.count_cards()
    assert [each.code for each in misdeals(play.state)] == six
    assert misdeals(whist().state) == ()
    series = Play(MSO).sit()
    assert misdeals(series.state)[0] == Misdeal("exposed", "exposed-in-deal")
    series.count_cards()
    assert [each.code for each in misdeals(series.state)] == ["count", "deck"]


def test_the_lines_of_a_ruling_are_shown_before_it_is_made() -> None:
    play = whist()
    renege = lines_if(play.state, Ruling("RENEGE_SUIT", side=Side.NS))
    assert [(line.side, line.points, line.rule) for line in renege.lines] == [(Side.EW, 5, "A-35")]
    nothing = lines_if(play.state, Ruling("RENEGE_SUIT", side=Side.NS, proven=False))
    assert (nothing.lines, nothing.void) == ((), False)
    with pytest.raises(SheetError, match=r"^RENEGE_JOKER belongs to a No bid"):
        lines_if(play.state, Ruling("RENEGE_JOKER", side=Side.NS))
    with pytest.raises(SheetError, match=r"^No hand is open, so there is nothing to rule on\.$"):
        lines_if(Play(WHIST).state, Ruling("TALK", side=Side.NS))


def test_the_lines_of_a_ruling_go_beside_those_of_the_result() -> None:
    play = spades()
    play.tricks(4, 3, 3, 3)
    shown = lines_if(play.state, Ruling("EXPOSED", side=Side.NS, card="SK", phase=Phase.PLAY))
    assert dict(shown.points) == {Side.NS: 61 - 50, Side.EW: 60}


def test_a_table_without_a_hand_has_none_to_score_or_to_check() -> None:
    state = Play(WHIST).state
    assert (open_hand_ended(state), agreed_now(state)) == (False, frozenset())
    with pytest.raises(SheetError, match=r"^No hand is open, so none has a score to check\.$") as refused:
        open_hand_score(state)
    assert refused.value.code == "no-hand"


def test_the_desk_answers_what_the_table_raised() -> None:
    play = whist()
    name = raised(play, "RENEGE_SUIT", Side.NS, Seat.E, seat=Seat.N)
    answer = DeskFact(
        id="d" * 64, kind="ruling", by="Dana", hand=1, raised=name, ruling={"code": "RENEGE_SUIT", "side": "NS"}
    )
    play.state = renewed(play.state, desk=(answer,))
    assert (play.step, lines(play)) == (Step.CHECK, [(Side.EW, 5, "A-35")])


def test_what_the_desk_ruled_since_is_agreed_with_anew() -> None:
    play = spades()
    assert agreed_now(play.state) == frozenset()
    play.tricks(4, 3, 3, 3)
    before = lines_digest(open_hand_score(play.state))
    play.do(ev.HandChecked(hand=1, side=Side.NS, lines=before))
    assert agreed_now(play.state) == {Side.NS}
    penalty: dict[str, object] = {"code": "EXPOSED", "side": "NS", "card": "SK", "phase": "play"}
    play.state = renewed(play.state, desk=(DeskFact(id="d" * 64, kind="ruling", by="Dana", hand=1, ruling=penalty),))
    assert agreed_now(play.state) == frozenset()
    play.do(ev.HandChecked(hand=1, side=Side.EW, lines=lines_digest(open_hand_score(play.state))))
    assert (play.hand.checked, agreed_now(play.state)) == (frozenset({Side.EW}), frozenset({Side.EW}))
    play.record()
    assert play.said[0] == "not-checked"
    play.do(ev.HandChecked(hand=1, side=Side.NS, lines=lines_digest(open_hand_score(play.state))))
    play.record()
    assert dict(score(play.state).totals.points) == {Side.NS: 11, Side.EW: 60}
