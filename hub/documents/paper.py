"""What documents are printed on: the page, and the eight papers of the rounds with their edge patterns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hub.web.views.words import PAPERS, paper

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


class Edge(StrEnum):
    """The pattern along a sheet's left edge: it tells the rounds apart where colour does not."""

    PLAIN = "plain"
    BARS = "bars"
    PILLARS = "pillars"
    SLANT = "slant"
    DOTS = "dots"
    CHEVRON = "chevron"
    CHECKS = "checks"
    WEAVE = "weave"


@dataclass(frozen=True, slots=True)
class RoundPaper:
    """The paper of a round. ``twice``: its edge is doubled, because the round is beyond the eighth."""

    name: str
    ground: str
    band: str
    edge: Edge
    twice: bool = False


_COLOURS: Final = (
    ("#FAEDA0", "#9A7400"), ("#CDE5F7", "#2374B3"), ("#F9D5DA", "#BE4263"), ("#E3D8F4", "#7650B2"),
    ("#E7D3BA", "#7A4A22"), ("#DADEDC", "#58635F"), ("#FCDDBE", "#BF6417"), ("#CBEBD6", "#2A8654"),
)  # fmt: skip
"""Ground and band of the eight papers, the same as on every screen by daylight."""


def round_paper(number: int) -> RoundPaper:
    """The paper on which a round's sheets are printed."""
    place = paper(number) - 1
    ground, band = _COLOURS[place]
    return RoundPaper(PAPERS[place], ground, band, tuple(Edge)[place], number > len(PAPERS))
