"""Every screen on real pixels: it holds the longest names, has its round's paper, and is laid out alike in the dark.

Whether it fits both panels in both languages is in ``test_pixels_spanish``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gallery import SCENES, Scene, keeper_known, signing, time_over, whist
from goldens import IN_THE_DARK
from pixels_panel import PanelUnderTest
from pixels_table import FoldingBox, stretched

from kiosk.theme import Panel, Theme, Tone
from tallybox.papers import Pattern


@pytest.mark.pixels
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_screen_holds_long_names_and_large_numbers(
    scene: Scene, panel: Callable[..., PanelUnderTest], shots: Path | None
) -> None:
    box = scene.box()
    if box.view.state.assignment is None or box.view.state.signatures:
        return
    shown = panel(stretched(box))
    shown.wait(7000)
    for key in scene.taps:
        shown.tap(key)
    shown.shoot(shots, f"{scene.name}-long")
    assert shown.overflows == []


@pytest.mark.pixels
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("number", range(1, 10))
def test_every_round_has_its_own_paper(
    number: int, dark: bool, panel: Callable[..., PanelUnderTest], shots: Path | None
) -> None:
    """The edge of the sheet shows both its colours, and the figure, the word and the strokes say the number."""
    shown = panel(FoldingBox(round_number=number), dark=dark)
    theme = Theme(dark=dark, round_number=number)
    shown.shoot(shots, f"k19-round-{number}-7in-{'dark' if dark else 'light'}")
    edge = shown.picture().crop((0, 0, 14, 480))
    colors = {color for _count, color in edge.getcolors(14 * 480) or ()}
    band, paper = (tuple(round(part * 255) for part in theme.color(tone)) for tone in (Tone.BAND, Tone.PAPER))
    assert band in colors
    assert (paper in colors) is (theme.sheet.pattern is not Pattern.PLAIN)
    word = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")[number - 1]
    assert {f"{word} · {theme.sheet.name}"} <= set(shown.words) or {f"Round {word}", theme.sheet.name} <= set(
        shown.words
    )
    assert shown.overflows == []


@pytest.mark.pixels
@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
@pytest.mark.parametrize("name", IN_THE_DARK)
def test_the_dark_changes_colours_alone(
    name: str, size: Panel, panel: Callable[..., PanelUnderTest], shots: Path | None
) -> None:
    scene = next(scene for scene in SCENES if scene.name == name)
    light, dark = (scene.show(panel, dark=dark, size=size) for dark in (False, True))
    dark.shoot(shots, f"{scene.name}-{'10in' if size is Panel.TEN else '7in'}-dark")
    places = [[(item.rect, item.seen) for item in shown.root.surface.placed()] for shown in (light, dark)]
    assert places[0] == places[1]
    assert light.picture().tobytes() != dark.picture().tobytes()


@pytest.mark.pixels
def test_a_round_that_time_ended_says_so_over_its_sheet(panel: Callable[..., PanelUnderTest]) -> None:
    boxes = (signing(), time_over(whist()), time_over(keeper_known().state(clock_started=True)))
    words = ("The round is complete", "Time is up after 2 hands", "Time is up. No hand was played")
    titles = []
    for box in boxes:
        shown = panel(box)
        shown.wait(7000)
        titles.append(next((text for text in words if shown.says(text)), ""))
    assert tuple(titles) == words
