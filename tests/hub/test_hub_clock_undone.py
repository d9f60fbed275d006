"""What was done to the clock is undone by a new act: extensions, an end too soon, a start by accident."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk

from hub.clock import Clock, ClockState
from hub.errors import HubError
from hub.tournament.clock_log import Turn
from hub.tournament.state import Stage
from tallybox.seats import Side
from tallybox.table.state import Step
from tallybox.table.steps import step

NOW = 1_790_000_000_000


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def started(bench: Bench) -> FakeKiosk:
    """Round one, 20 minutes on the clock, table 1 seated."""
    kiosk, _other = bench.create(hands=None)
    bench.seat(kiosk)
    bench.director.start_clock("dana")
    kiosk.clock()
    bench.take(*kiosk.sit())
    return kiosk


def clock(bench: Bench) -> Clock:
    return bench.keeper.tournament.clock


def last(bench: Bench) -> str:
    return bench.keeper.tournament.turns[-1].id


def test_an_extension_is_taken_back_once_running_or_standing(bench: Bench) -> None:
    started(bench)
    bench.director.extend("dana", 300)
    extension = last(bench)
    bench.watch.pass_by(60)
    bench.director.take_back_extension("dana", extension)
    assert clock(bench) == Clock(ClockState.RUNNING, 1, 1200, NOW + 1_200_000)
    with pytest.raises(HubError, match="taken back already"):
        bench.director.take_back_extension("dana", extension)
    bench.director.pause("dana")
    bench.director.extend("dana", 120)
    bench.director.take_back_extension("dana", last(bench))
    assert clock(bench) == Clock(ClockState.PAUSED, 1, 1200, remaining=1_140_000)
    turns = [(turn.what, turn.by, turn.seconds, turn.left) for turn in bench.keeper.tournament.turns]
    assert turns == [
        (Turn.STARTED, "dana", 1200, 1_200_000), (Turn.EXTENDED, "dana", 300, 1_200_000),
        (Turn.SHORTENED, "dana", 300, 1_440_000), (Turn.PAUSED, "dana", 0, 1_140_000),
        (Turn.EXTENDED, "dana", 120, 1_140_000), (Turn.SHORTENED, "dana", 120, 1_260_000),
    ]  # fmt: skip


def test_an_extension_that_is_used_up_leaves_no_time_and_does_not_end_the_round(bench: Bench) -> None:
    started(bench)
    bench.watch.pass_by(1_199)
    bench.director.extend("dana", 300)
    extension = last(bench)
    bench.watch.pass_by(60)
    bench.director.take_back_extension("dana", extension)
    assert (clock(bench).state, clock(bench).left(bench.time.now())) == (ClockState.RUNNING, 0)
    assert bench.keeper.tournament.rounds[0].clock_ended is False


def test_what_is_no_extension_of_this_round_is_not_taken_back(bench: Bench) -> None:
    started(bench)
    for name in (last(bench), "0" * 64):
        with pytest.raises(HubError, match="not of this round's clock"):
            bench.director.take_back_extension("dana", name)


def test_a_clock_that_was_ended_too_soon_goes_on_with_what_was_left(bench: Bench) -> None:
    kiosk = started(bench)
    bench.watch.pass_by(600)
    bench.director.end_clock("dana")
    assert bench.table(1, 1).state.clock_ended is True
    bench.watch.pass_by(30)
    bench.director.reopen_clock("dana")
    assert clock(bench) == Clock(ClockState.RUNNING, 1, 1200, NOW + 1_230_000)
    assert bench.table(1, 1).state.clock_ended is False
    kiosk.clock()
    bench.take(*kiosk.play_hand())
    assert bench.keeper.tournament.refusals == ()
    with pytest.raises(HubError, match="nothing to reopen"):
        bench.director.reopen_clock("dana")


def test_a_clock_that_ran_out_is_extended_not_reopened(bench: Bench) -> None:
    started(bench)
    bench.watch.pass_by(1_300)
    bench.director.end_clock("dana")
    with pytest.raises(HubError, match="Extend it"):
        bench.director.reopen_clock("dana")


def test_a_start_by_accident_is_taken_back_while_nothing_is_dealt(bench: Bench) -> None:
    kiosk = started(bench)
    bench.director.mark_late("dana", 1, 2, Side.NS)
    bench.director.withdraw_start("dana")
    posted = bench.keeper.tournament.rounds[0]
    assert (posted.stage, posted.clock_started, posted.clock_ended) == (Stage.PUBLISHED, False, False)
    assert clock(bench) == Clock(ClockState.WAITING, 1, 1200, remaining=1_200_000)
    assert (bench.table(1, 2).late, step(bench.table(1, 1).state)) == (frozenset(), Step.CLOCK)
    assert bench.table(1, 1).state.seats_confirmed == frozenset(Side)
    bench.director.start_clock("dana")
    bench.take(*kiosk.play_hand())
    assert (bench.keeper.tournament.refusals, bench.keeper.tournament.rounds[0].stage) == ((), Stage.STARTED)
    before = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == before


def test_a_start_stays_once_a_hand_has_begun(bench: Bench) -> None:
    kiosk = started(bench)
    bench.take(*kiosk.play_hand()[:2])
    with pytest.raises(HubError, match=r"A hand has begun at table 1\. Pause the clock"):
        bench.director.withdraw_start("dana")
