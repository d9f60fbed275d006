"""Whole ledger lines: side, kind, points, rule, and the parameters that their sentences need."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import MSO, WHIST, WSOS, scored, spades_hand, whist_hand

from tallybox.rules.hand import Line, LineKind
from tallybox.seats import Side

NS, EW = Side.NS, Side.EW


def ruling(code: str, side: str = "NS", **rest: Any) -> dict[str, Any]:
    return {"code": code, "side": side, **rest}


LINES: list[tuple[str, str, dict[str, Any], dict[str, Any], list[Line]]] = [
    (
        "made",
        WHIST,
        whist_hand("5 no up", 12),
        {},
        [
            Line(
                NS,
                LineKind.CONTRACT,
                12,
                "A-30",
                {"bid": "5 no", "bidders": "NS", "books": 12, "needed": 11, "times": 2},
            ),
        ],
    ),
    (
        "made, a Boston",
        WHIST,
        whist_hand("7", 13),
        {},
        [
            Line(
                NS,
                LineKind.CONTRACT,
                7,
                "A-30",
                {"bid": "7", "bidders": "NS", "books": 13, "needed": 13, "times": 1, "boston": 1},
            ),
        ],
    ),
    (
        "set and it costs",
        WHIST,
        whist_hand("6 no up", 10),
        {"set_bidder_penalty": 2},
        [
            Line(
                EW,
                LineKind.CONTRACT,
                12,
                "A-31",
                {"bid": "6 no", "bidders": "NS", "books": 10, "needed": 12, "times": 2, "level": 6},
            ),
            Line(
                NS,
                LineKind.CONTRACT,
                -24,
                "Q-03",
                {"bid": "6 no", "bidders": "NS", "books": 10, "needed": 12, "times": 2, "level": 6, "each": 2},
            ),
        ],
    ),
    (
        "set, No not doubled",
        WHIST,
        whist_hand("6 no up", 10),
        {"set_no_doubled": False},
        [
            Line(
                EW,
                LineKind.CONTRACT,
                6,
                "A-31",
                {"bid": "6 no", "bidders": "NS", "books": 10, "needed": 12, "times": 1, "level": 6},
            ),
        ],
    ),
    (
        "conceded",
        WHIST,
        whist_hand("6 special", None, rulings=[ruling("CONCEDED")]),
        {"set_bidder_penalty": 1},
        [
            Line(EW, LineKind.CONTRACT, 6, "A-32", {"bid": "6 special", "bidders": "NS", "level": 6, "times": 1}),
            Line(
                NS,
                LineKind.CONTRACT,
                -6,
                "Q-03",
                {"bid": "6 special", "bidders": "NS", "level": 6, "times": 1, "each": 1},
            ),
        ],
    ),
    (
        "lost by the bidders",
        WHIST,
        whist_hand("5 no up", 12, rulings=[ruling("RENEGE_JOKER")]),
        {},
        [
            Line(
                EW,
                LineKind.RULING,
                10,
                "A-34",
                {"bid": "5 no", "bidders": "NS", "code": "RENEGE_JOKER", "offenders": "NS"},
            ),
        ],
    ),
    (
        "lost by the others",
        WHIST,
        whist_hand("5", 12, rulings=[ruling("MISDEAL_LATE", "EW")]),
        {},
        [
            Line(
                NS, LineKind.RULING, 5, "A-35", {"bid": "5", "bidders": "NS", "code": "MISDEAL_LATE", "offenders": "EW"}
            ),
        ],
    ),
    (
        "lost without points",
        WHIST,
        whist_hand("5", 12, rulings=[ruling("RENEGE_SUIT")]),
        {"lost_hand_points": "none"},
        [
            Line(
                EW, LineKind.RULING, 0, "A-34", {"bid": "5", "bidders": "NS", "code": "RENEGE_SUIT", "offenders": "NS"}
            ),
        ],
    ),
    (
        "Tech in the bidding",
        WHIST,
        {"dealer": "W", "calls": ["5 no"], "rulings": [ruling("VERBIAGE")]},
        {},
        [
            Line(EW, LineKind.RULING, 10, "A-36", {"code": "VERBIAGE", "offenders": "NS", "lowest": 4, "bid": "5 no"}),
        ],
    ),
    (
        "Tech before a bid",
        WHIST,
        {"dealer": "W", "rulings": [ruling("OUT_OF_TURN_BID", "EW")]},
        {},
        [
            Line(NS, LineKind.RULING, 4, "A-36", {"code": "OUT_OF_TURN_BID", "offenders": "EW", "lowest": 4}),
        ],
    ),
    (
        "late",
        WHIST,
        {"dealer": "W", "rulings": [ruling("LATE")]},
        {},
        [
            Line(EW, LineKind.RULING, 5, "A-37", {"late": "NS"}),
        ],
    ),
    (
        "a false call",
        WHIST,
        whist_hand("4", 10, rulings=[ruling("TALK", proven=False)]),
        {"false_call_penalty": 3},
        [
            Line(
                NS, LineKind.CONTRACT, 4, "A-30", {"bid": "4", "bidders": "NS", "books": 10, "needed": 10, "times": 1}
            ),
            Line(EW, LineKind.RULING, -3, "Q-14", {"code": "TALK", "offenders": "NS"}),
        ],
    ),
    (
        "adjusted",
        WHIST,
        whist_hand("4", 10, rulings=[{"code": "ADJUST", "points": {"NS": -2, "EW": 1}, "why": "A card was missing."}]),
        {},
        [
            Line(
                NS, LineKind.CONTRACT, 4, "A-30", {"bid": "4", "bidders": "NS", "books": 10, "needed": 10, "times": 1}
            ),
            Line(NS, LineKind.RULING, -2, "INV-7", {"code": "ADJUST", "reason": "A card was missing."}),
            Line(EW, LineKind.RULING, 1, "INV-7", {"code": "ADJUST", "reason": "A card was missing."}),
        ],
    ),
    (
        "awarded",
        WHIST,
        {"dealer": "W", "rulings": [{"code": "ADJUST", "won_by": "EW", "boston": "EW", "why": "Not played."}]},
        {},
        [
            Line(EW, LineKind.RULING, 0, "INV-7", {"code": "ADJUST", "reason": "Not played.", "won": 1, "boston": 1}),
        ],
    ),
    (
        "adjusted in nothing",
        WHIST,
        {"dealer": "W", "void": "director", "rulings": [{"code": "ADJUST", "points": {}, "why": "A warning."}]},
        {},
        [
            Line(NS, LineKind.RULING, 0, "INV-7", {"code": "ADJUST", "reason": "A warning."}),
            Line(EW, LineKind.RULING, 0, "INV-7", {"code": "ADJUST", "reason": "A warning."}),
        ],
    ),
    (
        "bags",
        MSO,
        spades_hand("3+3", "4+5", "1+3", "0+4"),
        {},
        [
            Line(NS, LineKind.CONTRACT, 60, "B-20", {"bid": 6, "tricks": 9}),
            Line(NS, LineKind.OVERTRICKS, 3, "B-20", {"bags": 3, "each": 1}),
            Line(EW, LineKind.CONTRACT, 40, "B-20", {"bid": 4, "tricks": 4}),
        ],
    ),
    (
        "bags over the limit twice in one hand",
        MSO,
        spades_hand("1+1", "9+4", "1+1", "0+0"),
        {"bag_limit": 5},
        [
            Line(NS, LineKind.CONTRACT, 20, "B-20", {"bid": 2, "tricks": 13}),
            Line(NS, LineKind.OVERTRICKS, 11, "B-20", {"bags": 11, "each": 1}),
            Line(
                NS,
                LineKind.BAG_PENALTY,
                -200,
                "B-26",
                {"carried": 0, "bags": 11, "total": 11, "limit": 5, "times": 2},
            ),
            Line(EW, LineKind.CONTRACT, -20, "B-21", {"bid": 2, "tricks": 0, "each": 10}),
        ],
    ),
    (
        "set in the World Series",
        WSOS,
        spades_hand("3+3", "3+2", "4+4", "4+4"),
        {},
        [
            Line(NS, LineKind.CONTRACT, -60, "C-08", {"bid": 6, "tricks": 5, "each": 10}),
            Line(EW, LineKind.CONTRACT, 80, "C-07", {"bid": 8, "tricks": 8}),
        ],
    ),
    (
        "ten for 200",
        MSO,
        spades_hand("5+5", "5+5", "1+1", "1+2"),
        {"ten_for_200": True},
        [
            Line(NS, LineKind.CONTRACT, 200, "B-20", {"bid": 10, "tricks": 10, "ten_for_200": 1}),
            Line(EW, LineKind.CONTRACT, 20, "B-20", {"bid": 2, "tricks": 3}),
            Line(EW, LineKind.OVERTRICKS, 1, "B-20", {"bags": 1, "each": 1}),
        ],
    ),
    (
        "nil made and set",
        MSO,
        spades_hand("N+4", "0+5", "N+3", "2+6"),
        {},
        [
            Line(NS, LineKind.CONTRACT, 40, "B-20", {"bid": 4, "tricks": 5}),
            Line(NS, LineKind.OVERTRICKS, 1, "B-20", {"bags": 1, "each": 1}),
            Line(NS, LineKind.NIL, 100, "B-22", {"seat": "N", "tricks": 0}),
            Line(EW, LineKind.CONTRACT, 30, "B-20", {"bid": 3, "tricks": 6}),
            Line(EW, LineKind.OVERTRICKS, 3, "B-20", {"bags": 3, "each": 1}),
            Line(EW, LineKind.NIL, -100, "B-23", {"seat": "E", "tricks": 2}),
            Line(EW, LineKind.NIL_TRICKS, 2, "B-23", {"seat": "E", "bags": 2, "each": 1}),
        ],
    ),
    (
        "nil set in the World Series",
        WSOS,
        spades_hand("N+4", "2+5", "1+3", "2+4"),
        {},
        [
            Line(NS, LineKind.CONTRACT, 40, "C-07", {"bid": 4, "tricks": 5}),
            Line(NS, LineKind.OVERTRICKS, 1, "C-07", {"bags": 1, "each": 1}),
            Line(NS, LineKind.NIL, -100, "C-09", {"seat": "N", "tricks": 2}),
            Line(NS, LineKind.NIL_TRICKS, 2, "C-10", {"seat": "N", "bags": 2, "each": 1}),
            Line(EW, LineKind.CONTRACT, 40, "C-07", {"bid": 4, "tricks": 6}),
            Line(EW, LineKind.OVERTRICKS, 2, "C-07", {"bags": 2, "each": 1}),
        ],
    ),
    (
        "revoke",
        MSO,
        spades_hand("N+4", "0+5", "N+3", "2+6", rulings=[ruling("REVOKE")]),
        {},
        [
            Line(NS, LineKind.CONTRACT, -40, "Q-16", {"bid": 4, "lost": 1, "offenders": "NS"}),
            Line(NS, LineKind.NIL, -100, "Q-17", {"seat": "N", "lost": 1}),
            Line(EW, LineKind.CONTRACT, 30, "Q-16", {"bid": 3, "lost": 0, "offenders": "NS"}),
            Line(EW, LineKind.NIL, 100, "Q-17", {"seat": "E", "lost": 0}),
        ],
    ),
    (
        "revoke in the World Series",
        WSOS,
        spades_hand("N+4", "0+5", "N+3", "2+6", rulings=[ruling("REVOKE", "EW")]),
        {},
        [
            Line(NS, LineKind.CONTRACT, 40, "C-14", {"bid": 4, "lost": 0, "offenders": "EW"}),
            Line(NS, LineKind.NIL, 100, "Q-17", {"seat": "N", "lost": 0}),
            Line(EW, LineKind.CONTRACT, -30, "C-14", {"bid": 3, "lost": 1, "offenders": "EW"}),
            Line(EW, LineKind.NIL, -100, "Q-17", {"seat": "E", "lost": 1}),
        ],
    ),
    (
        "revoke, nils as played",
        MSO,
        spades_hand("N+4", "1+5", "N+3", "0+7", rulings=[ruling("REVOKE")]),
        {"revoke_nil": "as_played", "revoke_bags": "as_played"},
        [
            Line(NS, LineKind.CONTRACT, -40, "Q-16", {"bid": 4, "lost": 1, "offenders": "NS"}),
            Line(NS, LineKind.NIL, -100, "B-23", {"seat": "N", "tricks": 1}),
            Line(NS, LineKind.NIL_TRICKS, 1, "B-23", {"seat": "N", "bags": 1, "each": 1}),
            Line(EW, LineKind.CONTRACT, 30, "Q-16", {"bid": 3, "lost": 0, "offenders": "NS"}),
            Line(EW, LineKind.NIL, 100, "B-22", {"seat": "E", "tricks": 0}),
            Line(EW, LineKind.OVERTRICKS, 4, "B-20", {"bags": 4, "each": 1}),
        ],
    ),
    (
        "penalties",
        MSO,
        spades_hand(
            "3+3",
            "3+3",
            "3+4",
            "3+4",
            rulings=[
                ruling("EXPOSED", card="SK", phase="play"),
                ruling("EXPOSED", "EW", card="H2", phase="bidding"),
                ruling("BID_TURN", accepted=True),
                ruling("LEAD_TURN", accepted=False, card="C4"),
                ruling("RENOUNCE", "EW", card="SQ"),
                ruling("EXPOSED", card="SA", phase="deal"),
            ],
        ),
        {},
        [
            Line(NS, LineKind.CONTRACT, 60, "B-20", {"bid": 6, "tricks": 6}),
            Line(EW, LineKind.CONTRACT, 70, "B-20", {"bid": 7, "tricks": 7}),
            Line(
                NS, LineKind.PENALTY, -50, "B-27", {"code": "EXPOSED", "offenders": "NS", "card": "SK", "phase": "play"}
            ),
            Line(
                EW,
                LineKind.PENALTY,
                -25,
                "B-27",
                {"code": "EXPOSED", "offenders": "EW", "card": "H2", "phase": "bidding"},
            ),
            Line(NS, LineKind.PENALTY, -25, "B-27", {"code": "BID_TURN", "offenders": "NS", "accepted": 1}),
            Line(
                NS, LineKind.PENALTY, -25, "B-27", {"code": "LEAD_TURN", "offenders": "NS", "card": "C4", "accepted": 0}
            ),
            Line(EW, LineKind.PENALTY, -50, "B-27", {"code": "RENOUNCE", "offenders": "EW", "card": "SQ"}),
            Line(
                NS, LineKind.PENALTY, 0, "B-04", {"code": "EXPOSED", "offenders": "NS", "card": "SA", "phase": "deal"}
            ),
        ],
    ),
    (
        "penalties in the World Series",
        WSOS,
        spades_hand(
            "3+3",
            "3+3",
            "3+4",
            "3+4",
            rulings=[
                ruling("EXPOSED", card="DA", phase="bidding"),
                ruling("EXPOSED", "EW", card="H2", phase="play"),
                ruling("BID_TURN", accepted=False),
                ruling("LEAD_TURN", accepted=True),
                ruling("RENOUNCE", "EW"),
                ruling("EXPOSED", card="SA", phase="deal", seat="N"),
            ],
        ),
        {},
        [
            Line(NS, LineKind.CONTRACT, 60, "C-07", {"bid": 6, "tricks": 6}),
            Line(EW, LineKind.CONTRACT, 70, "C-07", {"bid": 7, "tricks": 7}),
            Line(
                NS,
                LineKind.PENALTY,
                -50,
                "C-18",
                {"code": "EXPOSED", "offenders": "NS", "card": "DA", "phase": "bidding"},
            ),
            Line(
                EW, LineKind.PENALTY, 0, "C-19", {"code": "EXPOSED", "offenders": "EW", "card": "H2", "phase": "play"}
            ),
            Line(NS, LineKind.PENALTY, 0, "C-16", {"code": "BID_TURN", "offenders": "NS", "accepted": 0}),
            Line(NS, LineKind.PENALTY, 0, "C-17", {"code": "LEAD_TURN", "offenders": "NS", "accepted": 1}),
            Line(EW, LineKind.PENALTY, 0, "C-15", {"code": "RENOUNCE", "offenders": "EW"}),
            Line(
                NS, LineKind.PENALTY, 0, "C-03", {"code": "EXPOSED", "offenders": "NS", "card": "SA", "phase": "deal"}
            ),
        ],
    ),
    (
        "penalties to the opponents",
        MSO,
        spades_hand(
            "3+3",
            "3+3",
            "3+4",
            "3+4",
            rulings=[ruling("EXPOSED", card="SK", phase="play"), ruling("LEAD_TURN", accepted=True)],
        ),
        {"penalty_target": "opponents"},
        [
            Line(NS, LineKind.CONTRACT, 60, "B-20", {"bid": 6, "tricks": 6}),
            Line(EW, LineKind.CONTRACT, 70, "B-20", {"bid": 7, "tricks": 7}),
            Line(
                EW, LineKind.PENALTY, 50, "B-27", {"code": "EXPOSED", "offenders": "NS", "card": "SK", "phase": "play"}
            ),
            Line(NS, LineKind.PENALTY, 0, "B-27", {"code": "LEAD_TURN", "offenders": "NS", "accepted": 1}),
        ],
    ),
]


@pytest.mark.parametrize(("what", "ruleset", "hand", "settings", "lines"), LINES, ids=[row[0] for row in LINES])
def test_the_lines_of_a_hand(
    what: str, ruleset: str, hand: dict[str, Any], settings: dict[str, Any], lines: list[Line]
) -> None:
    found = scored(ruleset, [hand], settings=settings).hands[0].lines
    assert found == tuple(lines)
    assert [type(line.kind) for line in found] == [LineKind] * len(lines)
    assert {type(value) for line in found for value in line.params.values()} <= {int, str}


def test_a_boston_may_be_awarded_before_the_hand_that_is_awarded_without_a_result() -> None:
    """The hand is won by the side that the director names, whichever adjustment is written first."""
    rulings = [
        {"code": "ADJUST", "boston": "EW", "why": "All books were theirs."},
        {"code": "ADJUST", "won_by": "EW", "points": {"EW": 7}, "why": "The sheet was lost."},
    ]
    score = scored(WHIST, [{"dealer": "W", "rulings": rulings}]).hands[0]
    assert (score.won_by, score.boston, score.points) == (EW, EW, {NS: 0, EW: 7})


def test_the_last_proven_adjustment_decides_who_won() -> None:
    """What is no adjustment, or not proven, is passed over, also when it stands before one that counts."""
    rulings = [
        {"code": "ADJUST", "won_by": "EW", "why": "first word"},
        ruling("TALK", "EW", proven=False),
        {"code": "ADJUST", "won_by": "NS", "why": "not so", "proven": False},
        {"code": "ADJUST", "won_by": "EW", "boston": "EW", "why": "last word"},
    ]
    for given, winner, boston in ((rulings, EW, EW), (rulings[:3], EW, None), (rulings[1:3], NS, None)):
        score = scored(WHIST, [whist_hand("4", 10, rulings=given)]).hands[0]
        assert (score.won_by, score.boston) == (winner, boston)
