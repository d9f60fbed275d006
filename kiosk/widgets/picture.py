"""The whole panel as one kept picture: a frame costs one rectangle, whatever stands on the screen."""

from __future__ import annotations

from typing import Final

from kivy.graphics import Callback, Canvas, Color, Fbo, InstructionGroup, Rectangle, ScissorPop, ScissorPush

Spot = tuple[int, int]
"""A place or a size in pixels, y upwards."""
_WHITE: Final = (1, 1, 1, 1)


class Picture:
    """Lays sheets over each other, the lowest first, and keeps what comes of it.

    Sheets overlap by what sticks out of their regions, so a change puts all of them down again, but only within the
    part of the panel that changed. Laying each of them on the window in every frame cost more than the clock itself.
    """

    def __init__(self, canvas: Canvas, size: Spot) -> None:
        self._drawn_first = InstructionGroup()
        self._laid = InstructionGroup()
        self._window = ScissorPush(x=0, y=0, width=0, height=0)
        self._due: tuple[int, int, int, int] | None = None
        self._fbo = Fbo(size=size)
        self._fbo.texture.mag_filter = self._fbo.texture.min_filter = "nearest"
        for part in (self._window, Color(*_WHITE), self._laid, ScissorPop(), Callback(self._drawn)):
            self._fbo.add(part)
        for part in (self._drawn_first, self._fbo, Color(*_WHITE)):
            canvas.add(part)
        canvas.add(Rectangle(pos=(0, 0), size=size, texture=self._fbo.texture))

    def lay(self, sheet: Fbo, place: Spot, size: Spot) -> None:
        """Put a sheet on top of those that lie there."""
        sheet.texture.mag_filter = sheet.texture.min_filter = "nearest"
        self._drawn_first.add(sheet)
        self._laid.add(Rectangle(pos=place, size=size, texture=sheet.texture))

    def changed(self, place: Spot, size: Spot) -> None:
        """Something within this part of the panel is not as it was; it is put down with the next frame."""
        left, bottom, right, top = place[0], place[1], place[0] + size[0], place[1] + size[1]
        if self._due is not None:
            left, bottom = min(left, self._due[0]), min(bottom, self._due[1])
            right, top = max(right, self._due[2]), max(top, self._due[3])
        self._due = (left, bottom, right, top)
        self._window.x, self._window.y = max(0, left), max(0, bottom)
        self._window.width, self._window.height = right - max(0, left), top - max(0, bottom)
        self._fbo.ask_update()

    def _drawn(self, _instruction: Callback) -> None:
        self._due = None
