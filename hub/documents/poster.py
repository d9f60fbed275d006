"""A page for the wall: the code of the public page, its address, and what phones find there."""

from __future__ import annotations

from typing import Final

from hub.documents.marks import code
from hub.documents.paper import INK2, Paper
from hub.documents.pen import Align, Pen, Style, Weight, wrapped

CODE: Final = 440.0


def poster_pdf(title: str, address: str, paper: Paper) -> bytes:
    """One page with the code of this address."""
    pen = Pen(paper, f"{title}: public page")
    middle, within = pen.width / 2, pen.width - 120
    heading = Style(64, Weight.BOLD)
    y = 118.0
    for line in wrapped(title, heading, within)[:2]:
        pen.text(middle, y, line, heading, align=Align.CENTRE, within=within)
        y += 72
    pen.text(middle, y, "Your next table, your results, the standings", Style(34), align=Align.CENTRE, within=within)
    pen.text(middle, y + 44, "on your phone", Style(34), align=Align.CENTRE)
    code(pen, address, middle - CODE / 2, y + 74, CODE)
    foot = y + 74 + CODE + 48
    pen.text(middle, foot, address, Style(30, Weight.SEMI), align=Align.CENTRE, within=within)
    small = Style(22, Weight.REGULAR, INK2)
    pen.text(middle, foot + 40, "Read only. Results count once their sheet is accepted.", small, align=Align.CENTRE)
    return pen.bytes()
