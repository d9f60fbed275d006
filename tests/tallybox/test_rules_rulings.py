"""Rulings: who may ask for them, what they need, which of several decides, and what the director may set."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import MSO, WHIST, WSOS, scored, spades_hand, whist_hand

from tallybox.calls import Game
from tallybox.errors import SheetError
from tallybox.rules.hand import Line, LineKind
from tallybox.rules.rulings import CLOSING, CODES, RENEGES, TECHS
from tallybox.seats import Seat, Side
from tallybox.why import sentence

NS, EW = Side.NS, Side.EW


def refused(ruleset: str, hand: dict[str, Any], **rest: Any) -> tuple[str, str | None]:
    with pytest.raises(SheetError) as fault:
        scored(ruleset, [hand], **rest)
    assert fault.value.hand == 1
    return fault.value.code, fault.value.where


def test_each_game_knows_its_codes() -> None:
    assert CODES[Game.BID_WHIST] == {
        "RENEGE_SUIT", "RENEGE_JOKER", "JOKER_DISCARD", "OUT_OF_TURN_PLAY", "OUT_OF_TURN_BID", "VERBIAGE", "TALK",
        "REOPEN", "SIGNAL", "EXPOSED", "BAD_LAYDOWN", "CONCEDED", "LAYDOWN", "MISDEAL_LATE", "LATE", "IMPROPER_BID",
        "ADJUST",
    }  # fmt: skip
    assert CODES[Game.SPADES] == {"REVOKE", "RENOUNCE", "EXPOSED", "BID_TURN", "LEAD_TURN", "CLAIM", "ADJUST"}


_LOSE = sorted(RENEGES | TECHS | {"MISDEAL_LATE"})
_ANYONE = [code for code in _LOSE if code not in ("JOKER_DISCARD", "BAD_LAYDOWN")]


@pytest.mark.parametrize(
    ("offenders", "code"), [*(("NS", code) for code in _LOSE), *(("EW", code) for code in _ANYONE)]
)
def test_a_proven_offence_loses_the_hand_with_the_points_of_the_bid(code: str, offenders: str) -> None:
    hand = whist_hand(
        "5 no up", 13, rulings=[{"code": code, "side": offenders, "caller": "E" if offenders == "NS" else "N"}]
    )
    score = scored(WHIST, [hand]).hands[0]
    winners = Side(offenders).other
    assert score.points == {winners: 10, winners.other: 0}
    assert (score.won_by, score.boston) == (winners, None)
    assert [(line.kind, line.rule) for line in score.lines] == [("ruling", "A-34" if offenders == "NS" else "A-35")]


@pytest.mark.parametrize("code", sorted(RENEGES | TECHS))
def test_only_the_opposing_team_may_call_it(code: str) -> None:
    ruling = {"code": code, "side": "NS", "caller": "S"}
    assert refused(WHIST, whist_hand("5 no up", 12, rulings=[ruling])) == ("caller-side", "hands[0].rulings[0].caller")
    unproven = {**ruling, "proven": False}
    assert refused(WHIST, whist_hand("5 no up", 12, rulings=[unproven]))[0] == "caller-side"


@pytest.mark.parametrize("caller", list(Seat))
@pytest.mark.parametrize("ruleset", [MSO, WSOS])
def test_anybody_at_a_spades_table_may_call_the_director(ruleset: str, caller: Seat) -> None:
    """The spades texts want the director called for every irregularity, and do not say by whom."""
    acts: list[dict[str, Any]] = [
        {"code": "EXPOSED", "card": "H2", "phase": "play"},
        {"code": "RENOUNCE", "card": "H2"},
        {"code": "BID_TURN"},
        {"code": "LEAD_TURN", "accepted": True},
        {"code": "REVOKE"},
    ]
    for act in acts:
        silent = scored(ruleset, [spades_hand("3+3", "4+3", rulings=[{**act, "side": "NS"}])])
        called = [{**act, "side": "NS", "seat": "S", "caller": caller.value}]
        assert scored(ruleset, [spades_hand("3+3", "4+3", rulings=called)]) == silent


@pytest.mark.parametrize("code", sorted(RENEGES | TECHS | {"MISDEAL_LATE", "LATE", "CONCEDED", "LAYDOWN"}))
def test_what_is_not_proven_has_no_effect(code: str) -> None:
    plain = scored(WHIST, [whist_hand("5 no up", 12)])
    assert scored(WHIST, [whist_hand("5 no up", 12, rulings=[{"code": code, "side": "NS", "proven": False}])]) == plain


@pytest.mark.parametrize(
    "ruling",
    [
        {"code": "REVOKE", "phase": "play"},
        {"code": "EXPOSED", "card": "SA", "phase": "play"},
        {"code": "RENOUNCE", "card": "SA", "phase": "play"},
        {"code": "LEAD_TURN", "card": "SA", "accepted": False, "phase": "play"},
        {"code": "BID_TURN", "accepted": True, "phase": "bidding"},
    ],
)
def test_what_is_not_proven_has_no_effect_in_spades(ruling: dict[str, Any]) -> None:
    given = {**ruling, "side": "NS", "proven": False}
    plain = scored(MSO, [spades_hand("4+3", "4+3")])
    assert scored(MSO, [spades_hand("4+3", "4+3", rulings=[given])]) == plain


@pytest.mark.parametrize("bid", ["4", "4 special"])
@pytest.mark.parametrize("code", ["JOKER_DISCARD", "RENEGE_JOKER"])
def test_joker_rulings_belong_to_a_no_bid(bid: str, code: str) -> None:  # case 19
    hand = whist_hand(bid, 10, rulings=[{"code": code, "side": "NS"}])
    assert refused(WHIST, hand) == ("ruling-fit", "hands[0].rulings[0].code")


@pytest.mark.parametrize("code", ["CONCEDED", "LAYDOWN", "BAD_LAYDOWN", "JOKER_DISCARD"])
def test_what_only_a_bidder_does_is_refused_for_the_other_side(code: str) -> None:
    hand = whist_hand("4 no up", 10, rulings=[{"code": code, "side": "EW"}])
    assert refused(WHIST, hand) == ("ruling-fit", "hands[0].rulings[0].side")


def test_conceding_and_laying_down_need_no_side() -> None:
    assert scored(WHIST, [whist_hand("6", None, rulings=[{"code": "CONCEDED"}])]).totals.points == {NS: 0, EW: 6}
    assert scored(WHIST, [whist_hand("6", {"NS": 9, "EW": 1}, rulings=[{"code": "LAYDOWN"}])]).totals.points[NS] == 6


def test_a_laydown_needs_the_books_taken_before_it() -> None:
    assert refused(WHIST, whist_hand("6", None, rulings=[{"code": "LAYDOWN"}])) == ("books-missing", "hands[0].books")
    with pytest.raises(SheetError, match=r"The books taken before the cards were laid down are missing\."):
        scored(WHIST, [whist_hand("6", None, rulings=[{"code": "LAYDOWN"}])])
    with pytest.raises(SheetError, match=r"The books of both sides are missing\."):
        scored(WHIST, [whist_hand("6", None)])
    down = scored(WHIST, [whist_hand("6", {"NS": 5, "EW": 2}, rulings=[{"code": "LAYDOWN"}])])
    assert down.hands[0].points == {NS: 0, EW: 6}  # eleven books, twelve needed
    assert refused(WHIST, whist_hand("6", {"NS": 9, "EW": 5}, rulings=[{"code": "LAYDOWN"}]))[0] == "books-sum"


def test_the_first_ruling_that_closes_the_hand_decides_it() -> None:  # Q-15d
    tech, renege = {"code": "TALK", "side": "EW"}, {"code": "RENEGE_SUIT", "side": "NS"}
    unproven = {**renege, "proven": False}
    assert scored(WHIST, [whist_hand("5", 12, rulings=[tech, renege])]).hands[0].won_by is NS
    assert scored(WHIST, [whist_hand("5", 12, rulings=[renege, tech])]).hands[0].won_by is EW
    assert scored(WHIST, [whist_hand("5", 12, rulings=[unproven, tech])]).hands[0].won_by is NS
    laydown = scored(WHIST, [whist_hand("5", 12, rulings=[{"code": "LAYDOWN"}, renege])]).hands[0]
    assert (laydown.won_by, laydown.points[NS]) == (NS, 6)


def test_a_closed_hand_needs_no_books_and_books_beyond_a_hand_are_refused() -> None:
    ruling = {"code": "TALK", "side": "EW"}
    partial = scored(WHIST, [whist_hand("5", {"NS": 3, "EW": 2}, rulings=[ruling])])
    assert partial.hands[0] == scored(WHIST, [whist_hand("5", None, rulings=[ruling])]).hands[0]
    assert refused(WHIST, whist_hand("5", {"NS": 9, "EW": 5}, rulings=[ruling]))[0] == "books-sum"


@pytest.mark.parametrize(
    ("calls", "points"), [([], 4), (["pass"], 4), (["4 special"], 4), (["4", "5 no"], 10), (["4", "5 no", "6"], 6)]
)
@pytest.mark.parametrize("code", ["OUT_OF_TURN_BID", "VERBIAGE", "TALK", "SIGNAL"])
def test_a_tech_in_the_bidding_brings_the_high_bid_or_the_minimum(calls: list[str], points: int, code: str) -> None:
    ruling = {"code": code, "side": "NS", "phase": "bidding"}
    score = scored(WHIST, [{"dealer": "N", "calls": calls, "rulings": [ruling]}]).hands[0]
    assert (score.points, score.won_by, score.boston) == ({NS: 0, EW: points}, EW, None)
    assert score.lines[0].rule == "A-36"


def test_calls_before_a_tech_are_those_made_in_turn() -> None:
    ruling = {"code": "TALK", "side": "NS", "phase": "bidding"}
    assert refused(WHIST, {"dealer": "N", "calls": ["5", "4"], "rulings": [ruling]}) == (
        "illegal-call",
        "hands[0].calls[1]",
    )


@pytest.mark.parametrize("ruling", [{"code": "TALK", "side": "NS"}, {"code": "TALK", "side": "NS", "phase": "play"}])
def test_a_tech_in_the_play_needs_all_four_calls(ruling: dict[str, Any]) -> None:
    assert refused(WHIST, {"dealer": "N", "calls": ["5", "pass"], "rulings": [ruling]}) == (
        "calls-missing",
        "hands[0].calls",
    )


@pytest.mark.parametrize(
    ("calls", "said"), [(["4", "pass"], "2 calls are missing. "), (["4", "pass", "5"], "1 call is missing. ")]
)
def test_missing_calls_are_counted(calls: list[str], said: str) -> None:
    with pytest.raises(SheetError, match=said):
        scored(WHIST, [{"dealer": "N", "calls": calls, "books": {"NS": 6, "EW": 7}}])
    spades = said.replace("calls", "bids").replace("call", "bid")
    with pytest.raises(SheetError, match=spades):
        scored(MSO, [{"dealer": "N", "calls": ["1"] * len(calls)}])


@pytest.mark.parametrize("code", ["CONCEDED", "LAYDOWN", "RENEGE_SUIT", "MISDEAL_LATE"])
@pytest.mark.parametrize("phase", ["play", None])
def test_what_belongs_to_the_play_needs_all_four_calls_and_the_direction(code: str, phase: str | None) -> None:
    ruling = {"code": code, "side": "NS", "phase": phase}
    short = {"dealer": "W", "calls": ["5", "pass"], "rulings": [ruling]}
    assert refused(WHIST, short) == ("calls-missing", "hands[0].calls")
    assert refused(WHIST, whist_hand("5 no", 12, rulings=[ruling])) == ("direction-missing", "hands[0].direction")


def test_a_corrected_bid_is_compared_with_the_calls_there_are() -> None:
    corrected = {"code": "IMPROPER_BID", "seat": "E", "said": "5", "corrected": "6"}
    tech = {"code": "TALK", "side": "NS", "phase": "bidding"}
    hand = {"dealer": "W", "calls": ["5", "6"], "rulings": [corrected, tech]}
    assert scored(WHIST, [hand]).hands[0].points == {NS: 0, EW: 6}
    before = {**hand, "calls": ["5"]}
    assert refused(WHIST, before) == ("ruling-fit", "hands[0].rulings[0].corrected")


def test_an_unproven_tech_in_the_bidding_does_not_end_the_hand() -> None:
    ruling = {"code": "TALK", "side": "NS", "phase": "bidding", "proven": False}
    assert refused(WHIST, {"dealer": "N", "calls": ["5"], "rulings": [ruling]})[0] == "calls-missing"


def test_a_tech_of_the_bidding_with_a_full_auction_brings_the_contract() -> None:
    hand = whist_hand("5 no", None, rulings=[{"code": "VERBIAGE", "side": "EW", "phase": "bidding"}])
    score = scored(WHIST, [hand]).hands[0]
    assert (score.points, [line.rule for line in score.lines]) == ({NS: 10, EW: 0}, ["A-35"])


def test_a_tech_before_a_contract_can_void_the_hand_where_a_club_says_so() -> None:
    ruling = {"code": "TALK", "side": "NS", "phase": "bidding"}
    hands = [{"dealer": "W", "calls": ["5"], "rulings": [ruling]}, whist_hand("4", 10)]
    sheet = scored(WHIST, hands, settings={"tech_no_bid_value": "void"})
    assert [(hand.hand, hand.void, hand.won_by) for hand in sheet.hands] == [(1, True, None), (1, False, NS)]
    assert (sheet.round.hands_played, sheet.warnings) == (1, ())


def test_a_lost_hand_can_bring_no_points_where_a_club_says_so() -> None:
    for code, points in (("RENEGE_SUIT", 0), ("RENEGE_JOKER", 0), ("MISDEAL_LATE", 0), ("TALK", 10)):
        hand = whist_hand("5 no up", 12, rulings=[{"code": code, "side": "NS"}])
        score = scored(WHIST, [hand], settings={"lost_hand_points": "none"}).hands[0]
        assert (score.points[EW], score.won_by, len(score.lines)) == (points, EW, 1)


def test_a_false_call_can_cost_the_callers_where_a_club_says_so() -> None:
    hand = whist_hand("5", 11, rulings=[{"code": "RENEGE_SUIT", "side": "NS", "proven": False}])
    score = scored(WHIST, [hand], settings={"false_call_penalty": 3}).hands[0]
    assert (score.points, score.won_by) == ({NS: 5, EW: -3}, NS)
    assert score.lines[-1].rule == "Q-14"


def test_what_a_false_call_costs_stays_on_a_void_hand() -> None:  # INV-4, Q-14
    called = {"code": "TALK", "side": "NS", "proven": False}
    told = {"code": "ADJUST", "points": {"NS": -1}, "why": "The deck was short."}
    lines = (
        Line(EW, LineKind.RULING, -3, "Q-14", {"code": "TALK", "offenders": "NS"}),
        Line(NS, LineKind.RULING, -1, "INV-7", {"code": "ADJUST", "reason": "The deck was short."}),
    )
    dealt_again = {"dealer": "W", "void": "misdeal", "rulings": [called, told]}
    voided_by_tech = {"dealer": "W", "rulings": [called, {"code": "VERBIAGE", "side": "EW"}, told]}
    for hand in (dealt_again, voided_by_tech):
        score = scored(WHIST, [hand], settings={"false_call_penalty": 3, "tech_no_bid_value": "void"})
        assert (score.hands[0].void, score.hands[0].lines) == (True, lines)
        assert (score.totals.points, score.round.hands_played) == ({NS: -1, EW: -3}, 0)


def test_a_late_side_loses_the_hand_without_a_call() -> None:
    score = scored(WHIST, [{"dealer": "N", "rulings": [{"code": "LATE", "side": "NS"}]}]).hands[0]
    assert (score.points, score.won_by, score.lines[0].rule) == ({NS: 0, EW: 5}, EW, "A-37")
    begun = {"dealer": "N", "calls": ["5 no"], "rulings": [{"code": "LATE", "side": "NS"}]}
    assert scored(WHIST, [begun]).hands[0].points == {NS: 0, EW: 5}
    flat = scored(WHIST, [begun], settings={"late_points": 7})
    assert flat.hands[0].points == {NS: 0, EW: 7}


def test_an_improper_bid_is_recorded_and_costs_nothing() -> None:
    hand = {"dealer": "W", "calls": ["5", "6", "pass", "pass"], "books": {"NS": 1, "EW": 12}}
    ruling = {"code": "IMPROPER_BID", "seat": "E", "said": "5", "corrected": "6"}
    plain = scored(WHIST, [hand])
    assert scored(WHIST, [{**hand, "rulings": [ruling]}]) == plain
    assert scored(WHIST, [{**hand, "rulings": [{**ruling, "side": "EW"}]}]) == plain
    other = {**ruling, "corrected": "7"}
    assert scored(WHIST, [{**hand, "rulings": [{**other, "proven": False}]}]) == plain
    assert refused(WHIST, {**hand, "rulings": [other]}) == ("ruling-fit", "hands[0].rulings[0].corrected")
    for key in ("seat", "said", "corrected"):
        short = {name: value for name, value in ruling.items() if name != key}
        assert refused(WHIST, {**hand, "rulings": [short]}) == ("ruling-incomplete", f"hands[0].rulings[0].{key}")


ADJUST = {"code": "ADJUST", "points": {"NS": -10, "EW": 3}, "why": "the director's word"}


def test_an_adjustment_adds_lines_and_may_set_the_winner_and_the_boston() -> None:
    score = scored(WHIST, [whist_hand("4", 10, rulings=[ADJUST])]).hands[0]
    assert (score.points, score.won_by) == ({NS: -6, EW: 3}, NS)
    assert [(line.side, line.kind, line.points) for line in score.lines[1:]] == [(NS, "ruling", -10), (EW, "ruling", 3)]
    setting = {"code": "ADJUST", "won_by": "EW", "boston": "EW", "why": "played with the wrong deck"}
    changed = scored(WHIST, [whist_hand("4", 10, rulings=[setting])])
    assert (changed.hands[0].won_by, changed.hands[0].boston) == (EW, EW)
    assert (changed.totals.hands_won, changed.totals.bostons) == ({NS: 0, EW: 1}, {NS: 0, EW: 1})
    assert changed.hands[0].points == {NS: 4, EW: 0}
    unproven = scored(WHIST, [whist_hand("4", 10, rulings=[{**setting, "proven": False}])])
    assert unproven == scored(WHIST, [whist_hand("4", 10)])


def test_a_boston_is_the_winners_or_nobody_s() -> None:
    boston = whist_hand("7", 13)
    moved = scored(WHIST, [{**boston, "rulings": [{"code": "ADJUST", "won_by": "EW", "why": "marked cards"}]}])
    assert (moved.hands[0].won_by, moved.hands[0].boston, moved.totals.bostons) == (EW, None, {NS: 0, EW: 0})
    kept = scored(WHIST, [{**boston, "rulings": [{"code": "ADJUST", "won_by": "NS", "why": "checked"}]}])
    assert (kept.hands[0].won_by, kept.hands[0].boston) == (NS, NS)
    losers = {"code": "ADJUST", "boston": "EW", "why": "a slip"}
    for rulings in ([losers], [{**losers, "won_by": "NS"}], [losers, {"code": "ADJUST", "won_by": "EW", "why": "x"}]):
        with pytest.raises(SheetError) as fault:
            scored(WHIST, [whist_hand("4", 10, rulings=rulings)])
        assert (fault.value.code, fault.value.where) == ("ruling-fit", "hands[0].rulings[0].boston")
        assert fault.value.message == (
            "A Boston belongs to the side that won the hand, and East–West did not. "
            "Correct “boston”, or set “won_by” too."
        )


def test_a_hand_that_a_tech_voids_is_won_by_nobody() -> None:
    rulings = [
        {"code": "TALK", "side": "NS", "phase": "bidding"},
        {"code": "ADJUST", "won_by": "EW", "why": "x"},
    ]
    hand = {"dealer": "N", "rulings": rulings}
    assert refused(WHIST, hand, settings={"tech_no_bid_value": "void"}) == ("ruling-fit", "hands[0].rulings[1]")


def test_an_adjustment_of_the_counter_leaves_its_reason() -> None:
    adjust = {"code": "ADJUST", "bags": {"EW": 3}, "why": "Counted again."}
    lines = scored(MSO, [spades_hand("3+3", "3+3", rulings=[adjust])]).hands[0].lines
    assert lines[-1] == Line(EW, LineKind.RULING, 0, "INV-7", {"code": "ADJUST", "reason": "Counted again.", "bags": 3})
    assert sentence(lines[-1]) == (
        "The director ruled on this hand: no points for East–West. Bag counter of East–West: 3. Reason: Counted again."
    )


def test_an_adjustment_may_set_bags_in_spades() -> None:
    adjust = {**ADJUST, "bags": {"NS": 3}}
    sheet = scored(MSO, [spades_hand("3+3", "4+3", rulings=[adjust])], opening={"bags": {"NS": 8, "EW": 2}})
    assert sheet.hands[0].points[NS] == 61 - 10
    assert sheet.hands[0].bags == {NS: 3, EW: 6}


def test_a_director_can_award_a_hand_that_has_no_result() -> None:
    award = {"code": "ADJUST", "points": {"NS": 5}, "won_by": "NS", "why": "not played"}
    score = scored(WHIST, [{"dealer": "N", "rulings": [award]}]).hands[0]
    assert (score.points, score.won_by) == ({NS: 5, EW: 0}, NS)
    spades = scored(MSO, [{"dealer": "N", "rulings": [ADJUST]}]).hands[0]
    assert (spades.points, len(spades.lines)) == ({NS: -10, EW: 3}, 2)
    without = {"code": "ADJUST", "points": {"NS": 5}, "why": "not played"}
    assert refused(WHIST, whist_hand("4", None, rulings=[without])) == ("books-missing", "hands[0].books")
    bags = {"code": "ADJUST", "bags": {"NS": 5}, "why": "counted again"}
    assert refused(MSO, {**spades_hand("4+3", "4+3"), "tricks": None, "rulings": [bags]})[0] == "tricks-missing"
    for less in ({**ADJUST, "points": {"NS": 5}}, {**ADJUST, "proven": False}):
        assert refused(MSO, {**spades_hand("4+3", "4+3"), "tricks": None, "rulings": [less]})[0] == "tricks-missing"
    revoke = {"code": "REVOKE", "side": "NS"}
    assert refused(MSO, {"dealer": "N", "rulings": [ADJUST, revoke]})[0] == "calls-missing"


def test_a_void_hand_keeps_adjustments_and_is_won_by_nobody() -> None:
    assert scored(WHIST, [{"dealer": "N", "void": "director", "rulings": [ADJUST]}]).totals.points == {NS: -10, EW: 3}
    winner = {"code": "ADJUST", "won_by": "EW", "why": "x"}
    assert refused(WHIST, {"dealer": "N", "void": "director", "rulings": [winner]}) == (
        "ruling-fit",
        "hands[0].rulings[0]",
    )
    bags = {"code": "ADJUST", "bags": {"NS": 5}, "why": "counted again"}
    assert scored(MSO, [{"dealer": "N", "void": "director", "rulings": [bags]}]).totals.bags == {NS: 5, EW: 0}


@pytest.mark.parametrize("ruleset", [MSO, WSOS])
def test_a_claim_has_no_effect_of_its_own(ruleset: str) -> None:
    plain = scored(ruleset, [spades_hand("4+3", "4+3")])
    assert scored(ruleset, [spades_hand("4+3", "4+3", rulings=[{"code": "CLAIM"}])]) == plain


@pytest.mark.parametrize("code", ["CLAIM", "ADJUST"])
def test_adjust_and_claim_have_no_side(code: str) -> None:
    ruling = {"code": code, "side": "NS", "why": "x"}
    assert refused(MSO, spades_hand("4+3", "4+3", rulings=[ruling])) == ("ruling-field", "hands[0].rulings[0].side")


@pytest.mark.parametrize(
    ("ruleset", "ruling", "code", "field"),
    [
        (MSO, {"code": "RENEGE_SUIT", "side": "NS"}, "unknown-ruling", "code"),
        (MSO, {"code": "EXPOSED", "side": "NS", "phase": "play"}, "ruling-incomplete", "card"),
        (MSO, {"code": "EXPOSED", "side": "NS", "card": "SA"}, "ruling-incomplete", "phase"),
        (WSOS, {"code": "EXPOSED", "side": "NS", "card": "SA"}, "ruling-incomplete", "phase"),
        (MSO, {"code": "EXPOSED", "card": "SA", "phase": "play"}, "ruling-incomplete", "side"),
        (MSO, {"code": "EXPOSED", "side": "NS", "card": "AS", "phase": "play"}, "wrong-type", "card"),
        (MSO, {"code": "EXPOSED", "side": "NS", "card": "S10", "phase": "play"}, "wrong-type", "card"),
        (MSO, {"code": "EXPOSED", "side": "NS", "card": "SA", "phase": "later"}, "wrong-type", "phase"),
        (MSO, {"code": "REVOKE"}, "ruling-incomplete", "side"),
        (MSO, {"code": "RENOUNCE", "side": "NS"}, "ruling-incomplete", "card"),
        (MSO, {"code": "LEAD_TURN", "side": "NS"}, "ruling-incomplete", "accepted"),
        (MSO, {"code": "LEAD_TURN", "side": "NS", "accepted": False}, "ruling-incomplete", "card"),
        (MSO, {"code": "LEAD_TURN", "side": "NS", "accepted": "no"}, "wrong-type", "accepted"),
        (MSO, {"code": "BID_TURN"}, "ruling-incomplete", "side"),
        (MSO, {"code": "ADJUST", "points": {"NS": 1}}, "ruling-incomplete", "why"),
        (MSO, {"code": "ADJUST", "points": {"NS": 1}, "why": " "}, "wrong-type", "why"),
        (MSO, {"code": "ADJUST", "won_by": "NS", "why": "x"}, "ruling-field", "won_by"),
        (MSO, {"code": "ADJUST", "points": {"N": 1}, "why": "x"}, "unknown-key", "points.N"),
        (MSO, {"code": "REVOKE", "side": "NS", "seat": "E"}, "seat-side", "seat"),
        (MSO, {"code": "REVOKE", "side": "N"}, "wrong-type", "side"),
        (MSO, {"code": "REVOKE", "side": "NS", "points": {"NS": 1}}, "ruling-field", "points"),
        (MSO, {"side": "NS"}, "missing", "code"),
        (MSO, {"code": "REVOKE", "side": "NS", "profen": True}, "unknown-key", "profen"),
    ],
)  # fmt: skip
def test_a_malformed_spades_ruling_is_refused(ruleset: str, ruling: dict[str, Any], code: str, field: str) -> None:
    hand = spades_hand("4+3", "4+3", rulings=[ruling])
    assert refused(ruleset, hand) == (code, f"hands[0].rulings[0].{field}")


@pytest.mark.parametrize("code", sorted(CLOSING - {"CONCEDED", "LAYDOWN"}))
def test_a_bid_whist_ruling_names_its_side(code: str) -> None:
    hand = whist_hand("4 no up", 10, rulings=[{"code": code}])
    assert refused(WHIST, hand) == ("ruling-incomplete", "hands[0].rulings[0].side")


def test_an_adjustment_of_bid_whist_sets_no_bags() -> None:
    adjust = {"code": "ADJUST", "bags": {"NS": 1}, "why": "x"}
    assert refused(WHIST, whist_hand("4", 10, rulings=[adjust])) == ("ruling-field", "hands[0].rulings[0].bags")


def test_several_penalties_add_up_and_stand_beside_a_revoke() -> None:
    rulings = [
        {"code": "BID_TURN", "side": "NS", "accepted": True},
        {"code": "EXPOSED", "side": "NS", "card": "SK", "phase": "play"},
        {"code": "EXPOSED", "side": "EW", "card": "H2", "phase": "play"},
        {"code": "REVOKE", "side": "NS"},
    ]
    score = scored(MSO, [spades_hand("3+3", "4+4", "3+2", rulings=rulings)]).hands[0]
    assert score.points == {NS: -60 - 25 - 50, EW: 50 - 25}


def test_penalty_points_go_to_the_opponents_where_a_club_says_so() -> None:
    ruling = {"code": "EXPOSED", "side": "NS", "card": "SK", "phase": "play"}
    score = scored(MSO, [spades_hand("4+3", "4+3", rulings=[ruling])], settings={"penalty_target": "opponents"}).hands[
        0
    ]
    assert score.points == {NS: 70, EW: 24 + 50}


@pytest.mark.parametrize(("accepted", "points"), [(True, 0), (False, 0)])
def test_a_refused_lead_can_cost_nothing_where_a_club_says_so(accepted: bool, points: int) -> None:
    ruling = {"code": "LEAD_TURN", "side": "NS", "accepted": accepted}
    score = scored(MSO, [spades_hand("4+3", "4+3", rulings=[ruling])], settings={"lead_points": False}).hands[0]
    assert score.points[NS] == 70 + points


def test_a_corrected_revoke_can_cost_nothing_where_a_club_says_so() -> None:
    ruling = {"code": "RENOUNCE", "side": "NS"}
    score = scored(MSO, [spades_hand("4+3", "4+3", rulings=[ruling])], settings={"renounce_points": False}).hands[0]
    assert score.points[NS] == 70


def test_the_amounts_of_penalties_are_settings() -> None:
    settings = {"exposed_50": 40, "exposed_other": 20, "bid_turn_points": 10, "exposed_50_cards": ["HA"]}
    rulings = [
        {"code": "EXPOSED", "side": "NS", "card": "HA", "phase": "play"},
        {"code": "EXPOSED", "side": "NS", "card": "SA", "phase": "play"},
        {"code": "BID_TURN", "side": "NS"},
    ]
    assert scored(MSO, [spades_hand("4+3", "4+3", rulings=rulings)], settings=settings).hands[0].points[NS] == 0


def test_revoked_hands_scored_as_played_need_all_tricks() -> None:
    revoke = {"code": "REVOKE", "side": "NS"}
    short = {**spades_hand("N+3", "0+3"), "tricks": None, "rulings": [revoke]}
    assert scored(MSO, [short]).hands[0].points == {NS: -130, EW: 20}
    assert refused(MSO, short, settings={"revoke_nil": "as_played"}) == ("tricks-missing", "hands[0].tricks")
    assert refused(MSO, short, settings={"revoke_bags": "as_played"})[0] == "tricks-missing"
    partial = {**short, "tricks": {"N": 1, "E": 0, "S": 2, "W": 0}}
    assert scored(MSO, [partial]).hands[0].points == {NS: -130, EW: 20}
    many = {**short, "tricks": {"N": 5, "E": 5, "S": 2, "W": 2}}
    assert refused(MSO, many) == ("tricks-sum", "hands[0].tricks")
