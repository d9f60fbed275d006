"""Bid cards to print and cut: a PDF page of nine cards, each with its face from two sides and its uid as a QR code."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final

import segno
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from firmware_bridge.decks.deck import Deck, DeckCard
from tallybox.calls import Bid, Nil, Number, Pass, Strain, call_words
from tallybox.seats import CLOCKWISE, Seat, Side

WIDTH: Final = 63.0
"""Millimetres, as poker cards and their sleeves are."""

HEIGHT: Final = 88.0
COLUMNS: Final = 3
ROWS: Final = 3
A_PAGE: Final = COLUMNS * ROWS

CODE: Final = 23.1
"""Millimetres of the code without its quiet zone: 21 modules of 1.1 mm, which the plainest scanner reads."""

QUIET: Final = 4
"""Modules of white around a code."""

INK: Final = HexColor("#121A17")
INK2: Final = HexColor("#43504A")
LINE: Final = HexColor("#C3C8C2")
PAPER: Final = HexColor("#FFFFFF")
BLACK: Final = HexColor("#000000")

_MARGIN: Final = 4.5
_CHIP: Final = 9.0
_LARGE: Final = 13.5
"""Height of the large face; everything in millimetres."""

_WORDS: Final = 4.0
_WORD: Final = 10.5
"""Height of a capital in a face that is a word."""

_UNDER: Final = 8.6
_SIGN: Final = 5.4
_COURT: Final = frozenset("AJQK")
_BOLD: Final = "Plex-Bold"
_SEMI: Final = "Plex-Semi"
_FONTS: Final = {_BOLD: "Bold", _SEMI: "SemiBold"}
_CAPITAL: Final = 0.698
"""Height of a capital or figure, in ems."""


class Paper(StrEnum):
    """What the club's printer takes."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points."""
        width, height = A4 if self is Paper.A4 else LETTER
        return float(width), float(height)


class Mark(StrEnum):
    """The drawn mark of a call, as it stands on the screen: none of them turns into another one upside down."""

    SUN = "sun"
    MOON = "moon"
    STRUCK = "struck"
    RING = "ring"


@dataclass(frozen=True, slots=True)
class Face:
    """What stands large on a card and, under it, a mark and words; ``foot`` underlines what reads otherwise turned."""

    large: str
    words: str = ""
    mark: Mark | None = None
    foot: bool = False


_MARKS: Final = {Strain.HIGH: Mark.SUN, Strain.SPECIAL: Mark.MOON, Strain.NO: Mark.STRUCK}


