"""The panel as one kept picture: a frame lays down one rectangle, whatever stands on the screen."""

from __future__ import annotations

from typing import Final

from kivy.graphics import Callback, Canvas, Color, Fbo, InstructionGroup, Rectangle
from kivy.graphics.opengl import GL_BLEND, glDisable, glEnable

Spot = tuple[int, int]
"""A place or a size in pixels, y upwards."""
_WHITE: Final = (1, 1, 1, 1)


class Picture:
    """Lays sheets over each other, the lowest first, and keeps what comes of it until one of them changes.

    Sheets overlap, so laying them on the window in every frame costs twice its pixels. What changes every second goes
    on ``live`` instead: straight on the window, over the picture, which stays as it is; so do, on ``touched``, the
    control under a finger, and on ``moving`` what shows where something went.
    """

    def __init__(self, canvas: Canvas, size: Spot) -> None:
        self._sheets = InstructionGroup()
        self._fbo = _sharp(Fbo(size=size))
        self.live = InstructionGroup()
        self.touched = InstructionGroup()
        self.moving = InstructionGroup()
        canvas.add(self._sheets)
        canvas.add(self._fbo)
        canvas.add(Color(*_WHITE))
        canvas.add(Callback(lambda _instruction: glDisable(GL_BLEND)))
        canvas.add(Rectangle(pos=(0, 0), size=size, texture=self._fbo.texture))
        canvas.add(Callback(lambda _instruction: glEnable(GL_BLEND)))
        canvas.add(self.live)
        canvas.add(self.touched)
        canvas.add(self.moving)
        self._fbo.add(Color(*_WHITE))

    def lay(self, place: Spot, size: Spot) -> Fbo:
        """A new sheet on top of those that lie there; whoever paints it says ``changed``."""
        sheet = _sharp(Fbo(size=size))
        self._sheets.add(sheet)
        self._fbo.add(Rectangle(pos=place, size=size, texture=sheet.texture))
        return sheet

    def changed(self) -> None:
        """A sheet is not as it was: the picture is made anew with the next frame."""
        self._fbo.ask_update()


def _sharp(fbo: Fbo) -> Fbo:
    """Pixels stay pixels."""
    fbo.texture.mag_filter = fbo.texture.min_filter = "nearest"
    return fbo
