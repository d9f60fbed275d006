"""A deal that the desk voids while it is open is put by among the hands and dealt again."""

from __future__ import annotations

import pytest
from table_play import WHIST, Play

from tallybox.events import rulings as ru
from tallybox.messages import DeskFact, Outcome
from tallybox.renewed import renewed
from tallybox.seats import Side
from tallybox.sheet import hand_facts_to_json
from tallybox.table.overlay import counting, laid_over, rests_on
from tallybox.table.shown import facts_now, hand_facts, score, sheet_facts
from tallybox.table.state import Step, TableState
from tallybox.table.steps import next_dealer, next_number


def void(state: TableState, **changes: object) -> DeskFact:
    """The desk's word that the open deal does not count."""
    assert state.hand is not None
    facts = hand_facts_to_json(hand_facts(renewed(laid_over(state, state.hand), void="director")))
    given = {
        "id": "a" * 64, "kind": "correction", "by": "dana", "hand": state.hand.number, "deal": state.hand.opened,
        "facts": dict(facts), "reason": "Mixed cards.", "supersedes": rests_on(state, state.hand),
    }  # fmt: skip
    return DeskFact(**{**given, **changes})  # type: ignore[arg-type]


def bid() -> Play:
    """A second hand whose contract is locked."""
    play = Play(WHIST, hands=4).sit()
    play.whist_hand()
    return play.open().count_cards().auction("4", "pass", "pass", "pass").lock()


def told(play: Play, *facts: DeskFact) -> TableState:
    return play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=False, desk=facts)


def test_the_voided_deal_is_dealt_again_by_the_same_dealer_under_the_same_number() -> None:
    play = bid()
    before, dealer = score(play.state).totals.points, play.hand.dealer
    play.state = told(play, void(play.state))
    assert (play.step, next_number(play.state), next_dealer(play.state)) == (Step.NEXT, 2, dealer)
    assert score(play.state).totals.points == before
    assert ([hand.number for hand in counting(play.state)], play.state.hands[1].void) == ([1], "director")
    play.open().count_cards().auction("4", "pass", "pass", "pass").lock()
    assert (play.state.refused, play.hand.number, play.step) == ((), 2, Step.PLAY)


def test_what_was_ruled_in_the_voided_deal_stays_on_the_sheet() -> None:
    play = bid()
    play.do(ru.RulingEntered(hand=2, ruling={"code": "ADJUST", "points": {"EW": 2}, "why": "Talk."}, official="olga"))
    before = score(play.state).totals.points
    state = told(play, void(play.state))
    now = facts_now(state, state.hands[1])
    assert (now.void, now.calls, [ruling.code for ruling in now.rulings]) == ("director", (), ["ADJUST"])
    assert score(state).totals.points == {Side.NS: before[Side.NS], Side.EW: before[Side.EW] + 2}


def test_the_deal_is_taken_up_again_where_the_desk_had_not_said_so_yet() -> None:
    play = bid()
    before = play.state
    after = told(play, void(before))
    assert after.with_desk(()) == told(play)
    assert after.with_desk(()).hand == before.hand
    assert after.with_desk(after.desk) is after


def test_a_deal_that_was_recorded_meanwhile_is_void_as_a_recorded_one_and_lies_there_once() -> None:
    play = bid()
    fact = void(play.state)
    play.books(8, 5)
    play.check().record()
    state = told(play, fact)
    assert [(hand.number, hand.put_by, laid_over(state, hand).void) for hand in state.hands] == [
        (1, False, None), (2, False, "director"),
    ]  # fmt: skip
    assert next_number(state) == 2


@pytest.mark.parametrize(
    "changes",
    [{"deal": "b" * 64}, {"deal": None}, {"facts": None}, {"facts": {"dealer": "N"}}, {"kind": "ruling"}],
    ids=["another deal", "no deal", "no facts", "it counts", "a ruling"],
)
def test_another_word_of_the_desk_leaves_the_open_deal_open(changes: dict[str, object]) -> None:
    play = bid()
    state = told(play, void(play.state, **changes))
    assert (state.hand, len(state.hands)) == (play.state.hand, 1)


def test_the_last_word_on_a_deal_counts() -> None:
    play = bid()
    first = void(play.state)
    again = void(play.state, id="b" * 64, facts={"dealer": "N"}, supersedes=(first.id,))
    assert told(play, first, again).hand == play.state.hand


def test_a_voided_deal_stays_on_the_sheet_that_is_signed() -> None:
    play = bid()
    play.state = told(play, void(play.state))
    assert [hand.void for hand in sheet_facts(play.state).hands] == [None, "director"]
