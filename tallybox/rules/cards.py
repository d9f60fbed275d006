"""Playing cards as rulings name them: suit, then rank, such as ``SK``, ``D7`` or ``HT``."""

from __future__ import annotations

import re
from typing import Annotated, Final

from msgspec import Meta

from tallybox.said import Said, say

CARD_PATTERN: Final = r"\A[SHDC][2-9TJQKA]\Z"

CardCode = Annotated[str, Meta(pattern=CARD_PATTERN)]
"""A card in two letters: suit S H D C, then rank 2–9 T J Q K A."""

_CARD = re.compile(CARD_PATTERN)
_SUITS: Final = {"S": say("spades"), "H": say("hearts"), "D": say("diamonds"), "C": say("clubs")}
_RANKS: Final = {"T": "10", "J": say("Jack"), "Q": say("Queen"), "K": say("King"), "A": say("Ace")}


def is_card(text: str) -> bool:
    """Whether ``text`` names one card of the 52."""
    return _CARD.match(text) is not None


def card_words(card: str) -> Said:
    """The card as it is spoken, such as ``King of spades``."""
    return say("{rank} of {suit}", rank=_RANKS.get(card[1], card[1]), suit=_SUITS[card[0]])
