"""The score sheet as played: hands, Tally Boxes, signatures with their versions, rulings and corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hub.documents.flow import Block, Placed, flow, gap
from hub.documents.frame import FOOT, HEAD, LABEL, LEFT, MARGIN, content_width, draw_foot, draw_head, draw_teams
from hub.documents.hands import spades_blocks, whist_blocks
from hub.documents.history import Entry
from hub.documents.marks import boxed, chip, signature, tally
from hub.documents.paper import CARD, INK, LINE, WHITE, Paper
from hub.documents.pen import Align, Pen, Style, Weight, text_width, wrapped
from hub.documents.printed import SheetPrint, Signed
from hub.documents.proof import checkpoint_blocks
from hub.web.views.words import signed as figure
from hub.web.views.words import time_of_day
from tallybox.seats import Side

_TEXT: Final = Style(15)
_SECTION: Final = Style(16, Weight.BOLD)
_BOX: Final = 96.0
_PAD: Final = 140.0


def sheets_pdf(prints: Sequence[SheetPrint], paper: Paper, title: str) -> bytes:
    """All these sheets in one document, each beginning a page of its own and counting its own pages."""
    pen = Pen(paper, title)
    for place, sheet in enumerate(prints):
        if place:
            pen.next_page()
        _draw(pen, sheet)
    return pen.bytes()


def _draw(pen: Pen, sheet: SheetPrint) -> None:
    pages = flow(_blocks(pen, sheet), HEAD + 74, pen.height - FOOT)
    for number, page in enumerate(pages, start=1):
        if number > 1:
            pen.next_page()
        _draw_page(pen, sheet, page, number, len(pages))


def _draw_page(pen: Pen, sheet: SheetPrint, page: Sequence[Placed], number: int, pages: int) -> None:
    draw_head(pen, sheet.head)
    draw_teams(pen, HEAD + 18, sheet.teams)
    for placed in page:
        placed.block.draw(pen, placed.y)
    draw_foot(pen, sheet.foot, number, pages)


def _blocks(pen: Pen, sheet: SheetPrint) -> list[Block]:
    hands = whist_blocks if sheet.whist else spades_blocks
    blocks = list(hands(sheet.told.hands))
    if sheet.told.end:
        blocks.append(Block(28, lambda pen, y: _line(pen, y + 21, sheet.told.end)))
    blocks += [gap(12), Block(_BOX, lambda pen, y: _tally_boxes(pen, y, sheet)), gap(8)]
    if sheet.notice:
        blocks.append(_notice(pen, sheet.notice))
    blocks += [Block(34, lambda pen, y: section(pen, y, "Signed"), keep=True)]
    blocks.append(Block(_PAD + 4, lambda pen, y: _signatures(pen, y, sheet)))
    if sheet.entries:
        head = Block(34, lambda pen, y: section(pen, y, "Rulings and corrections"), keep=True)
        again = Block(34, lambda pen, y: section(pen, y, "Rulings and corrections, continued"))
        blocks += [head, *(_entry(pen, sheet, entry, again) for entry in sheet.entries)]
    later = "What was decided about this sheet later is not in it." if sheet.decided_later else ""
    return [*blocks, *checkpoint_blocks(sheet.checkpoint, later)]


def section(pen: Pen, y: float, words: str) -> None:
    """A heading with a rule under it."""
    pen.text(LEFT, y + 21, words, _SECTION)
    pen.line((LEFT, y + 28), (pen.width - MARGIN, y + 28), thick=2)


def _line(pen: Pen, y: float, words: str) -> None:
    pen.text(LEFT, y, words, Style(16, Weight.SEMI), within=content_width(pen))


def _notice(pen: Pen, words: str) -> Block:
    """What must be read first: a box with a thick rule."""
    style = Style(16, Weight.SEMI)
    lines = wrapped(words, style, content_width(pen) - 32)
    height = 20 * len(lines) + 18

    def draw(pen: Pen, y: float) -> None:
        pen.box(LEFT, y, content_width(pen), height, fill=WHITE, line=INK, thick=3, radius=4)
        for place, line in enumerate(lines):
            pen.text(LEFT + 16, y + 25 + 20 * place, line, style)

    return Block(height + 10, draw)


def _tally_boxes(pen: Pen, y: float, sheet: SheetPrint) -> None:
    half = (content_width(pen) - 16) / 2
    for place, side in enumerate(Side):
        x = LEFT + place * (half + 16)
        pen.box(x, y, half, _BOX, fill=CARD, line=INK, thick=2, radius=4)
        wide = chip(pen, side, x + 9, y + 6, 22)
        pen.text(x + 9 + wide + 8, y + 23, "Tally box", Style(15, Weight.SEMI))
        if sheet.whist:
            _whist_box(pen, x, y, half, sheet, side)
        else:
            _spades_box(pen, x, y, half, sheet, side)


def _whist_box(pen: Pen, x: float, y: float, width: float, sheet: SheetPrint, side: Side) -> None:
    bostons = sheet.told.bostons[side]
    won = sheet.told.hands_won[side]
    _count(pen, x + 16, y, 44, str(won), "hand" if won == 1 else "hands")
    _count(pen, x + width * 0.36, y, 44, figure(sheet.told.points[side]), "points")
    _count(pen, x + width * 0.72, y, 33, str(bostons), "Boston" if bostons == 1 else "Bostons")


def _spades_box(pen: Pen, x: float, y: float, width: float, sheet: SheetPrint, side: Side) -> None:
    bags = sheet.told.bags[side]
    _count(pen, x + 16, y, 44, figure(sheet.told.points[side]), "points")
    at = _count(pen, x + width * 0.48, y, 44, str(bags), "bag" if bags == 1 else "bags")
    if 0 < bags <= 10:
        tally(pen, bags, at + 14, y + 56, 20)


def _count(pen: Pen, x: float, y: float, size: float, value: str, word: str) -> float:
    x += pen.text(x, y + 75, value, Style(size, Weight.BOLD)) + 9
    return x + pen.text(x, y + 75, word, Style(18))


def _signatures(pen: Pen, y: float, sheet: SheetPrint) -> None:
    width = (content_width(pen) - 28) / 3
    for place, signed in enumerate(sheet.signed):
        _signature(pen, LEFT + place * (width + 14), y, width, signed)
    x = LEFT + 2 * (width + 14)
    pen.box(x, y, width, _PAD, fill=WHITE, line=INK, thick=2, radius=4)
    pen.text(x + 14, y + 29, "Taken by", Style(16, Weight.BOLD))
    pen.line((x + 14, y + _PAD - 44), (x + width - 14, y + _PAD - 44), colour=LINE)
    for place, line in enumerate(sheet.accepted):
        style = Style(15, Weight.MEDIUM) if place == 0 else LABEL
        pen.text(x + 14, y + _PAD - 26 + 17 * place, line, style, within=width - 28)


def _signature(pen: Pen, x: float, y: float, width: float, signed: Signed) -> None:
    """A pad. One that covers another version than this paper's is dashed, and names its version in a box."""
    other = signed.version > 0 and not signed.current
    pen.box(x, y, width, _PAD, fill=WHITE, line=INK, thick=2, radius=4, dashed=other)
    chip(pen, signed.side, x + 12, y + 8, 26)
    pen.text(x + 58, y + 31, str(signed.team), Style(24, Weight.BOLD))
    if other:
        words = f"version {signed.version}"
        boxed(pen, words, x + width - 23 - text_width(words, Style(13, Weight.BOLD)), y + 27)
    foot = y + _PAD - 44 - (16 if len(signed.says) > 1 else 0)
    if signed.strokes:
        signature(pen, signed.strokes, x + 12, y + 38, width - 24, foot - y - 40)
    pen.line((x + 14, foot), (x + width - 14, foot), colour=LINE)
    pen.text(x + 14, foot + 18, signed.name, Style(15, Weight.MEDIUM), within=width - 28)
    for place, line in enumerate(signed.says, start=1):
        pen.text(x + 14, foot + 18 + 16.5 * place, line, LABEL, within=width - 28)


