"""World Series rules: one scorekeeper of each side enters apart; the counts are compared (C-13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from gallery import seated
from pixels_panel import PanelUnderTest
from pixels_table import WSOS, FoldingBox, fits, five_spades_hands, sized

from kiosk.theme import Panel
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.state import Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]

FIRST = {Seat.N: 3, Seat.E: 4, Seat.S: 5, Seat.W: 1}
SECOND = {Seat.N: 3, Seat.E: 5, Seat.S: 4, Seat.W: 1}


def over() -> FoldingBox:
    """Hand 6, played out."""
    return five_spades_hands(FoldingBox(WSOS, round_number=3).sit()).count().call("4", "nil", "3", "5").play()


def enter(shown: PanelUnderTest, side: str, tricks: dict[Seat, int]) -> None:
    for seat, taken in tricks.items():
        for _trick in range(taken):
            shown.tap(f"plus:{seat}")
    shown.tap(f"forward:{side}")


def test_a_player_of_each_side_is_chosen_and_can_be_chosen_again(panel: Open) -> None:
    box = seated(FoldingBox(WSOS, round_number=3))
    box.state(assignment=replace(box.view.state.playing, minutes=25))
    shown = panel(box)
    assert shown.says("Tap one player of each side")
    shown.tap("scorekeeper:W")
    assert shown.says("West counts for East–West. Now tap a player of North–South.")
    shown.tap("scorekeeper:E")
    assert shown.says("East counts for East–West. Now tap a player of North–South.")
    shown.tap("scorekeeper:N")
    assert box.view.state.scorekeepers == {Seat.E, Seat.N}
    assert shown.root.look.bottom is Seat.E
    assert shown.says("North and East keep the score. Please do not deal yet.")


def test_a_side_of_which_nobody_was_chosen_counts_itself(panel: Open) -> None:
    box = over()
    box.state(other_scorekeeper=None)
    shown = panel(box)
    shown.tap("forward")
    enter(shown, "NS", FIRST)
    assert shown.says("East–West count the tricks")


def test_equal_counts_go_straight_to_the_check(panel: Open) -> None:
    box = over()
    shown = panel(box)
    shown.tap("forward")
    enter(shown, "NS", FIRST)
    assert box.done[-1] == ev.ResultEntered(hand=6, tricks=FIRST, scorer=Side.NS)
    enter(shown, "EW", FIRST)
    assert box.view.step is Step.CHECK


def test_the_second_scorekeeper_does_not_see_the_first_count(panel: Open) -> None:
    box = over()
    shown = panel(box)
    shown.tap("forward")
    enter(shown, "NS", FIRST)
    assert shown.says("East counts for East–West")
    assert shown.says("North–South have entered. East–West count for themselves.")
    assert dict(shown.root.look.entries.tricks) == {}
    assert shown.says("0 of 13")


def test_either_side_may_enter_first(panel: Open) -> None:
    box = over()
    shown = panel(box)
    shown.tap("forward")
    shown.tap("first:EW")
    enter(shown, "EW", FIRST)
    assert shown.says("North counts for North–South")


def test_differing_counts_stand_side_by_side_and_one_change_settles_them(panel: Open) -> None:
    box = over()
    shown = panel(box)
    shown.tap("forward")
    enter(shown, "NS", FIRST)
    enter(shown, "EW", SECOND)
    assert [box.view.step] == [Step.COMPARE]
    assert shown.says("The counts differ for South and East.")
    assert [word for word in shown.words if word in {"the same", "differ"}] == [
        "the same",
        "differ",
        "differ",
        "the same",
    ]
    shown.tap("change:EW")
    shown.tap("minus:E")
    shown.tap("plus:S")
    shown.tap("forward:EW")
    assert box.view.step is Step.CHECK


def test_a_second_difference_calls_the_director_and_keeps_both_counts(panel: Open) -> None:
    box = over()
    shown = panel(box)
    shown.tap("forward")
    enter(shown, "NS", FIRST)
    enter(shown, "EW", SECOND)
    shown.tap("change:EW")
    shown.tap("minus:N")
    shown.tap("plus:S")
    shown.tap("forward:EW")
    assert box.view.state.calling is not None
    assert box.view.state.calling.reason == "The two scorekeepers differ a second time"
    assert shown.says("The counts differ a second time. The director decides; both counts are kept.")
    before = list(box.done)
    shown.tap("change:NS")
    assert shown.says("Each count was changed or kept once already. The director decides now.")
    hand = box.view.state.hand
    assert hand is not None
    assert ({side: dict(entry.tricks or {}) for side, entry in hand.entries.items()}, box.done) == (
        {Side.NS: FIRST, Side.EW: {Seat.N: 2, Seat.E: 5, Seat.S: 5, Seat.W: 1}}, before,
    )  # fmt: skip


def test_a_change_can_be_left_again(panel: Open) -> None:
    box = over()
    shown = panel(box)
    shown.tap("forward")
    enter(shown, "NS", FIRST)
    enter(shown, "EW", SECOND)
    shown.tap("change:NS")
    shown.tap("plus:N")
    shown.tap("back")
    assert shown.says("The two scorekeepers differ")
    shown.tap("change:NS")
    assert dict(shown.root.look.entries.tricks) == FIRST


@pytest.mark.parametrize(("size", "dark"), sized())
def test_screens_of_two_scorers_fit(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    shown = panel(over(), size=size, dark=dark)
    shown.wait(7000)
    shown.tap("forward")
    fits(shown, shots, "k10-first-scorer")
    enter(shown, "NS", FIRST)
    fits(shown, shots, "k10-second-scorer")
    enter(shown, "EW", SECOND)
    fits(shown, shots, "k10b-compare")
    shown.tap("change:EW")
    fits(shown, shots, "k10b-change")
    shown.tap("minus:N")
    shown.tap("plus:S")
    shown.tap("forward:EW")
    fits(shown, shots, "k10b-again")
