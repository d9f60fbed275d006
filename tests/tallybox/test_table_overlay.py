"""What the desk decides lies over what the table entered: rulings, corrections, awards."""

from __future__ import annotations

import pytest
from table_play import MSO, WHIST, Play, spades, whist

from tallybox.errors import SheetError
from tallybox.events import rulings as ru
from tallybox.events import table as ev
from tallybox.messages import DeskFact, Outcome
from tallybox.renewed import renewed
from tallybox.rules.hand import HandFacts, Ruling
from tallybox.seats import Seat, Side
from tallybox.sheet import Ended, EndedBy, Reason, hand_facts_to_json
from tallybox.table import overlay
from tallybox.table.shown import (
    hand_facts,
    lines_digest,
    open_hand_ended,
    open_hand_score,
    score,
    sheet_digest,
    sheet_facts,
    unfit,
)
from tallybox.table.state import HandRuling, Step, TableState
from tallybox.table.steps import next_dealer, next_number, round_over

ADJUST = {"code": "ADJUST", "points": {"NS": 2}, "why": "miscounted"}


def name(letter: str) -> str:
    return letter * 64


def fact(letter: str, kind: str, **fields: object) -> DeskFact:
    return DeskFact(id=name(letter), kind=kind, by="dana", **fields)  # type: ignore[arg-type]


def decided(play: Play, *facts: DeskFact) -> TableState:
    play.state = renewed(play.state, desk=(*play.state.desk, *facts))
    return play.state


def corrected(play: Play, letter: str, number: int = 1, *names: str, **changes: object) -> DeskFact:
    """A correction by the desk of a recorded hand, naming its record and ``names``."""
    hand = next(hand for hand in play.state.hands if hand.number == number)
    facts = {**dict(_json(hand_facts(hand))), **changes}
    return fact(
        letter, "correction", hand=number, deal=hand.opened, facts=facts, reason="miscounted",
        supersedes=(hand.recorded, *names),
    )  # fmt: skip


def _json(facts: HandFacts) -> dict[str, object]:
    return dict(hand_facts_to_json(facts))


def totals(state: TableState) -> tuple[int, int]:
    points = score(state).totals.points
    return points[Side.NS], points[Side.EW]


# Nothing from the desk


def test_a_sheet_of_which_the_desk_said_nothing_is_the_tables_own() -> None:
    play = whist(2)
    assert overlay.laid(play.state) == play.state.hands
    assert [over is hand for over, hand in zip(overlay.laid(play.state), play.state.hands, strict=True)] == [True, True]
    assert (overlay.laid_open(play.state), overlay.live(play.state), overlay.overruled(play.state)) == (None, (), ())
    assert (overlay.reviewed(play.state), unfit(play.state)) == (False, ())


def test_between_two_hands_there_is_nothing_to_check() -> None:
    play = whist()
    assert open_hand_ended(play.state) is False
    with pytest.raises(SheetError) as none:
        open_hand_score(play.state)
    assert (none.value.code, none.value.message) == ("no-hand", "No hand is open, so none has a score to check.")


# Rulings


def test_a_ruling_of_the_desk_counts_on_the_recorded_hand_and_changes_the_digest() -> None:
    play = whist()
    before, digest = totals(play.state), sheet_digest(play.state)
    state = decided(play, fact("a", "ruling", hand=1, deal=play.state.hands[0].opened, ruling=ADJUST))
    assert totals(state) == (before[0] + 2, before[1])
    assert sheet_digest(state) != digest
    assert state.hands[0].rulings == ()
    assert overlay.laid(state)[0].rulings == (
        HandRuling(
            name("a"), Ruling("ADJUST", points={Side.NS: 2}, why="miscounted"), "dana", at_desk=True
        ),
    )  # fmt: skip


