"""An untimed game shows how long it has lasted, and nothing once the box does not know it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import MSO, FoldingBox, fits, sized

from kiosk.theme import Panel

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def test_the_time_of_the_game_is_counted_upwards(panel: Open) -> None:
    shown = panel(FoldingBox(MSO).sit().show(began=0))
    shown.wait(61_000)
    assert {"01:01", "elapsed"} <= set(shown.words)
    shown.wait(3_600_000)
    assert "1:01:01" in shown.words


def test_a_box_that_does_not_know_since_when_says_no_clock(panel: Open) -> None:
    shown = panel(FoldingBox(MSO).sit())
    assert ("no clock" in shown.words, "elapsed" in shown.words) == (True, False)


@pytest.mark.parametrize(("size", "dark"), sized())
def test_the_time_of_the_game_fits(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    shown = panel(FoldingBox(MSO).sit().show(began=0), size=size, dark=dark)
    shown.wait(4_000_000)
    fits(shown, shots, "k03f-elapsed")
