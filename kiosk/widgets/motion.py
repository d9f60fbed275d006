"""Paints what moves over a picture that is at rest already; afterwards it costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, PopMatrix, PushMatrix, Rectangle, Translate

from kiosk.theme import Theme, Tone
from kiosk.widgets.layout import Placed, Rect
from kiosk.widgets.node import Trail
from kiosk.widgets.painter import Painter
from kiosk.widgets.trail import MOVE_MS, UNDER_MS, Slide, fresh, leads, place, slide

UNDERLINE: Final = 4
"""Pixels of the line under a new total, in the 7-inch design."""


class Motion:
    """The one movement and the underlines of a panel; ``group`` lies on top of everything it shows."""

    def __init__(self, group: InstructionGroup, now: Callable[[], int], height: int) -> None:
        self._now = now
        self._height = height
        self._moving = InstructionGroup()
        self._lines = InstructionGroup()
        group.add(self._lines)
        group.add(self._moving)
        self._slide: tuple[Slide, int, Translate] | None = None
        self._under: dict[Trail, int] = {}
        self._rest = Clock.create_trigger(self._underline_ends, 0)
        self._where: Sequence[Placed] = ()
        self._theme: Theme | None = None

    @property
    def busy(self) -> bool:
        """Whether something is moving or underlined."""
        return self._slide is not None or bool(self._under)

    def follow(self, before: Sequence[Placed], after: Sequence[Placed], theme: Theme) -> None:
        """These parts were painted anew: begin what leads there; whatever moved before is where it belongs."""
        if not leads(before) and not leads(after):
            return
        self._settle()
        self._where, self._theme = after, theme
        began = self._now()
        for trail in fresh(before, after):
            self._under[trail] = began
        if self._under:
            self._underline()
        found = slide(before, after)
        if found is None:
            return
        shift = Translate(0, 0, 0)
        for instruction in (PushMatrix(), shift, Painter(theme, self._height).paint(found.things), PopMatrix()):
            self._moving.add(instruction)
        self._slide = (found, began, shift)
        self._step(0)
        Clock.schedule_interval(self._step, 0)

    def stop(self) -> None:
        """Everything is where it belongs, at once."""
        self._settle()
        self._under.clear()
        self._lines.clear()
        self._rest.cancel()

    def _settle(self) -> None:
        if self._slide is not None:
            self._slide = None
            self._moving.clear()
            Clock.unschedule(self._step)

    def _step(self, _elapsed: float) -> None:
        if self._slide is None:
            return
        found, began, shift = self._slide
        since = self._now() - began
        if since >= MOVE_MS:
            self._settle()
            return
        dx, dy = found.left(since)
        shift.xy = (round(dx), -round(dy))

    def _underline(self) -> None:
        """A line under each new total that is still in its place and young; then again when the oldest is due."""
        now = self._now()
        self._under = {trail: at for trail, at in self._under.items() if now - at < UNDER_MS}
        self._lines.clear()
        assert self._theme is not None
        thick = round(UNDERLINE * self._theme.frame.scale)
        self._lines.add(Color(*self._theme.color(Tone.INK)))
        for trail in self._under:
            found = place(self._where, trail)
            if found is not None:
                self._lines.add(self._line(found, thick))
        self._rest.cancel()
        if self._under:
            self._rest.timeout = (min(self._under.values()) + UNDER_MS - now) / 1000
            self._rest()

    def _underline_ends(self, _elapsed: float) -> None:
        self._underline()

    def _line(self, rect: Rect, thick: int) -> Rectangle:
        return Rectangle(pos=(rect.x, self._height - rect.y - rect.h), size=(rect.w, thick))
