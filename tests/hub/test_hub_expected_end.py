"""When the tournament should be over: from the plan at first, then from how long the rounds took."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench

from hub.tournament.expected_end import ExpectedEnd, expected_end

MINUTE = 60_000


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def due(bench: Bench) -> ExpectedEnd | None:
    """The expected end, counted from now."""
    now = bench.time.now()
    found = expected_end(bench.keeper.tournament, now)
    return None if found is None else ExpectedEnd(
        found.at - now, found.rounds, found.round_ms, found.break_ms, found.measured, found.open_ended
    )  # fmt: skip


def played(bench: Bench, minutes: int) -> None:
    """Round on, played for so many minutes, ended."""
    bench.director.start_clock("dana")
    bench.watch.pass_by(minutes * 60)
    bench.director.end_clock("dana")
    for table in (1, 2):
        bench.director.award("dana", len(bench.keeper.tournament.rounds), table, kind="forfeit",
                             loser=next(iter(bench.table(1, table).state.teams)), reason="nobody came")  # fmt: skip
    bench.director.end_round("dana")


def test_before_the_first_round_the_plan_tells(bench: Bench) -> None:
    bench.create(hands=None)
    assert due(bench) == ExpectedEnd(20 * MINUTE + 3 * 25 * MINUTE, 3, 20 * MINUTE, 5 * MINUTE, 0, False)


def test_a_running_clock_and_its_extension_move_the_end(bench: Bench) -> None:
    bench.create(hands=None)
    bench.director.start_clock("dana")
    bench.watch.pass_by(5 * 60)
    assert due(bench) == ExpectedEnd(15 * MINUTE + 75 * MINUTE, 3, 20 * MINUTE, 5 * MINUTE, 0, False)
    bench.director.extend("dana", 300)
    assert due(bench) == ExpectedEnd(20 * MINUTE + 75 * MINUTE, 3, 20 * MINUTE, 5 * MINUTE, 0, False)


def test_rounds_that_took_longer_make_the_others_longer(bench: Bench) -> None:
    bench.create(hands=None)
    played(bench, 24)
    bench.watch.pass_by(2 * 60)
    assert due(bench) == ExpectedEnd((5 - 2 + 3 * 24 + 2 * 5) * MINUTE, 3, 24 * MINUTE, 5 * MINUTE, 1, False)
    bench.director.publish_round("dana")
    bench.watch.pass_by(6 * 60)
    bench.director.start_clock("dana")
    assert due(bench) == ExpectedEnd((24 + 2 * 24 + 2 * 8) * MINUTE, 2, 24 * MINUTE, 8 * MINUTE, 1, False)


def test_untimed_rounds_tell_once_one_of_them_is_over(bench: Bench) -> None:
    bench.create("mso", teams=4, hands=1)
    assert due(bench) is None
