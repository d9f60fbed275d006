"""Paints placed things on a Kivy canvas."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from kivy.graphics import Color, InstructionGroup, Mesh, PopMatrix, PushMatrix, Rectangle, Rotate
from kivy.graphics.texture import Texture

from kiosk.theme import Theme, Tone, Weight, mixed
from kiosk.widgets import vector
from kiosk.widgets.codes import QUIET, modules
from kiosk.widgets.edges import band
from kiosk.widgets.fonts import FINE, label
from kiosk.widgets.layout import Placed, Rect
from kiosk.widgets.marks import draw, tally
from kiosk.widgets.node import Box, Code, Edge, Ink, Mark, Skin, Tally, Text

_FORMAT: Final = [(b"vPosition", 2, "float"), (b"vTexCoords0", 2, "float")]
_PALE: Final = 0.26
"""How much ink a stroke to come has; words beside it carry the meaning."""
_WHITE: Final = (1.0, 1.0, 1.0)
_BLACK: Final = (0.0, 0.0, 0.0)
_PRESSED: Final = 0.14
SIGNATURE_PEN: Final = 3.4


@lru_cache(maxsize=1)
def ramp() -> Texture:
    """Two texels, bare and inked: the soft edge of every shape."""
    texture = Texture.create(size=(2, 1), colorfmt="rgba")
    texture.blit_buffer(bytes((255, 255, 255, 0, 255, 255, 255, 255)), colorfmt="rgba", bufferfmt="ubyte")
    texture.mag_filter = texture.min_filter = "linear"
    texture.wrap = "clamp_to_edge"
    return texture


@lru_cache(maxsize=1024)
def words_texture(words: str, size: int, weight: Weight) -> tuple[Texture, int]:
    """Some words in white, ``FINE`` times as large as they are drawn, and how far their baseline lies below the top."""
    made = label(words, size, weight)
    made.refresh()
    return made.texture, made.get_ascent()


@lru_cache(maxsize=512)
def card_shape(w: float, h: float, radius: float) -> vector.Triangles:
    """A rectangle with round corners."""
    shape = vector.Triangles()
    vector.fill(shape, vector.rounded(0, 0, w, h, radius))
    return shape


@lru_cache(maxsize=512)
def border_shape(w: float, h: float, line: int, radius: int, dash: tuple[int, int] | None) -> vector.Triangles:
    """A border inside a rectangle, drawn through or in dashes (length, gap)."""
    half = line / 2
    path = vector.rounded(half, half, w - line, h - line, max(0.0, radius - half))
    shape = vector.Triangles()
    if dash is None:
        vector.stroke(shape, path, line, closed=True)
        return shape
    for piece in vector.dashes(path, *dash):
        vector.stroke(shape, piece, line, caps=False)
    return shape


@lru_cache(maxsize=512)
def _moved(shape: vector.Triangles, x: int, top: int) -> array[float]:
    """A finished shape's vertices in their place on the panel, with y turned up: most of what is painted stays put."""
    vertices = array("f", shape.vertices)
    vertices[0::4] = array("f", [value + x for value in vertices[0::4]])
    vertices[1::4] = array("f", [top - value for value in vertices[1::4]])
    return vertices


