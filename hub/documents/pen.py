"""A pen over a PDF page: lengths in 1/96 inch from the top left corner, text that fits its place, vectors only.

The same strokes give the same bytes: the PDF carries no time and no random identity.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from io import BytesIO
from typing import Final

import fontpkg_ibm_plex_sans_condensed
from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from hub.documents.paper import INK, Paper

POINT: Final = 0.75
"""PDF points in 1/96 inch."""

Point = tuple[float, float]

_registering = threading.Lock()


class Weight(StrEnum):
    """The cuts of IBM Plex Sans Condensed that documents use."""

    REGULAR = "Regular"
    MEDIUM = "Medium"
    SEMI = "SemiBold"
    BOLD = "Bold"

    @property
    def font(self) -> str:
        """Its name in the PDF."""
        return f"Plex-{self.value}"


class Align(StrEnum):
    """Which point of a line of text is meant by its ``x``."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Style:
    """How text looks: its size in 1/96 inch, its cut, its colour."""

    size: float
    weight: Weight = Weight.REGULAR
    colour: str = INK


class Pen:
    """Draws pages one after the other; ``bytes`` is the finished document."""

    def __init__(self, paper: Paper, title: str, *, landscape: bool = False) -> None:
        _register()
        self.width: Final = paper.height if landscape else paper.width
        self.height: Final = paper.width if landscape else paper.height
        self._out = BytesIO()
        size = (self.width * POINT, self.height * POINT)
        self._canvas = Canvas(self._out, pagesize=size, invariant=1, pageCompression=1, lang="en")
        self._canvas.setTitle(title)
        self._canvas.setAuthor("Tallybox")
        self._canvas.setCreator("Tallybox")
        self._begin()

    def _begin(self) -> None:
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)

    def next_page(self) -> None:
        """Finish this page and begin another."""
        self._canvas.showPage()
        self._begin()

    def bytes(self) -> bytes:
        """The document, its last page finished."""
        self._canvas.save()
        return self._out.getvalue()

    # --- text

    def text(
        self, x: float, y: float, words: str, style: Style, *, align: Align = Align.LEFT, within: float | None = None
    ) -> float:
        """One line with its foot at ``y``; made smaller, then cut, to stay ``within``. Returns its width."""
        words = printable(words)
        if within is not None:
            words, style = fitted(words, style, within)
        width = text_width(words, style)
        start = x - (width if align is Align.RIGHT else width / 2 if align is Align.CENTRE else 0)
        self._canvas.setFillColor(_colour(style.colour))
        self._canvas.setFont(style.weight.font, style.size * POINT)
        self._canvas.drawString(start * POINT, self._up(y), words)
        return width

    def runs(self, x: float, y: float, runs: Iterable[tuple[str, Style]]) -> float:
        """Pieces of text after one another on one line; returns where they end."""
        for words, style in runs:
            x += self.text(x, y, words, style)
        return x

    # --- shapes

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: str | None = None, line: str | None = INK,
        thick: float = 2, radius: float = 0, dashed: bool = False,
    ) -> None:  # fmt: skip
        """A rectangle from its top left corner."""
        self._ink(fill, line, thick, dashed=dashed)
        shape = (x * POINT, self._up(y + height), width * POINT, height * POINT)
        paint = {"stroke": int(line is not None), "fill": int(fill is not None)}
        if radius:
            self._canvas.roundRect(*shape, radius * POINT, **paint)
        else:
            self._canvas.rect(*shape, **paint)

    def boxes(self, boxes: Iterable[tuple[float, float, float, float]], *, fill: str = INK) -> None:
        """Many filled rectangles as one shape: left, top, width and height each."""
        self._ink(fill, None, 0)
        drawn = self._canvas.beginPath()
        for x, y, width, height in boxes:
            drawn.rect(x * POINT, self._up(y + height), width * POINT, height * POINT)
        self._canvas.drawPath(drawn, stroke=0, fill=1)

    def line(self, start: Point, end: Point, *, colour: str = INK, thick: float = 1) -> None:
        """A straight line."""
        self._ink(None, colour, thick)
        self._canvas.line(start[0] * POINT, self._up(start[1]), end[0] * POINT, self._up(end[1]))

    def path(
        self, points: Sequence[Point], *, colour: str = INK, thick: float = 1, closed: bool = False,
        filled: bool = False,
    ) -> None:  # fmt: skip
        """A line through points; closed and filled on request."""
        self._ink(colour if filled else None, None if filled else colour, thick)
        drawn = self._canvas.beginPath()
        drawn.moveTo(points[0][0] * POINT, self._up(points[0][1]))
        for x, y in points[1:]:
            drawn.lineTo(x * POINT, self._up(y))
        if closed:
            drawn.close()
        self._canvas.drawPath(drawn, stroke=int(not filled), fill=int(filled))

    def circle(
        self, centre: Point, radius: float, *, fill: str | None = INK, line: str | None = None, thick: float = 1
    ) -> None:
        """A disc, or a ring."""
        self._ink(fill, line, thick)
        x, y = centre
        paint = {"stroke": int(line is not None), "fill": int(fill is not None)}
        self._canvas.circle(x * POINT, self._up(y), radius * POINT, **paint)

    def clipped(self, x: float, y: float, width: float, height: float) -> None:
        """Until ``unclipped``, nothing is drawn outside this rectangle."""
        self._canvas.saveState()
        edge = self._canvas.beginPath()
        edge.rect(x * POINT, self._up(y + height), width * POINT, height * POINT)
        self._canvas.clipPath(edge, stroke=0, fill=0)

    def unclipped(self) -> None:
        """Draw everywhere again."""
        self._canvas.restoreState()

    def _ink(self, fill: str | None, line: str | None, thick: float, *, dashed: bool = False) -> None:
        if fill is not None:
            self._canvas.setFillColor(_colour(fill))
        if line is not None:
            self._canvas.setStrokeColor(_colour(line))
            self._canvas.setLineWidth(thick * POINT)
            self._canvas.setDash([3, 3] if dashed else [])

    def _up(self, y: float) -> float:
        return (self.height - y) * POINT


