"""Which card: a suit and a rank, chosen on two rows of keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kiosk.text import _, told
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import column, row, words
from tallybox.rules.cards import card_words
from tallybox.said import template

SUITS: Final = {
    "S": (MarkName.SPADE, template("spades")),
    "H": (MarkName.HEART, template("hearts")),
    "D": (MarkName.DIAMOND, template("diamonds")),
    "C": (MarkName.CLUB, template("clubs")),
}
RANKS: Final = "AKQJT98765432"

_KEY: Final = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)
_CHOSEN: Final = Skin(ground=Tone.INK, radius=8)


def card_keys(suit: str, rank: str, chosen: Callable[[str, str], Act]) -> Node:
    """Four suits and thirteen ranks; ``chosen`` says what a suit with a rank does."""
    suits = row(*(_suit(one, suit, chosen(one, rank)) for one in SUITS), gap=10, align=Align.STRETCH, grow=1)
    upper = row(*(_rank(one, rank, chosen(suit, one)) for one in RANKS[:7]), gap=8, align=Align.STRETCH, grow=1)
    lower = row(*(_rank(one, rank, chosen(suit, one)) for one in RANKS[7:]), gap=8, align=Align.STRETCH, grow=1)
    return column(
        words(_("Suit"), 18, Weight.SEMI, line=22), suits,
        words(_("Rank"), 18, Weight.SEMI, line=22), upper, lower, gap=7,
    )  # fmt: skip


def card_face(card: str, size: float = 24) -> Box:
    """A card as figure, drawn suit and word."""
    mark, _word = SUITS[card[0]]
    return row(Mark(mark, size), words(spoken(card), size, Weight.SEMI), gap=8)


def spoken(card: str) -> str:
    """The card as people name it."""
    return told(card_words(card))


def _suit(one: str, suit: str, act: Act) -> Box:
    mark, word = SUITS[one]
    ink = Tone.CARD if one == suit else Tone.INK
    return Box(
        (Mark(mark, 30, ink), words(_(word), 21, Weight.SEMI, ink)),
        Axis.ROW, 9, align=Align.CENTER, justify=Align.CENTER, grow=1, skin=_CHOSEN if one == suit else _KEY,
        tap=Tap(f"suit:{one}", act),
    )  # fmt: skip


def _rank(one: str, rank: str, act: Act) -> Box:
    ink = Tone.CARD if one == rank else Tone.INK
    figure = "10" if one == "T" else one
    face = words(figure, 32, Weight.BOLD, ink, foot=one in "69")
    return Box((face,), align=Align.CENTER, justify=Align.CENTER, grow=1, skin=_CHOSEN if one == rank else _KEY,
               tap=Tap(f"rank:{one}", act))  # fmt: skip
