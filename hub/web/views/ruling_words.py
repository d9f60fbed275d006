"""What is ruled, in words: the names of the codes, the rule behind each, and a ruling in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hub.tournament.state import TableRound
from hub.web.views.words import signed
from tallybox.rules.cards import card_words
from tallybox.rules.hand import Ruling
from tallybox.seats import Side
from tallybox.table.kind_names import kind_rule, kind_said

_OTHERS: Final[Mapping[str, tuple[str, str]]] = {
    "CONCEDED": ("The bidder conceded", "A-32"),
    "LAYDOWN": ("Laid down, all are winners", "A-33"),
    "IMPROPER_BID": ("Bid too low, corrected", "A-14"),
    "LATE": ("Late: the hand is given away", "A-37"),
    "ADJUST": ("Adjust the score", "INV-7"),
}
"""What only the desk rules, named for the desk alone."""


def kind_name(table: TableRound, code: str) -> str:
    """What happened, in a few words."""
    return _OTHERS[code][0] if code in _OTHERS else str(kind_said(table.state.playing.ruleset.settings, code))


def rule_of(table: TableRound, code: str) -> str:
    """The id of the rule behind a code; empty while none is chosen."""
    if not code:
        return ""
    return _OTHERS[code][1] if code in _OTHERS else kind_rule(table.state.playing.ruleset.settings, code)


def spoken_ruling(table: TableRound, ruling: Ruling, points: Mapping[Side, int] | None = None) -> str:
    """A ruling in one line: ``Bid out of turn by East, EW +4``."""
    said = kind_name(table, ruling.code)
    if ruling.seat is not None:
        said += f" by {ruling.seat.word}"
    elif ruling.side is not None:
        said += f" by {ruling.side.word}"
    if ruling.card is not None:
        said += f" ({card_words(ruling.card)})"
    if not ruling.proven:
        return f"{said}: not proven"
    moved = points if points is not None else ruling.points
    figures = [f"{side.value} {signed_with_plus(number)}" for side, number in (moved or {}).items() if number]
    return f"{said}. {', '.join(figures)}" if figures else said


def signed_with_plus(points: int) -> str:
    """Points with their sign."""
    return f"+{points}" if points > 0 else signed(points)
