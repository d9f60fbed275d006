"""A frame that another thread asks for comes back once the window has drawn it; a window that hangs stays silent."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from pixels_table import FoldingBox

from deploy.box_watch import screen_trip
from deploy.watchdog import Told, Way

if TYPE_CHECKING:
    from pixels_panel import PanelUnderTest

pytestmark = pytest.mark.pixels


def test_a_frame_is_drawn_for_whoever_asks_and_a_screen_that_hangs_is_silent(
    panel: Callable[..., PanelUnderTest],
) -> None:
    from kiosk.window_loop import next_frame  # noqa: PLC0415 (Kivy opens its window while it is imported)

    shown = panel(FoldingBox())
    trip = screen_trip(next_frame)
    with ThreadPoolExecutor(1) as elsewhere:
        hanging = elsewhere.submit(trip, 0.1)
        assert hanging.result(30) == Told(Way.SILENT, "The screen is not drawn any more.")
        asked = elsewhere.submit(trip, 30)
        while not asked.done():
            shown.frames(1)
        assert asked.result() == Told(Way.BACK)
    shown.frames(5)
