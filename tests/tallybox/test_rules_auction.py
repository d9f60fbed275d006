"""The auction as a whole: turns, order, every auction there is, settings, and no state without a next step."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_sheets import MSO, WHIST, WSOS, made

from tallybox.calls import NIL, PASS, Bid, Call, Direction, Game, Number, Strain, call_text, parse_call
from tallybox.errors import SheetError
from tallybox.rules import spades_auction, whist_auction
from tallybox.rules.auction import Made, SpadesContract, WhistContract, contract, judge, legal_calls, turn
from tallybox.rules.ruleset import Ruleset, builtin, with_settings
from tallybox.rules.settings import WhistSettings
from tallybox.seats import Seat, Side
from tallybox.sheet import HandFacts, SheetFacts, score_sheet

HIGH, SPECIAL, NO = Strain.HIGH, Strain.SPECIAL, Strain.NO


@pytest.mark.parametrize(("dealer", "order"), [("N", "ESWN"), ("E", "SWNE"), ("S", "WNES"), ("W", "NESW")])
def test_the_first_caller_sits_left_of_the_dealer_and_the_dealer_is_last(dealer: str, order: str) -> None:  # case 17
    for game, text in ((Game.SPADES, "3"), (Game.BID_WHIST, "pass")):
        turns = [turn(Seat(dealer), made(game, dealer, *[text] * count)) for count in range(5)]
        assert turns == [*map(Seat, order), None]


def test_legal_calls_stand_in_keypad_order() -> None:
    levels = range(4, 8)
    whist = [*(Bid(n, HIGH) for n in levels), *(Bid(n, SPECIAL) for n in levels), *(Bid(n, NO) for n in levels), PASS]
    assert legal_calls(builtin(WHIST), Seat.N, ()) == tuple(whist)
    assert legal_calls(builtin(MSO), Seat.N, ()) == (NIL, *(Number(n) for n in range(1, 13)))
    assert legal_calls(builtin(MSO), Seat.N, made(Game.SPADES, "N", "1", "1", "1", "1")) == ()


def test_the_dealer_is_offered_every_bid_but_no_pass_after_three_passes() -> None:
    offered = legal_calls(builtin(WHIST), Seat.N, made(Game.BID_WHIST, "N", "pass", "pass", "pass"))
    assert offered == tuple(call for call in legal_calls(builtin(WHIST), Seat.N, ()) if call != PASS)
    verdict = judge(builtin(WHIST), Seat.N, made(Game.BID_WHIST, "N", "pass", "pass", "pass"), PASS)
    assert verdict.message == "Three have passed. The dealer must bid at least 4, 4 SPECIAL or 4 NO."


def test_the_forced_bid_is_the_contract() -> None:  # case 34
    calls = made(Game.BID_WHIST, "N", "pass", "pass", "pass", "4 special")
    assert contract(builtin(WHIST), Seat.N, calls) == WhistContract(Seat.N, Bid(4, SPECIAL))
    assert calls[-1] == Made(Seat.N, Bid(4, SPECIAL))


def test_a_bid_that_is_too_low_is_answered_with_the_sentence_of_the_table() -> None:
    calls = made(Game.BID_WHIST, "N", "5")
    verdict = judge(builtin(WHIST), Seat.N, calls, Bid(5, SPECIAL))
    assert verdict.message == "5 SPECIAL does not beat 5 HIGH. South must now bid 6 SPECIAL."
    assert verdict.rule == "A-14"


def test_a_contract_tells_what_it_needs() -> None:
    for level, needed, set_with in ((4, 10, 4), (5, 11, 3), (6, 12, 2), (7, 13, 1)):
        made_contract = WhistContract(Seat.N, Bid(level, NO))
        assert (made_contract.side, made_contract.needed, made_contract.defenders_set_with) == (
            Side.NS,
            needed,
            set_with,
        )


def test_a_spades_contract_keeps_numbers_and_nils_apart() -> None:
    found = contract(builtin(MSO), Seat.N, made(Game.SPADES, "N", "3", "4", "nil", "nil"))
    assert found == SpadesContract({Seat.E: Number(3), Seat.S: Number(4), Seat.W: NIL, Seat.N: NIL})
    assert (found.number(Side.EW), found.nils(Side.EW)) == (3, (Seat.W,))
    both = SpadesContract({Seat.N: NIL, Seat.S: NIL, Seat.E: Number(1), Seat.W: Number(2)})
    assert (both.number(Side.NS), both.nils(Side.NS), both.number(Side.EW)) == (None, (Seat.N, Seat.S), 3)


def test_there_is_no_contract_before_the_fourth_call() -> None:
    assert contract(builtin(MSO), Seat.N, made(Game.SPADES, "N", "3", "4", "nil")) is None
    assert contract(builtin(WHIST), Seat.N, made(Game.BID_WHIST, "N", "4")) is None
    assert contract(builtin(WHIST), Seat.N, ()) is None
    assert whist_auction.contract(WhistSettings(), ()) is None


def test_a_contract_counts_the_books_of_its_club() -> None:
    calls = made(Game.BID_WHIST, "N", "4", "5 no", "pass", "pass")
    assert contract(builtin(WHIST), Seat.N, calls) == WhistContract(Seat.S, Bid(5, NO), 13)
    bare = with_settings(builtin(WHIST), {"kitty_is_book": False})
    assert contract(bare, Seat.N, calls) == WhistContract(Seat.S, Bid(5, NO), 12)


@pytest.mark.parametrize("ruleset", [WHIST, MSO])
def test_a_call_of_the_other_game_is_refused(ruleset: str) -> None:
    other = Number(4) if ruleset == WHIST else Bid(4, HIGH)
    verdict = judge(builtin(ruleset), Seat.N, (), other)
    assert (verdict.legal, verdict.code) == (False, "not-a-call")
    assert not judge(builtin(MSO), Seat.N, (), PASS).legal


@pytest.mark.parametrize(
    ("order", "high", "said", "legal"),
    [
        ("equal", "4", "4 special", False),
        ("equal", "4 special", "4", False),
        ("low_beats_high", "4", "4 special", True),
        ("low_beats_high", "4 special", "4", False),
        ("high_beats_low", "4 special", "4", True),
        ("high_beats_low", "4", "4 special", False),
        ("low_beats_high", "4 special", "4 no", True),
        ("high_beats_low", "4", "4 no", True),
        ("high_beats_low", "4 no", "5 special", True),
    ],
)
def test_high_and_special_of_one_number_in_each_order(order: str, high: str, said: str, legal: bool) -> None:
    ruleset = with_settings(builtin(WHIST), {"same_number_order": order})
    call = parse_call(Game.BID_WHIST, said)
    assert judge(ruleset, Seat.N, made(Game.BID_WHIST, "N", high), call).legal is legal


@pytest.mark.parametrize(
    ("overrides", "partner", "said", "legal", "code"),
    [
        ({"both_nil": "forbid"}, "nil", "nil", False, "both-nil"),
        ({"both_nil": "allow"}, "nil", "nil", True, "legal"),
        ({"both_nil": "warn"}, "nil", "nil", True, "legal"),
        ({"unmakeable_bids": "forbid"}, "7", "7", False, "unmakeable-bid"),
        ({"unmakeable_bids": "forbid"}, "7", "6", True, "legal"),
        ({"unmakeable_bids": "warn"}, "7", "7", True, "legal"),
        ({"min_team_bid": 4}, "1", "2", False, "below-team-minimum"),
        ({"min_team_bid": 4}, "1", "3", True, "legal"),
        ({"min_team_bid": 4}, "nil", "3", False, "below-team-minimum"),
        ({"min_team_bid": 4}, "nil", "4", True, "legal"),
        ({"min_team_bid": 4}, "1", "nil", True, "legal"),
        ({"max_bid": 5}, "1", "6", False, "not-a-bid"),
    ],
)  # fmt: skip
def test_what_partners_may_bid_together(
    overrides: dict[str, object], partner: str, said: str, legal: bool, code: str
) -> None:
    ruleset = with_settings(builtin(MSO), overrides)
    calls = made(Game.SPADES, "N", partner, "3")
    verdict = judge(ruleset, Seat.N, calls, parse_call(Game.SPADES, said))
    assert (verdict.legal, verdict.code) == (legal, code)


def test_both_nil_and_unmakeable_bids_are_asked_about() -> None:
    nil = judge(builtin(MSO), Seat.N, made(Game.SPADES, "N", "nil", "3"), NIL)
    assert nil.warning == "Both partners nil: two separate contracts. Record it?"
    many = judge(builtin(MSO), Seat.N, made(Game.SPADES, "N", "7", "3"), Number(7))
    assert many.warning == "East–West bid 14 together. A hand has 13 tricks. Record it?"
    allowed = judge(with_settings(builtin(MSO), {"both_nil": "allow"}), Seat.N, made(Game.SPADES, "N", "nil", "3"), NIL)
    assert allowed.warning is None


def test_a_queen_meant_as_nil_is_bid_again_where_a_club_wants_it() -> None:
    ruleset = with_settings(builtin(MSO), {"void_nil_policy": "rebid"})
    verdict = judge(ruleset, Seat.N, (), Number(12))
    assert verdict.warning == "A Queen is 12. Nil is the King. If nil was meant, take the card back and bid again."


def test_a_declined_bid_that_is_no_longer_legal_is_not_repeated() -> None:
    """West bid nil out of turn and was declined; then East, its partner, bid nil, and only one partner may."""
    ruleset = with_settings(builtin(WSOS), {"both_nil": "forbid"})
    locked = {Seat.W: NIL}
    numbers = tuple(Number(tricks) for tricks in range(1, 14))
    assert legal_calls(ruleset, Seat.N, made(Game.SPADES, "N", "nil", "3"), locked) == numbers
    assert legal_calls(ruleset, Seat.N, made(Game.SPADES, "N", "4", "3"), locked) == (NIL,)
    assert judge(ruleset, Seat.N, made(Game.SPADES, "N", "nil", "3"), NIL, locked).code == "both-nil"


def test_a_partner_at_thirteen_leaves_only_nil_where_unmakeable_bids_are_forbidden() -> None:
    ruleset = with_settings(builtin(WSOS), {"unmakeable_bids": "forbid"})
    calls = made(Game.SPADES, "N", "13", "1")
    assert legal_calls(ruleset, Seat.N, calls) == (NIL,)
    message = judge(ruleset, Seat.N, calls, Number(1)).message
    assert message == "East–West bid 14 together. A hand has 13 tricks. West can only bid NIL."


def _accepted(ruleset: Ruleset, dealer: Seat, calls: tuple[Call, ...]) -> bool:
    if ruleset.game is Game.BID_WHIST:
        hand = HandFacts(dealer, calls, books={Side.NS: 6, Side.EW: 7})
    else:
        hand = HandFacts(dealer, calls, tricks={Seat.N: 3, Seat.E: 3, Seat.S: 3, Seat.W: 4})
    try:
        score_sheet(SheetFacts(ruleset, (hand,)))
    except SheetError as refused:
        if refused.code != "illegal-call":
            raise
        return False
    return True


def _offered(ruleset: Ruleset, dealer: Seat, before: tuple[Made, ...] = ()) -> set[tuple[Call, ...]]:
    seat = turn(dealer, before)
    if seat is None:
        return {tuple(entry.call for entry in before)}
    return {
        auction
        for call in legal_calls(ruleset, dealer, before)
        for auction in _offered(ruleset, dealer, (*before, Made(seat, call)))
    }


def _with_direction(call: Call) -> Call:
    return Bid(call.level, NO, Direction.UP) if isinstance(call, Bid) and call.strain is NO else call


def test_the_bid_whist_keypad_has_each_bid_from_the_lowest_number_up_and_pass() -> None:
    assert [call_text(call) for call in whist_auction.keypad(WhistSettings())] == [
        "4", "5", "6", "7", "4 special", "5 special", "6 special", "7 special", "4 no", "5 no", "6 no", "7 no", "pass",
    ]  # fmt: skip
    assert [call_text(call) for call in whist_auction.keypad(WhistSettings(min_level=7))] == [
        "7", "7 special", "7 no", "pass",
    ]  # fmt: skip


@pytest.mark.parametrize("dealer", list(Seat))
def test_every_bid_whist_auction_is_scored_exactly_if_it_was_offered(dealer: Seat) -> None:
    ruleset = builtin(WHIST)
    offered = _offered(ruleset, dealer)
    assert len(offered) == 1461
    accepted = {
        auction
        for auction in product(whist_auction.keypad(WhistSettings()), repeat=4)
        if _accepted(ruleset, dealer, tuple(map(_with_direction, auction)))
    }
    assert accepted == offered


@pytest.mark.parametrize("dealer", list(Seat))
def test_every_spades_auction_is_scored_exactly_if_it_was_offered(dealer: Seat) -> None:
    """With a short keypad and every restriction in force, so that each of them refuses some auctions."""
    overrides = {"max_bid": 8, "both_nil": "forbid", "unmakeable_bids": "forbid", "min_team_bid": 4}
    ruleset = with_settings(builtin(MSO), overrides)
    keypad: tuple[Call, ...] = (NIL, *(Number(tricks) for tricks in range(9)))
    offered = _offered(ruleset, dealer)
    assert 0 < len(offered) < 9**4
    assert {auction for auction in product(keypad, repeat=4) if _accepted(ruleset, dealer, auction)} == offered


@pytest.mark.parametrize("ruleset", [MSO, WSOS])
def test_every_spades_bid_may_follow_any_other(ruleset: str) -> None:
    rules = builtin(ruleset)
    settings = rules.settings
    assert not isinstance(settings, WhistSettings)
    keypad = spades_auction.keypad(settings)
    for first, second, third in product(keypad, repeat=3):
        calls = (Made(Seat.E, first), Made(Seat.S, second), Made(Seat.W, third))
        assert legal_calls(rules, Seat.N, calls) == keypad


_OVERRIDES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "max_bid": st.integers(1, 13),
        "min_team_bid": st.integers(0, 13),
        "both_nil": st.sampled_from(["warn", "allow", "forbid"]),
        "unmakeable_bids": st.sampled_from(["warn", "forbid"]),
        "declined_bid_locked": st.booleans(),
    }
)


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_no_auction_comes_to_a_state_without_a_next_call(data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        overrides = data.draw(_OVERRIDES)
        overrides["min_team_bid"] = min(overrides["min_team_bid"], overrides["max_bid"])
        ruleset = with_settings(builtin(MSO), overrides)
    else:
        order = data.draw(st.sampled_from(["equal", "low_beats_high", "high_beats_low"]))
        level = data.draw(st.integers(1, 7))
        ruleset = with_settings(builtin(WHIST), {"same_number_order": order, "min_level": level})
    dealer = data.draw(st.sampled_from(list(Seat)))
    keypad = legal_calls(ruleset, dealer, ())
    locked = data.draw(st.dictionaries(st.sampled_from(list(Seat)), st.sampled_from(keypad)))
    calls: tuple[Made, ...] = ()
    while (seat := turn(dealer, calls)) is not None:
        offered = legal_calls(ruleset, dealer, calls, locked)
        assert offered
        calls = (*calls, Made(seat, data.draw(st.sampled_from(offered))))
    assert len(calls) == 4
    assert contract(ruleset, dealer, calls) is not None


@given(st.sampled_from(whist_auction.keypad(WhistSettings(min_level=1))), st.lists(st.integers(0, 12), max_size=3))
@settings(deadline=None)
def test_an_improper_bid_is_corrected_to_a_legal_one_of_the_same_direction(call: Call, choices: list[int]) -> None:
    ruleset = builtin(WHIST)
    calls: tuple[Made, ...] = ()
    for choice in choices:
        offered = legal_calls(ruleset, Seat.N, calls)
        seat = turn(Seat.N, calls)
        assert seat is not None
        calls = (*calls, Made(seat, offered[choice % len(offered)]))
    verdict = judge(ruleset, Seat.N, calls, call)
    if verdict.legal or verdict.code == "dealer-must-bid":
        return
    correction = verdict.correction
    assert correction is not None
    assert judge(ruleset, Seat.N, calls, correction).legal
    if isinstance(correction, Bid) and isinstance(call, Bid):
        assert correction.strain is call.strain
        lower = Bid(correction.level - 1, call.strain)
        assert not judge(ruleset, Seat.N, calls, lower).legal
    assert call_text(correction)
