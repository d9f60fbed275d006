"""Which screen an official sees over the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kiosk.screens.acts import Open, Over
from kiosk.screens.adjust import adjust
from kiosk.screens.call_time import call_time
from kiosk.screens.correct import correct
from kiosk.screens.frame import Screen
from kiosk.screens.look import Look
from kiosk.screens.menu import menu
from kiosk.screens.pin import pin
from kiosk.screens.request import request
from kiosk.screens.swap import swap
from kiosk.screens.trial import trial
from kiosk.screens.void import void
from kiosk.screens.waive import waive

_BEHIND_MENU: Final[Mapping[Over, Callable[[Look], Screen]]] = {
    Over.MENU: menu,
    Over.CORRECT: correct,
    Over.VOID: void,
    Over.ADJUST: adjust,
    Over.SWAP: swap,
    Over.WAIVE: waive,
    Over.CALL_TIME: call_time,
    Over.TEST: trial,
}


def official_screen(look: Look, asked: Open) -> Screen | None:
    """What an official sees; ``None`` when it is not for officials, or none is let in."""
    if asked.over is Over.PIN:
        return pin(look, asked.about)
    if look.official is None:
        return None
    if asked.over is Over.REQUEST:
        return request(look, asked.about)
    shown = _BEHIND_MENU.get(asked.over)
    return None if shown is None else shown(look)
