"""The eight papers on which rounds are played: the same on a table's screen, at the desk and in documents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tallybox.said import template


class Pattern(StrEnum):
    """What runs down a sheet's edge, so that its round is known without hue."""

    PLAIN = "plain"
    BARS = "bars"
    PILLARS = "pillars"
    SLANT = "slant"
    DOTS = "dots"
    CHEVRON = "chevron"
    CHECKS = "checks"
    WEAVE = "weave"


@dataclass(frozen=True, slots=True)
class Paper:
    """The paper one round is played on: a name, a pattern, and paper and band in light and in dark (``#RRGGBB``)."""

    name: str
    pattern: Pattern
    light: tuple[str, str]
    dark: tuple[str, str]


PAPERS: Final = (
    Paper(template("Canary"), Pattern.PLAIN, ("#FAEDA0", "#9A7400"), ("#3A310C", "#E6C13D")),
    Paper(template("Sky"), Pattern.BARS, ("#CDE5F7", "#2374B3"), ("#12304A", "#6FB4E8")),
    Paper(template("Rose"), Pattern.PILLARS, ("#F9D5DA", "#BE4263"), ("#471D29", "#EE8AA2")),
    Paper(template("Lilac"), Pattern.SLANT, ("#E3D8F4", "#7650B2"), ("#2F2148", "#B597E6")),
    Paper(template("Kraft"), Pattern.DOTS, ("#E7D3BA", "#7A4A22"), ("#38281A", "#C69A6C")),
    Paper(template("Stone"), Pattern.CHEVRON, ("#DADEDC", "#58635F"), ("#2A322F", "#A9B5B0")),
    Paper(template("Apricot"), Pattern.CHECKS, ("#FCDDBE", "#BF6417"), ("#45290D", "#EFA25A")),
    Paper(template("Mint"), Pattern.WEAVE, ("#CBEBD6", "#2A8654"), ("#143725", "#6CCB95")),
)
"""Rounds 1 to 8; round 9 starts again with Canary and a doubled edge."""


def paper_of(number: int) -> Paper:
    """The paper of a round."""
    return PAPERS[(number - 1) % len(PAPERS)]


def doubled(number: int) -> bool:
    """Whether the edge of a round's paper is doubled: the round is beyond the eighth."""
    return number > len(PAPERS)
