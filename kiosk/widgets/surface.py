"""The one Kivy widget: it paints regions of the panel and turns fingers into acts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from kivy.clock import Clock
from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, InstructionGroup, Rectangle, SmoothLine, Translate
from kivy.input import MotionEvent
from kivy.uix.widget import Widget

from kiosk.theme import Theme, Tone
from kiosk.widgets.fitting import overflows
from kiosk.widgets.fonts import extent
from kiosk.widgets.layout import Placed, Rect, Target, layout, targets
from kiosk.widgets.motion import Motion
from kiosk.widgets.node import Act, Box, Ink, Node
from kiosk.widgets.painter import SIGNATURE_PEN, Painter
from kiosk.widgets.picture import Picture

SAME_CONTROL_MS = 350
"""A second touch of a control within this time is the same tap once more, and ignored."""
RAPID_MS = 120
"""The same for plus and minus."""
HOLD_MS = 2_000
"""How long a finger stays on a target that is to be held."""
PEN_DRY = 2_001
"""Points after which a pen that was never lifted draws no more: one more than a signature may have in a stroke."""

BLEED = 24
"""Pixels around a region in which its marks may stick out, such as the dealer's disc on a corner."""

Stroke = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the panel with its own tree, repainted only when the tree differs."""

    name: str
    rect: Rect
    node: Node
    live: bool = False
    """Whether it changes by itself, often: it is painted over the others, and nothing else is painted with it."""


@dataclass(slots=True)
class _Shown:
    """A region as painted: ``sheet`` keeps its pixels, so that a change elsewhere paints nothing of it again."""

    region: Region
    theme: Theme
    placed: tuple[Placed, ...]
    sheet: Fbo | None = None


@dataclass(slots=True)
class _Finger:
    """The one finger that counts; a second one is ignored until it is lifted."""

    touch: MotionEvent
    target: Target | None
    since: int
    pad: Placed | None = None
    stroke: list[tuple[int, int]] = field(default_factory=list)
    ink: InstructionGroup | None = None
    line: SmoothLine | None = None


class Surface(Widget):
    """Paints regions; calls ``on_act`` for each committed tap and ``on_stroke`` for each stroke on a pad.

    A tap commits when the finger is lifted inside the target it went down on, even if the screen was painted anew
    in between. ``now`` gives monotonic milliseconds; ``motion``: whether it is shown where things went.
    """

    def __init__(
        self,
        *,
        now: Callable[[], int],
        on_act: Callable[[Act], None],
        on_stroke: Callable[[str, Stroke], None],
        motion: bool = False,
    ) -> None:
        super().__init__()
        self._now = now
        self._on_act = on_act
        self._on_stroke = on_stroke
        self._shown: dict[str, _Shown] = {}
        self._picture: Picture | None = None
        self._moves = motion
        self._motion: Motion | None = None
        self._looks_touched = False
        self._finger: _Finger | None = None
        self._last: tuple[str, int] = ("", -SAME_CONTROL_MS)
        self._screen_since = -SAME_CONTROL_MS
        self._screen = ""

    def show(self, screen: str, regions: Iterable[Region], theme: Theme) -> None:
        """Show these regions; ``screen`` names what is on, so that a double tap does not reach the next one."""
        if screen != self._screen:
            self._screen, self._screen_since = screen, self._now()
        fresh = {region.name: region for region in regions}
        if self._picture is None or list(fresh) != list(self._shown):
            self.canvas.clear()
            self._shown.clear()
            self._picture = Picture(self.canvas, (round(self.width), round(self.height)))
            self.still()
            self._motion = Motion(self._picture.moving, self._now, round(self.height)) if self._moves else None
        before: tuple[Placed, ...] = ()
        after: tuple[Placed, ...] = ()
        for name, region in fresh.items():
            shown = self._shown.get(name)
            if shown is None or shown.region != region or shown.theme != theme:
                placed = layout(region.node, region.rect, theme, extent)
                self._put(name, _Shown(region, theme, placed))
                if shown is not None and not region.live:
                    before, after = before + shown.placed, after + placed
        if self._motion is not None and after:
            self._motion.follow(before, after, theme)
        self._show_touch()

    def still(self) -> None:
        """Nothing moves any more: everything is where it belongs."""
        if self._motion is not None:
            self._motion.stop()

    def placed(self) -> tuple[Placed, ...]:
        """Everything on the panel, the lowest first."""
        return tuple(item for shown in self._shown.values() for item in shown.placed)

    def overflows(self) -> list[str]:
        """What does not fit, in words; for tests."""
        return [fault for shown in self._shown.values() for fault in overflows(shown.placed, shown.region.rect)]

    def targets(self) -> list[Target]:
        """Everything that can be touched, the one on top last."""
        return targets(self.placed())

    def _put(self, name: str, fresh: _Shown) -> None:
        old = self._shown.get(name)
        painted = Painter(fresh.theme, self.height).paint(fresh.placed)
        assert self._picture is not None
        if fresh.region.live:
            self._picture.live.clear()
            self._picture.live.add(painted)
        else:
            fresh.sheet = self._paint(fresh, painted, None if old is None else old.sheet)
        self._shown[name] = fresh

    def _paint(self, fresh: _Shown, painted: InstructionGroup, sheet: Fbo | None) -> Fbo:
        """Fill the region's sheet: as large as the region, and around it what may stick out."""
        assert self._picture is not None
        rect = fresh.region.rect
        width, height = round(rect.w), round(rect.h)
        left, bottom = round(rect.x) - BLEED, round(self.height - rect.y - rect.h) - BLEED
        if sheet is None:
            sheet = self._picture.lay((left, bottom), (width + 2 * BLEED, height + 2 * BLEED))
        ground = fresh.theme.color(Tone.STOCK)
        sheet.clear()
        sheet.add(ClearColor(*ground, 0))
        sheet.add(ClearBuffers())
        sheet.add(Color(*ground, 1))
        sheet.add(Rectangle(pos=(BLEED, BLEED), size=(width, height)))
        sheet.add(Translate(-left, -bottom, 0))
        sheet.add(painted)
        self._picture.changed()
        return sheet

    def _show_touch(self) -> None:
        """The control under the finger looks touched, on top of the picture, as long as the finger stays."""
        target = self._finger.target if self._finger else None
        if self._picture is None or (target is None and not self._looks_touched):
            return
        self._picture.touched.clear()
        self._looks_touched = target is not None
        if target is None:
            return
        for shown in self._shown.values():
            part = _touched(shown.placed, target.tap.key)
            if part:
                self._picture.touched.add(Painter(shown.theme, self.height).paint(part, target.tap.key))

    # --- fingers

    def _place(self, touch: MotionEvent) -> tuple[float, float]:
        return touch.x, self.height - touch.y

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """The first finger picks its target; every other one is ignored."""
        if self._finger is not None or getattr(touch, "is_mouse_scrolling", False):
            return True
        x, y = self._place(touch)
        pad = self._pad_at(x, y)
        target = None if pad else next((t for t in reversed(self.targets()) if t.rect.holds(x, y)), None)
        if target is not None and self._is_repeat(target):
            target = None
        self._finger = finger = _Finger(touch, target, self._now(), pad)
        touch.grab(self)
        if pad is not None:
            self._draw(finger, x, y)
        if target is not None and target.tap.held is not None:
            Clock.schedule_once(lambda _elapsed: self._held(finger), HOLD_MS / 1000)
        self._show_touch()
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        """Ink follows the finger on a pad."""
        finger = self._finger
        if finger is not None and finger.touch is touch and finger.pad is not None and touch.grab_current is self:
            self._draw(finger, *self._place(touch))
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        """Lifting the finger inside its target commits; anywhere else cancels."""
        finger = self._finger
        if finger is None or finger.touch is not touch or touch.grab_current is not self:
            return True
        touch.ungrab(self)
        self._finger = None
        if finger.ink is not None:
            self.canvas.remove(finger.ink)
        x, y = self._place(touch)
        self._show_touch()
        if finger.pad is not None and isinstance(finger.pad.node, Ink) and finger.pad.node.pad:
            if self._still_about(finger.pad.node):
                self._on_stroke(finger.pad.node.pad, tuple(finger.stroke))
        elif finger.target is not None:
            self._commit(finger.target, x, y, long=self._now() - finger.since >= HOLD_MS)
        return True

    def _held(self, finger: _Finger) -> None:
        """The finger is still there: what it holds the target for happens under it, once."""
        if self._finger is finger and finger.target is not None:
            target, finger.target = finger.target, None
            self._show_touch()
            self._commit(target, *self._place(finger.touch), long=True)

    def _is_repeat(self, target: Target) -> bool:
        now = self._now()
        key, at = self._last
        if target.tap.key == key:
            return now - at < (RAPID_MS if target.tap.rapid else SAME_CONTROL_MS)
        return now - self._screen_since < SAME_CONTROL_MS and now - at < SAME_CONTROL_MS

    def _commit(self, target: Target, x: float, y: float, *, long: bool) -> None:
        """Act on the target that now carries the key, so that a repaint in between loses nothing."""
        current = next((t for t in reversed(self.targets()) if t.tap.key == target.tap.key), None)
        if current is None or not (current.rect.holds(x, y) or target.rect.holds(x, y)):
            return
        if target.tap.exact and current.tap.act != target.tap.act:
            return
        self._last = (current.tap.key, self._now())
        held = current.tap.held if long else None
        self._on_act(current.tap.act if held is None else held)

    # --- signatures

    def _still_about(self, begun: Ink) -> bool:
        """Whether the pad that the stroke was begun on is still there, about the same."""
        inks = (item.node for item in self.placed() if isinstance(item.node, Ink))
        return any(ink.pad == begun.pad and ink.about == begun.about for ink in inks)

    def _pad_at(self, x: float, y: float) -> Placed | None:
        pads = (item for item in self.placed() if isinstance(item.node, Ink) and item.node.pad)
        return next((pad for pad in pads if pad.seen.holds(x, y)), None)

    def _draw(self, finger: _Finger, x: float, y: float) -> None:
        pad = finger.pad
        assert pad is not None
        seen = pad.seen
        x, y = min(max(x, seen.x), seen.x + seen.w), min(max(y, seen.y), seen.y + seen.h)
        inner_x, inner_y = pad.turn.back(x, y) if pad.turn else (x, y)
        point = (
            round((inner_x - pad.rect.x) * 1000 / max(1.0, pad.rect.w)),
            round((inner_y - pad.rect.y) * 1000 / max(1.0, pad.rect.h)),
        )
        point = (min(max(point[0], 0), 1000), min(max(point[1], 0), 1000))
        if len(finger.stroke) >= PEN_DRY:
            return
        if not finger.stroke or finger.stroke[-1] != point:
            finger.stroke.append(point)
        if finger.line is None:
            self._take_up_pen(finger)
        assert finger.line is not None
        finger.line.points = [*finger.line.points, x, self.height - y]

    def _take_up_pen(self, finger: _Finger) -> None:
        """Fresh ink lies on top of everything until the stroke is part of the screen."""
        theme = next(iter(self._shown.values())).theme
        finger.line = SmoothLine(width=SIGNATURE_PEN * theme.frame.scale / 2, cap="round", joint="round")
        finger.ink = InstructionGroup()
        finger.ink.add(Color(*theme.color(Tone.INK)))
        finger.ink.add(finger.line)
        self.canvas.add(finger.ink)


def _touched(placed: tuple[Placed, ...], key: str) -> tuple[Placed, ...]:
    """A control that has a skin, with all that is painted on it; what has none does not change under a finger."""
    for index, item in enumerate(placed):
        box = item.node
        if isinstance(box, Box) and box.skin is not None and box.tap is not None and box.tap.key == key:
            return (item, *(above for above in placed[index + 1 :] if above.seen.meets(item.seen)))
    return ()
