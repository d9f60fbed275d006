"""Which screen an official sees over the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kiosk.screens.acts import Open, Over
from kiosk.screens.frame import Screen
from kiosk.screens.look import Look
from kiosk.screens.menu import menu
from kiosk.screens.pin import pin

SCREENS: Final[Mapping[Over, Callable[[Look, Open], Screen]]] = {
    Over.PIN: lambda look, asked: pin(look, asked.about),
    Over.MENU: lambda look, _asked: menu(look),
}
"""What lies over every step, whatever it is; only an official comes here."""
