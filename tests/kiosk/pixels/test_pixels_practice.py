"""A practice hand by fingers alone: begun from the idle screen or the desk, recorded nowhere, left by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from pixels_box import RealBox
from pixels_panel import PanelUnderTest
from pixels_table import WHIST, FoldingBox, whole_round

from kiosk.theme import Panel
from kiosk.view import ClockView
from tallybox.events.table import DirectorCalled
from tallybox.table.state import Step, TableState

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


@pytest.fixture
def real(tmp_path: Path) -> Iterator[RealBox]:
    box = RealBox(tmp_path, WHIST, hands=2)
    yield box
    box.stop()


def play_alone(shown: PanelUnderTest) -> None:
    """One person plays for all four, from the seats to the check."""
    for key in ("seats:NS", "seats:EW", "scorekeeper:S", "draw:E", "forward"):
        shown.tap(key)
    for number, call in enumerate(("pass", "4", "5 no", "pass")):
        shown.tap(f"call:{number}:{call}")
    for key in ("lock", "direction:up", "forward", "forward", "book:11", "forward", "agree:NS", "agree:EW"):
        shown.tap(key)


def test_whole_practice_hand_leaves_nothing_in_the_journal(panel: Open, real: RealBox, shots: Path | None) -> None:
    shown = panel(real.box)
    shown.until(lambda: "practice" in shown.keys)
    shown.tap("practice")
    assert shown.says("practice · ")
    play_alone(shown)
    shown.until(lambda: shown.says("That was a whole hand"))
    shown.shoot(shots, "k01-practice-over-7in-light")
    assert shown.overflows == []
    assert real.types == []
    shown.tap("practice:leave")
    assert shown.says("This box belongs to")
    assert real.box.view.step is Step.IDLE


def test_practice_can_be_left_from_every_screen(panel: Open) -> None:
    box = FoldingBox()
    shown = panel(box)
    shown.tap("practice")
    for key in ("seats:NS", "seats:EW", "scorekeeper:S"):
        assert "practice:end" in shown.keys
        shown.tap(key)
    shown.tap("practice:end")
    assert "practice:end" not in shown.keys
    assert box.done == []


def test_another_practice_hand_begins_with_the_seats(panel: Open) -> None:
    shown = panel(FoldingBox())
    shown.tap("practice")
    play_alone(shown)
    shown.tap("practice:again")
    assert shown.says("practice · ")
    assert "seats:NS" in shown.keys


def test_box_without_a_table_can_practise_too(panel: Open) -> None:
    shown = panel(FoldingBox().show(state=TableState(), clock=ClockView()))
    shown.tap("practice")
    play_alone(shown)
    assert shown.says("That was a whole hand")


def test_refused_act_is_answered_in_practice_as_in_play(panel: Open) -> None:
    shown = panel(FoldingBox())
    shown.tap("practice")
    for key in ("seats:NS", "seats:EW", "scorekeeper:S", "draw:E", "forward", "call:0:5", "call:1:4"):
        shown.tap(key)
    assert shown.says("practice · ") or shown.says("4 HIGH does not beat")


def test_desk_invites_every_idle_table(panel: Open, real: RealBox) -> None:
    shown = panel(real.box)
    shown.until(lambda: "practice" in shown.keys)
    desired = real.box.view.desired
    assert desired is not None
    real.box.take(msgspec.structs.replace(desired, rev=(1, 5), practice=1))
    shown.until(lambda: shown.says("The desk invites every table to a practice hand. It counts nowhere."))
    assert "seats:NS" in shown.keys
    assert real.types == []


def test_desk_invites_no_table_that_plays(panel: Open) -> None:
    box = FoldingBox().sit()
    shown = panel(box)
    box.show(practice=1)
    shown.wait(7000)
    assert not shown.says("practice")


def test_practice_ends_by_itself_when_the_clock_starts(panel: Open) -> None:
    box = FoldingBox()
    shown = panel(box)
    shown.tap("practice")
    box.state(clock_started=True)
    shown.until(lambda: shown.says("The practice hand is over: this table is wanted now."))
    assert "seats:NS" not in shown.keys


def test_practice_ends_by_itself_when_another_table_is_assigned(panel: Open) -> None:
    box = whole_round(FoldingBox().sit())
    playing = box.view.state
    fresh = FoldingBox()
    shown = panel(fresh)
    shown.tap("practice")
    fresh.show(state=playing)
    shown.until(lambda: shown.says("The practice hand is over"))


def test_director_is_really_called_during_practice(panel: Open) -> None:
    box = FoldingBox().sit()
    box.state(tenure=None, hand=None, claimed=False, seats_confirmed=frozenset(), scorekeeper=None, clock_started=False)
    box.state(tenure=1)
    shown = panel(box)
    assert box.view.step is Step.SEATS
    before = len(box.done)
    shown.root._practise(True)
    shown.root.render()
    shown.tap("spine:director")
    shown.tap("director:yes")
    assert box.done[before:] == [DirectorCalled()]


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
def test_practice_fits_its_panel(panel: Open, size: Panel, shots: Path | None) -> None:
    shown = panel(FoldingBox(), size=size, dark=True)
    shown.tap("practice")
    look = "10in" if size is Panel.TEN else "7in"
    for index, key in enumerate(("seats:NS", "seats:EW", "scorekeeper:S", "draw:E", "forward")):
        shown.shoot(shots, f"k01-practice-{index}-{look}-dark")
        assert shown.overflows == []
        shown.tap(key)