def test_a_ruling_that_supersedes_another_takes_its_place() -> None:
    play = whist()
    before = totals(play.state)
    decided(play, fact("a", "ruling", hand=1, ruling=ADJUST))
    decided(play, fact("b", "ruling", hand=1, ruling={"code": "ADJUST", "points": {"EW": 1}, "why": "one"}))
    state = decided(play, fact("c", "ruling", hand=1, supersedes=(name("a"),), ruling={**ADJUST, "points": {"NS": 3}}))
    assert [ruling.id for ruling in overlay.laid(state)[0].rulings] == [name("c"), name("b")]
    assert totals(state) == (before[0] + 3, before[1] + 1)
    assert [each.id for each in overlay.live(state)] == [name("b"), name("c")]


def test_the_desk_takes_the_place_of_a_ruling_made_at_the_table() -> None:
    play = whist()
    first = play.do(ru.RulingEntered(hand=1, ruling=dict(ADJUST), official="olga"))
    second = play.do(ru.RulingEntered(hand=1, ruling=dict(ADJUST), official="olga"))
    state = decided(play, fact("a", "ruling", hand=1, supersedes=(first,), ruling={**ADJUST, "points": {"EW": 5}}))
    assert [ruling.id for ruling in overlay.laid(state)[0].rulings] == [name("a"), second]
    assert [ruling.id for ruling in state.hands[0].rulings] == [first, second]


def test_when_table_and_desk_supersede_the_same_ruling_the_desks_counts_and_the_other_is_flagged() -> None:
    play = whist()
    first = play.do(ru.RulingEntered(hand=1, ruling=dict(ADJUST), official="olga"))
    second = play.do(ru.RulingEntered(hand=1, ruling={**ADJUST, "points": {"NS": 9}}, official="olga"), first)
    before = totals(renewed(play.state, desk=()))
    state = decided(play, fact("a", "ruling", hand=1, supersedes=(first,), ruling={**ADJUST, "points": {"NS": 1}}))
    assert [ruling.id for ruling in overlay.laid(state)[0].rulings] == [name("a")]
    assert totals(state) == (before[0] - 8, before[1])
    assert overlay.overruled(state) == (
        overlay.Overruled(
            second, 1, "olga", "The desk decided about hand 1 too, and the desk's word counts. The ruling here is kept."
        ),
    )


def test_a_desk_ruling_answers_what_was_raised_and_the_hand_goes_on() -> None:
    play = Play(WHIST).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
    raised = play.do(ru.IrregularityRaised(hand=1, code="RENEGE_SUIT", side=Side.NS, caller=Seat.E, seat=Seat.N))
    assert (play.step, [each.id for each in overlay.unanswered(play.state, play.hand)]) == (Step.RULING, [raised])
    ruling = {"code": "RENEGE_SUIT", "side": "NS", "seat": "N", "caller": "E", "proven": False}
    state = decided(play, fact("a", "ruling", hand=1, deal=play.hand.opened, raised=raised, ruling=ruling))
    assert (play.step, overlay.unanswered(state, play.hand)) == (Step.PLAY, ())
    assert state.hand is not None
    assert not state.hand.irregularities[0].ruled


def test_a_proven_desk_ruling_ends_the_open_hand_and_both_sides_check_its_lines() -> None:
    play = Play(WHIST, hands=1).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
    ruling = {"code": "RENEGE_SUIT", "side": "NS", "seat": "N", "caller": "E"}
    decided(play, fact("a", "ruling", hand=1, deal=play.hand.opened, ruling=ruling))
    assert play.step is Step.CHECK
    assert dict(open_hand_score(play.state).points) == {Side.NS: 0, Side.EW: 4}
    play.check().record()
    assert (play.state.refused, play.step, totals(play.state)) == ((), Step.SIGN, (0, 4))


def test_a_ruling_on_a_void_deal_stays_with_it_when_the_hand_is_dealt_again() -> None:
    play = Play(MSO).sit().count_cards()
    ruling = {"code": "EXPOSED", "side": "NS", "card": "SK", "phase": "bidding"}
    decided(play, fact("a", "ruling", hand=1, deal=play.hand.opened, ruling=ruling))
    play.do(ev.HandVoided(hand=1, reason="misdeal"))
    play.open()
    assert overlay.laid_over(play.state, play.hand) is play.hand
    assert totals(play.state) == (-50, 0)