@cache
def _colour(text: str) -> Color:
    """A colour from its six digits; documents use two dozen."""
    return HexColor(text)


def printable(words: str) -> str:
    """The words with a question mark for each character that the fonts do not have: it is never left out silently."""
    if words.isascii():
        return words
    known = _characters()
    return "".join(letter if ord(letter) in known else "?" for letter in unicodedata.normalize("NFC", words))


@cache
def _characters() -> frozenset[int]:
    """What all cuts can write."""
    _register()
    return frozenset.intersection(*(frozenset(pdfmetrics.getFont(each.font).face.charToGlyph) for each in Weight))


def text_width(words: str, style: Style) -> float:
    """How wide a line is, in 1/96 inch."""
    _register()
    return float(pdfmetrics.stringWidth(printable(words), style.weight.font, style.size * POINT)) / POINT


def fitted(words: str, style: Style, within: float, smallest: float = 0.8) -> tuple[str, Style]:
    """The line as it fits: as it is, smaller by a fifth at most, or cut with an ellipsis."""
    width = text_width(words, style)
    if width <= within:
        return words, style
    factor = max(smallest, within / width)
    style = Style(style.size * factor, style.weight, style.colour)
    if text_width(words, style) <= within + 0.01:
        return words, style
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(words[:middle].rstrip() + "…", style) <= within:
            low = middle
        else:
            high = middle - 1
    return words[:low].rstrip() + "…", style


def wrapped(words: str, style: Style, within: float) -> list[str]:
    """The text in lines that are no wider than ``within``; a word that is wider than a line is broken."""
    lines: list[str] = []
    for word in words.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, style) <= within:
            lines[-1] = joined
            continue
        lines += _broken(word, style, within)
    return lines or [""]


def _broken(word: str, style: Style, within: float) -> list[str]:
    pieces: list[str] = []
    rest = word
    while text_width(rest, style) > within and len(rest) > 1:
        cut = next((at for at in range(len(rest) - 1, 0, -1) if text_width(rest[:at], style) <= within), 1)
        pieces.append(rest[:cut])
        rest = rest[cut:]
    return [*pieces, rest]


@cache
def _register() -> None:
    """Make the fonts known to the PDF library, once."""
    with _registering:
        rl_config.useA85 = 0  # streams as bytes: a fifth smaller, twice as fast to write; printed decks say the same
        known = set(pdfmetrics.getRegisteredFontNames())
        for weight in Weight:
            if weight.font not in known:
                file = fontpkg_ibm_plex_sans_condensed.ROOT / "files" / f"IBMPlexSansCondensed-{weight.value}.ttf"
                pdfmetrics.registerFont(TTFont(weight.font, str(file)))
