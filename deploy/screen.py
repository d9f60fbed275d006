"""A table's window for the person at it; the only way from the wiring to Kivy, taken only when a screen is wanted."""

from __future__ import annotations

import os
import sys
from typing import Final

from deploy.errors import DemoError
from kiosk.box import Box

SIZES: Final = ("800x480", "1280x800")


def must_have_display() -> None:
    """Raise ``DemoError`` when there is nothing to open a window on."""
    if sys.platform == "linux" and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    ):
        raise DemoError("no-display", "There is no display for a window. Leave --screen out, or start it on a desktop.")


def show(box: Box, size: str, *, dark: bool = False, fullscreen: bool = False) -> None:
    """Show the table until its window is closed; ``size`` is one of ``SIZES``. Raises ``DemoError``."""
    must_have_display()
    width, height = (int(side) for side in size.split("x"))
    from kiosk.window import prepare  # noqa: PLC0415 - Kivy reads its settings while it is imported

    prepare(width, height, fullscreen=fullscreen)
    from kiosk.app import run_app  # noqa: PLC0415 - as above; robots and hubs never load Kivy

    run_app(box, size=(width, height), dark=dark)