def test_without_a_deal_a_number_means_the_last_hand_that_bears_it() -> None:
    play = Play(MSO).sit()
    play.do(ev.HandVoided(hand=1, reason="misdeal"))
    play.open()
    ruling = {"code": "EXPOSED", "side": "NS", "card": "SK", "phase": "bidding"}
    state = decided(play, fact("a", "ruling", hand=1, ruling=ruling), fact("b", "ruling", hand=7, ruling=ruling))
    open_hand = overlay.laid_open(state)
    assert open_hand is not None
    assert [each.id for each in open_hand.rulings] == [name("a")]
    assert overlay.laid(state)[0] is state.hands[0]


@pytest.mark.parametrize(
    "said",
    [
        fact("a", "ruling", hand=1, ruling={"code": "NEW_IN_A_LATER_VERSION", "colour": "red"}),
        fact("a", "correction", hand=1, facts={"dealer": "X"}),
    ],
)
def test_what_this_version_cannot_read_is_passed_over(said: DeskFact) -> None:
    play = whist()
    digest = sheet_digest(play.state)
    assert sheet_digest(decided(play, said)) == digest


# Corrections


def test_a_correction_replaces_the_facts_and_leaves_what_was_entered() -> None:
    play = whist()
    state = decided(play, corrected(play, "a", books={"NS": 3, "EW": 10}))
    over = overlay.laid(state)[0]
    assert (over.corrected_by, over.recorded) == ("dana", state.hands[0].recorded)
    assert hand_facts(over).books == {Side.NS: 3, Side.EW: 10}
    assert hand_facts(state.hands[0]).books == {Side.NS: 11, Side.EW: 2}
    assert sheet_facts(state).hands == (hand_facts(over),)


def test_a_correction_takes_in_the_rulings_it_names_and_keeps_those_made_since() -> None:
    play = whist()
    named = play.do(ru.RulingEntered(hand=1, ruling=dict(ADJUST), official="olga"))
    other = play.do(ru.RulingEntered(hand=1, ruling={**ADJUST, "points": {"EW": 1}}, official="olga"))
    decided(play, fact("a", "ruling", hand=1, ruling={**ADJUST, "points": {"EW": 7}}))
    decided(play, corrected(play, "b", 1, named, rulings=[]))
    state = decided(play, fact("c", "ruling", hand=1, ruling={**ADJUST, "points": {"NS": 4}}))
    assert [ruling.id for ruling in overlay.laid(state)[0].rulings] == [other, name("c")]


def test_the_desks_last_correction_counts() -> None:
    play = whist()
    decided(play, corrected(play, "a", books={"NS": 3, "EW": 10}))
    state = decided(play, corrected(play, "b", 1, name("a"), books={"NS": 12, "EW": 1}))
    assert sheet_facts(state).hands[0].books == {Side.NS: 12, Side.EW: 1}
    assert overlay.rests_on(state, state.hands[0]) == (state.hands[0].recorded, name("b"))


def test_the_desk_voids_a_recorded_hand_and_the_same_dealer_deals_its_number_again() -> None:
    play = whist(2)
    assert (next_number(play.state), next_dealer(play.state)) == (3, Seat.S)
    state = decided(play, _void(play, "a", 2))
    assert [hand.number for hand in overlay.counting(state)] == [1]
    assert (next_number(state), next_dealer(state)) == (2, Seat.E)


def _void(play: Play, letter: str, number: int) -> DeskFact:
    hand = next(hand for hand in play.state.hands if hand.number == number)
    return fact(
        letter, "correction", hand=number, deal=hand.opened, supersedes=(hand.recorded,), reason="wrong deck",
        facts={"dealer": hand.dealer.value, "void": "director"},
    )  # fmt: skip


def test_a_word_of_the_desk_that_no_longer_fits_leaves_the_table_with_a_score() -> None:
    play = whist()
    own = score(play.state)
    late = fact("a", "ruling", hand=1, ruling={"code": "LATE", "side": "NS"})
    state = decided(play, late)
    assert (score(state), unfit(state)) == (own, (1,))


