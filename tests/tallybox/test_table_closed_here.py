"""An official calls time at a table while no hub can; a later extension reopens dealing."""

from __future__ import annotations

import pytest
from table_play import MSO, WHIST, Play

from tallybox.events import rulings as rl
from tallybox.messages import Outcome
from tallybox.seats import Side
from tallybox.table.shown import score, sheet_facts
from tallybox.table.state import Step

UNTIL = 1_790_000_600_000
CLOSED = rl.RoundClosed(official="dana", reason="The hub is away.", deadline=UNTIL)


def hub_says(play: Play, *, ended: bool = False, deadline: int | None = UNTIL) -> None:
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=ended, deadline=deadline)


def test_time_called_here_ends_the_round_and_the_sheet_is_signed() -> None:
    play = Play(WHIST).sit().whist_hand()
    hub_says(play)
    play.do(CLOSED)
    assert (play.state.refused, play.step, score(play.state).round.reason) == ((), Step.SIGN, "time")
    for side in Side:
        play.sign(side)
    play.submit()
    assert [play.step] == [Step.SUBMITTED]


def test_a_contract_that_stands_is_played_out_after_time_is_called_here() -> None:
    play = Play(WHIST).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
    hub_says(play)
    play.do(CLOSED)
    assert [play.step] == [Step.PLAY]
    play.books(3, 10)
    play.check().record()
    assert (play.step, len(sheet_facts(play.state).hands)) == (Step.SIGN, 1)


@pytest.mark.parametrize(
    ("deadline", "step"),
    [(UNTIL, Step.SIGN), (None, Step.SIGN), (UNTIL - 1, Step.SIGN), (UNTIL + 1, Step.NEXT)],
)
def test_only_more_time_from_the_hub_reopens_dealing(deadline: int | None, step: Step) -> None:
    play = Play(WHIST).sit().whist_hand()
    hub_says(play)
    play.do(CLOSED)
    hub_says(play, deadline=deadline)
    assert play.step is step


def test_a_table_that_never_heard_a_deadline_stays_closed() -> None:
    play = Play(WHIST).sit().whist_hand()
    play.do(rl.RoundClosed(official="dana", reason="The hub is away."))
    hub_says(play, deadline=UNTIL)
    assert play.step is Step.SIGN


def test_time_is_called_once_and_only_where_there_is_a_clock() -> None:
    play = Play(WHIST).sit().whist_hand()
    play.do(CLOSED)
    play.do(CLOSED)
    assert play.said == ("time-is-up", "Time was called already.")
    untimed = Play(MSO).sit()
    untimed.do(CLOSED)
    assert untimed.said == ("untimed", "This round has no clock. It ends with its hands or its points.")


def test_a_sheet_that_went_to_the_hub_stays_closed_until_it_comes_back() -> None:
    play = Play(WHIST).sit().whist_hand()
    hub_says(play)
    play.do(CLOSED)
    for side in Side:
        play.sign(side)
    play.submit()
    hub_says(play, deadline=UNTIL + 1)
    assert (play.state.clock_ended, play.step) == (True, Step.SUBMITTED)
    play.state = play.state.with_hub(
        outcome=Outcome(reopened="There is time."), clock_started=True, clock_ended=False, deadline=UNTIL + 1
    )
    assert (play.state.clock_ended, play.step) == (False, Step.NEXT)
