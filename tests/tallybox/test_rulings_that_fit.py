"""Rulings that contradict their hand, or say what nobody reads: one refusal each, with the sentence that mends it."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import MSO, WHIST, scored, spades_hand, whist_hand

from tallybox.calls import Game
from tallybox.errors import SheetError
from tallybox.rules.rulings import CODES
from tallybox.seats import Side
from tallybox.why import sentence

NS, EW = Side.NS, Side.EW
BIDDING = ("OUT_OF_TURN_BID", "VERBIAGE")
PLAY = (
    "RENEGE_SUIT", "RENEGE_JOKER", "JOKER_DISCARD", "OUT_OF_TURN_PLAY", "REOPEN", "BAD_LAYDOWN", "MISDEAL_LATE",
    "CONCEDED", "LAYDOWN",
)  # fmt: skip


def refused(ruleset: str, hand: dict[str, Any]) -> tuple[str, str | None, str]:
    with pytest.raises(SheetError) as fault:
        scored(ruleset, [hand])
    assert fault.value.hand == 1
    return fault.value.code, fault.value.where, fault.value.message


def test_a_void_hand_takes_fewer_calls_but_only_legal_ones() -> None:
    void = {"dealer": "N", "void": "director"}
    for ruleset, calls in ((MSO, ["3", "4"]), (WHIST, ["4", "5 no"])):
        assert scored(ruleset, [{**void, "calls": calls}]).hands[0].lines == ()
    assert refused(MSO, {**void, "calls": ["3", "99"]}) == (
        "illegal-call",
        "hands[0].calls[1]",
        "99 cannot be bid here. South bids 1 to 12, or NIL.",
    )
    assert refused(WHIST, {**void, "calls": ["5", "4"]})[:2] == ("illegal-call", "hands[0].calls[1]")


@pytest.mark.parametrize("phase", ["deal", "play", None])
def test_only_a_tech_of_the_bidding_may_come_with_fewer_calls(phase: str | None) -> None:
    tech = {"code": "TALK", "side": "NS", "phase": phase}
    assert refused(WHIST, {"dealer": "N", "rulings": [tech]}) == (
        "calls-missing",
        "hands[0].calls",
        "4 calls are missing. Enter all four, from the dealer's left.",
    )
    assert scored(WHIST, [whist_hand("5", None, rulings=[tech])]).hands[0].won_by is EW


@pytest.mark.parametrize(
    ("code", "phase"), [*((code, "bidding") for code in PLAY), ("RENEGE_SUIT", "deal"), ("VERBIAGE", "play")]
)
def test_an_act_of_one_phase_is_refused_in_another(code: str, phase: str) -> None:
    right = "bidding" if code in BIDDING else "play"
    hand = {"dealer": "N", "rulings": [{"code": code, "side": "NS", "phase": phase}]}
    assert refused(WHIST, hand) == (
        "ruling-fit",
        "hands[0].rulings[0].phase",
        f"{code} happens in the {right}, not in the {phase}. Correct the phase or the ruling.",
    )


def test_spades_acts_have_their_phase_too() -> None:
    hand = spades_hand("4+3", "4+3", rulings=[{"code": "BID_TURN", "side": "NS", "phase": "play"}])
    assert refused(MSO, hand)[:2] == ("ruling-fit", "hands[0].rulings[0].phase")
    right = spades_hand("4+3", "4+3", rulings=[{"code": "BID_TURN", "side": "NS", "phase": "bidding"}])
    assert scored(MSO, [right]).hands[0].points[NS] == 70 - 25


def test_lateness_belongs_to_a_hand_without_a_result() -> None:
    late = {"code": "LATE", "side": "EW"}
    assert refused(WHIST, whist_hand("4", 10, rulings=[late])) == (
        "ruling-fit",
        "hands[0].rulings[0].code",
        "LATE is for a hand that was not completed, and this one has its result. Leave one of them out.",
    )
    for books in (None, {"NS": 3, "EW": 2}):
        assert scored(WHIST, [whist_hand("4", books, rulings=[late])]).hands[0].points == {NS: 5, EW: 0}


IMPROPER: list[tuple[list[str], dict[str, str], str, str]] = [
    (
        ["5", "6", "pass", "pass"],
        {"seat": "E", "said": "5", "corrected": "7"},
        "corrected",
        "5 HIGH is corrected to 6 HIGH, not to 7 HIGH. Correct the ruling.",
    ),
    (
        ["5", "6", "pass", "pass"],
        {"seat": "E", "said": "5 no", "corrected": "6"},
        "said",
        "5 NO was not too low over 5 HIGH when East called. Correct “said”, or leave the ruling out.",
    ),
    (
        ["5", "6", "pass", "pass"],
        {"seat": "N", "said": "4", "corrected": "5"},
        "said",
        "4 HIGH was not too low when North called. Correct “said”, or leave the ruling out.",
    ),
    (
        ["5", "7", "pass", "pass"],
        {"seat": "E", "said": "5", "corrected": "6"},
        "corrected",
        "The calls say 7 HIGH for East, the ruling 6 HIGH. Make them agree.",
    ),
    (
        ["7", "pass", "pass", "pass"],
        {"seat": "E", "said": "7 special", "corrected": "7 no"},
        "corrected",
        "7 SPECIAL is corrected to PASS, as no bid is left in that direction, not to 7 NO. Correct the ruling.",
    ),
    (
        ["7", "7 no", "pass", "pass"],
        {"seat": "E", "said": "7", "corrected": "pass"},
        "corrected",
        "The calls say 7 NO for East, the ruling PASS. Make them agree.",
    ),
    (
        ["5"],
        {"seat": "E", "said": "5", "corrected": "6"},
        "corrected",
        "The call of East is not among the calls. Enter 6 HIGH there.",
    ),
    (
        ["5"],
        {"seat": "S", "said": "5", "corrected": "6"},
        "seat",
        "The calls end before it was South's turn. Enter them, or leave the ruling out.",
    ),
]


@pytest.mark.parametrize(("calls", "ruling", "field", "said"), IMPROPER)
def test_an_improper_bid_is_corrected_as_the_rule_demands(
    calls: list[str], ruling: dict[str, str], field: str, said: str
) -> None:
    tech = {"code": "TALK", "side": "NS", "phase": "bidding"}
    hand = {"dealer": "W", "calls": calls, "direction": None, "rulings": [{"code": "IMPROPER_BID", **ruling}, tech]}
    assert refused(WHIST, hand) == ("ruling-fit", f"hands[0].rulings[0].{field}", said)


def test_improper_bids_that_were_corrected_well() -> None:
    def improper(said: str, corrected: str, **rest: Any) -> dict[str, Any]:
        return {"code": "IMPROPER_BID", "seat": "E", "said": said, "corrected": corrected, **rest}

    passed = {"dealer": "W", "calls": ["7", "pass", "pass", "pass"], "books": {"NS": 13, "EW": 0}}
    assert scored(WHIST, [{**passed, "rulings": [improper("7 special", "pass")]}]).hands[0].boston is NS  # Q-15e
    no = {"dealer": "W", "calls": ["5 no", "6 no up", "pass", "pass"], "books": {"NS": 1, "EW": 12}}
    assert scored(WHIST, [{**no, "rulings": [improper("5 no", "6 no", phase="bidding")]}]).hands[0].points[EW] == 12
    low = {"dealer": "W", "calls": ["pass", "4", "pass", "pass"], "books": {"NS": 1, "EW": 12}}
    assert scored(WHIST, [{**low, "rulings": [improper("3", "4")]}]).hands[0].points[EW] == 6
    void = {"dealer": "W", "calls": ["5"], "void": "director", "rulings": [improper("5", "6")]}
    assert scored(WHIST, [void]).hands[0].lines == ()


def test_what_is_not_proven_hides_nothing_that_stands_behind_it() -> None:
    rulings = [{"code": "TALK", "side": "EW", "proven": False}, {"code": "LATE", "side": "NS"}]
    assert refused(WHIST, whist_hand("4", 10, rulings=rulings))[:2] == ("ruling-fit", "hands[0].rulings[1].code")


def test_nobody_is_the_bidding_side_of_a_void_hand_whose_bidding_is_not_over() -> None:
    joker = {"code": "JOKER_DISCARD", "side": "EW", "proven": False}
    for calls in ([], ["4"], ["pass", "5 no", "pass"]):
        void = {"dealer": "W", "calls": calls, "void": "misdeal", "rulings": [joker]}
        assert scored(WHIST, [void]).hands[0].lines == ()


def test_the_rulings_of_a_void_hand_fit_it_too() -> None:
    joker = {"code": "JOKER_DISCARD", "side": "NS"}
    hand = {**whist_hand("4", None), "void": "director", "rulings": [joker]}
    assert refused(WHIST, hand)[:2] == ("ruling-fit", "hands[0].rulings[0].code")


def test_a_seat_alone_says_which_side_it_was() -> None:
    assert refused(WHIST, whist_hand("6", None, rulings=[{"code": "CONCEDED", "seat": "E"}])) == (
        "ruling-fit",
        "hands[0].rulings[0].seat",
        "CONCEDED belongs to the bidding side, North–South. Correct the side.",
    )


READ = {
    Game.BID_WHIST: {
        "EXPOSED": {"card"},
        "IMPROPER_BID": {"said", "corrected"},
        "ADJUST": {"points", "won_by", "boston", "why"},
    },
    Game.SPADES: {
        "EXPOSED": {"card"},
        "RENOUNCE": {"card"},
        "LEAD_TURN": {"card", "accepted"},
        "BID_TURN": {"accepted"},
        "ADJUST": {"points", "bags", "why"},
    },
}
SPECIAL: dict[str, Any] = {
    "card": "D7", "accepted": True, "points": {"NS": 1}, "won_by": "NS", "boston": "NS", "bags": {"NS": 1}, "why": "x",
}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "code", "name"),
    [
        (game, code, name)
        for game, codes in CODES.items()
        for code in sorted(codes)
        for name in (*SPECIAL, "said", "corrected")
        if name not in READ[game].get(code, set())
    ],
)
def test_a_member_that_a_code_does_not_read_is_refused(game: Game, code: str, name: str) -> None:
    side = {} if code in ("ADJUST", "CLAIM") else {"side": "NS"}
    spades = game is Game.SPADES
    value = SPECIAL.get(name, "4")
    hand = spades_hand("4+3", "4+3") if spades else whist_hand("4", 10)
    given = {**hand, "rulings": [{"code": code, **side, name: value}]}
    said = f"{code} takes no “{name}” here. Leave it out."
    assert refused(MSO if spades else WHIST, given) == ("ruling-field", f"hands[0].rulings[0].{name}", said)


@pytest.mark.parametrize(("ruleset", "code"), [(WHIST, "LATE"), (WHIST, "ADJUST"), (MSO, "ADJUST")])
def test_what_has_no_phase_takes_none(ruleset: str, code: str) -> None:
    hand = {"dealer": "N", "rulings": [{"code": code, "phase": "play"}]}
    said = f"{code} takes no “phase” here. Leave it out."
    assert refused(ruleset, hand) == ("ruling-field", "hands[0].rulings[0].phase", said)


def test_the_exposed_card_of_a_tech_is_told() -> None:
    exposed = {"code": "EXPOSED", "side": "NS", "card": "SK"}
    in_play = scored(WHIST, [whist_hand("5", None, rulings=[exposed])]).hands[0].lines
    in_bidding = scored(WHIST, [{"dealer": "W", "rulings": [{**exposed, "phase": "bidding"}]}]).hands[0].lines
    false = (
        scored(WHIST, [whist_hand("5", 12, rulings=[{**exposed, "proven": False}])], settings={"false_call_penalty": 1})
        .hands[0]
        .lines
    )
    lost = "A Tech (exposed card: King of spades) by North–South: they lose the hand. "
    assert [sentence(lines[-1]) for lines in (in_play, in_bidding, false)] == [
        f"{lost}East–West get the points of the bid they held, 5 HIGH: 5.",
        f"{lost}Nobody had bid, so East–West get the lowest bid's points: 4.",
        (
            "A Tech (exposed card: King of spades) was called by East–West and not proven. "
            "In this club's rules that costs: −1."
        ),
    ]
