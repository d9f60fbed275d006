"""The sentence behind every number."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rules_sheets import MSO, WHIST, WSOS, scored, spades_hand, whist_hand

from tallybox.calls import Game
from tallybox.rules.ruleset import BUILTIN_NAMES, builtin
from tallybox.rules.rulings import CODES
from tallybox.rules.texts import RULES
from tallybox.seats import Side
from tallybox.sheet.nils import NilRecord, nil_record
from tallybox.why import OFFENCES, rule_text, sentence, signed

NS, EW = Side.NS, Side.EW
DOCS = Path(__file__).parents[2] / "docs"


def tech(code: str, side: str = "NS", **rest: Any) -> dict[str, Any]:
    return {"code": code, "side": side, **rest}


MADE = "North–South bid {} and took {} books. Books over six count: {} − 6 = {} points."
SET_FIVE = "North–South bid 5 HIGH, needed 11 books and took 10: set. East–West get its 5 points."
LOST = " by North–South: they lose the hand. "
FALSE = "A Tech (talking the board) was called by East–West and not proven. In this club's rules that costs: −1."
CONCEDED = "North–South conceded the set of 6 NO. East–West get the bid's 12 points."

WHIST_LINES: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = [
    (whist_hand("4 special", 12), {}, [MADE.format("4 SPECIAL", 12, 12, 6)]),
    (whist_hand("4 no up", 11), {}, ["North–South bid 4 NO and took 11 books. No doubles: (11 − 6) × 2 = 10 points."]),
    (whist_hand("7", 13), {}, [MADE.format("7 HIGH", 13, 13, 7) + " Every book of the hand: a Boston."]),
    (whist_hand("5", 10), {}, [SET_FIVE]),
    (whist_hand("6 no up", None, rulings=[tech("CONCEDED")]), {}, [CONCEDED]),
    (
        whist_hand("5", 10),
        {"set_bidder_penalty": 1},
        [SET_FIVE, "North–South were set on 5 HIGH. In this club's rules that costs them: −5."],
    ),
    (
        whist_hand("5", 12, rulings=[tech("RENEGE_SUIT")]),
        {},
        [f"A renege (suit not followed){LOST}East–West get the points of the bid they held, 5 HIGH: 5."],
    ),
    (
        whist_hand("5", 12, rulings=[tech("TALK", "EW")]),
        {},
        [
            (
                "A Tech (talking the board) by East–West: they lose the hand. "
                "North–South get the points of their own bid, 5 HIGH: 5."
            )
        ],
    ),
    (
        whist_hand("5", 12, rulings=[tech("MISDEAL_LATE")]),
        {"lost_hand_points": "none"},
        [f"A misdeal found after the first card{LOST}In this club's rules East–West win it without points."],
    ),
    (
        {"dealer": "W", "calls": ["5 no"], "rulings": [tech("VERBIAGE")]},
        {},
        [
            (
                f"A Tech (wrong words in the bidding){LOST}"
                "The bidding was open, so East–West get the high bid's points, 5 NO: 10."
            )
        ],
    ),
    (
        {"dealer": "W", "rulings": [tech("OUT_OF_TURN_BID")]},
        {},
        [f"A Tech (bid out of turn){LOST}Nobody had bid, so East–West get the lowest bid's points: 4."],
    ),
    (
        {"dealer": "W", "rulings": [tech("LATE")]},
        {},
        ["North–South were late and this hand was not completed. East–West get the hand and 5 points."],
    ),
    (
        whist_hand("4", 10, rulings=[tech("TALK", proven=False)]),
        {"false_call_penalty": 1},
        [MADE.format("4 HIGH", 10, 10, 4), FALSE],
    ),
    (
        whist_hand("4", 10, rulings=[{"code": "ADJUST", "points": {"EW": 2}, "why": "Two cards were missing."}]),
        {},
        [
            MADE.format("4 HIGH", 10, 10, 4),
            "The director adjusted East–West by +2. Reason: Two cards were missing.",
        ],
    ),
    (
        whist_hand("4", 10, rulings=[{"code": "ADJUST", "won_by": "EW", "why": "Cards were marked"}]),
        {},
        [
            MADE.format("4 HIGH", 10, 10, 4),
            (
                "The director ruled on this hand: no points for East–West. The hand is won by East–West. "
                "Reason: Cards were marked."
            ),
        ],
    ),
    (
        whist_hand("4", 10, rulings=[{"code": "ADJUST", "boston": "NS", "points": {"NS": 1}, "why": "Miscounted."}]),
        {},
        [
            MADE.format("4 HIGH", 10, 10, 4),
            "The director adjusted North–South by +1. It is a Boston. Reason: Miscounted.",
        ],
    ),
]


@pytest.mark.parametrize(("hand", "settings", "said"), WHIST_LINES)
def test_the_reason_for_each_line_of_bid_whist(hand: dict[str, Any], settings: dict[str, Any], said: list[str]) -> None:
    assert [sentence(line) for line in scored(WHIST, [hand], settings=settings).hands[0].lines] == said


def penalty(code: str, **rest: Any) -> dict[str, Any]:
    return {"rulings": [{"code": code, "side": "NS", **rest}]}


SIX = "Bid 6, took 6. Each trick bid counts 10: 60 points."
SEVEN = "Bid 7, took {}. Each trick bid counts 10: 70 points."
COVER = "Bid 5, took 5. Each trick bid counts 10: 50 points."
TEN = "Bid 10, took 10. Ten bid and made count 200 in this club's rules."
OURS = "North–South"

SPADES_LINES: list[tuple[str, str, str, dict[str, Any], dict[str, Any], list[str]]] = [
    (MSO, "4+3", "5+4", {}, {}, [SEVEN.format(9), "2 tricks over the bid: 2 bags, 2 points."]),
    (MSO, "4+3", "4+4", {}, {}, [SEVEN.format(8), "1 trick over the bid: 1 bag, 1 point."]),
    (MSO, "4+3", "3+3", {}, {}, ["Bid 7, took 6: set. Each trick bid costs 10: −70."]),
    (MSO, "6+4", "6+4", {}, {"ten_for_200": True}, [TEN]),
    (MSO, "N+5", "0+5", {}, {}, [COVER, "North bid nil and took no trick: 100 points."]),
    (
        MSO, "N+5", "2+5", {}, {},
        [
            COVER,
            "North bid nil and took 2 tricks: −100.",
            "2 tricks of North, the nil bidder, help no partner: 2 bags, 2 points.",
        ],
    ),
    (
        MSO, "3+3", "4+3", penalty("EXPOSED", card="SQ", phase="bidding"), {},
        [
            "Bid 6, took 7. Each trick bid counts 10: 60 points.",
            "1 trick over the bid: 1 bag, 1 point.",
            "9 bags before, 1 new, 10 in all. Every 10 cost points: −100.",
            f"{OURS} exposed the Queen of spades during the bidding. {OURS}: −50.",
        ],
    ),
    (
        WSOS, "3+3", "3+3", penalty("EXPOSED", card="DA", phase="play"), {},
        [SIX, f"{OURS} exposed the Ace of diamonds during the play. That costs no points."],
    ),
    (
        WSOS, "3+3", "3+3", penalty("EXPOSED", card="HT", phase="deal"), {},
        [SIX, f"{OURS} exposed the 10 of hearts in the deal. That costs no points."],
    ),
    (WSOS, "3+3", "3+3", penalty("RENOUNCE"), {}, [SIX, f"{OURS} corrected a revoke. That costs no points."]),
    (
        MSO, "3+3", "3+3", penalty("RENOUNCE", card="D7"), {},
        [SIX, f"{OURS} corrected a revoke with the 7 of diamonds. {OURS}: −25."],
    ),
    (MSO, "3+3", "3+3", penalty("BID_TURN"), {}, [SIX, f"{OURS} bid out of turn. {OURS}: −25."]),
    (
        MSO, "3+3", "3+3", penalty("LEAD_TURN", accepted=True), {},
        [SIX, f"{OURS} led out of turn and the lead was accepted. That costs no points."],
    ),
    (
        MSO, "3+3", "3+3", penalty("LEAD_TURN", accepted=False, card="SA"), {},
        [SIX, f"{OURS} led out of turn and the lead was refused. {OURS}: −50."],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "bids", "tricks", "rest", "settings", "said"), SPADES_LINES)
def test_the_reason_for_each_line_of_spades(
    ruleset: str, bids: str, tricks: str, rest: dict[str, Any], settings: dict[str, Any], said: list[str]
) -> None:
    carried = 9 if any("9 bags before" in each for each in said) else 0
    sheet = scored(ruleset, [spades_hand(bids, tricks, **rest)], settings=settings, opening={"bags": {"NS": carried}})
    assert [sentence(line) for line in sheet.hands[0].lines if line.side is NS] == said


def test_the_reason_for_each_line_of_a_revoke() -> None:
    hand = spades_hand("N+4", "0+4", "N+3", "0+9", rulings=[{"code": "REVOKE", "side": "NS"}])
    assert [sentence(line) for line in scored(MSO, [hand]).hands[0].lines] == [
        "North–South revoked and lose their bid of 4: −40.",
        "North–South revoked and lose North's nil: −100.",
        "North–South revoked. East–West are credited with their bid of 3: +30.",
        "The other side revoked. East–West are credited with East's nil: +100.",
    ]


@pytest.mark.parametrize(
    ("ruleset", "hand", "rules"),
    [
        (WSOS, spades_hand("N+4", "1+5"), ["C-07", "C-07", "C-09", "C-10"]),
        (WSOS, spades_hand("N+4", "0+3"), ["C-08", "C-09"]),
        (MSO, spades_hand("N+4", "1+5"), ["B-20", "B-20", "B-23", "B-23"]),
        (MSO, spades_hand("N+4", "0+3"), ["B-21", "B-22"]),
        (WSOS, spades_hand("N+4", "0+4", rulings=[{"code": "REVOKE", "side": "NS"}]), ["C-14", "Q-17"]),
        (MSO, spades_hand("N+4", "0+4", rulings=[{"code": "REVOKE", "side": "NS"}]), ["Q-16", "Q-17"]),
    ],
)
def test_lines_cite_the_club_s_own_text(ruleset: str, hand: dict[str, Any], rules: list[str]) -> None:
    assert [line.rule for line in scored(ruleset, [hand]).hands[0].lines if line.side is NS] == rules


@pytest.mark.parametrize(
    ("code", "rest", "rule", "mso"),
    [
        ("EXPOSED", {"card": "SA", "phase": "bidding"}, "C-18", "B-27"),
        ("EXPOSED", {"card": "S2", "phase": "bidding"}, "C-19", "B-27"),
        ("EXPOSED", {"card": "SA", "phase": "deal", "seat": "N"}, "C-03", "B-04"),
        ("RENOUNCE", {"card": "S2"}, "C-15", "B-27"),
        ("BID_TURN", {}, "C-16", "B-27"),
        ("LEAD_TURN", {"accepted": True}, "C-17", "B-27"),
    ],
)
def test_penalties_cite_the_club_s_own_text(code: str, rest: dict[str, Any], rule: str, mso: str) -> None:
    hand = spades_hand("4+3", "4+3", **penalty(code, **rest))
    assert scored(WSOS, [hand]).hands[0].lines[-1].rule == rule
    assert scored(MSO, [hand]).hands[0].lines[-1].rule == mso


def test_points_show_their_sign() -> None:  # case 29
    assert [signed(points) for points in (-48, 0, 7)] == ["−48", "0", "+7"]


def test_every_offence_of_bid_whist_has_words() -> None:
    assert set(OFFENCES) == CODES[Game.BID_WHIST] - {"CONCEDED", "LAYDOWN", "LATE", "IMPROPER_BID", "ADJUST"}


def test_a_rule_is_told_in_our_words_and_an_unknown_id_is_empty() -> None:
    assert rule_text("A-32") == "The bidder concedes a set: it counts as a set."
    assert rule_text("Z-99") == ""


def test_the_manual_carries_every_rule_and_every_ruling_code() -> None:
    manual = (DOCS / "rules.md").read_text("utf-8")
    for rule, text in RULES.items():
        assert f"| {rule} | {text} |" in manual, rule
    for code in CODES[Game.BID_WHIST] | CODES[Game.SPADES]:
        assert f"`{code}`" in manual, code


@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_the_manual_explains_every_setting(name: str) -> None:
    manual = (DOCS / "rules.md").read_text("utf-8")
    for key in builtin(name).settings_json():
        assert f"`{key}`" in manual, key


def test_every_rule_a_message_cites_is_in_the_manual() -> None:
    sources = Path(__file__).parents[2] / "tallybox"
    cited = {
        rule
        for path in sources.rglob("*.py")
        for rule in re.findall(r"\b(?:[ABCQ]-\d\d[a-z]?|INV-\d)\b", path.read_text("utf-8"))
    }
    assert cited - set(RULES) == set()


def test_a_set_nil_is_an_attempt_like_any_other() -> None:  # case 12
    bidders_tricks = zip((0, 1, 0, 2, 0), "NESWN", strict=True)
    hands = [spades_hand("N+1", f"{tricks}+3", dealer=dealer) for tricks, dealer in bidders_tricks]
    score = scored(MSO, hands)
    assert nil_record(score.hands, NS) == NilRecord(5, 3)
    assert (nil_record(score.hands, NS).percent, nil_record(score.hands, EW).percent) == (60, None)
    revoke = scored(MSO, [spades_hand("N+1", "0+3", "N+1", rulings=[{"code": "REVOKE", "side": "NS"}])])
    assert (nil_record(revoke.hands, NS), nil_record(revoke.hands, EW)) == (NilRecord(1, 0), NilRecord(1, 1))


def test_every_section_of_the_manual_that_code_cites_is_there() -> None:
    root = DOCS.parent
    cited = {
        number
        for room in ("tallybox", "hub", "kiosk", "deploy")
        for path in (root / room).rglob("*.py")
        for phrase in re.findall(r"sections? ([0-9., and]+) of docs/rules\.md", path.read_text("utf-8"))
        for number in re.findall(r"\d\.\d", phrase)
    }
    manual = (DOCS / "rules.md").read_text("utf-8")
    assert cited - set(re.findall(r"^### (\d\.\d) ", manual, re.MULTILINE)) == set()
