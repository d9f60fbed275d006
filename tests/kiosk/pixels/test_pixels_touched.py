"""A control under a finger looks touched, itself alone, and as before once the finger is lifted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gallery import SCENES
from PIL import Image, ImageChops
from pixels_panel import PanelUnderTest

from kiosk.theme import Panel

pytestmark = pytest.mark.pixels

Opens = Callable[..., PanelUnderTest]
SCENE = {scene.name: scene for scene in SCENES}


def changed(before: Image.Image, after: Image.Image) -> tuple[int, int, int, int] | None:
    """The smallest box that holds every pixel which differs."""
    return ImageChops.difference(before, after).getbbox()


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
@pytest.mark.parametrize(
    ("scene", "key"), [("k04a-auction-whist", "call:2:5"), ("k02b-seats", "place:N"), ("k11-check", "agree:EW")]
)
def test_only_the_touched_control_changes_until_the_finger_is_lifted(
    scene: str, key: str, size: Panel, panel: Opens
) -> None:
    shown = SCENE[scene].show(panel, size=size)
    place = shown.place(key)
    before = shown.picture()
    finger = shown.finger(*place.middle)
    finger.touch_down()
    under = changed(before, shown.picture())
    assert under is not None
    assert (under[0] >= place.x - 1, under[2] <= place.x + place.w + 1) == (True, True)
    assert (under[1] >= place.y - 1, under[3] <= place.y + place.h + 1) == (True, True)
    assert (under[2] - under[0]) * (under[3] - under[1]) > place.w * place.h * 0.8
    finger.touch_move(2, shown.height - 2)
    finger.touch_up()
    assert changed(before, shown.picture()) is None


def test_a_second_that_passes_leaves_the_control_touched(panel: Opens) -> None:
    shown = SCENE["k04a-auction-whist"].show(panel)
    finger = shown.finger(*shown.place("call:2:5").middle)
    finger.touch_down()
    touched = shown.picture()
    shown.wait(1000)
    clock = shown.root.surface._shown["clock"].region.rect
    box = changed(touched, shown.picture())
    assert box is not None
    assert (box[0] >= clock.x, box[2] <= clock.x + clock.w) == (True, True)
    finger.touch_up()