def test_a_tables_ruling_that_does_not_fit_the_corrected_facts_is_left_out() -> None:
    play = Play(WHIST).sit().count_cards().auction("4 no", "pass", "pass", "pass").lock("up")
    bidder = play.hand.calls[0].seat.side
    play.do(
        ru.RulingEntered(
            hand=1, official="olga", ruling={"code": "JOKER_DISCARD", "side": bidder.value, "proven": False}
        )
    )
    play.books(*((11, 2) if bidder is Side.NS else (2, 11)))
    play.check().record()
    assert play.state.refused == ()
    facts = {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 11, "EW": 2}}
    hand = play.state.hands[0]
    state = decided(
        play, fact("a", "correction", hand=1, deal=hand.opened, supersedes=(hand.recorded,), facts=facts, reason="r")
    )
    assert (sheet_facts(state).hands[0].rulings, unfit(state)) == ((), (1,))


# The end of the round under correction (section 3.7 of the rules)


def test_a_corrected_hand_ends_the_round_and_later_hands_are_kept_not_counted() -> None:
    play = spades((3, 3, 4, 3), (3, 3, 4, 3), (3, 3, 4, 3))
    play.open()
    assert play.step is Step.DEAL
    huge = {"rulings": [{"code": "ADJUST", "points": {"NS": 500}, "why": "carried over"}]}
    state = decided(play, corrected(play, "a", 2, **huge))
    shown = score(state)
    assert (round_over(state), play.step, shown.round.reason) == (True, Step.SIGN, Reason.WIN_LIMIT)
    assert [notice.code for notice in shown.warnings if notice.code == "past-end"] == ["past-end"]
    assert (len(shown.hands), shown.round.hands_played) == (3, 2)


def test_a_corrected_hand_opens_the_round_again() -> None:
    play = spades((3, 3, 4, 3))
    play.do(ru.RulingEntered(hand=1, ruling={**ADJUST, "points": {"NS": 500}}, official="olga"))
    assert [play.step] == [Step.SIGN]
    ruling = play.state.hands[0].rulings[0].id
    decided(play, corrected(play, "a", 1, ruling, rulings=[]))
    assert play.step is Step.NEXT


def test_time_alone_does_not_end_a_reviewed_hand_whose_bids_are_recorded() -> None:
    play = spades((3, 3, 4, 3))
    play.open().count_cards().auction("3", "3", "3", "3").lock()
    decided(play, fact("a", "ruling", hand=1, ruling={**ADJUST}))
    play.state = renewed(play.state, clock_ended=True)
    assert (round_over(play.state), play.step) == (False, Step.PLAY)


# Awards


def timed(hands: int, *late: Side) -> Play:
    play = whist(hands)
    play.state = play.state.with_hub(
        outcome=Outcome(), clock_started=True, clock_ended=True, late=frozenset(late), desk=play.state.desk
    )
    return play


def test_unfinished_hands_of_a_late_side_go_to_the_other_with_five_points_each() -> None:
    play = timed(3, Side.NS)
    assert (overlay.unfinished(play.state), overlay.awards_pending(play.state)) == (1, True)
    before = score(play.state).totals
    state = decided(play, fact("a", "award", loser=Side.NS, hands=1))
    after = score(state).totals
    assert overlay.awards_pending(state) is False
    assert (after.points[Side.EW] - before.points[Side.EW], after.hands_won[Side.EW] - before.hands_won[Side.EW]) == (
        5,
        1,
    )
    assert overlay.awarded(state) == (
        HandFacts(play.state.hands[-1].dealer.left, rulings=(Ruling("LATE", side=Side.NS, official="dana"),)),
    )
    assert score(state).warnings == ()


def test_no_more_hands_are_awarded_than_are_unfinished() -> None:
    play = timed(3, Side.NS)
    assert len(overlay.awarded(decided(play, fact("a", "award", loser=Side.NS, hands=4)))) == 1


