"""What the end of the clock does to the hand in play, by the club's own setting (Q-09, Q-43)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table_play import WHIST, Play

from tallybox.events import table as ev
from tallybox.messages import Outcome
from tallybox.renewed import renewed
from tallybox.rules.settings import TimeoutPolicy
from tallybox.table.overlay import unfinished
from tallybox.table.shown import sheet_facts
from tallybox.table.state import Step


def at_the_end(policy: TimeoutPolicy, *, locked: bool = True) -> Play:
    """A table in its second of five hands when time is called."""
    play = Play(WHIST)
    ruleset = play.state.playing.ruleset
    settings = replace(ruleset.settings, timeout_policy=policy)
    assigned = replace(play.state.playing, ruleset=replace(ruleset, settings=settings))
    play.state = renewed(play.state, assignment=assigned)
    play.sit().whist_hand().open().count_cards()
    if locked:
        play.auction("4", "pass", "pass", "pass").lock()
    return play


def time(play: Play) -> Play:
    play.state = play.state.with_hub(outcome=Outcome(), clock_started=True, clock_ended=True)
    return play


@pytest.mark.parametrize(
    ("policy", "locked", "step"),
    [
        ("finish_started", True, Step.PLAY),
        ("finish_started", False, Step.SIGN),
        ("void_unfinished", True, Step.SIGN),
        ("void_unfinished", False, Step.SIGN),
        ("director", True, Step.PLAY),
        ("director", False, Step.AUCTION),
    ],
)
def test_the_clubs_setting_says_whether_the_hand_in_play_goes_on(
    policy: TimeoutPolicy, locked: bool, step: Step
) -> None:
    play = time(at_the_end(policy, locked=locked))
    assert (play.step, len(sheet_facts(play.state).hands)) == (step, 1)
    assert unfinished(play.state) == play.state.playing.hands - 1 - (step is not Step.SIGN)


def test_a_result_entered_before_time_counts_where_unfinished_hands_are_void() -> None:
    play = at_the_end("void_unfinished")
    play.books(11, 2)
    time(play)
    assert [play.step] == [Step.CHECK]
    play.check().record()
    assert (play.step, len(sheet_facts(play.state).hands)) == (Step.SIGN, 2)


def test_the_director_ends_a_hand_by_voiding_it() -> None:
    play = time(at_the_end("director", locked=False))
    play.do(ev.HandVoided(hand=2, reason="director", official="dana", why="Time."))
    assert (play.said if play.state.refused else None, play.step) == (None, Step.SIGN)
