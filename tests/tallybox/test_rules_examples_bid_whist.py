"""The worked examples of bid whist by their ids: AU (auction), A (hands)."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import WHIST, made, scored, whist_hand

from tallybox.calls import PASS, Bid, Call, Game, Strain, parse_call
from tallybox.errors import CallError, SheetError
from tallybox.rules.auction import judge, legal_calls
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, Side

NS, EW = Side.NS, Side.EW
HIGH, SPECIAL, NO = Strain.HIGH, Strain.SPECIAL, Strain.NO

# id, calls so far, call, legal, code, correction
AUCTIONS: list[tuple[str, list[str], str, bool, str, Call | None]] = [
    ("AU1", [], "4", True, "legal", None),
    ("AU2", [], "4 no", True, "legal", None),
    ("AU2 (7 No)", [], "7 no", True, "legal", None),
    ("AU3", ["4 special"], "4", False, "too-low", Bid(5, HIGH)),
    ("AU4", ["4"], "4 special", False, "too-low", Bid(5, SPECIAL)),
    ("AU5", ["4"], "4 no", True, "legal", None),
    ("AU6", ["4 no"], "5 special", True, "legal", None),
    ("AU7", ["5"], "5", False, "too-low", Bid(6, HIGH)),
    ("AU7 (No over No)", ["5 no"], "5 no", False, "too-low", Bid(6, NO)),
    ("AU7 (No under)", ["6"], "5 no", False, "too-low", Bid(6, NO)),
    ("AU12", ["7"], "7 no", True, "legal", None),
    ("AU13", ["7"], "7 special", False, "no-next-number", PASS),
    ("AU14", ["7 no"], "7", False, "no-next-number", PASS),
    ("AU14 (No)", ["7 no"], "7 no", False, "no-next-number", PASS),
    ("AU15", ["pass", "pass", "pass"], "pass", False, "dealer-must-bid", None),
    ("AU16", ["pass", "4", "pass", "pass"], "5", False, "auction-over", None),
    ("AU17", [], "3", False, "not-a-bid", Bid(4, HIGH)),
    ("AU17 (over 5)", ["5"], "3 special", False, "not-a-bid", Bid(6, SPECIAL)),
    ("case 18", [], "8", False, "not-a-bid", None),
]


@pytest.mark.parametrize(
    ("example", "before", "text", "legal", "code", "correction"), AUCTIONS, ids=[row[0] for row in AUCTIONS]
)
def test_auction_example(
    example: str, before: list[str], text: str, legal: bool, code: str, correction: Call | None
) -> None:
    call = parse_call(Game.BID_WHIST, text)
    verdict = judge(builtin(WHIST), Seat.N, made(Game.BID_WHIST, "N", *before), call)
    assert (verdict.legal, verdict.code, verdict.correction) == (legal, code, correction)
    assert bool(verdict.message) is not legal


def test_after_seven_no_only_pass_is_left() -> None:  # AU14
    assert legal_calls(builtin(WHIST), Seat.N, made(Game.BID_WHIST, "N", "7 no")) == (PASS,)


def test_i_pass_is_not_a_call() -> None:  # AU18: the Tech itself is the ruling VERBIAGE
    with pytest.raises(CallError, match="Say pass"):
        parse_call(Game.BID_WHIST, "I pass")


def ruling(code: str, side: str = "NS", **rest: Any) -> dict[str, Any]:
    return {"code": code, "side": side, **rest}


# id, hand, settings, points (NS, EW), won by, Boston
HANDS: list[tuple[str, dict[str, Any], dict[str, Any], tuple[int, int], Side, Side | None]] = [
    ("A1", whist_hand("4", 10), {}, (4, 0), NS, None),
    ("A2", whist_hand("4", 12), {}, (6, 0), NS, None),
    ("A4", whist_hand("5 special", 11), {}, (5, 0), NS, None),
    ("A5", whist_hand("5", 10), {}, (0, 5), EW, None),
    ("A6", whist_hand("6 special", 11), {}, (0, 6), EW, None),
    ("A7", whist_hand("7", 13), {}, (7, 0), NS, NS),
    ("A8", whist_hand("7", 12), {}, (0, 7), EW, None),
    ("A9", whist_hand("4 no up", 10), {}, (8, 0), NS, None),
    ("A11", whist_hand("7 no down", 13), {}, (14, 0), NS, NS),
    ("A12", whist_hand("4 no up", 13), {}, (14, 0), NS, NS),
    ("A13", whist_hand("5 no up", 10), {}, (0, 10), EW, None),
    ("A13 (not doubled)", whist_hand("5 no up", 10), {"set_no_doubled": False}, (0, 5), EW, None),
    ("A16", whist_hand("5", 12, rulings=[ruling("RENEGE_SUIT")]), {}, (0, 5), EW, None),
    ("A19", whist_hand("6", None, rulings=[ruling("BAD_LAYDOWN")]), {}, (0, 6), EW, None),
    ("A20", whist_hand("6 no up", None, rulings=[ruling("CONCEDED")]), {}, (0, 12), EW, None),
    ("A21", whist_hand("6", 13, rulings=[ruling("LAYDOWN")]), {}, (7, 0), NS, NS),
    (
        "A21 (books so far)",
        whist_hand("6", {"NS": 8, "EW": 0}, rulings=[ruling("LAYDOWN")]),
        {},
        (7, 0),
        NS,
        NS,
    ),
    ("A22", whist_hand("4 no up", None, rulings=[ruling("JOKER_DISCARD")]), {}, (0, 8), EW, None),
    ("A25", whist_hand("4", None, rulings=[ruling("MISDEAL_LATE", "EW")]), {}, (4, 0), NS, None),
    (
        "A26",
        {"dealer": "W", "calls": [], "rulings": [ruling("OUT_OF_TURN_BID", phase="bidding")]},
        {},
        (0, 4),
        EW,
        None,
    ),
    ("A30", whist_hand("4", 10, rulings=[ruling("TALK", proven=False)]), {}, (4, 0), NS, None),
]


@pytest.mark.parametrize(
    ("example", "hand", "settings", "points", "won_by", "boston"), HANDS, ids=[row[0] for row in HANDS]
)
def test_hand_example(
    example: str,
    hand: dict[str, Any],
    settings: dict[str, Any],
    points: tuple[int, int],
    won_by: Side,
    boston: Side | None,
) -> None:
    sheet = scored(WHIST, [hand], settings=settings)
    score = sheet.hands[0]
    assert score.points == {NS: points[0], EW: points[1]}
    assert (score.won_by, score.boston, score.void) == (won_by, boston, False)
    assert sheet.totals.points == score.points
    assert sheet.totals.hands_won == {won_by: 1, won_by.other: 0}


def test_misdeal_before_the_first_card_scores_nothing_and_keeps_hand_and_dealer() -> None:  # A23
    sheet = scored(WHIST, [{"dealer": "W", "void": "misdeal"}, whist_hand("4", 10)])
    assert [(hand.hand, hand.void, hand.lines == ()) for hand in sheet.hands] == [(1, True, True), (1, False, False)]
    assert (sheet.round.hands_played, sheet.warnings) == (1, ())


@pytest.mark.parametrize(
    ("example", "hand", "code", "where"),
    [
        ("A28", whist_hand("4", {"NS": 9, "EW": 5}), "books-sum", "hands[0].books"),
        ("A29", whist_hand("4", 0), "books-kitty", "hands[0].books.NS"),
        (
            "A31",
            whist_hand("4", 10, rulings=[ruling("RENEGE_SUIT", caller="S")]),
            "caller-side",
            "hands[0].rulings[0].caller",
        ),
        ("AU15", {"dealer": "W", "calls": ["pass"] * 4}, "illegal-call", "hands[0].calls[3]"),
    ],
    ids=lambda value: value if isinstance(value, str) and value[0] == "A" else "",
)
def test_refused_example(example: str, hand: dict[str, Any], code: str, where: str) -> None:
    with pytest.raises(SheetError) as refused:
        scored(WHIST, [hand])
    assert (refused.value.code, refused.value.hand, refused.value.where) == (code, 1, where)


def test_a_late_team_loses_the_hands_that_were_not_completed() -> None:  # A32
    played = [whist_hand("4", 10, dealer=dealer) for dealer in ("W", "N", "E")]
    late = [{"dealer": dealer, "rulings": [ruling("LATE", "EW")]} for dealer in ("S", "W")]
    sheet = scored(WHIST, [*played, *late])
    without = scored(WHIST, played)
    assert sheet.totals.points[NS] - without.totals.points[NS] == 10
    assert sheet.totals.hands_won[NS] - without.totals.hands_won[NS] == 2
    assert sheet.totals.points[EW] == without.totals.points[EW]
    assert (sheet.round.over, sheet.round.reason, sheet.round.hands_played) == (True, "hand-limit", 5)


def test_when_time_ends_and_nobody_was_late_the_unplayed_hand_counts_for_neither() -> None:  # A34
    dealers = ("W", "N", "E", "S")
    sheet = scored(WHIST, [whist_hand("4", 10, dealer=dealer) for dealer in dealers], ended={"by": "time"})
    assert sum(sheet.totals.hands_won.values()) == 4
    assert (sheet.round.over, sheet.round.reason, sheet.round.winner) == (True, "time", None)
