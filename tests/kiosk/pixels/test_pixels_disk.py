"""What a table's screen shows while its disk keeps nothing: a sentence that stays, and everything that was there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from failing_disk import SmallDisk
from pixels_box import RealBox
from pixels_panel import PanelUnderTest
from pixels_table import WHIST, FoldingBox, fits, two_hands
from test_pixels_hands import sit_down

from kiosk.disk import KEPT_NOW, Disk, DiskView, words_for
from kiosk.text import use
from kiosk.theme import Panel

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[SmallDisk]:
    made = SmallDisk(tmp_path / "small", 2048)
    yield made
    made.unmount()


def test_a_tap_that_is_not_kept_is_said_where_people_look_and_goes_in_by_itself(panel: Open, small: SmallDisk) -> None:
    real = RealBox(small.folder, WHIST, hands=2)
    try:
        shown = panel(real.box)
        sit_down(shown, real, "N")
        shown.tap("draw:E")
        shown.tap("forward")
        shown.until(lambda: "call:0:4" in shown.keys)
        before = real.types
        small.fill()
        shown.tap("call:0:4")
        shown.until(lambda: shown.says("nothing new is kept"))
        assert shown.says("1 tap waits here and goes in by itself; leave this box on.")
        assert "Not kept" in shown.words
        shown.wait(60_000)
        assert shown.says("nothing new is kept")
        shown.tap("spine:status")
        assert shown.says("This box keeps nothing new.")
        shown.tap("close")
        assert "call:0:4" in shown.keys
        assert real.types == before
        small.make_room()
        shown.until(lambda: real.types == [*before, "call.made"])
        shown.until(lambda: shown.says(KEPT_NOW))
        assert "Not kept" not in shown.words
    finally:
        real.stop()


@pytest.mark.parametrize(
    ("size", "dark", "language"),
    [
        (Panel.SEVEN, False, "en"),
        (Panel.SEVEN, False, "es"),
        (Panel.TEN, True, "en"),
        (Panel.TEN, False, "es"),
    ],
)
def test_every_word_about_the_disk_fits(
    size: Panel, dark: bool, language: str, panel: Open, shots: Path | None
) -> None:
    box = two_hands(FoldingBox().sit()).show(language=language)
    shown = panel(box, size=size, dark=dark)
    shown.wait(7_000)
    for state in (Disk.FULL, Disk.READ_ONLY, Disk.FAILING, Disk.LOW):
        box.show(disk=DiskView(state, words_for(state), 0 if state is Disk.LOW else 2))
        shown.frames()
        fits(shown, shots, f"k18-disk-{state}-{language}")
        shown.tap("spine:status")
        fits(shown, shots, f"k18-disk-{state}-status-{language}")
        shown.tap("close")
    use("en")
