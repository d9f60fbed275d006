"""The look of the table's screen as values: tones, type, sheets and the two panel sizes. No Kivy here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from itertools import pairwise
from typing import Final

from tallybox.papers import Paper, doubled, paper_of


class Tone(StrEnum):
    """A colour by what it is for; the palette decides what it looks like in light and in dark."""

    STOCK = "stock"
    CARD = "card"
    WELL = "well"
    INK = "ink"
    INK2 = "ink2"
    LINE = "line"
    EDGE = "edge"
    BAIZE = "baize"
    ONBAIZE = "onbaize"
    BAIZESOFT = "baizesoft"
    CALL = "call"
    ONCALL = "oncall"
    CALLSOFT = "callsoft"
    AMBERTEXT = "ambertext"
    AMBER = "amber"
    ONAMBER = "onamber"
    AMBERSOFT = "ambersoft"
    BLUE = "blue"
    ONBLUE = "onblue"
    BLUESOFT = "bluesoft"
    PAPER = "paper"
    """The round's sheet paper."""
    BAND = "band"
    """The round's edge pattern."""
    PAPERLINE = "paperline"
    """A hairline on the round's paper."""


class Weight(IntEnum):
    """The four weights of the face."""

    REGULAR = 400
    MEDIUM = 500
    SEMI = 600
    BOLD = 700


LIGHT: Final = {
    Tone.STOCK: "#E6E6E0", Tone.CARD: "#FCFCF9", Tone.WELL: "#F1F1EC", Tone.INK: "#121A17", Tone.INK2: "#43504A",
    Tone.LINE: "#C3C8C2", Tone.EDGE: "#737E78", Tone.BAIZE: "#0A4435", Tone.ONBAIZE: "#FFFFFF",
    Tone.BAIZESOFT: "#D9EADF", Tone.CALL: "#A8132A", Tone.ONCALL: "#FFFFFF", Tone.CALLSOFT: "#FAE1E1",
    Tone.AMBERTEXT: "#704400", Tone.AMBER: "#F2B53C", Tone.ONAMBER: "#121A17", Tone.AMBERSOFT: "#FBEED0",
    Tone.BLUE: "#15508C", Tone.ONBLUE: "#FFFFFF", Tone.BLUESOFT: "#E0ECF7",
}  # fmt: skip
DARK: Final = {
    Tone.STOCK: "#0B110F", Tone.CARD: "#161F1B", Tone.WELL: "#0F1714", Tone.INK: "#F4F3ED", Tone.INK2: "#B4BFB8",
    Tone.LINE: "#34413B", Tone.EDGE: "#7E8C85", Tone.BAIZE: "#8EDCBC", Tone.ONBAIZE: "#06231A",
    Tone.BAIZESOFT: "#1E3D32", Tone.CALL: "#FF9A97", Tone.ONCALL: "#3A060D", Tone.CALLSOFT: "#451B21",
    Tone.AMBERTEXT: "#F5C665", Tone.AMBER: "#F2B53C", Tone.ONAMBER: "#121A17", Tone.AMBERSOFT: "#3C2F12",
    Tone.BLUE: "#97C7F5", Tone.ONBLUE: "#07203A", Tone.BLUESOFT: "#172D43",
}  # fmt: skip

Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class PanelSize:
    """Where the fixed parts of the frame stand on one panel, in pixels, and how much larger everything else is."""

    width: int
    height: int
    spine: int
    edge: int
    header: int
    actions: int
    left: int
    right: int
    scale: float
    """Space, keys and marks: panel pixels for each pixel of the 7-inch design."""


class Panel(Enum):
    """The two panels the screens are drawn for."""

    SEVEN = PanelSize(800, 480, spine=116, edge=14, header=64, actions=84, left=16, right=14, scale=1.0)
    TEN = PanelSize(1280, 800, spine=178, edge=20, header=100, actions=122, left=24, right=22, scale=1.5)

    @classmethod
    def fitting(cls, width: int, height: int) -> Panel:
        """The panel whose screens fit a window of this size; the smaller one when neither does."""
        ten = cls.TEN.value
        return cls.TEN if width >= ten.width and height >= ten.height else cls.SEVEN


_TYPE_STEPS: Final = (
    (0.0, 0.0), (16.0, 21.0), (19.0, 26.0), (21.0, 29.0), (25.0, 35.0), (28.0, 42.0), (34.0, 52.0), (52.0, 74.0),
    (100.0, 150.0), (200.0, 310.0), (400.0, 620.0),
)  # fmt: skip
"""Type on the 10-inch panel for each size of the 7-inch design: small sizes grow less than large ones."""


def luminance(rgb: Rgb) -> float:
    """Relative luminance as WCAG 2 defines it, 0 for black and 1 for white."""
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    """The WCAG 2 contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(ground: Rgb, ink: Rgb, share: float) -> Rgb:
    """``ink`` laid over ``ground`` at ``share``: a solid colour, because nothing on a screen is see-through."""
    red, green, blue = (under + (over - under) * share for under, over in zip(ground, ink, strict=True))
    return red, green, blue


def _rgb(code: str) -> Rgb:
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255


@dataclass(frozen=True, slots=True)
class Theme:
    """One way to see the screens: light or dark, on one of the panels, on the paper of one round."""

    panel: Panel = Panel.SEVEN
    dark: bool = False
    round_number: int | None = None
    """The round whose paper is shown; none before the first assignment (stone, without a pattern)."""

    @property
    def frame(self) -> PanelSize:
        """The panel's fixed measures."""
        return self.panel.value

    @property
    def sheet(self) -> Paper:
        """The paper of the round."""
        return paper_of(self.round_number or 6)

    @property
    def doubled(self) -> bool:
        """Whether the eight papers are in their second turn, which doubles the edge."""
        return self.round_number is not None and doubled(self.round_number)

    def color(self, tone: Tone) -> Rgb:
        """What ``tone`` looks like here."""
        paper, band = self.sheet.dark if self.dark else self.sheet.light
        palette = DARK if self.dark else LIGHT
        if tone is Tone.PAPER:
            return _rgb(paper)
        if tone is Tone.BAND:
            return _rgb(band)
        if tone is Tone.PAPERLINE:
            return mixed(_rgb(paper), _rgb(palette[Tone.INK]), 0.22)
        return _rgb(palette[tone])

    def px(self, design: float) -> int:
        """Panel pixels for a distance of the 7-inch design."""
        return round(design * self.frame.scale)

    def type_px(self, design: float) -> int:
        """Panel pixels for a type size of the 7-inch design."""
        if self.panel is Panel.SEVEN:
            return round(design)
        for (low, low_ten), (high, high_ten) in pairwise(_TYPE_STEPS):
            if design <= high:
                return round(low_ten + (high_ten - low_ten) * (design - low) / (high - low))
        return round(design * self.frame.scale)
