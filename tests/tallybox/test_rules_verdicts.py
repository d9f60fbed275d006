"""What the rules say to a call, as whole verdicts: code, rule, sentence, what must be called instead, what is asked."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import MSO, WHIST, WSOS, made

from tallybox.calls import PASS, Bid, Call, Number, Strain, parse_call
from tallybox.rules.auction import Verdict, contract, judge, turn
from tallybox.rules.bidding import Made
from tallybox.rules.ruleset import builtin, with_settings
from tallybox.seats import Seat

LEGAL = "A-12"
OVER = "All four have called. Nobody calls a second time."
FORCED = "Three have passed. The dealer must bid at least 4, 4 SPECIAL or 4 NO."
NOTHING_LEFT = (
    "No higher bid is left in that direction. Call the director; West passes unless the director says otherwise."
)
JACK = "A Jack is 11. Nil is the King. The card stands; the director can be called."
JACK_AGAIN = "A Jack is 11. Nil is the King. If nil was meant, take the card back and bid again."
QUEEN = "A Queen is 12. Nil is the King. The card stands; the director can be called."
TOO_MANY = "East–West bid 14 together. A hand has 13 tricks."
BOTH_NIL = "East has bid NIL, and only one partner may. West must bid a number."


def bid(level: int, strain: Strain = Strain.HIGH) -> Bid:
    return Bid(level, strain)


def no(rule: str, code: str, message: str, correction: Call | None = None) -> Verdict:
    return Verdict(False, rule, code, message, correction)


# ruleset, settings, calls before (North deals), the call, the verdict
VERDICTS: list[tuple[str, dict[str, Any], list[str], str, Verdict]] = [
    (WHIST, {}, [], "pass", Verdict(True, "A-10")),
    (WHIST, {}, [], "4", Verdict(True, LEGAL)),
    (WHIST, {}, ["pass", "pass", "pass"], "pass", no("A-13", "dealer-must-bid", FORCED)),
    (WHIST, {}, ["pass", "pass", "4"], "pass", Verdict(True, "A-10")),
    (WHIST, {}, ["pass", "pass"], "pass", Verdict(True, "A-10")),
    (WHIST, {}, ["pass", "4", "pass", "pass"], "5", no("A-11", "auction-over", OVER)),
    (
        WHIST,
        {},
        [],
        "3",
        no("A-14", "not-a-bid", "3 HIGH is not a bid. The lowest number is 4. East must now bid 4 HIGH.", bid(4)),
    ),
    (
        WHIST,
        {},
        ["5 special"],
        "3 no",
        no(
            "A-14",
            "not-a-bid",
            "3 NO is not a bid. The lowest number is 4. South must now bid 5 NO.",
            bid(5, Strain.NO),
        ),
    ),
    (WHIST, {}, [], "8 no", no("A-10", "not-a-bid", "8 NO is not a bid. The highest number is 7. East calls again.")),
    (
        WHIST,
        {},
        ["4", "6 no", "pass"],
        "6",
        no("A-14", "too-low", "6 HIGH does not beat 6 NO. North must now bid 7 HIGH.", bid(7)),
    ),
    (
        WHIST,
        {},
        ["4", "6"],
        "5 no",
        no("A-14", "too-low", "5 NO does not beat 6 HIGH. West must now bid 6 NO.", bid(6, Strain.NO)),
    ),
    (WHIST, {}, ["4", "7 no"], "7", no("Q-15e", "no-next-number", f"7 HIGH does not beat 7 NO. {NOTHING_LEFT}", PASS)),
    (
        WHIST,
        {},
        ["4", "7"],
        "3",
        no("Q-15e", "no-next-number", f"3 HIGH is not a bid. The lowest number is 4. {NOTHING_LEFT}", PASS),
    ),
    (
        WHIST,
        {"same_number_order": "low_beats_high"},
        ["5 special"],
        "5",
        no("A-14", "too-low", "5 HIGH does not beat 5 SPECIAL. South must now bid 6 HIGH.", bid(6)),
    ),
    (
        WHIST,
        {"same_number_order": "high_beats_low"},
        ["5 special"],
        "4",
        no("A-14", "too-low", "4 HIGH does not beat 5 SPECIAL. South must now bid 5 HIGH.", bid(5)),
    ),
    (
        WHIST,
        {"min_level": 7},
        ["pass", "pass", "pass"],
        "pass",
        no("A-13", "dealer-must-bid", FORCED.replace("4", "7")),
    ),
    (MSO, {}, [], "nil", Verdict(True, "B-10")),
    (MSO, {}, [], "1", Verdict(True, "B-10")),
    (MSO, {}, [], "11", Verdict(True, "B-10", warning=JACK)),
    (MSO, {}, ["1", "1"], "12", Verdict(True, "B-10", warning=QUEEN)),
    (MSO, {"void_nil_policy": "rebid"}, [], "11", Verdict(True, "B-10", warning=JACK_AGAIN)),
    (WSOS, {}, [], "11", Verdict(True, "B-10")),
    (MSO, {}, ["nil", "1"], "12", Verdict(True, "B-10", warning=QUEEN)),
    (MSO, {}, ["7", "1"], "6", Verdict(True, "B-10")),
    (MSO, {}, ["7", "1"], "7", Verdict(True, "B-16", warning=f"{TOO_MANY} Record it?")),
    (
        MSO,
        {"unmakeable_bids": "forbid"},
        ["7", "1"],
        "7",
        no("Q-33", "unmakeable-bid", f"{TOO_MANY} West bids 6 or less, or NIL."),
    ),
    (
        MSO,
        {},
        ["nil", "1"],
        "nil",
        Verdict(True, "B-14", warning="Both partners nil: two separate contracts. Record it?"),
    ),
    (MSO, {"both_nil": "allow"}, ["nil", "1"], "nil", Verdict(True, "B-10")),
    (MSO, {"both_nil": "forbid"}, ["nil", "1"], "nil", no("Q-22", "both-nil", BOTH_NIL)),
    (MSO, {"both_nil": "forbid"}, ["1", "1"], "nil", Verdict(True, "B-10")),
    (MSO, {"both_nil": "forbid"}, ["1", "nil"], "nil", Verdict(True, "B-10")),
    (MSO, {}, [], "13", no("B-12", "not-a-bid", "13 cannot be bid here. East bids 1 to 12, or NIL.")),
    (WSOS, {}, [], "14", no("C-04", "not-a-bid", "14 cannot be bid here. East bids 1 to 13, or NIL.")),
    (
        WSOS,
        {},
        [],
        "0",
        no(
            "C-04",
            "not-a-bid",
            "0 cannot be bid here. 0 is not a bid; NIL is a bid of its own. East bids 1 to 13, or NIL.",
        ),
    ),
    (
        MSO,
        {"min_team_bid": 4},
        ["1", "1"],
        "2",
        no("Q-32", "below-team-minimum", "East–West must bid at least 4 together. West bids 3 or more, or NIL."),
    ),
    (
        MSO,
        {"min_team_bid": 4},
        ["nil", "1"],
        "3",
        no("Q-32", "below-team-minimum", "East–West must bid at least 4 together. West bids 4 or more, or NIL."),
    ),
    (MSO, {"min_team_bid": 4}, ["1", "1"], "3", Verdict(True, "B-10")),
    (MSO, {}, ["1", "1", "1", "1"], "1", no("B-10", "auction-over", "All four have bid. Nobody bids a second time.")),
]


@pytest.mark.parametrize(("ruleset", "settings", "before", "said", "verdict"), VERDICTS)
def test_the_verdict_on_a_call(
    ruleset: str, settings: dict[str, Any], before: list[str], said: str, verdict: Verdict
) -> None:
    rules = with_settings(builtin(ruleset), settings)
    calls = made(rules.game, "N", *before)
    assert judge(rules, Seat.N, calls, parse_call(rules.game, said)) == verdict


def test_a_call_of_the_other_game_is_answered_with_a_sentence() -> None:
    assert judge(builtin(WHIST), Seat.N, (), Number(4)) == no("A-10", "not-a-call", "4 is not a bid whist call.")
    said = "4 SPECIAL is not a spades bid. Bid a number, or NIL."
    assert judge(builtin(MSO), Seat.N, (), bid(4, Strain.SPECIAL)) == no("B-10", "not-a-call", said)


def test_a_declined_bid_is_asked_for_again() -> None:
    said = "East bid 4 out of turn and must now repeat it. Bid 4."
    verdict = judge(builtin(WSOS), Seat.N, (), Number(5), {Seat.E: Number(4)})
    assert verdict == no("C-16", "must-repeat", said, Number(4))
    assert judge(builtin(WSOS), Seat.N, (), Number(5), {Seat.S: Number(4)}) == Verdict(True, "B-10")


def test_after_an_accepted_bid_out_of_turn_who_was_passed_over_bids_in_order() -> None:
    """North deals; West bids first and it is accepted: then North, East, South."""
    before = [Made(Seat.W, Number(3))]
    order = []
    while (seat := turn(Seat.N, before)) is not None:
        order.append(seat)
        assert contract(builtin(MSO), Seat.N, before) is None
        before.append(Made(seat, Number(2)))
    assert order == [Seat.N, Seat.E, Seat.S]
    assert contract(builtin(MSO), Seat.N, before) is not None
