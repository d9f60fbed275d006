"""The round clock: deadlines, pauses, and a hub that comes up again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench, Watch

from hub.clock import Clock, ClockState, clock_message, held_after_restart
from hub.errors import HubError
from hub.timekeeping import HubTime
from tallybox.events.hub import ClockHeld
from tallybox.messages import ClockMessage

MINUTE = 60_000


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_posted_round_waits_with_its_whole_time(bench: Bench) -> None:
    bench.create(hands=4)
    assert bench.keeper.tournament.clock == Clock(ClockState.WAITING, 1, 1_200, remaining=20 * MINUTE)
    bench.restart()
    assert bench.keeper.tournament.clock.state is ClockState.WAITING


def test_a_clock_runs_to_its_deadline_stands_and_goes_on(bench: Bench) -> None:
    bench.create(hands=4)
    start = bench.time.now()
    bench.director.start_clock("dana")
    assert bench.keeper.tournament.clock == Clock(ClockState.RUNNING, 1, 1_200, deadline=start + 20 * MINUTE)
    bench.watch.pass_by(60)
    bench.director.pause("dana")
    assert bench.keeper.tournament.clock == Clock(ClockState.PAUSED, 1, 1_200, remaining=19 * MINUTE)
    bench.watch.pass_by(600)
    bench.director.extend("dana", 60)
    assert bench.keeper.tournament.clock == Clock(ClockState.PAUSED, 1, 1_260, remaining=20 * MINUTE)
    bench.director.resume("dana")
    assert bench.keeper.tournament.clock.deadline == start + (11 + 20) * MINUTE
    bench.director.extend("dana", 120)
    assert bench.keeper.tournament.clock.left(bench.time.now()) == 22 * MINUTE
    bench.director.end_clock("dana")
    assert bench.keeper.tournament.clock == Clock(ClockState.ENDED, 1, 1_380, remaining=0)


def test_more_time_after_the_end_counts_from_now_and_opens_dealing_again(bench: Bench) -> None:
    bench.create(hands=4)
    bench.director.start_clock("dana")
    bench.watch.pass_by(25 * 60)
    bench.director.end_clock("dana")
    assert bench.table(1, 1).state.clock_ended
    bench.director.extend("dana", 300)
    clock = bench.keeper.tournament.clock
    assert (clock.state, clock.left(bench.time.now())) == (ClockState.RUNNING, 5 * MINUTE)
    assert not bench.table(1, 1).state.clock_ended


def test_what_the_clock_cannot_do_now_is_said_in_words(bench: Bench) -> None:
    with pytest.raises(HubError, match="No round is posted yet"):
        bench.director.start_clock("dana")
    bench.create(hands=4)
    for act, said in (
        (bench.director.pause, "nothing to pause"),
        (bench.director.resume, "nothing to resume"),
        (bench.director.end_clock, "nothing to end"),
    ):
        with pytest.raises(HubError, match=said):
            act("dana")
    with pytest.raises(HubError, match="Start it first"):
        bench.director.extend("dana", 60)
    bench.director.start_clock("dana", 30)
    with pytest.raises(HubError, match="was started already"):
        bench.director.start_clock("dana")
    with pytest.raises(HubError, match="a second at least"):
        bench.director.extend("dana", 0)


def test_an_untimed_round_has_no_clock_to_start(bench: Bench) -> None:
    bench.create(template="wsos", hands=None)
    assert bench.keeper.tournament.clock == Clock(ClockState.NONE, 1)
    with pytest.raises(HubError, match="untimed"):
        bench.director.start_clock("dana")


WHOLE = 20 * MINUTE


@pytest.mark.parametrize(
    ("away", "held"), [(0, None), (119, None), (120, None), (121, WHOLE), (-1, WHOLE), (-86_400, WHOLE)]
)
def test_a_restarted_hub_runs_on_only_when_it_knows_how_long_it_was_away(
    bench: Bench, away: int, held: int | None
) -> None:
    bench.create(hands=4)
    bench.director.start_clock("dana")
    deadline = bench.keeper.tournament.clock.deadline
    bench.watch.wall += away
    bench.restart()
    clock = bench.keeper.tournament.clock
    if held is None:
        assert (clock.state, clock.deadline) == (ClockState.RUNNING, deadline)
        return
    assert (clock.state, clock.remaining, clock.deadline) == (ClockState.HELD, held, None)
    bench.director.resume("dana")
    assert bench.keeper.tournament.clock.left(bench.time.now()) == held


def test_the_mark_says_how_long_a_hub_was_away() -> None:
    running = Clock(ClockState.RUNNING, 1, 1_200, deadline=2_000_000)
    assert held_after_restart(running, 1_000_000, 1_060_000) is None
    assert held_after_restart(running, 1_000_000, 1_200_001) == ClockHeld(
        actor="hub", remaining=1_000_000, reason="The hub was away for 3 minutes."
    )
    assert held_after_restart(running, 1_000_000, 999_999) == ClockHeld(
        actor="hub", remaining=1_000_000, reason="The hub's wall clock is behind the time it last noted."
    )
    assert held_after_restart(Clock(ClockState.PAUSED, 1, 5, remaining=9), 1, 10**9) is None


def test_a_jump_of_the_wall_clock_moves_no_deadline() -> None:
    watch = Watch()
    time = HubTime(lambda: watch.mono, lambda: watch.wall)
    before = time.now()
    watch.wall -= 3_600
    watch.mono += 2.5
    assert time.now() - before == 2_500


def test_the_boxes_get_a_state_and_a_deadline() -> None:
    clock = Clock(ClockState.RUNNING, 2, 1_500, deadline=99)
    assert clock_message(clock, (3, 7)) == ClockMessage(
        v=1, rev=(3, 7), state="running", round=2, seconds=1_500, deadline=99
    )
