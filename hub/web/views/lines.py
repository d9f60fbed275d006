"""A line of a score as the pages show it: who gets what, why, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass

from hub.web.views.words import signed
from tallybox.rules.hand import Line
from tallybox.seats import Side
from tallybox.why import sentence


@dataclass(frozen=True, slots=True)
class LineView:
    """One line of a score: who gets what, why, and by which rule."""

    side: Side
    points: str
    minus: bool
    why: str
    rule: str


def line_view(line: Line) -> LineView:
    """A line as a sentence with its rule."""
    return LineView(line.side, signed(line.points), line.points < 0, sentence(line), line.rule)
