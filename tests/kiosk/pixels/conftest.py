"""Real pixels without a display: one window for the process, a fresh table for each test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kiosk.text import use
from kiosk.window import prepare

if TYPE_CHECKING:
    from pixels_panel import PanelUnderTest


os.environ.setdefault("KIVY_WINDOW", "sdl2")
os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
prepare(1280, 800, fullscreen=False)

from kivy.config import Config  # noqa: E402 (only after the settings above)

Config.set("graphics", "maxfps", "1000")


@pytest.fixture
def panel() -> Iterator[Callable[..., PanelUnderTest]]:
    """Opens a table's screen on the one window; closed, with its timers, when the test ends."""
    from pixels_panel import windows  # noqa: PLC0415 (Kivy opens its window while it is imported)

    with windows(unseen=True) as open_panel:
        yield open_panel
    use("en")


@pytest.fixture(scope="session")
def shots() -> Path | None:
    """Where pictures of all screens are kept, when someone wants to look at them."""
    folder = os.environ.get("TALLYBOX_SHOTS")
    if not folder:
        return None
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    return path
