"""What stands around every sheet: the head on the round's paper, the teams, and the foot with code and page number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hub.documents.edges import WIDTH, draw_edge
from hub.documents.marks import chip, code, tally
from hub.documents.paper import CARD, INK, INK2, round_paper
from hub.documents.pen import Align, Pen, Style, Weight, fitted, text_width
from hub.web.views.words import count_word
from tallybox.seats import Side

LEFT: Final = 66.0
MARGIN: Final = 46.0
HEAD: Final = 143.0
"""The height of the coloured head."""
FOOT: Final = 134.0
"""What is kept free for the foot, from the lower edge of the page."""
CODE: Final = 104.0

SMALL: Final = Style(14, Weight.REGULAR, INK2)
LABEL: Final = Style(13.5, Weight.SEMI, INK2)
TITLE: Final = Style(34, Weight.BOLD)


@dataclass(frozen=True, slots=True)
class SheetHead:
    """Which sheet this is: the occasion, its game, the round of how many, the table and who plays."""

    title: str
    game: str
    heading: str
    round: int
    of: int
    table: int
    date: str = ""


@dataclass(frozen=True, slots=True)
class SheetFoot:
    """What the foot says: the code's payload, the sheet with its version in bold, then small lines."""

    payload: str
    bold: str
    lines: tuple[str, ...]


def content_width(pen: Pen) -> float:
    """From the left of the text to its right."""
    return pen.width - LEFT - MARGIN


def draw_head(pen: Pen, head: SheetHead) -> None:
    """The head of a sheet: colour, pattern, figure, word and strokes all say which round it is."""
    paper, width = round_paper(head.round), pen.width
    left = LEFT + (8 if paper.twice else 0)
    pen.box(WIDTH if not paper.twice else WIDTH + 12, 0, width, HEAD - 1, fill=paper.ground, line=None)
    draw_edge(pen, paper)
    pen.line((WIDTH, HEAD - 1), (width, HEAD - 1), thick=2.5)
    boxes = width - MARGIN - 206
    said = f"{head.title} · {head.game}" if head.game else head.title
    pen.text(left, 49, said, Style(16, Weight.MEDIUM), within=boxes - left - 14)
    pen.text(left, 86, head.heading, TITLE, within=boxes - left - 14)
    at = pen.runs(
        left, 110, [("Round ", Style(18)), (f"{count_word(head.round)} ", Style(18, Weight.BOLD)),
               (f"of {count_word(head.of)}" if head.of >= head.round else "", Style(18))],
    )  # fmt: skip
    at += tally(pen, head.round, at + 14, 94, 20) + 24
    tail = " · ".join(part for part in (f"{paper.name} sheet", head.date) if part)
    pen.text(at, 110, tail, Style(18), within=boxes - at - 8)
    for place, (label, value) in enumerate((("Round", head.round), ("Table", head.table))):
        x = boxes + place * 110
        pen.box(x, 35, 96, 87, fill=CARD, line=INK, thick=2, radius=4)
        pen.text(x + 10, 55, label, Style(14, Weight.SEMI))
        pen.text(x + 48, 108, str(value), Style(52, Weight.BOLD), align=Align.CENTRE, within=84)


def draw_teams(pen: Pen, y: float, teams: Mapping[Side, tuple[int, str] | None]) -> None:
    """Both sides with team and players; a blank sheet leaves lines to write on."""
    half = (content_width(pen) - 16) / 2
    for place, side in enumerate(Side):
        x = LEFT + place * (half + 16)
        at = x + chip(pen, side, x, y) + 9
        team = teams[side]
        if team is None:
            at += pen.text(at, y + 26, "Team", Style(18, Weight.SEMI)) + 8
            pen.line((at, y + 30), (at + 52, y + 30), colour=INK)
            pen.line((at + 64, y + 30), (x + half, y + 30), colour=INK)
            continue
        number, names = team
        at += pen.text(at, y + 26, f"Team {number}", Style(24, Weight.BOLD)) + 9
        draw_names(pen, at, y, names, x + half - at)


def draw_names(pen: Pen, x: float, y: float, names: str, within: float) -> None:
    """Both players on one line, or one under the other where they are long."""
    style = Style(17)
    first, _, second = names.partition(" · ")
    if not second or text_width(names, style) <= within:
        pen.text(x, y + 25, names, style, within=within)
        return
    for place, name in enumerate((first, second)):
        pen.text(x, y + 16 + 18 * place, *fitted(name, Style(14.5), within, smallest=0.72))


def draw_foot(pen: Pen, foot: SheetFoot, page: int, pages: int) -> None:
    """The code with what it is for, and which page this is."""
    bottom = pen.height - 30
    code(pen, foot.payload, LEFT - 8, bottom - CODE, CODE)
    x = LEFT + CODE + 8
    right = pen.width - MARGIN
    number = f"Page {page} of {pages}"
    room = right - x - text_width(number, SMALL) - 16
    y = bottom - 16 * len(foot.lines) - 8
    pen.text(x, y - 4, foot.bold, Style(17, Weight.BOLD), within=right - x)
    for place, line in enumerate(foot.lines, start=1):
        last = place == len(foot.lines)
        words, style = fitted(line, SMALL, room if last else right - x, smallest=0.85)
        pen.text(x, y + 14 + 16 * (place - 1) + 2, words, style)
    pen.text(right, bottom - 6, number, SMALL, align=Align.RIGHT)
