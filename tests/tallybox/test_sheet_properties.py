"""Laws that hold for every sheet."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from sheet_worlds import sheets

from tallybox.calls import Game
from tallybox.rules.hand import HandFacts, LineKind, sums
from tallybox.seats import Seat, Side
from tallybox.sheet import (
    SheetFacts,
    hand_facts_from_json,
    hand_facts_to_json,
    score_sheet,
    score_to_json,
)
from tallybox.why import sentence

NORMAL = settings(deadline=None, max_examples=40)


@given(sheets())
@NORMAL
def test_a_hand_s_points_are_the_sum_of_its_lines_and_totals_the_sum_of_counted_hands(facts: SheetFacts) -> None:
    score = score_sheet(facts)
    past = sum(1 for notice in score.warnings if notice.code == "past-end")
    for hand in score.hands:
        assert hand.points == sums(hand.lines)
    counted = score.hands[: len(score.hands) - past]
    for side in Side:
        assert score.totals.points[side] == facts.opening.points[side] + sum(hand.points[side] for hand in counted)
        assert score.totals.hands_won[side] == sum(1 for hand in counted if hand.won_by is side)
    assert score.round.hands_played == sum(1 for hand in counted if not hand.void)
    if counted:
        assert score.totals.bags == counted[-1].bags


@given(sheets())
@NORMAL
def test_exactly_one_side_is_credited_with_each_hand_of_bid_whist(facts: SheetFacts) -> None:
    for hand in score_sheet(facts).hands:
        credited = facts.ruleset.game is Game.BID_WHIST and not hand.void
        assert (hand.won_by is not None) is credited
        assert hand.boston in (None, hand.won_by)


@given(sheets(), st.data())
@NORMAL
def test_corrections_of_different_hands_give_equal_sheets_in_any_order(facts: SheetFacts, data: st.DataObject) -> None:
    if len(facts.hands) < 2:
        return
    first, second = data.draw(st.lists(st.integers(0, len(facts.hands) - 1), min_size=2, max_size=2, unique=True))
    corrections = {first: HandFacts(Seat.N, void="director"), second: HandFacts(Seat.E, void="misdeal")}

    def corrected(order: list[int]) -> SheetFacts:
        hands = list(facts.hands)
        for index in order:
            hands[index] = corrections[index]
            score_sheet(replace(facts, hands=tuple(hands)))
        return replace(facts, hands=tuple(hands))

    assert score_sheet(corrected([first, second])) == score_sheet(corrected([second, first]))


@given(sheets(), st.data())
@NORMAL
def test_a_void_hand_changes_no_number_and_no_total(facts: SheetFacts, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(facts.hands)))
    dealer = facts.hands[index].dealer if index < len(facts.hands) else Seat.N
    void = HandFacts(dealer, void="misdeal")
    before = score_sheet(facts)
    after = score_sheet(replace(facts, hands=(*facts.hands[:index], void, *facts.hands[index:])))
    assert after.hands[index].lines == ()
    assert after.hands[:index] + after.hands[index + 1 :] == before.hands
    assert (after.totals, after.round) == (before.totals, before.round)


@given(sheets())
@NORMAL
def test_void_hands_have_no_contract_lines(facts: SheetFacts) -> None:
    for hand in score_sheet(facts).hands:
        if hand.void:
            assert {line.kind for line in hand.lines} <= {LineKind.PENALTY, LineKind.RULING}


@given(sheets())
@NORMAL
def test_a_counter_never_reaches_the_limit_while_the_penalty_is_on(facts: SheetFacts) -> None:
    limit = getattr(facts.ruleset.settings, "bag_limit", 0)
    if not limit or not getattr(facts.ruleset.settings, "bag_penalty", 0):
        return
    for hand, given_hand in zip(score_sheet(facts).hands, facts.hands, strict=True):
        adjusted = any(ruling.code in ("ADJUST", "REVOKE") for ruling in given_hand.rulings)
        if hand.void or adjusted:
            continue
        assert all(0 <= bags < limit for bags in hand.bags.values())


@given(sheets())
@NORMAL
def test_a_hand_survives_the_way_through_json(facts: SheetFacts) -> None:
    for hand in facts.hands:
        written = json.loads(json.dumps(hand_facts_to_json(hand)))
        assert hand_facts_from_json(written, facts.ruleset.game) == hand


@given(sheets())
@NORMAL
def test_every_line_explains_itself_in_a_sentence(facts: SheetFacts) -> None:
    score = score_sheet(facts)
    for hand in score.hands:
        for line in hand.lines:
            said = sentence(line)
            assert (said[-1] in ".n", "{" in said, "-" in said) == (True, False, False), said
    assert json.loads(json.dumps(score_to_json(facts, score)))["digest"] == facts.ruleset.digest


@given(sheets(most=12))
@NORMAL
def test_a_longer_sheet_keeps_the_end_of_a_shorter_one(facts: SheetFacts) -> None:
    ended = None
    for count in range(len(facts.hands) + 1):
        end = score_sheet(replace(facts, hands=facts.hands[:count])).round
        if ended is not None:
            assert end == ended
        elif end.over:
            ended = end
