"""A table's window for the person at it; the only way from the wiring to Kivy, taken only when a screen is wanted."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from deploy.errors import DemoError

if TYPE_CHECKING:
    from kiosk.box import Box
    from kiosk.box_shown import Arrival
    from kiosk.first_boot import Survey
    from kiosk.no_box import NoBox

AskFrame = Callable[[Callable[[], None]], None]
"""Has a frame drawn, and calls back once it is shown."""

SIZES: Final = ("800x480", "1280x800")


def must_have_display() -> None:
    """Raise ``DemoError`` when there is nothing to open a window on."""
    if sys.platform == "linux" and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    ):
        raise DemoError("no-display", "There is no display for a window. Leave --screen out, or start it on a desktop.")


def starting(size: str, *, dark: bool = False, fullscreen: bool = False) -> Callable[[], None]:
    """Open the window and say in it that the box is starting; call the answer when the table is shown."""
    _prepare(size, fullscreen=fullscreen)
    from kiosk.screens.starting import Starting  # noqa: PLC0415 - Kivy opens its window while it is imported

    return Starting(dark=dark).end


def show(
    box: Box | NoBox,
    size: str,
    *,
    dark: bool = False,
    fullscreen: bool = False,
    still: bool = False,
    begun: Callable[[], None] | None = None,
    told: threading.Event | None = None,
    seen: Callable[[AskFrame], None] | None = None,
    survey: Survey | None = None,
    becomes: Arrival | None = None,
) -> None:
    """Show the table until its window is closed; ``size`` is one of ``SIZES``, ``begun`` what ``starting`` answered;
    ``still``: nothing moves on it.

    ``told``: closes the window once it is set. ``seen`` is called, in the window's thread, when the first frame is on
    the screen; what it gets has a frame drawn whenever asked. ``survey``: what a box without a table knows of itself;
    ``becomes`` tells of the box that takes the place of ``box``. Raises ``DemoError``.
    """
    must_have_display()
    width, height = _prepare(size, fullscreen=fullscreen)
    from kiosk import window_loop  # noqa: PLC0415 - as above; robots and hubs never load Kivy
    from kiosk.app import run_app  # noqa: PLC0415
    from kiosk.first_boot import FirstBoot  # noqa: PLC0415

    if seen is not None:
        window_loop.next_frame(lambda: seen(window_loop.next_frame))
    if told is not None:
        threading.Thread(target=_end_when, args=(told, window_loop.end), name="told", daemon=True).start()
    if begun is not None:
        begun()
    run_app(box, size=(width, height), dark=dark, survey=survey or FirstBoot, becomes=becomes, motion=not still)


def _end_when(told: threading.Event, end: Callable[[], None]) -> None:
    told.wait()
    end()


def _prepare(size: str, *, fullscreen: bool) -> tuple[int, int]:
    width, height = (int(side) for side in size.split("x"))
    from kiosk.window import prepare  # noqa: PLC0415 - Kivy reads its settings while it is imported

    prepare(width, height, fullscreen=fullscreen)
    return width, height