def deck_pdf(deck: Deck, paper: Paper, seats: Iterable[Seat] = CLOCKWISE) -> bytes:
    """The cards of these seats' sets, set after set. The same deck gives the same bytes."""
    _fonts()
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=paper.size, invariant=True)
    title = f"{deck.title[:1].upper()}{deck.title[1:]}"
    canvas.setTitle(f"{title}, to print and cut")
    canvas.setAuthor("Tallybox")
    canvas.setCreator("Tallybox")
    cards = [card for seat in seats for card in deck.set_of(seat)]
    pages = [cards[at : at + A_PAGE] for at in range(0, len(cards), A_PAGE)]
    for number, page in enumerate(pages, 1):
        _marks_to_cut(canvas, paper)
        _note(canvas, paper, f"{title}  ·  sheet {number} of {len(pages)}  ·  print at 100 %, cut along the marks")
        for index, card in enumerate(page):
            _card(canvas, place(paper, index), title, card)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def place(paper: Paper, index: int) -> tuple[float, float]:
    """The lower left corner of a page's card, in points: from left to right, from the top down."""
    left, bottom = _corner(paper)
    return left + index % COLUMNS * WIDTH * mm, bottom + (ROWS - 1 - index // COLUMNS) * HEIGHT * mm


def face_of(card: DeckCard) -> Face:
    """A card's face. Court cards have their letter; a figure that may be read upside down stands on a line."""
    large = card.name if card.name in _COURT else card.face
    match card.call:
        case Bid(level, strain):
            return Face(str(level), strain.value.upper(), _MARKS[strain], foot=True)
        case Number(tricks):
            words = f"{tricks} trick{'s' if tricks > 1 else ''}"
            return Face(large, words if large == card.face else f"{card.face}  ·  {words}", foot=large in {"6", "9"})
        case Pass():
            return Face(call_words(card.call))
        case Nil():
            words = call_words(card.call)
            return Face(large, words if large == card.face else f"{card.face}  ·  {words}", Mark.RING)


def _card(canvas: Canvas, at: tuple[float, float], title: str, card: DeckCard) -> None:
    """One card: its face upright and turned, its code in the middle, its uid and its deck beside the code."""
    canvas.saveState()
    canvas.translate(at[0] + WIDTH * mm / 2, at[1] + HEIGHT * mm / 2)
    canvas.setStrokeColor(LINE)
    canvas.setLineWidth(0.25 * mm)
    inset = 2.0
    canvas.roundRect(
        (inset - WIDTH / 2) * mm, (inset - HEIGHT / 2) * mm, (WIDTH - 2 * inset) * mm, (HEIGHT - 2 * inset) * mm, 3 * mm
    )
    for turn, beside in ((0, card.uid), (180, title)):
        canvas.saveState()
        canvas.rotate(turn)
        _half(canvas, card, beside)
        canvas.restoreState()
    _code(canvas, card.uid)
    canvas.restoreState()


def _half(canvas: Canvas, card: DeckCard, beside: str) -> None:
    """The upper half of a card, drawn around its middle."""
    face = face_of(card)
    left, top = _MARGIN - WIDTH / 2, HEIGHT / 2 - _MARGIN
    _chip(canvas, card.owner, -left - _CHIP, top - _CHIP)
    canvas.setFillColor(INK)
    tall = _LARGE if len(face.large) <= 2 else _WORD
    size = min(tall / _CAPITAL, (WIDTH - 2 * _MARGIN - _CHIP - 3) / _width(face.large))
    foot = top - size * _CAPITAL
    _text(canvas, face.large, left, foot, size)
    if face.foot:
        canvas.rect(left * mm, (foot - 2.4) * mm, _width(face.large) * size * mm, 1.1 * mm, stroke=0, fill=1)
    base = top - _LARGE - _UNDER
    if face.mark is not None:
        _mark(canvas, face.mark, left + _SIGN / 2, base + _WORDS / 2)
        left += _SIGN + 1.6
    _text(canvas, face.words, left, base, _WORDS / _CAPITAL)
    canvas.saveState()
    canvas.rotate(90)
    canvas.setFillColor(INK2)
    canvas.setFont(_SEMI, 3.0 * mm)
    canvas.drawCentredString(0, (WIDTH / 2 - _MARGIN - 3.4) * mm, beside)
    canvas.restoreState()


def _chip(canvas: Canvas, seat: Seat, x: float, y: float) -> None:
    """The seat's letter: filled for North and South, outlined for East and West."""
    filled = seat.side is Side.NS
    canvas.setLineWidth(0.7 * mm)
    canvas.setStrokeColor(INK)
    canvas.setFillColor(INK if filled else PAPER)
    edge = 0.35
    canvas.roundRect(
        (x + edge) * mm, (y + edge) * mm, (_CHIP - 2 * edge) * mm, (_CHIP - 2 * edge) * mm, 1.6 * mm, fill=1
    )
    canvas.setFillColor(PAPER if filled else INK)
    size = 5.0 / _CAPITAL
    _text(canvas, seat.value, x + (_CHIP - _width(seat.value) * size) / 2, y + (_CHIP - 5.0) / 2, size)


def _code(canvas: Canvas, uid: str) -> None:
    """The uid as a QR code in black, each row's dark runs as rectangles of one path, so that no seam shows."""
    rows = [list(row) for row in segno.make(uid, error="h", micro=False, boost_error=False).matrix]
    module = CODE / len(rows)
    white = CODE + 2 * QUIET * module
    canvas.setFillColor(PAPER)
    canvas.rect(-white / 2 * mm, -white / 2 * mm, white * mm, white * mm, stroke=0, fill=1)
    canvas.setFillColor(BLACK)
    path = canvas.beginPath()
    for number, row in enumerate(rows):
        y = CODE / 2 - (number + 1) * module
        for start, length in _dark_runs(row):
            path.rect((start * module - CODE / 2) * mm, y * mm, length * module * mm, module * mm)
    canvas.drawPath(path, stroke=0, fill=1)


def _dark_runs(row: list[int]) -> Iterator[tuple[int, int]]:
    """Start and length of each run of dark modules."""
    at = 0
    for dark, run in groupby(row):
        length = len(list(run))
        if dark:
            yield at, length
        at += length


def _mark(canvas: Canvas, mark: Mark, x: float, y: float) -> None:
    """A call's mark, centred, ``_SIGN`` millimetres wide."""
    canvas.saveState()
    canvas.translate(x * mm, y * mm)
    canvas.setStrokeColor(INK)
    canvas.setFillColor(INK)
    half = _SIGN / 2
    match mark:
        case Mark.SUN:
            canvas.circle(0, 0, half * 0.46 * mm, stroke=0, fill=1)
            canvas.setLineWidth(0.55 * mm)
            canvas.setLineCap(1)
            for _ in range(8):
                canvas.line(0, half * 0.68 * mm, 0, half * mm)
                canvas.rotate(45)
        case Mark.MOON:
            canvas.circle(0, 0, half * 0.94 * mm, stroke=0, fill=1)
            canvas.setFillColor(PAPER)
            canvas.circle(half * 0.45 * mm, half * 0.2 * mm, half * 0.78 * mm, stroke=0, fill=1)
        case Mark.STRUCK:
            canvas.setLineWidth(0.6 * mm)
            canvas.setLineCap(1)
            canvas.roundRect(-half * 0.6 * mm, -half * 0.86 * mm, half * 1.2 * mm, half * 1.72 * mm, 0.6 * mm)
            canvas.line(-half * mm, -half * 0.86 * mm, half * mm, half * 0.86 * mm)
        case Mark.RING:
            canvas.setLineWidth(1.1 * mm)
            canvas.circle(0, 0, (half - 0.65) * mm, stroke=1, fill=0)
    canvas.restoreState()


def _marks_to_cut(canvas: Canvas, paper: Paper) -> None:
    """Short lines outside the cards at every cut, and small crosses where four cards meet."""
    left, bottom = _corner(paper)
    right, top = left + COLUMNS * WIDTH * mm, bottom + ROWS * HEIGHT * mm
    near, far, arm = 1.0 * mm, 4.0 * mm, 1.2 * mm
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.2 * mm)
    xs = [left + column * WIDTH * mm for column in range(COLUMNS + 1)]
    ys = [bottom + row * HEIGHT * mm for row in range(ROWS + 1)]
    for x in xs:
        canvas.line(x, bottom - far, x, bottom - near)
        canvas.line(x, top + near, x, top + far)
    for y in ys:
        canvas.line(left - far, y, left - near, y)
        canvas.line(right + near, y, right + far, y)
    for x in xs[1:-1]:
        for y in ys[1:-1]:
            canvas.line(x - arm, y, x + arm, y)
            canvas.line(x, y - arm, x, y + arm)


