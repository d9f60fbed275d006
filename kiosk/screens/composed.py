"""The panel of a look, composed anew only when more than the clock's figures changed."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.choose import choose
from kiosk.screens.frame import CLOCK, regions
from kiosk.screens.look import Look
from kiosk.screens.seen import spine_of
from kiosk.screens.spine import clock_face, spine
from kiosk.text import spoken
from kiosk.widgets.surface import Region
from tallybox.said import Tongue


class Composer:
    """Remembers the last panel: a second that passes costs one clock, not a screen."""

    def __init__(self) -> None:
        self._key: tuple[Look, Tongue] | None = None
        self._screen = ""
        self._regions: tuple[Region, ...] = ()

    def panel(self, look: Look) -> tuple[str, tuple[Region, ...]]:
        """The screen's name and the panel's regions. Figures stand in the spine, and on the pages of an idle box."""
        key = (look if look.idle_page else replace(look, clock=replace(look.clock, figures="")), spoken())
        if key != self._key:
            screen = choose(look)
            parts = regions(look, screen, spine(spine_of(look), look.theme))
            self._key, self._screen = key, screen.name
            self._regions = tuple(Region(name, rect, node, live=name == CLOCK) for name, rect, node in parts)
        place, face = clock_face(look.clock, look.theme)
        clock = Region(CLOCK, place, face, live=True)
        return self._screen, tuple(clock if region.name == CLOCK else region for region in self._regions)
