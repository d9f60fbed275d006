"""Calls as people write them, and as the table speaks them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallybox.calls import NIL, PASS, Bid, Call, Direction, Game, Number, Strain, call_text, call_words, parse_call
from tallybox.errors import CallError

HIGH, SPECIAL, NO = Strain.HIGH, Strain.SPECIAL, Strain.NO
UP, DOWN = Direction.UP, Direction.DOWN


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("pass", PASS), (" PASS ", PASS), ("4", Bid(4, HIGH)), ("4 high", Bid(4, HIGH)), ("4H", Bid(4, HIGH)),
        ("4 special", Bid(4, SPECIAL)), ("4S", Bid(4, SPECIAL)), ("4 s", Bid(4, SPECIAL)), ("5 No", Bid(5, NO)),
        ("5N", Bid(5, NO)), ("5 NT", Bid(5, NO)), ("5NT", Bid(5, NO)), ("5 n", Bid(5, NO)),
        ("4 no up", Bid(4, NO, UP)), ("5 NT down", Bid(5, NO, DOWN)), ("5N up", Bid(5, NO, UP)),
        ("5  no   down", Bid(5, NO, DOWN)), ("9", Bid(9, HIGH)),
    ],
)  # fmt: skip
def test_bid_whist_spellings(text: str, call: Call) -> None:  # case 20
    assert parse_call(Game.BID_WHIST, text) == call


@pytest.mark.parametrize(
    ("text", "call"), [("nil", NIL), ("NIL", NIL), (" 3 ", Number(3)), ("13", Number(13)), ("0", Number(0))]
)
def test_spades_spellings(text: str, call: Call) -> None:
    assert parse_call(Game.SPADES, text) == call


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (Game.BID_WHIST, text)
        for text in (
            "",
            "I pass",
            "nil",
            "four",
            "4 special up",
            "4 up",
            "4 no sideways",
            "no 4",
            "-4",
            "٤",
            "4444",
            "4\n5",
        )
    ]
    + [(Game.SPADES, text) for text in ("", "pass", "-1", "1.0", "blind nil", "K", "٣", "1000", "x" * 5000)],
)
def test_what_is_no_call_is_answered_with_what_is(game: Game, text: str) -> None:
    with pytest.raises(CallError) as refused:
        parse_call(game, text)
    assert (refused.value.code, refused.value.message.isprintable()) == ("not-a-call", True)
    assert len(refused.value.message) < 140


CALLS = st.one_of(
    st.just(PASS),
    st.builds(Bid, st.integers(1, 9), st.sampled_from([HIGH, SPECIAL])),
    st.builds(Bid, st.integers(1, 9), st.just(NO), st.sampled_from([None, UP, DOWN])),
)


@given(CALLS)
@settings(deadline=None)
def test_the_canonical_spelling_reads_back(call: Call) -> None:
    assert parse_call(Game.BID_WHIST, call_text(call)) == call
    assert parse_call(Game.BID_WHIST, call_text(call).upper()) == call


@given(st.just(NIL) | st.builds(Number, st.integers(0, 13)))
@settings(deadline=None)
def test_the_canonical_spelling_of_a_spades_bid_reads_back(call: Call) -> None:
    assert parse_call(Game.SPADES, call_text(call)) == call


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (PASS, "PASS"), (NIL, "NIL"), (Number(3), "3"), (Bid(5, SPECIAL), "5 SPECIAL"), (Bid(5, NO), "5 NO"),
        (Bid(5, NO, DOWN), "5 NO DOWN"), (Bid(4, HIGH), "4 HIGH"),
    ],
)  # fmt: skip
def test_the_spoken_call(call: Call, words: str) -> None:
    assert call_words(call) == words


def test_the_stated_bid_has_no_direction() -> None:
    assert Bid(5, NO, UP).stated == Bid(5, NO)