def _note(canvas: Canvas, paper: Paper, text: str) -> None:
    """A line for whoever prints, up the left edge, where it is cut off."""
    left, _ = _corner(paper)
    canvas.saveState()
    canvas.translate(left - 5.2 * mm, paper.size[1] / 2)
    canvas.rotate(90)
    canvas.setFillColor(INK2)
    canvas.setFont(_SEMI, 3.0 * mm)
    canvas.drawCentredString(0, 0, text)
    canvas.restoreState()


def _corner(paper: Paper) -> tuple[float, float]:
    width, height = paper.size
    return (width - COLUMNS * WIDTH * mm) / 2, (height - ROWS * HEIGHT * mm) / 2


def _text(canvas: Canvas, text: str, x: float, y: float, size: float) -> None:
    canvas.setFont(_BOLD, size * mm)
    canvas.drawString(x * mm, y * mm, text)


def _width(text: str) -> float:
    """Width in ems."""
    return float(pdfmetrics.stringWidth(text, _BOLD, 1.0))


@cache
def _fonts() -> None:
    """Tell the PDF library where the font is; raises ``ModuleNotFoundError`` without the font package."""
    rl_config.useA85 = 0  # the library's one setting for the whole process: documents and decks must agree on it
    folder = files("fontpkg_ibm_plex_sans_condensed") / "files"
    for name, weight in _FONTS.items():
        pdfmetrics.registerFont(TTFont(name, str(folder / f"IBMPlexSansCondensed-{weight}.ttf")))