def _entry(pen: Pen, sheet: SheetPrint, entry: Entry, head: Block) -> Block:
    """When, about what, what was done, why, by whom; and the version that it made."""
    left, right = LEFT + 186, pen.width - MARGIN
    said = entry.text
    if entry.reason and f"“{entry.reason}”" not in said:
        said += f" “{entry.reason}”"
    if entry.by:
        said += f" {sheet.named(entry.by)}"
    lines = wrapped(said, _TEXT, right - left)
    height = 18 * len(lines) + 16

    def draw(pen: Pen, y: float) -> None:
        pen.text(LEFT + 46, y + 22, time_of_day(entry.at) if entry.at else "–", Style(15, Weight.BOLD),
                 align=Align.RIGHT)  # fmt: skip
        about = f"Hand {entry.hand}" if entry.hand else entry.what
        x = LEFT + 58 + pen.text(LEFT + 58, y + 22, about, Style(15, Weight.MEDIUM), within=118)
        if entry.version is not None:
            boxed(pen, f"v{entry.version}", x + 8, y + 21)
        for place, line in enumerate(lines):
            pen.text(left, y + 22 + 18 * place, line, _TEXT)
        pen.line((LEFT, y + height), (right, y + height), colour=LINE)

    return Block(height + 1, draw, head)
