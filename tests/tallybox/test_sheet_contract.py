"""The contract of ``tallybox score``, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import MSO, WHIST, WSOS, answer, scored, spades_hand, whist_hand

from tallybox.calls import Game
from tallybox.errors import SheetError, TallyboxError
from tallybox.rules.ruleset import builtin, with_settings
from tallybox.seats import Seat, Side
from tallybox.sheet import hand_facts_from_json, hand_facts_to_json, score_sheet, sheet_from_json

NS, EW = Side.NS, Side.EW

EXAMPLE: dict[str, Any] = {
    "ruleset": "mso-2000-spades",
    "settings": {"bag_penalty": 0},
    "opening": {"points": {"NS": 0, "EW": 0}, "bags": {"NS": 9, "EW": 0}, "hand": 1},
    "hands": [
        {
            "dealer": "N",
            "calls": ["3", "4", "nil", "2"],
            "tricks": {"N": 3, "E": 4, "S": 3, "W": 3},
            "rulings": [{"code": "EXPOSED", "side": "NS", "card": "SK", "phase": "play"}],
        },
        {"dealer": "E", "void": "misdeal"},
    ],
}


def refused(ruleset: str, hands: Any, **rest: Any) -> tuple[str, int | None, str | None]:
    """Code, hand and place of the refusal."""
    with pytest.raises(TallyboxError) as fault:
        scored(ruleset, hands, **rest)
    assert fault.value.message
    return fault.value.code, fault.value.hand, fault.value.where


def test_the_example_of_the_contract_is_answered_to_the_letter() -> None:
    facts = sheet_from_json(EXAMPLE, builtin)
    found = answer(EXAMPLE["ruleset"], EXAMPLE["hands"], settings=EXAMPLE["settings"], opening=EXAMPLE["opening"])
    lines = found["hands"][0].pop("lines")
    assert found == {
        "ruleset": "mso-2000-spades",
        "digest": with_settings(builtin(MSO), {"bag_penalty": 0}).digest,
        "hands": [
            {
                "hand": 1,
                "void": False,
                "points": {"NS": 10, "EW": -66},
                "bags": {"NS": 9, "EW": 4},
                "won_by": None,
                "boston": None,
            },
            {
                "hand": 2,
                "void": True,
                "points": {"NS": 0, "EW": 0},
                "bags": {"NS": 9, "EW": 4},
                "won_by": None,
                "boston": None,
                "lines": [],
            },
        ],
        "totals": {
            "points": {"NS": 10, "EW": -66},
            "bags": {"NS": 9, "EW": 4},
            "hands_won": {"NS": 0, "EW": 0},
            "bostons": {"NS": 0, "EW": 0},
        },
        "round": {"over": False, "reason": None, "winner": None, "hands_played": 1},
        "warnings": [],
    }
    assert [(line["side"], line["kind"], line["points"], line["rule"]) for line in lines] == [
        ("NS", "contract", 60, "B-20"),
        ("EW", "contract", 30, "B-20"),
        ("EW", "overtricks", 1, "B-20"),
        ("EW", "nil", -100, "B-23"),
        ("EW", "nil-tricks", 3, "B-23"),
        ("NS", "penalty", -50, "B-27"),
    ]
    assert all(set(line) == {"side", "kind", "points", "rule", "why"} and line["why"] for line in lines)
    assert facts.opening.bags == {NS: 9, EW: 0}


def test_only_ruleset_and_hands_are_needed() -> None:
    assert scored(MSO, []).totals.points == {NS: 0, EW: 0}
    for left_out in ("ruleset", "hands"):
        sheet = {"ruleset": MSO, "hands": []}
        del sheet[left_out]
        with pytest.raises(SheetError) as fault:
            sheet_from_json(sheet, builtin)
        assert (fault.value.code, fault.value.where) == ("missing", left_out)


def test_settings_override_single_settings() -> None:
    hand = spades_hand("4+3", "5+4")
    assert scored(MSO, [hand], settings={"overtrick_points": 0}).totals.points[NS] == 70
    assert refused(MSO, [hand], settings={"overtricks": 0})[0] == "unknown-setting"
    assert refused(MSO, [hand], settings={"overtrick_points": -1})[0] == "setting-value"
    assert refused(MSO, [hand], settings=[]) == ("wrong-type", None, "settings")


def test_opening_carries_totals_in() -> None:
    opening = {"points": {"NS": 20}, "hands_won": {"EW": 2}, "bostons": {"NS": 1, "EW": 0}, "hand": 4}
    sheet = scored(WHIST, [whist_hand("4", 13)], opening=opening)
    assert sheet.hands[0].hand == 4
    assert sheet.totals.points == {NS: 27, EW: 0}
    assert sheet.totals.hands_won == {NS: 1, EW: 2}
    assert sheet.totals.bostons == {NS: 2, EW: 0}
    assert sheet.round.hands_played == 1


@pytest.mark.parametrize(("per_round", "over"), [(None, [False] * 4 + [True]), (4, [False] * 3 + [True])])
def test_hands_per_round_closes_a_bid_whist_round(per_round: int | None, over: list[bool]) -> None:
    rest = {} if per_round is None else {"hands_per_round": per_round}
    hands = [whist_hand("4", 10, dealer=dealer) for dealer in "WNESW"]
    ends = [scored(WHIST, hands[:count], **rest).round for count in range(1, len(over) + 1)]
    assert [end.over for end in ends] == over
    assert (ends[-1].reason, ends[-1].winner) == ("hand-limit", None)


def test_hands_per_round_belongs_to_bid_whist() -> None:
    assert refused(MSO, [], hands_per_round=5) == ("unknown-key", None, "hands_per_round")
    assert refused(WHIST, [], hands_per_round=0) == ("out-of-range", None, "hands_per_round")
    assert refused(WHIST, [], settings={"hands_per_round": 4})[0] == "unknown-setting"


def test_calls_stand_clockwise_from_the_dealer_s_left() -> None:
    for dealer in Seat:
        seat = dealer.left.left
        hand = {"dealer": dealer, "calls": ["pass", "4", "pass", "pass"], "books": {seat.side: 10, seat.side.other: 3}}
        assert scored(WHIST, [hand]).hands[0].won_by is seat.side


@pytest.mark.parametrize("spelling", ["5N up", "5 NT up", "5 no up", "5 No Up", "5NT UP", "5 n up"])
def test_spellings_of_a_no_bid(spelling: str) -> None:  # case 20
    assert scored(WHIST, [whist_hand(spelling, 11)]).totals.points[NS] == 10


@pytest.mark.parametrize("spelling", ["5S", "5 special", "5 SPECIAL", "5s"])
def test_spellings_of_a_special_bid(spelling: str) -> None:
    assert scored(WHIST, [whist_hand(spelling, 11)]).totals.points[NS] == 5


def test_the_winning_no_needs_its_direction_and_a_losing_one_does_not() -> None:
    assert scored(WHIST, [whist_hand("4 no", 10, direction="up")]).totals.points[NS] == 8
    assert scored(WHIST, [whist_hand("4 no down", 10, direction="down")]).totals.points[NS] == 8
    assert refused(WHIST, [whist_hand("4 no", 10)]) == ("direction-missing", 1, "hands[0].direction")
    assert refused(WHIST, [whist_hand("4 no up", 10, direction="down")])[0] == "direction-unwanted"
    assert refused(WHIST, [whist_hand("4", 10, direction="up")])[0] == "direction-unwanted"
    losing = {"dealer": "W", "calls": ["4 no", "5", "pass", "pass"], "books": {"NS": 2, "EW": 11}}
    assert scored(WHIST, [losing]).totals.points == {NS: 0, EW: 5}


@pytest.mark.parametrize(
    ("hand", "code", "where"),
    [
        (whist_hand("4", None), "books-missing", "hands[0].books"),
        (
            {"dealer": "W", "calls": ["4", "pass", "pass"], "books": {"NS": 10, "EW": 3}},
            "calls-missing",
            "hands[0].calls",
        ),
        (
            {"dealer": "W", "calls": ["4"] + ["pass"] * 4, "books": {"NS": 10, "EW": 3}},
            "out-of-range",
            "hands[0].calls",
        ),
        ({"dealer": "W", "calls": ["4", "4 special", "pass", "pass"]}, "illegal-call", "hands[0].calls[1]"),
        ({"dealer": "W", "calls": ["4", None, "pass", "pass"]}, "wrong-type", "hands[0].calls[1]"),
        ({"dealer": "W", "calls": ["4", "", "pass", "pass"]}, "not-a-call", "hands[0].calls[1]"),
        (whist_hand("4", {"NS": 10}), "missing", "hands[0].books.EW"),
        (whist_hand("4", {"NS": 10, "EW": 3.0}), "wrong-type", "hands[0].books.EW"),  # type: ignore[dict-item]
        (whist_hand("4", {"NS": 14, "EW": 0}), "out-of-range", "hands[0].books.NS"),
        (whist_hand("4", {"NS": -1, "EW": 0}), "out-of-range", "hands[0].books.NS"),
        (whist_hand("4", {"NS": True, "EW": 0}), "wrong-type", "hands[0].books.NS"),
        (whist_hand("4", {"NS": 9, "EW": 3}), "books-sum", "hands[0].books"),
        ({"calls": []}, "missing", "hands[0].dealer"),
        ({"dealer": "Q"}, "wrong-type", "hands[0].dealer"),
        ({"dealer": "N", "void": "rain"}, "wrong-type", "hands[0].void"),
        ({"dealer": "N", "rulling": []}, "unknown-key", "hands[0].rulling"),
        ({"dealer": "N", "tricks": {}}, "unknown-key", "hands[0].tricks"),
        ("hand", "wrong-type", "hands[0]"),
    ],
)
def test_a_malformed_bid_whist_hand_is_one_refusal(hand: Any, code: str, where: str) -> None:
    assert refused(WHIST, [hand]) == (code, 1, where)


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ({"tricks": None}, "tricks-missing", "hands[0].tricks"),
        ({"tricks": {"N": 4, "E": 6, "S": 3}}, "missing", "hands[0].tricks.W"),
        ({"tricks": {"N": 4, "E": 6, "S": 3, "W": 1}}, "tricks-sum", "hands[0].tricks"),
        ({"tricks": {"N": 4, "E": 6, "S": 3, "W": "0"}}, "wrong-type", "hands[0].tricks.W"),
        ({"calls": ["1", "3", "1"]}, "calls-missing", "hands[0].calls"),
        ({"calls": ["1", "3", "1", "13"]}, "illegal-call", "hands[0].calls[3]"),
        ({"calls": ["1", "3", "1", "0"]}, "illegal-call", "hands[0].calls[3]"),
        ({"calls": ["1", "3", "1", "pass"]}, "not-a-call", "hands[0].calls[3]"),
        ({"direction": "up"}, "unknown-key", "hands[0].direction"),
        ({"books": {"NS": 7, "EW": 6}}, "unknown-key", "hands[0].books"),
    ],
)
def test_a_malformed_spades_hand_is_one_refusal(change: dict[str, Any], code: str, where: str) -> None:
    assert refused(MSO, [{**spades_hand("4+3", "4+3"), **change}]) == (code, 1, where)


def test_the_hand_of_a_refusal_is_its_number_and_the_place_its_index() -> None:
    void = {"dealer": "W", "void": "misdeal"}
    hands = [
        void,
        whist_hand("4", 10),
        whist_hand("4", 10, dealer="N"),
        whist_hand("4", {"NS": 9, "EW": 5}, dealer="E"),
    ]
    assert refused(WHIST, hands) == ("books-sum", 3, "hands[3].books")
    assert refused(WHIST, [*hands[:3], {"dealer": 3}], opening={"hand": 2}) == ("wrong-type", 4, "hands[3].dealer")


def test_void_hands_keep_number_and_dealer_and_spades_penalties_stay() -> None:
    exposed = {"code": "EXPOSED", "side": "EW", "card": "C3", "phase": "bidding"}
    revoke = {"code": "REVOKE", "side": "EW"}
    for why in ("misdeal", "exposed-in-deal", "director"):
        void = {**spades_hand("4+3", "4+3"), "void": why, "rulings": [exposed, revoke]}
        sheet = scored(MSO, [void, spades_hand("4+3", "4+3"), spades_hand("4+3", "4+3", dealer="E")])
        assert [(hand.hand, hand.void) for hand in sheet.hands] == [(1, True), (1, False), (2, False)]
        assert sheet.hands[0].points == {NS: 0, EW: -25}
        assert [line.kind for line in sheet.hands[0].lines] == ["penalty"]
        assert sheet.totals.points == {NS: 140, EW: -25 + 2 * 24}
        assert (sheet.round.hands_played, sheet.warnings) == (2, ())


def test_a_void_hand_needs_no_calls_and_no_tricks_that_add_up() -> None:
    void = {"dealer": "N", "void": "director", "calls": ["3"], "tricks": {"N": 1, "E": 0, "S": 0, "W": 0}}
    assert scored(MSO, [void]).hands[0].lines == ()
    tech = {"code": "TALK", "side": "NS"}
    whist = scored(WHIST, [{"dealer": "N", "void": "director", "rulings": [tech]}])
    assert (whist.hands[0].lines, whist.hands[0].won_by, whist.totals.hands_won) == ((), None, {NS: 0, EW: 0})


@pytest.mark.parametrize(
    ("ended", "over", "reason", "winner"),
    [
        ({"by": "time"}, True, "time", NS),
        ({"by": "forfeit", "loser": "NS"}, True, "forfeit", EW),
        ({"by": "dq", "loser": "EW"}, True, "dq", NS),
        (None, False, None, None),
    ],
)
def test_a_spades_round_ended_from_outside(
    ended: dict[str, str] | None, over: bool, reason: str | None, winner: Side | None
) -> None:
    sheet = scored(MSO, [spades_hand("4+3", "4+3")], ended=ended)
    assert (sheet.round.over, sheet.round.reason, sheet.round.winner) == (over, reason, winner)
    assert sheet.totals.points == {NS: 70, EW: 24}


def test_a_forfeit_before_the_first_hand_has_an_explicit_winner() -> None:  # case 22
    sheet = scored(MSO, [], ended={"by": "forfeit", "loser": "EW"})
    assert (sheet.round.over, sheet.round.reason, sheet.round.winner, sheet.round.hands_played) == (
        True,
        "forfeit",
        NS,
        0,
    )


def test_time_at_equal_totals_has_no_winner() -> None:
    sheet = scored(MSO, [], ended={"by": "time"}, opening={"points": {"NS": 50, "EW": 50}})
    assert (sheet.round.over, sheet.round.reason, sheet.round.winner) == (True, "time", None)
    fewer = scored(
        MSO, [], ended={"by": "time"}, opening={"bags": {"NS": 3, "EW": 2}}, settings={"tie_policy": "fewer_bags"}
    )
    assert fewer.round.winner is EW


def test_what_ended_a_round_counts_only_if_no_limit_closed_it() -> None:
    opening = {"points": {"NS": 480, "EW": 0}}
    sheet = scored(MSO, [spades_hand("4+3", "4+3")], ended={"by": "dq", "loser": "NS"}, opening=opening)
    assert (sheet.round.reason, sheet.round.winner) == ("win-limit", NS)


@pytest.mark.parametrize("by", ["time", "forfeit", "dq"])
def test_bid_whist_has_no_round_winner(by: str) -> None:
    ended = {"by": by} if by == "time" else {"by": by, "loser": "EW"}
    sheet = scored(WHIST, [whist_hand("4", 10)], ended=ended)
    assert (sheet.round.over, sheet.round.reason, sheet.round.winner) == (True, by, None)


@pytest.mark.parametrize(
    ("ended", "code", "where"),
    [
        ({"by": "time", "loser": "NS"}, "ended-loser", "ended.loser"),
        ({"by": "forfeit"}, "ended-loser", "ended.loser"),
        ({"by": "dq"}, "ended-loser", "ended.loser"),
        ({"by": "rain"}, "wrong-type", "ended.by"),
        ({}, "missing", "ended.by"),
        ({"by": "dq", "loser": "N"}, "wrong-type", "ended.loser"),
        ({"by": "time", "at": 3}, "unknown-key", "ended.at"),
    ],
)
def test_a_malformed_end_is_refused(ended: dict[str, Any], code: str, where: str) -> None:
    assert refused(MSO, [], ended=ended) == (code, None, where)


def _codes(ruleset: str, hands: list[dict[str, Any]], **rest: Any) -> list[tuple[str, int]]:
    found = answer(ruleset, hands, **rest)["warnings"]
    assert all(set(each) == {"code", "hand", "message"} and each["message"] for each in found)
    return [(each["code"], each["hand"]) for each in found]


def test_both_partners_nil_is_warned_of_unless_allowed() -> None:  # case 11
    hand = spades_hand("N+N", "0+0")
    assert _codes(MSO, [hand]) == [("both-nil", 1)]
    assert _codes(MSO, [hand], settings={"both_nil": "allow"}) == []
    assert refused(MSO, [hand], settings={"both_nil": "forbid"}) == ("illegal-call", 1, "hands[0].calls[3]")


def test_an_unmakeable_bid_is_warned_of_unless_forbidden() -> None:
    hand = spades_hand("7+7", "7+6")
    assert _codes(MSO, [hand]) == [("unmakeable-bid", 1)]
    assert refused(MSO, [hand], settings={"unmakeable_bids": "forbid"}) == ("illegal-call", 1, "hands[0].calls[3]")
    assert _codes(MSO, [spades_hand("4+4", "4+3", "4+3", "3+3")]) == []  # 15 bid by both sides is usual


@pytest.mark.parametrize(
    ("ruleset", "dealers", "settings", "warned"),
    [
        (MSO, "NESWN", {}, []),
        (MSO, "ENSW", {}, [1, 2]),
        (MSO, "NNSW", {}, [2]),
        (MSO, "NSNS", {"dealer_list": "NS"}, []),
        (WSOS, "SWNE", {}, []),
        (WSOS, "SSWN", {}, [2]),
        (MSO, "WNE", {"dealer_list": "draw"}, []),
    ],
)
def test_a_dealer_out_of_rotation_is_warned_of(
    ruleset: str, dealers: str, settings: dict[str, Any], warned: list[int]
) -> None:
    hands = [spades_hand("4+3", "4+3", dealer=dealer) for dealer in dealers]
    assert _codes(ruleset, hands, settings=settings) == [("dealer-rotation", hand) for hand in warned]


def test_bid_whist_deals_clockwise_from_whoever_drew_the_deal() -> None:
    hands = [whist_hand("4", 10, dealer=dealer) for dealer in "SWEN"]
    assert _codes(WHIST, hands) == [("dealer-rotation", 3), ("dealer-rotation", 4)]


@pytest.mark.parametrize(
    ("policy", "dealers", "warned"),
    [("same", "NNE", []), ("same", "NEE", [1]), ("next", "NEE", []), ("next", "NNE", [1])],
)
def test_who_deals_again_after_a_void_hand(policy: str, dealers: str, warned: list[int]) -> None:
    first, second, third = list(dealers)
    hands = [
        {"dealer": first, "void": "misdeal"},
        spades_hand("4+3", "4+3", dealer=second),
        spades_hand("4+3", "4+3", dealer=third),
    ]
    found = _codes(MSO, hands, settings={"redeal_dealer": policy})
    assert found == [("dealer-rotation", hand) for hand in warned]


def test_hands_past_the_end_are_kept_not_counted_and_warned_of() -> None:
    opening = {"points": {"NS": 480, "EW": 0}}
    hands = [spades_hand("4+3", "4+3", dealer=dealer) for dealer in "NES"]
    sheet = scored(MSO, hands, opening=opening)
    assert [(notice.code, notice.hand) for notice in sheet.warnings] == [("past-end", 2), ("past-end", 3)]
    assert [hand.points[NS] for hand in sheet.hands] == [70, 70, 70]
    assert (sheet.totals.points, sheet.round.hands_played) == ({NS: 550, EW: 24}, 1)
    whist = scored(WHIST, [whist_hand("4", 10, dealer=dealer) for dealer in "WNESWN"])
    assert ([notice.code for notice in whist.warnings], whist.round.hands_played) == (["past-end"], 5)
    assert sum(whist.totals.hands_won.values()) == 5


def test_both_sides_late_is_decided_by_the_first_and_warned_of() -> None:
    rulings = [{"code": "LATE", "side": "EW"}, {"code": "LATE", "side": "NS"}]
    sheet = scored(WHIST, [{"dealer": "N", "rulings": rulings}])
    assert sheet.hands[0].won_by is NS
    assert [notice.code for notice in sheet.warnings] == ["both-late"]


def test_a_bag_counter_without_penalty_never_wraps() -> None:  # case 10
    sheet = scored(MSO, [spades_hand("1+1", "6+6")], settings={"bag_penalty": 0}, opening={"bags": {"NS": 19}})
    assert sheet.hands[0].bags[NS] == 29


def test_bags_of_a_hand_are_the_counter_after_it() -> None:
    sheet = scored(MSO, [spades_hand("3+3", "4+4"), spades_hand("3+3", "4+4", dealer="E")])
    assert [hand.bags[NS] for hand in sheet.hands] == [2, 4]
    assert sheet.totals.bags[NS] == 4


TIED = spades_hand("4+3", "4+3", "3+3", "3+3")  # 70 : 60


def test_an_extra_hand_is_played_until_totals_differ() -> None:
    even = spades_hand("3+3", "3+4", "3+3", "3+3")  # 61 : 60
    sheet = scored(MSO, [TIED], opening={"points": {"NS": 440, "EW": 450}})
    assert (sheet.round.over, sheet.totals.points) == (False, {NS: 510, EW: 510})
    down = [TIED, spades_hand("4+3", "3+3", "4+4", "4+3", dealer="E")]  # −70 : −80
    sheet = scored(MSO, down, opening={"points": {"NS": 440, "EW": 450}})
    assert sheet.totals.points == {NS: 440, EW: 430}
    assert (sheet.round.over, sheet.round.reason, sheet.round.winner) == (True, "win-limit", NS)
    late = scored(MSO, [TIED, even], opening={"points": {"NS": 290, "EW": 300}, "hand": 10})
    assert [hand.hand for hand in late.hands] == [10, 11]
    assert (late.round.reason, late.round.winner) == ("hand-limit", NS)


def test_a_tie_is_a_draw_or_goes_to_fewer_bags_where_a_club_says_so() -> None:
    opening = {"points": {"NS": 440, "EW": 450}, "bags": {"NS": 3, "EW": 2}}
    draw = scored(MSO, [TIED], opening=opening, settings={"tie_policy": "draw"})
    assert (draw.round.over, draw.round.reason, draw.round.winner) == (True, "win-limit", None)
    fewer = scored(MSO, [TIED], opening=opening, settings={"tie_policy": "fewer_bags"})
    assert (fewer.round.over, fewer.round.reason, fewer.round.winner) == (True, "win-limit", EW)
    same = scored(MSO, [TIED], opening={"points": opening["points"]}, settings={"tie_policy": "fewer_bags"})
    assert (same.round.over, same.round.winner) == (False, None)


def test_the_end_is_tested_with_the_total_after_the_bag_penalty() -> None:  # case 8
    opening = {"points": {"NS": 440}, "bags": {"NS": 9}}
    sheet = scored(MSO, [spades_hand("3+3", "4+3")], opening=opening)
    assert (sheet.totals.points[NS], sheet.round.over) == (440 + 61 - 100, False)


def test_a_void_hand_is_not_one_of_the_ten() -> None:  # case 13
    void = {"dealer": "E", "void": "misdeal"}
    sheet = scored(MSO, [void, spades_hand("4+3", "4+3", dealer="E")], opening={"hand": 10, "points": {"NS": 1}})
    assert [(hand.hand, hand.void) for hand in sheet.hands] == [(10, True), (10, False)]
    assert (sheet.round.over, sheet.round.reason) == (True, "hand-limit")
    assert not scored(MSO, [void] * 3, opening={"hand": 10}).round.over


def test_a_penalty_in_a_void_hand_does_not_end_the_round() -> None:
    exposed = {"code": "EXPOSED", "side": "NS", "card": "SA", "phase": "bidding"}
    void = {"dealer": "N", "void": "misdeal", "rulings": [exposed]}
    sheet = scored(MSO, [void], opening={"points": {"NS": -240}})
    assert (sheet.totals.points[NS], sheet.round.over) == (-290, False)


def test_every_bag_penalty_of_one_hand_is_taken() -> None:  # case 6
    sheet = scored(MSO, [spades_hand("N+1", "2+10")], opening={"bags": {"NS": 9}})
    penalty = [line for line in sheet.hands[0].lines if line.kind == "bag-penalty"]
    assert [(line.points, line.rule) for line in penalty] == [(-200, "B-26")]


def test_every_member_of_a_hand_is_written_back() -> None:
    hand = {
        "dealer": "W",
        "calls": ["5", "6", "pass", "pass"],
        "books": {"NS": 1, "EW": 12},
        "rulings": [
            {"code": "IMPROPER_BID", "seat": "E", "said": "5", "corrected": "6"},
            {
                "code": "TALK",
                "side": "NS",
                "seat": "N",
                "caller": "E",
                "official": "M2",
                "proven": False,
                "phase": "play",
            },
            {"code": "ADJUST", "points": {"NS": 1}, "won_by": "EW", "boston": "EW", "why": "x"},
        ],
    }
    assert hand_facts_to_json(hand_facts_from_json(hand, Game.BID_WHIST)) == hand
    no = {"dealer": "W", "calls": ["5 no", "pass", "pass", "pass"], "direction": "down", "books": {"NS": 11, "EW": 2}}
    assert hand_facts_to_json(hand_facts_from_json(no, Game.BID_WHIST)) == no
    penalty = {"code": "LEAD_TURN", "side": "NS", "card": "HT", "accepted": False}
    spades = {**spades_hand("4+3", "4+3"), "void": "director", "rulings": [penalty]}
    assert hand_facts_to_json(hand_facts_from_json(spades, Game.SPADES)) == spades
    assert hand_facts_to_json(hand_facts_from_json({"dealer": "S"}, Game.SPADES)) == {"dealer": "S"}


def test_a_counter_carried_in_beyond_the_limit_is_settled_by_the_next_hand_that_is_no_revoke() -> None:
    hand = spades_hand("4+3", "4+3")
    opening = {"bags": {"NS": 12, "EW": 0}}
    plain = scored(MSO, [hand], opening=opening).hands[0]
    assert (plain.points[NS], plain.bags[NS]) == (-30, 2)
    revoked = scored(MSO, [{**hand, "rulings": [{"code": "REVOKE", "side": "NS"}]}], opening=opening).hands[0]
    assert (revoked.points[NS], revoked.bags[NS]) == (-70, 12)


def test_the_same_facts_give_the_same_score_twice() -> None:
    facts = sheet_from_json(EXAMPLE, builtin)
    assert score_sheet(facts) == score_sheet(facts)
