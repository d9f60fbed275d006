"""What would come of an irregularity, side by side, if an official agrees: the lines before anybody rules."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.screens.look import Look
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.node import Align, Axis, Box, Node, Skin
from kiosk.widgets.parts import chip, column, row, words
from tallybox.calls import call_words
from tallybox.errors import SheetError
from tallybox.rules.auction import WhistContract
from tallybox.rules.hand import Line, LineKind, Ruling
from tallybox.rules.rulings import LOST_HAND
from tallybox.seats import Side
from tallybox.table.irregular import lines_if
from tallybox.why import rule_text, sentence, signed


@dataclass(frozen=True, slots=True)
class Agreed:
    """What to show of it, and the rule by which it counts."""

    rows: tuple[Node, ...]
    rule: str = ""


def if_agreed(look: Look, ruling: Ruling | None, waits: str = "") -> Agreed:
    """Both sides with their points; ``waits`` says what has to be told first, where it is not told yet."""
    if ruling is None:
        return Agreed((_small(waits),))
    try:
        lines = lines_if(look.state, ruling).lines
    except SheetError as reason:
        return Agreed((_small(reason.message),))
    rows = tuple(_side(look, ruling, side, [line for line in lines if line.side is side]) for side in Side)
    after = "" if ruling.code == "CONCEDED" else _("Not proven: play on, no points.")
    return Agreed((*rows, _small(f"{_note(look, lines)} {after}".strip())), lines[0].rule if lines else "")


def _note(look: Look, lines: tuple[Line, ...]) -> str:
    """Where the points come from, or what becomes of the card."""
    if any(line.kind is LineKind.PENALTY and line.params.get("card") for line in lines):
        return _("The card stays face up.")
    won = look.hand.contract(look.playing.ruleset)
    if isinstance(won, WhistContract) and lines:
        return _("{call} is worth {points}.", call=call_words(won.bid), points=sum(line.points for line in lines))
    return ""


def _small(text: str) -> Node:
    return words(text, 16, Weight.MEDIUM, Tone.INK2, line=20, wrap=True)


def rule_words(rule_id: str) -> Node:
    """A rule in our words; a long one is set smaller."""
    text = rule_text(rule_id)
    size, line = (18, 23) if len(text) <= 110 else (16, 20)
    return words(text, size, line=line, wrap=True, grow=1)


def _side(look: Look, ruling: Ruling, side: Side, lines: list[Line]) -> Node:
    points = sum(line.points for line in lines)
    return row(
        chip(side, 20),
        words(str(look.number(side)), 24, Weight.BOLD),
        words(_what(look, ruling, side), 19, Weight.MEDIUM, grow=1, cut=True),
        words(signed(points), 32, Weight.BOLD, Tone.CALL if points < 0 else Tone.INK, line=36),
        gap=10, h=38,
    )  # fmt: skip


def _what(look: Look, ruling: Ruling, side: Side) -> str:
    """What becomes of a side, in two words."""
    offends = side is (ruling.side or (ruling.seat.side if ruling.seat else None))
    if look.whist and ruling.code in LOST_HAND | {"CONCEDED"}:
        return _("loses the hand") if offends else _("wins the hand")
    if ruling.code == "REVOKE":
        return _("loses its bid") if offends else _("gets its bid")
    if ruling.code in {"EXPOSED", "RENOUNCE", "BID_TURN", "LEAD_TURN"}:
        return _("penalty") if offends else _("as played")
    return _("as the director says")


def lines_box(lines: tuple[Line, ...]) -> Node:
    """Lines of a score as they are read to both sides: the points, and the sentence behind them."""
    shown = [
        Box(
            (chip(line.side), words(sentence(line), 18, Weight.SEMI, line=22, wrap=True, grow=1),
             words(signed(line.points), 30, Weight.BOLD, Tone.CALL if line.points < 0 else Tone.INK, line=34)),
            Axis.ROW, 12, (5, 0, 5, 0), Align.CENTER, skin=Skin(border=Tone.LINE, under=1.5),
        )
        for line in lines
    ]  # fmt: skip
    return column(*shown, gap=2)
