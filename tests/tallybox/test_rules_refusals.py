"""Every refusal of a hand word for word, with its code and its place."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import MSO, WHIST, WSOS, scored, spades_hand, whist_hand

from tallybox.errors import SheetError


def ruling(code: str, side: str = "NS", **rest: Any) -> dict[str, Any]:
    return {"code": code, "side": side, **rest}


REFUSALS: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, str, str]]] = [
    (
        WHIST,
        whist_hand("4", 10, calls=["4", "pass", "5"]),
        {},
        ("calls-missing", "hands[0].calls", "1 call is missing. Enter all four, from the dealer's left."),
    ),
    (
        WHIST,
        {"dealer": "W", "calls": ["4", "pass"]},
        {},
        ("calls-missing", "hands[0].calls", "2 calls are missing. Enter all four, from the dealer's left."),
    ),
    (
        MSO,
        {"dealer": "W", "calls": ["4", "4", "4"]},
        {},
        ("calls-missing", "hands[0].calls", "1 bid is missing. Enter all four, from the dealer's left."),
    ),
    (
        MSO,
        {"dealer": "W", "calls": ["4"]},
        {},
        ("calls-missing", "hands[0].calls", "3 bids are missing. Enter all four, from the dealer's left."),
    ),
    (
        WHIST,
        whist_hand("4", 10, rulings=[ruling("CONCEDED", "EW")]),
        {},
        (
            "ruling-fit",
            "hands[0].rulings[0].side",
            "CONCEDED belongs to the bidding side, North–South. Correct the side.",
        ),
    ),
    (
        WHIST,
        whist_hand("4 special", 10, rulings=[ruling("JOKER_DISCARD")]),
        {},
        (
            "ruling-fit",
            "hands[0].rulings[0].code",
            "JOKER_DISCARD belongs to a No bid, and the bid is 4 SPECIAL. Correct the ruling.",
        ),
    ),
    (
        WHIST,
        {
            "dealer": "W",
            "calls": ["5", "6", "pass", "pass"],
            "rulings": [{"code": "IMPROPER_BID", "seat": "E", "said": "5", "corrected": "7"}],
        },
        {},
        (
            "ruling-fit",
            "hands[0].rulings[0].corrected",
            "5 HIGH is corrected to 6 HIGH, not to 7 HIGH. Correct the ruling.",
        ),
    ),
    (
        WHIST,
        {"dealer": "W", "void": "director", "rulings": [{"code": "ADJUST", "boston": "EW", "why": "x"}]},
        {},
        (
            "ruling-fit",
            "hands[0].rulings[0]",
            "A void hand is won by nobody. Leave “won_by” and “boston” out, or do not void the hand.",
        ),
    ),
    (
        WHIST,
        whist_hand("4", 10, direction="up"),
        {},
        (
            "direction-unwanted",
            "hands[0].direction",
            "The bid is 4 HIGH; up and down belong to a No bid. Leave “direction” out.",
        ),
    ),
    (
        WHIST,
        whist_hand("4 no", 10),
        {},
        ("direction-missing", "hands[0].direction", "North won with 4 NO and states UP or DOWN. Add the direction."),
    ),
    (
        WHIST,
        whist_hand("4 no up", 10, direction="down"),
        {},
        ("direction-unwanted", "hands[0].direction", "The call says up, the hand says down. Keep one."),
    ),
    (
        WHIST,
        whist_hand("4", {"NS": 9, "EW": 5}),
        {},
        ("books-sum", "hands[0].books", "9 and 5 are 14 books. A hand has 13, the kitty included. Count again."),
    ),
    (
        WHIST,
        whist_hand("4", {"NS": 1, "EW": 0}),
        {},
        ("books-sum", "hands[0].books", "1 and 0 make 1 book. A hand has 13, the kitty included. Count again."),
    ),
    (
        WHIST,
        whist_hand("4", {"NS": 1, "EW": 1}),
        {},
        ("books-sum", "hands[0].books", "1 and 1 are 2 books. A hand has 13, the kitty included. Count again."),
    ),
    (
        WHIST,
        whist_hand("4", {"NS": 2, "EW": 1}),
        {},
        ("books-sum", "hands[0].books", "2 and 1 are 3 books. A hand has 13, the kitty included. Count again."),
    ),
    (
        WHIST,
        whist_hand("4", {"NS": 9, "EW": 3}),
        {},
        ("books-sum", "hands[0].books", "9 and 3 are 12 books. A hand has 13, the kitty included. Count again."),
    ),
    (
        WHIST,
        whist_hand("4", {"NS": 9, "EW": 5}),
        {"kitty_is_book": False},
        ("books-sum", "hands[0].books", "9 and 5 are 14 books. A hand has 12. Count again."),
    ),
    (
        WHIST,
        whist_hand("4", {"NS": 9, "EW": 5}, rulings=[ruling("TALK")]),
        {},
        ("books-sum", "hands[0].books", "9 and 5 are 14 books. A hand has 13, the kitty included. Count again."),
    ),
    (
        WHIST,
        whist_hand("4", 0),
        {},
        ("books-kitty", "hands[0].books.NS", "North–South have 0 books, but the kitty is their first. Count again."),
    ),
    (
        WHIST,
        whist_hand("4", None),
        {},
        ("books-missing", "hands[0].books", "The books of both sides are missing. Enter them."),
    ),
    (
        WHIST,
        whist_hand("4", None, rulings=[ruling("LAYDOWN")]),
        {},
        ("books-missing", "hands[0].books", "The books taken before the cards were laid down are missing. Enter them."),
    ),
    (
        WHIST,
        whist_hand("4", 10, rulings=[ruling("REVOKE")]),
        {},
        (
            "unknown-ruling",
            "hands[0].rulings[0].code",
            (
                "“REVOKE” is not a ruling of this game. Use ADJUST, BAD_LAYDOWN, CONCEDED, EXPOSED, "
                "IMPROPER_BID, JOKER_DISCARD, LATE, LAYDOWN, MISDEAL_LATE, OUT_OF_TURN_BID, "
                "OUT_OF_TURN_PLAY, RENEGE_JOKER, RENEGE_SUIT, REOPEN, SIGNAL, TALK, VERBIAGE."
            ),
        ),
    ),
    (
        MSO,
        spades_hand("3+3", "4+3", rulings=[ruling("TALK")]),
        {},
        (
            "unknown-ruling",
            "hands[0].rulings[0].code",
            ("“TALK” is not a ruling of this game. Use ADJUST, BID_TURN, CLAIM, EXPOSED, LEAD_TURN, RENOUNCE, REVOKE."),
        ),
    ),
    (
        MSO,
        spades_hand("3+3", "4+3", rulings=[ruling("CLAIM")]),
        {},
        ("ruling-field", "hands[0].rulings[0].side", "CLAIM has no side. Leave “side” out."),
    ),
    (
        MSO,
        spades_hand("3+3", "4+3", rulings=[ruling("REVOKE", points={"NS": 1})]),
        {},
        ("ruling-field", "hands[0].rulings[0].points", "REVOKE takes no “points” here. Leave it out."),
    ),
    (
        WHIST,
        whist_hand("4", 10, rulings=[ruling("TALK", won_by="EW")]),
        {},
        ("ruling-field", "hands[0].rulings[0].won_by", "TALK takes no “won_by” here. Leave it out."),
    ),
    (
        WHIST,
        whist_hand("4", 10, rulings=[{"code": "ADJUST", "bags": {"NS": 1}, "why": "x"}]),
        {},
        ("ruling-field", "hands[0].rulings[0].bags", "ADJUST takes no “bags” here. Leave it out."),
    ),
    (
        MSO,
        spades_hand("3+3", "4+3", rulings=[{"code": "ADJUST", "points": {"NS": 1}}]),
        {},
        ("ruling-incomplete", "hands[0].rulings[0].why", "ADJUST needs “why”. Add it."),
    ),
    (
        MSO,
        spades_hand("3+3", "4+3", rulings=[ruling("EXPOSED", seat="E", card="SK", phase="play")]),
        {},
        (
            "seat-side",
            "hands[0].rulings[0].seat",
            "East does not play for North–South. Correct seat or side; side is the offender's.",
        ),
    ),
    (
        WHIST,
        whist_hand("4", 10, rulings=[ruling("RENEGE_SUIT", caller="S")]),
        {},
        (
            "caller-side",
            "hands[0].rulings[0].caller",
            "South plays for the offenders. Only the opposing team may call RENEGE_SUIT.",
        ),
    ),
    (
        MSO,
        {**spades_hand("3+3", "4+3"), "tricks": None},
        {},
        ("tricks-missing", "hands[0].tricks", "The players' tricks are missing. Enter all four."),
    ),
    (
        MSO,
        spades_hand("3+3", "4+3", "1+1", "1+2"),
        {},
        (
            "tricks-sum",
            "hands[0].tricks",
            "North 4, East 1, South 3, West 2: that makes 10 tricks. A hand has 13. Count again.",
        ),
    ),
    (
        MSO,
        spades_hand("3+3", "0+0", "1+1", "1+0"),
        {},
        (
            "tricks-sum",
            "hands[0].tricks",
            "North 0, East 1, South 0, West 0: that makes 1 trick. A hand has 13. Count again.",
        ),
    ),
    (
        MSO,
        spades_hand("3+3", "0+0", "1+1", "1+1"),
        {},
        (
            "tricks-sum",
            "hands[0].tricks",
            "North 0, East 1, South 0, West 1: that makes 2 tricks. A hand has 13. Count again.",
        ),
    ),
    (
        MSO,
        spades_hand("3+3", "9+3", "1+1", "1+1", rulings=[ruling("REVOKE")]),
        {},
        (
            "tricks-sum",
            "hands[0].tricks",
            "North 9, East 1, South 3, West 1: that makes 14 tricks. A hand has 13. Count again.",
        ),
    ),
    (
        WHIST,
        whist_hand("8", 10),
        {},
        ("illegal-call", "hands[0].calls[0]", "8 HIGH is not a bid. The highest number is 7. North calls again."),
    ),
    (
        WHIST,
        whist_hand("3 special", 10),
        {},
        (
            "illegal-call",
            "hands[0].calls[0]",
            "3 SPECIAL is not a bid. The lowest number is 4. North must now bid 4 SPECIAL.",
        ),
    ),
    (
        WHIST,
        whist_hand("5", 10, calls=["5", "5 special", "pass", "pass"]),
        {},
        ("illegal-call", "hands[0].calls[1]", "5 SPECIAL does not beat 5 HIGH. East must now bid 6 SPECIAL."),
    ),
    (
        WHIST,
        whist_hand("5", 10, calls=["5 no", "5 no", "pass", "pass"]),
        {},
        ("illegal-call", "hands[0].calls[1]", "5 NO does not beat 5 NO. East must now bid 6 NO."),
    ),
    (
        WHIST,
        whist_hand("5", 10, calls=["7", "7 special", "pass", "pass"]),
        {},
        (
            "illegal-call",
            "hands[0].calls[1]",
            (
                "7 SPECIAL does not beat 7 HIGH. No higher bid is left in that direction. Call the "
                "director; East passes unless the director says otherwise."
            ),
        ),
    ),
    (
        WHIST,
        whist_hand("5", 10, calls=["pass", "pass", "pass", "pass"]),
        {},
        ("illegal-call", "hands[0].calls[3]", "Three have passed. The dealer must bid at least 4, 4 SPECIAL or 4 NO."),
    ),
    (
        MSO,
        spades_hand("13+3", "4+3"),
        {},
        ("illegal-call", "hands[0].calls[3]", "13 cannot be bid here. North bids 1 to 12, or NIL."),
    ),
    (
        WSOS,
        spades_hand("3+0", "4+3"),
        {},
        (
            "illegal-call",
            "hands[0].calls[1]",
            "0 cannot be bid here. 0 is not a bid; NIL is a bid of its own. South bids 1 to 13, or NIL.",
        ),
    ),
    (
        MSO,
        spades_hand("N+N", "4+3"),
        {"both_nil": "forbid"},
        ("illegal-call", "hands[0].calls[3]", "South has bid NIL, and only one partner may. North must bid a number."),
    ),
    (
        MSO,
        spades_hand("7+7", "4+3"),
        {"unmakeable_bids": "forbid"},
        (
            "illegal-call",
            "hands[0].calls[3]",
            "North–South bid 14 together. A hand has 13 tricks. North bids 6 or less, or NIL.",
        ),
    ),
    (
        WSOS,
        spades_hand("13+1", "4+3"),
        {"unmakeable_bids": "forbid"},
        (
            "illegal-call",
            "hands[0].calls[3]",
            "North–South bid 14 together. A hand has 13 tricks. North bids 12 or less, or NIL.",
        ),
    ),
    (
        MSO,
        spades_hand("1+2", "4+3"),
        {"min_team_bid": 4},
        ("illegal-call", "hands[0].calls[2]", "East–West must bid at least 4 together. West bids 3 or more, or NIL."),
    ),
]


@pytest.mark.parametrize(("ruleset", "hand", "settings", "said"), REFUSALS, ids=[row[3][0] for row in REFUSALS])
def test_the_refusal_of_a_hand(
    ruleset: str, hand: dict[str, Any], settings: dict[str, Any], said: tuple[str, str, str]
) -> None:
    with pytest.raises(SheetError) as refused:
        scored(ruleset, [hand], settings=settings)
    fault = refused.value
    assert (fault.hand, (fault.code, fault.where, fault.message)) == (1, said)
