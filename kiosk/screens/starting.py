"""The first picture on a box's screen: its name and a sentence, while the rest of the program is still being read.

It needs Kivy alone, so that a person who switched the box on sees at once that it is coming.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from kivy.base import EventLoop
from kivy.core.text import Label
from kivy.core.window import Window
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.graphics.opengl import glFinish

GROUND: Final = {False: (226 / 255, 226 / 255, 222 / 255), True: (10 / 255, 15 / 255, 14 / 255)}
INK: Final = {False: (16 / 255, 22 / 255, 20 / 255), True: (244 / 255, 242 / 255, 236 / 255)}
_FONT: Final = "files/IBMPlexSansCondensed-Bold.ttf"


class Starting:
    """The picture, shown at once; ``end`` takes it away."""

    def __init__(self, *, dark: bool, sentence: str = "This box is starting.") -> None:
        EventLoop.ensure_window()
        self._drawn = InstructionGroup()
        width, height = Window.size
        Window.clearcolor = (*GROUND[dark], 1)
        self._drawn.add(Color(*INK[dark], 1))
        for words, size, middle in (("Tallybox", height * 0.15, 0.56), (sentence, height * 0.055, 0.40)):
            font = str(files("fontpkg_ibm_plex_sans_condensed") / _FONT)
            label = Label(text=words, font_name=font, font_size=size)
            label.refresh()
            at = ((width - label.width) / 2, height * middle - label.height / 2)
            self._drawn.add(Rectangle(pos=at, size=label.size, texture=label.texture))
        Window.canvas.add(self._drawn)
        EventLoop.idle()
        glFinish()

    def end(self) -> None:
        """The table's own screen is there."""
        Window.canvas.remove(self._drawn)
