"""A call that is too low: only looked at, or said aloud and corrected (A-14, Q-15e)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import FoldingBox, fits, sized, two_hands

from kiosk.theme import Panel
from tallybox.events import table as ev
from tallybox.seats import Seat

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def bidding(*calls: str) -> FoldingBox:
    return two_hands(FoldingBox().sit()).count().call(*calls)


def test_a_greyed_call_that_was_only_looked_at_says_why_and_records_nothing(panel: Open) -> None:
    box = bidding("pass", "4")
    before = list(box.done)
    shown = panel(box)
    shown.tap("call:2:4 special")
    assert shown.says("4 SPECIAL does not beat 4 HIGH.")
    assert shown.says("Was it said? Then West bids 5 SPECIAL: the next number in the same direction. It is no Tech.")
    assert not shown.says("must now bid")
    shown.tap("close")
    assert ("call:2:5" in shown.keys, box.done) == (True, before)


def test_a_call_that_was_said_too_low_is_recorded_with_its_correction(panel: Open) -> None:
    box = bidding("pass", "4")
    shown = panel(box)
    shown.tap("call:2:4 special")
    shown.tap("it-was-said")
    assert shown.says("West's call is corrected")
    shown.tap("correct")
    made = ev.CallMade(hand=3, seat=Seat.W, call="5 special", source="typed", said="4 special")
    assert box.done[-1] == made
    assert shown.says("North to bid")


def test_a_call_without_a_next_number_calls_the_director_and_passes(panel: Open) -> None:
    box = bidding("7", "pass")
    shown = panel(box)
    shown.tap("call:2:7 special")
    assert shown.says("No number is left in that direction: the director decides, else West passes.")
    shown.tap("it-was-said")
    shown.tap("correct")
    assert box.done[-2:] == [
        ev.CallMade(hand=3, seat=Seat.W, call="pass", source="typed", said="7 special"),
        ev.DirectorCalled(reason="West said 7 SPECIAL"),
    ]


def test_the_reason_closes_by_itself_when_a_card_makes_the_call(panel: Open) -> None:
    box = bidding("pass", "4")
    shown = panel(box)
    shown.tap("call:2:4 special")
    box.call("5")
    shown.frames(3)
    assert shown.says("North to bid")


@pytest.mark.parametrize(("size", "dark"), sized())
def test_improper_calls_fit_their_panel(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    shown = panel(bidding("pass", "4"), size=size, dark=dark)
    shown.wait(7000)
    shown.tap("call:2:4 special")
    fits(shown, shots, "k04c-improper")
    shown.tap("it-was-said")
    fits(shown, shots, "k04d-corrected")
