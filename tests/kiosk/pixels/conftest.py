"""Real pixels without a display: one window for the process, a fresh table for each test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ.setdefault("KIVY_WINDOW", "sdl2")
os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")

from kiosk.window import prepare

prepare(1280, 800, fullscreen=False)

from pixels_panel import PanelUnderTest
from pixels_table import FoldingBox

from kiosk.theme import Panel, Theme


@pytest.fixture
def panel() -> Iterator[Callable[..., PanelUnderTest]]:
    """Opens a table's screen on the one window; closed, with its timers, when the test ends."""
    opened: list[PanelUnderTest] = []

    def open_panel(box: FoldingBox, *, dark: bool = False, size: Panel = Panel.SEVEN) -> PanelUnderTest:
        made = PanelUnderTest(box, Theme(size, dark))
        opened.append(made)
        return made

    yield open_panel
    for made in opened:
        made.close()


@pytest.fixture(scope="session")
def shots() -> Path | None:
    """Where pictures of all screens are kept, when someone wants to look at them."""
    folder = os.environ.get("TALLYBOX_SHOTS")
    if not folder:
        return None
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    return path