class Painter:
    """Turns placed things into canvas instructions on a panel ``height`` pixels high."""

    def __init__(self, theme: Theme, height: int) -> None:
        self.theme = theme
        self.height = height

    def paint(self, placed: Iterable[Placed], pressed: str | None = None) -> InstructionGroup:
        """All instructions for ``placed``, the target with the key ``pressed`` shown as touched."""
        group = InstructionGroup()
        for item in placed:
            if item.turn is None:
                self._item(group, item, pressed)
                continue
            group.add(PushMatrix())
            group.add(Rotate(angle=-90 * item.turn.quarters, origin=(item.turn.x, self.height - item.turn.y)))
            self._item(group, item, pressed)
            group.add(PopMatrix())
        return group

    def _item(self, group: InstructionGroup, item: Placed, pressed: str | None) -> None:
        match item.node:
            case Box(skin=skin, tap=tap):
                if skin is not None:
                    self._box(group, item.rect, skin, touched=tap is not None and tap.key == pressed)
            case Text() as text:
                self._text(group, item, text)
            case Mark() as mark:
                pen = max(mark.pen, 24 / self.theme.px(mark.size))
                self._shape(group, draw(mark.name, item.rect.w, pen), item.rect, mark.tone)
            case Tally() as strokes:
                self._tally(group, item.rect, strokes)
            case Edge():
                self._edge(group, item.rect)
            case Ink() as ink:
                self._ink(group, item.rect, ink)
            case Code() as code:
                self._code(group, item.rect, code)
            case _:
                pass

    def _box(self, group: InstructionGroup, rect: Rect, skin: Skin, *, touched: bool) -> None:
        line = self._pen(skin.line)
        radius = self.theme.px(skin.radius)
        if skin.ground is not None or touched:
            color = self.theme.color(skin.ground or Tone.STOCK)
            if touched:
                color = mixed(color, self.theme.color(Tone.CARD if skin.ground is Tone.INK else Tone.INK), _PRESSED)
            inset = line / 2 if skin.line and not skin.dashed else 0
            self._filled(group, Rect(rect.x + inset, rect.y + inset, rect.w - 2 * inset, rect.h - 2 * inset),
                         max(0.0, radius - inset), color)  # fmt: skip
        if skin.border is not None and line:
            self._border(group, rect, skin, line, radius)
        if skin.border is not None and skin.under:
            under = self._pen(skin.under)
            self._tint(group, skin.border)
            self._rectangle(group, Rect(rect.x, rect.y + rect.h - under, rect.w, under))

    def _pen(self, design: float) -> int:
        """A line's width: a hairline is one pixel (two on the larger panel), others grow a little with the panel."""
        if not design:
            return 0
        if design < 2:
            return int(self.theme.frame.scale * 1.34)
        return round(design * (1 + (self.theme.frame.scale - 1) * 0.6))

    def _filled(self, group: InstructionGroup, rect: Rect, radius: float, color: tuple[float, float, float]) -> None:
        group.add(Color(*color))
        if radius <= 0:
            self._rectangle(group, rect)
            return
        self._mesh(group, card_shape(rect.w, rect.h, radius), rect)

    def _border(self, group: InstructionGroup, rect: Rect, skin: Skin, line: int, radius: int) -> None:
        dash = (self.theme.px(7), self.theme.px(5)) if skin.dashed else None
        shape = border_shape(rect.w, rect.h, line, radius, dash)
        self._tint(group, skin.border or Tone.INK)
        self._mesh(group, shape, rect)

    def _text(self, group: InstructionGroup, item: Placed, text: Text) -> None:
        for piece in item.pieces:
            texture, ascent = words_texture(piece.words, piece.size, piece.weight)
            self._tint(group, piece.tone)
            bottom = self.height - piece.baseline + (ascent - texture.height) / FINE
            size = (texture.width / FINE, texture.height / FINE)
            group.add(Rectangle(texture=texture, pos=(piece.x, bottom), size=size))
        if text.foot and item.pieces:
            first = item.pieces[0]
            thick = self._pen(max(3.0, text.size / 10))
            width = sum(piece.width for piece in item.pieces)
            self._tint(group, text.tone)
            drop = first.baseline + max(2, round(first.size * 0.09))
            self._rectangle(group, Rect(first.x, drop, width, thick))

    def _tally(self, group: InstructionGroup, rect: Rect, strokes: Tally) -> None:
        ink, pale, _ = tally(strokes.done, strokes.total, rect.h, strokes.current)
        ground = self.theme.color(strokes.ground)
        if pale.indices:
            group.add(Color(*mixed(ground, self.theme.color(Tone.INK), _PALE)))
            self._mesh(group, pale, rect)
        if ink.indices:
            self._tint(group, Tone.INK)
            self._mesh(group, ink, rect)

    def _edge(self, group: InstructionGroup, rect: Rect) -> None:
        if self.theme.round_number is None:
            self._tint(group, Tone.BAND)
            self._rectangle(group, rect)
            return
        self._tint(group, Tone.PAPER)
        self._rectangle(group, rect)
        ink, paper = band(self.theme.sheet.pattern, rect.w, rect.h, self.theme.frame.edge / 14)
        self._shape(group, ink, rect, Tone.BAND)
        if paper.indices:
            self._shape(group, paper, rect, Tone.PAPER)

    def _ink(self, group: InstructionGroup, rect: Rect, ink: Ink) -> None:
        shape = vector.Triangles()
        for line in ink.strokes:
            points = [(x * rect.w / 1000, y * rect.h / 1000) for x, y in line]
            vector.stroke(shape, points, SIGNATURE_PEN * self.theme.frame.scale)
        if shape.indices:
            self._tint(group, Tone.INK)
            self._mesh(group, shape, rect)

    def _code(self, group: InstructionGroup, rect: Rect, code: Code) -> None:
        """Dark on white in every light, as readers expect it; whole pixels, so that every module is as wide."""
        group.add(Color(*_WHITE))
        self._rectangle(group, rect)
        rows = modules(code.text)
        side = int(rect.w) // (len(rows) + 2 * QUIET)
        left = rect.x + (rect.w - side * len(rows)) // 2
        top = rect.y + (rect.h - side * len(rows)) // 2
        group.add(Color(*_BLACK))
        for y, line in enumerate(rows):
            for start, length in line:
                self._rectangle(group, Rect(left + start * side, top + y * side, length * side, side))

    def _shape(self, group: InstructionGroup, shape: vector.Triangles, rect: Rect, tone: Tone) -> None:
        self._tint(group, tone)
        self._mesh(group, shape, rect)

    def _tint(self, group: InstructionGroup, tone: Tone) -> None:
        group.add(Color(*self.theme.color(tone)))

    def _rectangle(self, group: InstructionGroup, rect: Rect) -> None:
        group.add(Rectangle(pos=(rect.x, self.height - rect.y - rect.h), size=(rect.w, rect.h)))

    def _mesh(self, group: InstructionGroup, shape: vector.Triangles, rect: Rect) -> None:
        """Triangles in the rect's own coordinates, moved into place."""
        for part in shape.parts():
            vertices = _moved(part, round(rect.x), self.height - round(rect.y))
            group.add(Mesh(vertices=vertices, indices=part.indices, fmt=_FORMAT, mode="triangles", texture=ramp()))
