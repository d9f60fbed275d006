"""The worked examples of both spades rulesets by their ids: B and C (hands), BI (irregularities), E (round ends)."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import MSO, WSOS, made, scored, spades_hand

from tallybox.calls import NIL, Game, Number, parse_call
from tallybox.errors import CallError, SheetError
from tallybox.rules.auction import Made, judge, legal_calls, turn
from tallybox.rules.ruleset import builtin
from tallybox.rules.settings import SpadesSettings
from tallybox.rules.spades_auction import deck_in_use
from tallybox.seats import Seat, Side

NS, EW = Side.NS, Side.EW

# id, ruleset, bids of NS, tricks of NS, bags carried, settings, points, bags after
HANDS: list[tuple[str, str, str, str, int, dict[str, Any], int, int]] = [
    ("B1", MSO, "4+3", "4+3", 0, {}, 70, 0),
    ("B2", MSO, "4+3", "5+4", 0, {}, 72, 2),
    ("B3", MSO, "4+3", "3+3", 0, {}, -70, 0),
    ("B5", MSO, "N+5", "0+5", 0, {}, 150, 0),
    ("B8, case 7", MSO, "N+5", "2+5", 0, {}, -48, 2),
    ("B9, case 7", MSO, "N+5", "2+4", 0, {}, -148, 2),
    ("B9 (helping), case 7", MSO, "N+5", "2+4", 0, {"nil_set_tricks": "helps_partner"}, -49, 1),
    ("B8 (helping), case 7", MSO, "N+5", "2+5", 0, {"nil_set_tricks": "helps_partner"}, -48, 2),
    ("B11, case 7", MSO, "N+5", "2+5", 0, {"nil_set_tricks": "bag_only"}, -50, 2),
    ("B9 (bag only), case 7", MSO, "N+5", "2+4", 0, {"nil_set_tricks": "bag_only"}, -150, 2),
    ("B12", MSO, "N+N", "0+0", 0, {}, 200, 0),
    ("B13", MSO, "N+N", "0+3", 0, {}, 3, 3),
    ("B13 (helping: no number to help)", MSO, "N+N", "0+3", 0, {"nil_set_tricks": "helps_partner"}, 3, 3),
    ("B15, case 2", MSO, "3+3", "4+5", 8, {}, -37, 1),
    ("B16, case 1, case 3: from 7", MSO, "3+3", "4+5", 7, {}, -37, 0),
    ("B18", MSO, "N+1", "2+10", 9, {}, -279, 0),
    ("B21", MSO, "4+5", "5+3", 9, {}, -90, 9),
    ("B23", MSO, "11+1", "11+1", 0, {}, 120, 0),
    ("B24", MSO, "12+1", "12+1", 0, {}, 130, 0),
    ("B27", MSO, "7+7", "7+6", 0, {}, -140, 0),
    ("C1, case 9", WSOS, "6+4", "6+4", 0, {}, 100, 0),
    ("C2", WSOS, "6+4", "6+3", 0, {}, -100, 0),
    ("C3", WSOS, "10+3", "10+3", 0, {}, 130, 0),
    ("C4", WSOS, "N+4", "1+4", 0, {}, -59, 1),
    ("C6", WSOS, "N+4", "0+4", 0, {}, 140, 0),
    ("case 3, from 9", MSO, "3+3", "4+3", 9, {}, -39, 0),
    ("case 4, score 35 below with 5 bags", MSO, "3+3", "6+6", 5, {}, -34, 1),
    ("case 5", MSO, "N+1", "0+13", 0, {}, 22, 2),
    ("case 10", MSO, "3+3", "4+5", 8, {"bag_penalty": 0}, 63, 11),
    ("ten for 200", MSO, "6+4", "6+5", 0, {"ten_for_200": True}, 201, 1),
    ("ten for 200, eleven bid", MSO, "6+5", "6+5", 0, {"ten_for_200": True}, 110, 0),
    ("ten for 200, set", MSO, "6+4", "6+3", 0, {"ten_for_200": True}, -100, 0),
    ("overtricks worth 10", MSO, "4+3", "5+4", 0, {"overtrick_points": 10}, 90, 2),
    ("set costs nothing", MSO, "4+3", "3+3", 0, {"set_penalty": 0}, 0, 0),
    ("nil worth 50", MSO, "N+5", "0+5", 0, {"nil": 50}, 100, 0),
    ("bags emptied", MSO, "3+3", "4+5", 8, {"bag_reset": "zero"}, -37, 0),
    ("five bags cost 50", MSO, "3+3", "4+5", 3, {"bag_limit": 5, "bag_penalty": 50}, 13, 1),
    ("no bag limit", MSO, "3+3", "4+5", 8, {"bag_limit": 0}, 63, 11),
]  # fmt: skip


@pytest.mark.parametrize(
    ("example", "ruleset", "bids", "tricks", "carried", "settings", "points", "bags"),
    HANDS,
    ids=[row[0] for row in HANDS],
)
def test_hand_example(
    example: str, ruleset: str, bids: str, tricks: str, carried: int, settings: dict[str, Any], points: int, bags: int
) -> None:
    opening = {"bags": {"NS": carried, "EW": 0}}
    sheet = scored(ruleset, [spades_hand(bids, tricks)], settings=settings, opening=opening)
    assert (sheet.hands[0].points[NS], sheet.hands[0].bags[NS]) == (points, bags)
    assert (sheet.hands[0].won_by, sheet.hands[0].boston) == (None, None)


def test_both_sides_can_be_set() -> None:  # B4
    sheet = scored(MSO, [spades_hand("4+3", "3+3", "4+4", "4+3")])
    assert sheet.hands[0].points == {NS: -70, EW: -80}


@pytest.mark.parametrize(
    ("example", "text", "rule"), [("B26", "13", "B-12"), ("B29", "0", "B-12"), ("B29 (blank)", "", None)]
)
def test_a_call_that_is_no_bid_is_refused(example: str, text: str, rule: str | None) -> None:
    if rule is None:
        with pytest.raises(CallError, match="not a spades bid"):
            parse_call(Game.SPADES, text)
        return
    verdict = judge(builtin(MSO), Seat.N, (), parse_call(Game.SPADES, text))
    assert (verdict.legal, verdict.code, verdict.rule) == (False, "not-a-bid", rule)


def test_bids_beyond_thirteen_are_taken_with_a_warning() -> None:  # B27
    sheet = scored(MSO, [spades_hand("7+7", "7+6")])
    assert [(notice.code, notice.hand) for notice in sheet.warnings] == [("unmakeable-bid", 1)]


def test_tricks_that_make_twelve_are_refused() -> None:  # B28
    with pytest.raises(SheetError) as refused:
        scored(MSO, [spades_hand("4+3", "4+3", "3+2", "3+2")])
    assert (refused.value.code, refused.value.where) == ("tricks-sum", "hands[0].tricks")
    assert "12 tricks" in refused.value.message


def ruling(code: str, **rest: Any) -> dict[str, Any]:
    return {"code": code, "side": "NS", **rest}


# id, ruleset, ruling, points it brings to North–South
PENALTIES: list[tuple[str, str, dict[str, Any], int]] = [
    ("BI5", MSO, ruling("EXPOSED", card="SK", phase="play"), -50),
    ("BI5 (bidding)", MSO, ruling("EXPOSED", card="SA", phase="bidding"), -50),
    ("BI6", MSO, ruling("EXPOSED", card="HA", phase="play"), -25),
    ("BI7", MSO, ruling("RENOUNCE", card="D7"), -25),
    ("BI7 (high spade)", MSO, ruling("RENOUNCE", card="SQ"), -50),
    ("BI8", MSO, ruling("BID_TURN", accepted=True), -25),
    ("BI9", MSO, ruling("BID_TURN", accepted=False), -25),
    ("BI10 (accepted)", MSO, ruling("LEAD_TURN", accepted=True), 0),
    ("BI10 (refused)", MSO, ruling("LEAD_TURN", accepted=False, card="C4"), -25),
    ("BI12 (deal)", MSO, ruling("EXPOSED", card="SA", phase="deal", seat="N"), 0),
    ("BI12 (deal, not the dealer's)", MSO, ruling("EXPOSED", card="SA", phase="deal", seat="S"), 0),
    ("C10", WSOS, ruling("EXPOSED", card="DA", phase="bidding"), -50),
    ("C11", WSOS, ruling("EXPOSED", card="DA", phase="play"), 0),
    ("C12", WSOS, ruling("EXPOSED", card="HQ", phase="bidding"), 0),
    ("C13", WSOS, ruling("EXPOSED", card="SQ", phase="deal"), -50),
    ("C13 (the dealer's own)", WSOS, ruling("EXPOSED", card="SQ", phase="deal", seat="N"), 0),
    ("C14", WSOS, ruling("RENOUNCE"), 0),
    ("C15", WSOS, ruling("BID_TURN", accepted=False), 0),
    ("C16", WSOS, ruling("LEAD_TURN", accepted=True), 0),
    ("C16 (refused)", WSOS, ruling("LEAD_TURN", accepted=False), 0),
    ("not proven", MSO, ruling("EXPOSED", card="SK", phase="play", proven=False), 0),
]


@pytest.mark.parametrize(("example", "ruleset", "given", "points"), PENALTIES, ids=[row[0] for row in PENALTIES])
def test_irregularity_example(example: str, ruleset: str, given: dict[str, Any], points: int) -> None:
    without = scored(ruleset, [spades_hand("4+3", "4+3")])
    score = scored(ruleset, [spades_hand("4+3", "4+3", rulings=[given])])
    assert score.totals.points[NS] - without.totals.points[NS] == points
    assert score.totals.points[EW] == without.totals.points[EW]  # case 30: only the offenders' total changes
    assert score.totals.bags == without.totals.bags


def test_an_exposed_queen_costs_beside_a_made_bid() -> None:  # BI11
    given = ruling("EXPOSED", card="SQ", phase="play")
    sheet = scored(MSO, [spades_hand("3+2", "3+3", rulings=[given])])
    assert (sheet.hands[0].points[NS], sheet.hands[0].bags[NS]) == (1, 1)


def test_a_dealer_s_flashed_card_voids_the_hand_without_points() -> None:  # BI12
    sheet = scored(MSO, [{"dealer": "N", "void": "exposed-in-deal"}, spades_hand("4+3", "4+3")])
    assert [(hand.hand, hand.void) for hand in sheet.hands] == [(1, True), (1, False)]
    assert (sheet.totals.points[NS], sheet.round.hands_played, sheet.warnings) == (70, 1, ())


@pytest.mark.parametrize(
    ("example", "ruleset", "ns", "tricks", "ew", "revokers", "points"),
    [
        ("BI1", MSO, "3+3", "4+4", "3+2", ["NS"], (-60, 50)),
        ("BI4", MSO, "3+3", "4+4", "3+2", ["NS", "EW"], (-60, -50)),
        ("C7", WSOS, "4+3", "3+2", "3+2", ["NS"], (-70, 50)),
        ("nils as bid", MSO, "N+4", "1+4", "N+3", ["NS"], (-140, 130)),
        ("both nil", MSO, "N+N", "0+0", "3+2", ["EW"], (200, -50)),
        ("nils as bid, both", MSO, "N+4", "1+4", "N+3", ["NS", "EW"], (-140, -130)),
        ("same side twice", MSO, "3+3", "4+4", "3+2", ["NS", "NS"], (-60, 50)),
    ],
)
def test_revoke_example(
    example: str, ruleset: str, ns: str, tricks: str, ew: str, revokers: list[str], points: tuple[int, int]
) -> None:
    rulings = [{"code": "REVOKE", "side": side} for side in revokers]
    opening = {"bags": {"NS": 9, "EW": 4}}
    sheet = scored(ruleset, [spades_hand(ns, tricks, ew, rulings=rulings)], opening=opening)
    assert sheet.hands[0].points == {NS: points[0], EW: points[1]}
    assert sheet.hands[0].bags == {NS: 9, EW: 4}


@pytest.mark.parametrize(
    ("settings", "points", "bags"),
    [
        ({}, (-140, 130), (0, 0)),
        ({"revoke_offender": "zero"}, (-100, 130), (0, 0)),
        ({"revoke_nil": "as_played"}, (-140, 130), (0, 0)),
        ({"revoke_bags": "as_played"}, (-139, 134), (1, 4)),
        ({"revoke_bags": "as_played", "nil_set_tricks": "helps_partner"}, (-140, 134), (0, 4)),
        ({"revoke_bags": "as_played", "nil_set_tricks": "bag_only"}, (-140, 134), (1, 4)),
        ({"revoke_bags": "as_played", "revoke_nil": "as_played", "revoke_offender": "zero"}, (-99, 134), (1, 4)),
    ],
)
def test_revoke_settings(settings: dict[str, Any], points: tuple[int, int], bags: tuple[int, int]) -> None:
    """North: nil with 1 trick, South: 4 with 5; East: nil with 0, West: 3 with 7."""
    hand = spades_hand("N+4", "1+5", "N+3", "0+7", rulings=[{"code": "REVOKE", "side": "NS"}])
    sheet = scored(MSO, [hand], settings=settings)
    assert sheet.hands[0].points == {NS: points[0], EW: points[1]}
    assert sheet.hands[0].bags == {NS: bags[0], EW: bags[1]}


# id, ruleset, totals after the hand, its number, (over, reason, winner)
ENDS: list[tuple[str, str, tuple[int, int], int, tuple[bool, str | None, Side | None]]] = [
    ("E1", MSO, (550, 530), 6, (True, "win-limit", NS)),
    ("E2", MSO, (510, 510), 7, (False, None, None)),
    ("E4", MSO, (320, 290), 10, (True, "hand-limit", NS)),
    ("E5", MSO, (-290, -100), 5, (True, "loss-limit", EW)),
    ("E7", MSO, (500, 480), 4, (True, "win-limit", NS)),
    ("E8", MSO, (-250, 10), 3, (True, "loss-limit", EW)),
    ("E9", MSO, (-249, 10), 3, (False, None, None)),
    ("E12", MSO, (300, 300), 10, (False, None, None)),
    ("E13", WSOS, (-200, 50), 4, (True, "loss-limit", EW)),
    ("E13 (MSO)", MSO, (-200, 50), 4, (False, None, None)),
    ("E14", WSOS, (-190, 50), 4, (False, None, None)),
    ("all limits at once", MSO, (500, -250), 10, (True, "win-limit", NS)),
    ("loss before hands", MSO, (499, -250), 10, (True, "loss-limit", NS)),
]


@pytest.mark.parametrize(("example", "ruleset", "after", "number", "end"), ENDS, ids=[row[0] for row in ENDS])
def test_round_end_example(
    example: str, ruleset: str, after: tuple[int, int], number: int, end: tuple[bool, str | None, Side | None]
) -> None:
    opening = {"points": {"NS": after[0] - 70, "EW": after[1] - 60}, "hand": number}
    sheet = scored(ruleset, [spades_hand("4+3", "4+3", "3+3", "3+3")], opening=opening)
    assert sheet.totals.points == {NS: after[0], EW: after[1]}
    assert (sheet.round.over, sheet.round.reason, sheet.round.winner) == end
    assert sheet.round.hands_played == 1


def test_a_declined_bid_is_repeated_in_the_world_series_and_free_in_the_mso_rules() -> None:  # C15, BI9
    locked = {Seat.E: Number(4)}
    refused = judge(builtin(WSOS), Seat.N, (), Number(5), locked)
    assert (refused.legal, refused.rule, refused.code, refused.correction) == (False, "C-16", "must-repeat", Number(4))
    assert legal_calls(builtin(WSOS), Seat.N, (), locked) == (Number(4),)
    assert judge(builtin(MSO), Seat.N, (), Number(5), locked).legal


def test_an_accepted_bid_out_of_turn_moves_the_auction_on_from_there() -> None:  # BI8
    first: tuple[Made, ...] = (Made(Seat.S, Number(3)),)
    assert turn(Seat.N, first) is Seat.W
    order = []
    now = first
    while (seat := turn(Seat.N, now)) is not None:
        order.append(seat)
        now = (*now, Made(seat, Number(3)))
    assert order == [Seat.W, Seat.N, Seat.E]


def test_blind_nil_is_not_a_bid() -> None:  # C17
    with pytest.raises(CallError):
        parse_call(Game.SPADES, "blind nil")


def test_thirteen_is_a_bid_in_the_world_series() -> None:  # C3, C20
    assert legal_calls(builtin(WSOS), Seat.N, ()) == (NIL, *(Number(tricks) for tricks in range(1, 14)))
    assert legal_calls(builtin(MSO), Seat.N, ()) == (NIL, *(Number(tricks) for tricks in range(1, 13)))


@pytest.mark.parametrize(
    ("call", "warning"),
    [
        ("11", "A Jack is 11. Nil is the King. The card stands; the director can be called."),
        ("12", "A Queen is 12. Nil is the King. The card stands; the director can be called."),
        ("10", None),
    ],
)
def test_a_jack_or_queen_meant_as_nil_stands_with_a_warning(call: str, warning: str | None) -> None:
    verdict = judge(builtin(MSO), Seat.N, made(Game.SPADES, "N"), parse_call(Game.SPADES, call))
    assert (verdict.legal, verdict.warning) == (True, warning)


@pytest.mark.parametrize(
    ("ruleset", "declined", "used"),
    [
        (WSOS, [], True),
        (WSOS, [NS], True),  # C18
        (WSOS, [EW], True),
        (WSOS, [NS, EW], False),
        (MSO, [NS, EW], True),
    ],
)
def test_the_bid_deck_is_used_unless_both_sides_decline_it(ruleset: str, declined: list[Side], used: bool) -> None:
    settings = builtin(ruleset).settings
    assert isinstance(settings, SpadesSettings)
    assert deck_in_use(settings, declined) is used
