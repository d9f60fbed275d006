"""What documents are printed on: the page, and the eight papers of the rounds with their edge patterns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tallybox.papers import Pattern, doubled, paper_of

INK: Final = "#121A17"
INK2: Final = "#43504A"
LINE: Final = "#9AA39D"
WELL: Final = "#F1F1EC"
CARD: Final = "#FCFCF9"
WHITE: Final = "#FFFFFF"


class Paper(StrEnum):
    """The size of a page. All lengths here are in units of 1/96 inch, which screens call a pixel."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def width(self) -> float:
        """From edge to edge."""
        return 793.7 if self is Paper.A4 else 816.0

    @property
    def height(self) -> float:
        """From edge to edge."""
        return 1122.5 if self is Paper.A4 else 1056.0


@dataclass(frozen=True, slots=True)
class RoundPaper:
    """The paper of a round. ``twice``: its edge is doubled, because the round is beyond the eighth."""

    name: str
    ground: str
    band: str
    edge: Pattern
    twice: bool = False


def round_paper(number: int) -> RoundPaper:
    """The paper on which a round's sheets are printed."""
    paper = paper_of(number)
    ground, band = paper.light
    return RoundPaper(paper.name, ground, band, paper.pattern, doubled(number))