def test_an_award_of_no_hands_settles_the_matter() -> None:
    play = timed(2, Side.NS, Side.EW)
    state = decided(play, fact("a", "award", loser=Side.NS, hands=0))
    assert (overlay.awarded(state), overlay.awards_pending(state)) == ((), False)


def test_nothing_is_pending_without_a_mark_or_with_all_hands_played() -> None:
    assert overlay.awards_pending(timed(3).state) is False
    assert overlay.awards_pending(timed(4, Side.NS).state) is False
    assert overlay.awards_pending(whist(3).state) is False


def test_a_hand_that_is_played_out_is_not_awarded() -> None:
    play = whist(2)
    play.open().count_cards().auction("pass", "4", "pass", "pass").lock()
    play.state = renewed(play.state, clock_ended=True, late=frozenset({Side.EW}))
    dealer = play.hand.dealer
    state = decided(play, fact("a", "award", loser=Side.EW, hands=2))
    assert [facts.dealer for facts in overlay.awarded(state)] == [dealer.left]
    play.books(11, 2)
    assert open_hand_score(play.state).hand == 3
    assert lines_digest(open_hand_score(play.state)) == lines_digest(score(play.state, with_open=True).hands[2])


def test_awarded_hands_follow_whoever_would_have_dealt() -> None:
    fresh = Play(WHIST, hands=2)
    fresh.state = renewed(fresh.state, tenure=1)
    award = fact("a", "award", loser=Side.NS, hands=2)
    assert [facts.dealer for facts in overlay.awarded(decided(fresh, award))] == [Seat.N, Seat.E]
    drawn = Play(WHIST, hands=3, dealer=Seat.S).sit()
    drawn.state = renewed(drawn.state, clock_ended=True)
    assert [facts.dealer for facts in overlay.awarded(decided(drawn, award))] == [Seat.S, Seat.W]
    drawn.do(ev.HandVoided(hand=1, reason="misdeal"))
    assert [facts.dealer for facts in overlay.awarded(drawn.state)] == [Seat.S, Seat.W]


def test_a_forfeit_closes_the_sheet_with_an_explicit_loser() -> None:
    play = spades((3, 3, 4, 3))
    assert overlay.ended(play.state) is None
    state = decided(play, fact("a", "ended", loser=Side.EW, ended="forfeit", reason="they left"))
    assert overlay.ended(state) == Ended(EndedBy.FORFEIT, Side.EW)
    assert (round_over(state), score(state).round.winner, score(state).round.reason) == (True, Side.NS, Reason.FORFEIT)
    assert overlay.awarded(state) == ()


def test_in_bid_whist_a_forfeit_gives_the_rest_of_the_hands_away_too() -> None:
    play = whist(3)
    state = decided(play, fact("a", "ended", loser=Side.NS, hands=1, ended="dq", reason="cheating"))
    assert overlay.awarded(state) == (
        HandFacts(
            play.state.hands[-1].dealer.left,
            rulings=(Ruling("ADJUST", official="dana", points={Side.EW: 5}, won_by=Side.EW, why="cheating"),),
        ),
    )
    assert (score(state).hands[-1].won_by, score(state).round.over) == (Side.EW, True)
    silent = decided(whist(3), fact("a", "ended", loser=Side.NS, hands=1, ended="forfeit"))
    assert overlay.awarded(silent)[0].rulings[0].why == "North–South gave up the rest of the round."


def test_a_sheet_that_time_ended_has_no_loser() -> None:
    assert overlay.ended(timed(1).state) == Ended(EndedBy.TIME)


def test_the_sheet_says_when_it_is_another_version_than_was_signed() -> None:
    play = whist(1, of=1)
    for side in Side:
        play.sign(side)
    play.submit()
    signed = sheet_digest(play.state)
    assert overlay.corrected_after(play.state, signed) is False
    state = decided(play, fact("a", "ruling", hand=1, ruling=ADJUST))
    assert (state.submitted, overlay.corrected_after(state, sheet_digest(state))) == (signed, True)
    assert overlay.corrected_after(renewed(state, submitted=None), signed) is False
