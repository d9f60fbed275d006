"""A panel under test: fingers, pixels, and what stands on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.graphics import Color, Fbo, Rectangle
from kivy.graphics.opengl import glFinish
from kivy.tests.common import UnitTestTouch
from PIL import Image

from kiosk.app import TableRoot
from kiosk.box_shown import Box
from kiosk.first_boot import FirstBoot, Survey
from kiosk.theme import Panel, Theme, Tone
from kiosk.widgets.fonts import register
from kiosk.widgets.layout import Rect
from kiosk.widgets.node import Text


class PanelUnderTest:
    """One table's screen in the window, with a clock that only moves when told.

    ``unseen``: it is drawn for pictures, and once at the end, but not in every frame between; nobody looks there.
    """

    def __init__(
        self, box: Box, theme: Theme, survey: Survey = FirstBoot, *, motion: bool = False, unseen: bool = False
    ) -> None:
        EventLoop.ensure_window()
        register()
        self.box = box
        self.theme = theme
        self.now = 0
        self.root = TableRoot(box, theme, now=lambda: self.now, survey=survey, motion=motion)
        frame = theme.frame
        self.width, self.height = frame.width, frame.height
        self.root.pos = (0, 0)
        self._unseen = unseen
        Window.add_widget(self.root)
        if unseen:
            Window.canvas.remove(self.root.canvas)
        self.frames()

    def close(self) -> None:
        if self._unseen:
            Window.canvas.add(self.root.canvas)
            self.frames(1)
        self.root.close()
        Window.remove_widget(self.root)
        self.frames()

    def frames(self, count: int = 2) -> None:
        for _frame in range(count):
            EventLoop.idle()
            glFinish()

    # --- fingers

    def finger(self, x: float, y: float) -> UnitTestTouch:
        """A finger that will go down at (x, y), counted from the top left of the panel."""
        return UnitTestTouch(x, self.height - y)

    def tap_at(self, x: float, y: float, *, pause: int = 1000) -> None:
        self.now += pause
        finger = self.finger(x, y)
        finger.touch_down()
        finger.touch_up()
        self.frames()

    def tap(self, key: str, *, pause: int = 1000) -> None:
        """Tap the target with this key in its middle, once it is on the screen."""
        self.until(lambda: key in self.keys)
        self.tap_at(*self.place(key).middle, pause=pause)

    def hold(self, key: str, ms: int = 2000) -> None:
        """Keep a finger on the target with this key."""
        self.until(lambda: key in self.keys)
        self.now += 1000
        finger = self.finger(*self.place(key).middle)
        finger.touch_down()
        self.now += ms
        finger.touch_up()
        self.frames()

    def type_pin(self, pin: str) -> None:
        """Six figures on the number pad."""
        for figure in pin:
            self.tap(f"pin:{figure}", pause=400)

    def place(self, key: str) -> Rect:
        for target in reversed(self.root.surface.targets()):
            if target.tap.key == key:
                return target.rect
        raise AssertionError(f"no target “{key}”; there are {sorted(self.keys)}")

    @property
    def keys(self) -> set[str]:
        return {target.tap.key for target in self.root.surface.targets()}

    def draw(self, pad: str) -> None:
        """A signature of two strokes on a side's pad."""
        rect = next(item.seen for item in self.root.surface.placed() if getattr(item.node, "pad", None) == pad)
        for start, end in ((0.15, 0.5), (0.5, 0.8)):
            self.now += 1000
            finger = self.finger(rect.x + rect.w * start, rect.y + rect.h * 0.3)
            finger.touch_down()
            for step in range(1, 9):
                y = rect.y + rect.h * (0.7 if step % 2 else 0.3)
                finger.touch_move(rect.x + rect.w * (start + (end - start) * step / 8), self.height - y)
            finger.touch_up()
        self.frames()

    # --- what is seen

    @property
    def words(self) -> list[str]:
        """All texts on the panel."""
        texts = (item.node for item in self.root.surface.placed() if isinstance(item.node, Text))
        return ["".join(run.words for run in text.runs) for text in texts]

    def says(self, sentence: str) -> bool:
        return any(sentence in text for text in self.words)

    @property
    def overflows(self) -> list[str]:
        return self.root.surface.overflows()

    def picture(self) -> Image.Image:
        """The panel's pixels."""
        if self._unseen:
            Window.canvas.add(self.root.canvas)
        self.frames(1)
        fbo = Fbo(size=(self.width, self.height), with_stencilbuffer=False)
        with fbo:
            Color(*self.theme.color(Tone.STOCK))
            Rectangle(size=fbo.size)
        Window.canvas.remove(self.root.canvas)
        fbo.add(self.root.canvas)
        fbo.draw()
        glFinish()
        picture = Image.frombytes("RGBA", fbo.size, fbo.pixels).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        fbo.remove(self.root.canvas)
        if not self._unseen:
            Window.canvas.add(self.root.canvas)
        return picture.convert("RGB")

    def until(self, reached: Callable[[], bool], *, seconds: float = 60.0) -> None:
        """Draw frames until the box's thread has brought the table there."""
        end = time.monotonic() + seconds
        while not reached():
            assert time.monotonic() < end, f"not reached; the screen says {self.words}"
            self.frames(1)
        self.root.render()
        self.frames()

    def wait(self, ms: int) -> None:
        """Let time pass on the panel's own clock."""
        self.now += ms
        self.root.render()
        self.frames()

    def pixel(self, x: float, y: float) -> tuple[int, int, int]:
        """One pixel, counted from the top left."""
        red, green, blue = self.picture().crop((round(x), round(y), round(x) + 1, round(y) + 1)).tobytes()
        return red, green, blue

    def shoot(self, folder: Path | None, name: str) -> None:
        if folder is not None:
            self.picture().save(folder / f"{name}.png")


@contextmanager
def windows(*, unseen: bool = False) -> Iterator[Callable[..., PanelUnderTest]]:
    """Opens tables' screens on the one window; closed, with their timers, at the end."""
    opened: list[PanelUnderTest] = []

    def open_panel(
        box: Box, *, dark: bool = False, size: Panel = Panel.SEVEN, survey: Survey = FirstBoot, motion: bool = False
    ) -> PanelUnderTest:
        made = PanelUnderTest(box, Theme(size, dark), survey, motion=motion, unseen=unseen)
        opened.append(made)
        return made

    try:
        yield open_panel
    finally:
        for made in opened:
            made.close()
