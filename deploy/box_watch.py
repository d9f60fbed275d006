"""What a box's watchdog asks: whether its own thread answers, its journal takes and gives back, its screen is drawn.

Not the broker and not the hub: a table plays on without them.
"""

from __future__ import annotations

import threading
from concurrent.futures import TimeoutError as FutureTimeout

from deploy.screen import AskFrame
from deploy.watchdog import Told, Trip, Way
from kiosk.box import Box
from kiosk.errors import KioskError


def journal_trip(box: Box) -> Trip:
    """Through the box's own thread into its journal and back."""

    def go(within: float) -> Told:
        try:
            box.beat().result(within)
        except FutureTimeout:
            return Told(Way.SILENT, "The box's own thread does not answer.")
        except KioskError as reason:
            return Told(Way.REFUSED, reason.message)
        return Told(Way.BACK)

    return go


def screen_trip(ask_frame: AskFrame) -> Trip:
    """Through the window's loop onto the screen."""

    def go(within: float) -> Told:
        shown = threading.Event()
        ask_frame(shown.set)
        return Told(Way.BACK) if shown.wait(within) else Told(Way.SILENT, "The screen is not drawn any more.")

    return go
