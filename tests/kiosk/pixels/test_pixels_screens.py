"""Every screen on real pixels, in both panels, in light and in dark: nothing overflows, targets are large enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gallery import SCENES, Scene, keeper_known, signing, time_over, whist
from pixels_panel import PanelUnderTest
from pixels_table import FoldingBox, stretched

from kiosk.theme import Panel, Pattern, Theme, Tone


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


LOOKS = [
    pytest.param(Panel.SEVEN, False, id="7in-light"),
    pytest.param(Panel.SEVEN, True, id="7in-dark"),
    pytest.param(Panel.TEN, False, id="10in-light"),
    pytest.param(Panel.TEN, True, id="10in-dark"),
]


@pytest.mark.pixels
@pytest.mark.parametrize(("size", "dark"), LOOKS)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_screen_fits_its_panel(
    scene: Scene, size: Panel, dark: bool, panel: Callable[..., PanelUnderTest], shots: Path | None
) -> None:
    shown = scene.show(panel, dark=dark, size=size)
    shown.shoot(shots, f"{scene.name}-{'10in' if size is Panel.TEN else '7in'}-{'dark' if dark else 'light'}")
    least = 64 if size is Panel.TEN else 48
    small = [
        (target.tap.key, target.rect.w, target.rect.h)
        for target in shown.root.surface.targets()
        if min(target.rect.w, target.rect.h) < least - 1
    ]
    assert (shown.overflows, small) == ([], [])


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
