"""The round in short, by a tap on it: what holds here, and who keeps the score, which may be chosen once more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gallery import keeper_known, signing, whist
from pixels_panel import PanelUnderTest
from pixels_table import MSO, WSOS, FoldingBox, fits, sized

from kiosk.theme import Panel
from tallybox.events import table as ev
from tallybox.seats import Seat, Side

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def test_a_tap_on_the_round_says_what_holds(panel: Open) -> None:
    shown = panel(whist())
    shown.tap("spine:round")
    assert {"25 minutes · 13:04 left", "5 hands · 2 done", "South (S. Seven)"} <= set(shown.words)
    assert shown.says("Capitol City")
    shown.tap("close")
    assert shown.says("Count your cards")


def test_more_time_for_this_table_alone_is_named(panel: Open) -> None:
    shown = panel(whist().show(extra=300))
    shown.tap("spine:round")
    assert shown.says("25 minutes · 13:04 · 5 minutes more at this table")


def test_a_scorekeeper_tapped_by_mistake_is_changed_before_and_in_play(panel: Open) -> None:
    box = keeper_known()
    shown = panel(box)
    shown.tap("spine:round")
    shown.tap("keeper")
    shown.tap("close")
    assert box.view.state.scorekeeper is Seat.S
    shown.tap("spine:round")
    shown.tap("keeper")
    shown.tap("scorekeeper:W")
    assert shown.says("West keeps the score. Please do not deal yet.")


def test_each_side_s_scorekeeper_is_changed_alone(panel: Open) -> None:
    box = FoldingBox(WSOS).sit()
    shown = panel(box)
    shown.tap("spine:round")
    assert shown.says("North (N. Seven) · East (E. Six)")
    shown.tap("keeper")
    shown.tap("scorekeeper:W")
    assert box.done[-1] == ev.ScorekeeperChosen(seat=Seat.W)
    assert box.view.state.scorekeepers == {Seat.N, Seat.W}
    assert shown.says("Count your cards")


def test_a_sheet_at_the_hub_keeps_its_scorekeeper(panel: Open) -> None:
    shown = panel(signing().sign(Side.NS).sign(Side.EW).submit())
    shown.tap("spine:round")
    assert "keeper" not in shown.keys


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("size", "dark"), sized())
def test_the_round_in_short_fits(size: Panel, dark: bool, language: str, panel: Open, shots: Path | None) -> None:
    shown = panel(FoldingBox(MSO).sit().show(language=language), size=size, dark=dark)
    shown.tap("spine:round")
    fits(shown, shots, f"k21-about-{language}")
    shown.tap("keeper")
    fits(shown, shots, f"k21b-keeper-{language}")
