"""Laws of a table's score: a void adds nothing, rulings on different hands commute, a reversal leaves no trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from table_play import MSO, WHIST, Play

from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.renewed import renewed
from tallybox.rules.rulings import PENALTIES
from tallybox.seats import Side
from tallybox.sheet import LineKind
from tallybox.table.shown import facts_json, lines_digest, open_hand_score, score
from tallybox.table.state import TableState

HANDS = 3
Deed = tuple[int, dict[str, Any]]
"""A ruling on a recorded hand."""


def played(ruleset: str) -> Play:
    play = Play(ruleset, hands=5).sit()
    for _ in range(HANDS):
        if ruleset == WHIST:
            play.whist_hand()
        else:
            play.count_cards().auction("3", "3", "3", "3").lock()
            play.tricks(4, 3, 3, 3)
            play.check().record()
        play.open()
    return play


PLAYED = {ruleset: played(ruleset).state for ruleset in (WHIST, MSO)}
"""Three recorded hands and a fourth that is dealt."""

points = st.integers(-30, 30)
adjustments = st.tuples(
    st.integers(1, HANDS),
    st.fixed_dictionaries(
        {"code": st.just("ADJUST"), "why": st.just("seen")},
        optional={"points": st.fixed_dictionaries({}, optional={"NS": points, "EW": points})},
    ),
)


def at(state: TableState) -> Play:
    play = Play(state.playing.ruleset.name)
    play.state, play.count = state, 1000
    return play


def rule(play: Play, deed: Deed, *supersedes: str) -> str:
    return play.do(rl.RulingEntered(hand=deed[0], ruling=deed[1], official="dana"), *supersedes)


def correct(play: Play, number: int, ns: int) -> None:
    """An official replaces the books of a recorded hand."""
    hand = play.state.hands[number - 1]
    facts = {**facts_json(hand), "books": {"NS": ns, "EW": 13 - ns}}
    shown = at(renewed(play.state, hand=None))
    trial = renewed(hand, result=replace(hand.result, books={Side.NS: ns, Side.EW: 13 - ns}))  # type: ignore[type-var]
    hands = tuple(trial if known is hand else known for known in shown.state.hands)
    lines = lines_digest(score(renewed(shown.state, hands=hands)).hands[number - 1])
    play.do(
        ev.HandRecorded(
            hand=number, facts=dict(facts), ruleset=play.state.playing.ruleset.digest, lines=lines, official="dana",
            reason="counted again",
        ),
        hand.recorded or "",
    )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(ruleset=st.sampled_from([WHIST, MSO]), deeds=st.lists(adjustments, max_size=5), data=st.data())
def test_rulings_on_different_hands_commute(ruleset: str, deeds: Sequence[Deed], data: st.DataObject) -> None:
    by_hand = {deed[0]: deed for deed in deeds}
    other = data.draw(st.permutations(list(by_hand.values())))
    scores = []
    for order in (list(by_hand.values()), other):
        play = at(PLAYED[ruleset])
        for deed in order:
            rule(play, deed)
        assert play.state.refused == ()
        scores.append(score(play.state))
    assert scores[0] == scores[1]


@settings(max_examples=20, deadline=None)
@given(books=st.lists(st.integers(1, 12), min_size=HANDS, max_size=HANDS), order=st.permutations(range(1, HANDS + 1)))
def test_corrections_of_different_hands_commute(books: Sequence[int], order: Sequence[int]) -> None:
    scores = []
    for numbers in (range(1, HANDS + 1), order):
        play = at(PLAYED[WHIST])
        for number in numbers:
            correct(play, number, books[number - 1])
        assert play.state.refused == ()
        scores.append(score(play.state))
    assert scores[0] == scores[1]


@settings(max_examples=30, deadline=None)
@given(ruleset=st.sampled_from([WHIST, MSO]), deed=adjustments)
def test_a_reversed_ruling_leaves_the_score_as_it_was(ruleset: str, deed: Deed) -> None:
    play = at(PLAYED[ruleset])
    before = score(play.state)
    first = rule(play, deed)
    rule(play, (deed[0], {**deed[1], "proven": False}), first)
    assert (play.state.refused, score(play.state)) == ((), before)


penalties = st.fixed_dictionaries({"code": st.sampled_from(sorted(PENALTIES)), "side": st.sampled_from(["NS", "EW"])})


def penalty(made: dict[str, Any]) -> dict[str, Any]:
    """The ruling with what its code needs."""
    needs: dict[str, dict[str, object]] = {
        "EXPOSED": {"card": "SK", "phase": "play"}, "RENOUNCE": {"card": "D7"}, "BID_TURN": {"accepted": True},
        "LEAD_TURN": {"accepted": False, "card": "C4"},
    }  # fmt: skip
    return {**made, **needs[made["code"]]}


@settings(max_examples=40, deadline=None)
@given(made=st.lists(penalties, max_size=4), entered=st.booleans())
def test_a_void_adds_no_lines_and_keeps_the_penalties_given(made: Sequence[dict[str, Any]], entered: bool) -> None:
    play = at(PLAYED[MSO]).count_cards().auction("3", "3", "3", "3").lock()
    before = dict(score(play.state).totals.points)
    for each in made:
        rule(play, (play.hand.number, penalty(each)))
    if entered:
        play.tricks(4, 3, 3, 3)
    number = play.hand.number
    play.do(ev.HandVoided(hand=number, reason="director", official="dana", why="cards shown"))
    void = score(play.state).hands[-1]
    assert (void.hand, void.void, play.state.refused) == (number, True, ())
    assert [line.kind for line in void.lines] == [LineKind.PENALTY] * len(made)
    added = {side: sum(line.points for line in void.lines if line.side is side) for side in Side}
    assert dict(score(play.state).totals.points) == {side: before[side] + added[side] for side in Side}


@settings(max_examples=20, deadline=None)
@given(books=st.integers(1, 12), code=st.sampled_from(["TALK", "SIGNAL", "RENEGE_SUIT"]), proven=st.booleans())
def test_a_void_hand_of_bid_whist_scores_nothing_whatever_was_ruled_in_it(books: int, code: str, proven: bool) -> None:
    play = at(PLAYED[WHIST]).count_cards().auction("pass", "4", "pass", "pass").lock()
    play.books(books, 13 - books)
    rule(play, (play.hand.number, {"code": code, "side": "NS", "proven": proven}))
    before = dict(score(play.state).totals.points)
    play.do(ev.HandVoided(hand=play.hand.number, reason="director", official="dana", why="cards shown"))
    after = score(play.state)
    assert (after.hands[-1].lines, dict(after.totals.points)) == ((), before)


@settings(max_examples=30, deadline=None)
@given(deeds=st.lists(adjustments, max_size=3), books=st.integers(1, 13), again=st.integers(1, 13))
def test_lines_of_the_open_hand_are_those_it_has_on_the_whole_sheet(deeds: list[Deed], books: int, again: int) -> None:
    play = at(PLAYED[WHIST])
    for deed in deeds:
        rule(play, deed)
    play.count_cards().auction("4", "pass", "pass", "pass").lock()
    for ns in (books, again, books):
        play.books(ns, 13 - ns)
        for _ in range(2):
            whole = score(play.state, with_open=True).hands[len(play.state.hands)]
            assert open_hand_score(play.state) == whole
            assert lines_digest(open_hand_score(play.state)) == lines_digest(whole)
            play.do(ev.HandChecked(hand=play.hand.number, side=Side.NS, lines=lines_digest(whole)))
