"""A finger on a real screen: the table's app painted offscreen, touched where its targets are."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.graphics.opengl import glFinish
from kivy.input.motionevent import MotionEvent

from deploy.soak.table_guide import Drawn, Tapped, next_move
from kiosk.app import TableRoot
from kiosk.box_shown import Box
from kiosk.screens.choose import choose
from kiosk.screens.frame import regions
from kiosk.screens.look import Look
from kiosk.screens.seen import spine_of
from kiosk.screens.spine import spine
from kiosk.theme import Theme
from kiosk.widgets.fonts import register
from kiosk.widgets.layout import Rect
from kiosk.widgets.node import Text
from tallybox.seats import Side
from tallybox.table.state import TableState
from tallybox.table.steps import step

TAP_MS = 1000
"""Between two taps on the finger's own clock, so that none is taken for a double tap."""


class Touch(MotionEvent):  # type: ignore[misc]  # Kivy has no types
    """One finger that goes down, moves and is lifted at places counted from the window's bottom left."""

    def __init__(self, name: str, x: float, y: float) -> None:
        size = (float(max(1, Window.width - 1)), float(max(1, Window.height - 1)))
        super().__init__("finger", name, {"x": x / size[0], "y": y / size[1]}, is_touch=True, type_id="touch")
        self._size = size

    def depack(self, args: dict[str, float]) -> None:
        """Take the place over."""
        self.profile = ["pos"]
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)

    def to(self, x: float, y: float) -> None:
        """Move there."""
        self.move({"x": x / self._size[0], "y": y / self._size[1]})
        EventLoop.post_dispatch_input("update", self)

    def down(self) -> None:
        """Touch."""
        EventLoop.post_dispatch_input("begin", self)

    def up(self) -> None:
        """Lift."""
        EventLoop.post_dispatch_input("end", self)


class Finger:
    """A table's screen and the finger on it; its clock moves a second with every tap."""

    def __init__(self, box: Box, theme: Theme) -> None:
        EventLoop.ensure_window()
        register()
        self._box = box
        self._theme = theme
        self._now = 0
        self._count = 0
        self.root = TableRoot(box, theme, now=lambda: self._now)
        self.root.pos = (0, 0)
        Window.add_widget(self.root)
        self.frames()

    def close(self) -> None:
        """Take the screen away."""
        self.root.close()
        Window.remove_widget(self.root)

    def frames(self, count: int = 2) -> None:
        """Let the app draw."""
        for _frame in range(count):
            EventLoop.idle()
            glFinish()

    def one_move(self) -> int:
        """Tap, or sign, as the guide says; how many taps it was: none while the table waits."""
        self.root.render()
        move = next_move(self.root.look, self._keys())
        match move:
            case Tapped(key=key):
                self.tap(key)
            case Drawn(side=side):
                self.draw(side)
            case None:
                return 0
        return 1

    def tap(self, key: str) -> None:
        """Tap the target with this key in its middle."""
        rect = next(target.rect for target in reversed(self.root.surface.targets()) if target.tap.key == key)
        touch = self._touch(*rect.middle)
        touch.down()
        touch.up()
        self.frames()

    def draw(self, side: Side) -> None:
        """Two strokes on the side's pad."""
        pad = next(i.seen for i in self.root.surface.placed() if getattr(i.node, "pad", None) == side.value)
        for start in (0.15, 0.5):
            touch = self._touch(pad.x + pad.w * start, pad.y + pad.h * 0.3)
            touch.down()
            for leg in range(1, 9):
                touch.to(pad.x + pad.w * (start + 0.3 * leg / 8), self._up(pad, 0.7 if leg % 2 else 0.3))
            touch.up()
        self.frames()

    def words(self) -> list[str]:
        """All texts on the screen."""
        texts = (item.node for item in self.root.surface.placed() if isinstance(item.node, Text))
        return ["".join(run.words for run in text.runs) for text in texts]

    def painted(self) -> object:
        """What is painted, without the sentence that passes by itself."""
        return _painted(replace(self.root.look, said="", notice=""))

    def painted_of(self, state: TableState) -> object:
        """What a screen that knows nothing but ``state`` would paint."""
        return _painted(replace(self.root.look, state=state, step=step(state), said="", notice="", over=None))

    def screen_digest(self) -> str:
        """The digest of what is painted."""
        return sha256(repr(self.painted()).encode()).hexdigest()

    def _touch(self, x: float, y: float) -> Touch:
        self._now += TAP_MS
        self._count += 1
        return Touch(str(self._count), x, self.root.height - y)

    def _up(self, pad: Rect, share: float) -> float:
        return float(self.root.height - (pad.y + pad.h * share))

    def _keys(self) -> set[str]:
        return {target.tap.key for target in self.root.surface.targets()}


def _painted(look: Look) -> object:
    return regions(look, choose(look), spine(spine_of(look), look.theme))
