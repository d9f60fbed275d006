"""What the hub makes of a table where an official called time while it was away."""

from __future__ import annotations

from pathlib import Path

from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk

from tallybox.envelope import KioskEvent
from tallybox.events.rulings import RoundClosed
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Step
from tallybox.table.steps import step


def closed(tmp_path: Path) -> tuple[Bench, FakeKiosk, list[KioskEvent]]:
    """A table that was cut off after its first hand, closed by an official, signed and submitted."""
    bench = Bench(tmp_path)
    kiosk, _ = bench.create(hands=4)
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand(10))
    until = bench.keeper.tournament.clock.deadline
    unsent = [kiosk.say(RoundClosed(official="dana", reason="The hub is away.", deadline=until)), *kiosk.finish()]
    return bench, kiosk, unsent


def test_a_table_closed_without_the_hub_is_submitted_although_the_clock_runs(tmp_path: Path) -> None:
    bench, kiosk, unsent = closed(tmp_path)
    bench.take(*unsent)
    table = bench.table(1, 1)
    assert (bench.keeper.tournament.refusals, step(table.state)) == ((), Step.SUBMITTED)
    assert table.state.submitted == sheet_digest(kiosk.state)
    before = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == before


def test_a_table_closed_after_the_hub_had_ended_the_clock_counts_too(tmp_path: Path) -> None:
    bench, kiosk, unsent = closed(tmp_path)
    bench.director.end_clock("dana")
    bench.take(*unsent)
    assert (bench.keeper.tournament.refusals, step(bench.table(1, 1).state)) == ((), Step.SUBMITTED)
    assert bench.table(1, 1).state.submitted == sheet_digest(kiosk.state)


def test_an_extension_given_meanwhile_leaves_a_submitted_sheet_as_it_is_until_it_goes_back(tmp_path: Path) -> None:
    bench, kiosk, unsent = closed(tmp_path)
    bench.director.extend("dana", 300)
    bench.take(*unsent)
    table = bench.table(1, 1)
    assert (bench.keeper.tournament.refusals, step(table.state)) == ((), Step.SUBMITTED)
    assert sheet_digest(table.state) == sheet_digest(kiosk.state) == table.state.submitted
    bench.director.reopen_sheet("dana", 1, 1, "There is time for another hand.")
    assert step(bench.table(1, 1).state) is Step.NEXT


def test_an_extension_given_before_the_sheet_goes_reopens_dealing(tmp_path: Path) -> None:
    bench, _kiosk, unsent = closed(tmp_path)
    bench.director.extend("dana", 300)
    bench.take(unsent[0])
    assert step(bench.table(1, 1).state) is Step.NEXT
