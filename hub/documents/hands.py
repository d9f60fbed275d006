"""The hands of a sheet as a ruled table: one form for bid whist, one for spades; blank or played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from hub.documents.flow import Block
from hub.documents.frame import LABEL, LEFT, MARGIN, content_width
from hub.documents.marks import boxed, call, chip
from hub.documents.paper import INK2, LINE, WELL
from hub.documents.pen import Align, Pen, Style, Weight
from hub.documents.told import HandTold, SideTold, auction_words
from hub.web.views.words import signed
from tallybox.seats import Side

ROW: Final = 49.0
SPADES_ROW: Final = 38.0
HEADS: Final = 46.0

_PLAIN: Final = Style(16)
_STRONG: Final = Style(16, Weight.BOLD)
_EARNED: Final = Style(23, Weight.BOLD)
_SMALL: Final = Style(13.5, Weight.REGULAR, INK2)


def whist_blocks(hands: Sequence[HandTold]) -> Iterator[Block]:
    """The head of the table and its rows."""
    head = Block(HEADS, whist_head, keep=True)
    yield head
    for hand in hands:
        yield Block(ROW, partial(_whist_row, hand=hand), head)
    if not hands:
        yield Block(ROW, partial(_nothing, height=ROW), head)


def spades_blocks(hands: Sequence[HandTold]) -> Iterator[Block]:
    """The head of the table and its rows."""
    head = Block(HEADS + 12, spades_head, keep=True)
    yield head
    for hand in hands:
        yield Block(SPADES_ROW, partial(_spades_row, hand=hand), head)
    if not hands:
        yield Block(SPADES_ROW, partial(_nothing, height=SPADES_ROW), head)


# --- bid whist

HAND: Final = LEFT + 20
DEALER: Final = LEFT + 64
AUCTION: Final = LEFT + 92


def whist_columns(pen: Pen) -> dict[str, float]:
    """Where each column of figures has its middle, or its right where it is ``bid``."""
    right = pen.width - MARGIN
    return {"books": right - 322, "bid": right - 254, "NS": right - 213, "EW": right - 151, "total": right - 88,
            "won": right - 25}  # fmt: skip


def whist_head(pen: Pen, y: float) -> None:
    """The words over the columns: points of the bid and points earned stand apart."""
    at = whist_columns(pen)
    _words(pen, y, HAND, "Hand")
    _words(pen, y, DEALER, "Dealer")
    pen.text(AUCTION, y + 37, "Contract and auction", LABEL)
    _words(pen, y, at["books"], "Books", "NS – EW")
    _words(pen, y, at["bid"] - 14, "Bid", "points")
    _words(pen, y, at["NS"], "NS", "earned")
    _words(pen, y, at["EW"], "EW", "earned")
    _words(pen, y, at["total"], "Total", "NS – EW")
    _words(pen, y, at["won"], "Hand", "won by")
    pen.line((LEFT, y + HEADS - 1), (pen.width - MARGIN, y + HEADS - 1), thick=2)


def shade(pen: Pen, y: float, height: float) -> None:
    """The two columns of points earned stand on a ground of their own."""
    at = whist_columns(pen)
    pen.box(at["NS"] - 31, y, 124, height, fill=WELL, line=None)


def _whist_row(pen: Pen, y: float, hand: HandTold) -> None:
    at = whist_columns(pen)
    shade(pen, y, ROW)
    foot = y + 30
    _middle(pen, HAND, foot, str(hand.number), _STRONG)
    _middle(pen, DEALER, foot, hand.dealer.value, _PLAIN)
    within = at["books"] - 34 - AUCTION
    if hand.void:
        x = AUCTION + boxed(pen, "void", AUCTION, y + 22) + 8
        pen.text(x, y + 22, hand.void, Style(14), within=at["NS"] - 36 - x)
    else:
        _contract(pen, y + 22, hand)
    pen.text(AUCTION, y + 40, auction_words(hand.calls), _SMALL, within=within)
    if hand.books is not None and not hand.void:
        _middle(pen, at["books"], foot, f"{hand.books[Side.NS]} – {hand.books[Side.EW]}", _PLAIN)
    if hand.bid_points is not None and not hand.void:
        pen.text(at["bid"], foot, str(hand.bid_points), _PLAIN, align=Align.RIGHT)
    if hand.sides is not None and not hand.void:
        for side in Side:
            earned = hand.sides[side].earned
            if earned:
                _middle(pen, at[side.value], y + 33, signed(earned), _EARNED)
        _middle(pen, at["total"], foot, " – ".join(signed(hand.sides[side].total) for side in Side), _PLAIN)
    if hand.won_by is not None:
        chip(pen, hand.won_by, at["won"] - 19, y + 11, 27)
    _rule(pen, y + ROW)


def _contract(pen: Pen, y: float, hand: HandTold) -> None:
    x = AUCTION
    if hand.bidder is not None and hand.bid is not None:
        x += pen.text(x, y, hand.bidder.value, Style(18, Weight.BOLD)) + 9
        x = call(pen, hand.bid, x, y, 16, hand.direction) + 9
    elif not hand.calls:
        x += pen.text(x, y, "not played", Style(15, Weight.MEDIUM)) + 9
    for word in hand.boxed:
        x += boxed(pen, word, x, y) + 5


# --- spades


def spades_columns(pen: Pen) -> tuple[float, float, float, tuple[float, ...]]:
    """Where North–South's columns begin, where East–West's do, how wide a side is, and the middles within one."""
    width = (content_width(pen) - 218) / 2
    start = LEFT + 218
    return start, start + width, width, (0.11, 0.33, 0.56, 0.76, 0.92)


_SPADES_WORDS: Final = ("Bid", "Tricks", "Earned", "Total", "Bags")


def spades_head(pen: Pen, y: float) -> None:
    """The words over the columns, and over each side its chip."""
    ns, ew, width, middles = spades_columns(pen)
    base = y + 12
    _words(pen, base, HAND, "Hand")
    _words(pen, base, DEALER, "Dealer")
    pen.text(AUCTION, base + 37, "Bids as called", LABEL)
    for start, side in ((ns, Side.NS), (ew, Side.EW)):
        chip(pen, side, start + width / 2 - 15, y + 2, 22)
        for middle, word in zip(middles, _SPADES_WORDS, strict=True):
            _words(pen, base, start + width * middle, word)
    pen.line((LEFT, base + HEADS - 1), (pen.width - MARGIN, base + HEADS - 1), thick=2)


def spades_shade(pen: Pen, y: float, height: float) -> None:
    """The points earned stand on a ground of their own; a rule parts the sides."""
    ns, ew, width, middles = spades_columns(pen)
    for start in (ns, ew):
        pen.box(start + width * middles[2] - 24, y, 48, height, fill=WELL, line=None)
    pen.line((ew - 1, y), (ew - 1, y + height), colour=LINE)


def _spades_row(pen: Pen, y: float, hand: HandTold) -> None:
    ns, ew, width, middles = spades_columns(pen)
    spades_shade(pen, y, SPADES_ROW)
    foot = y + 25
    _middle(pen, HAND, foot, str(hand.number), _STRONG)
    _middle(pen, DEALER, foot, hand.dealer.value, _PLAIN)
    words = auction_words(hand.calls)
    low = bool(hand.boxed or hand.void)
    pen.text(AUCTION, y + 17 if low else foot, words, Style(14.5), within=ns - AUCTION - 6)
    x = AUCTION
    for word in ("void", *hand.boxed) if hand.void else hand.boxed:
        x += boxed(pen, word, x, y + 33, 11) + 5
    if hand.void:
        pen.text(x + 3, y + 33, hand.void, _SMALL, within=pen.width - MARGIN - x - 6)
    elif hand.sides is not None:
        for start, side in ((ns, Side.NS), (ew, Side.EW)):
            _side(pen, foot, start, width, middles, hand.sides[side])
    _rule(pen, y + SPADES_ROW)


def _side(pen: Pen, y: float, start: float, width: float, middles: tuple[float, ...], side: SideTold) -> None:
    cells = (
        (side.bid, _PLAIN), (side.tricks, _PLAIN), (signed(side.earned), Style(19, Weight.BOLD)),
        (signed(side.total), _STRONG), (str(side.bags), _PLAIN),
    )  # fmt: skip
    for middle, (words, style) in zip(middles, cells, strict=True):
        pen.text(start + width * middle, y, words, style, align=Align.CENTRE, within=50)


# --- both


def _nothing(pen: Pen, y: float, height: float) -> None:
    pen.text(LEFT, y + 30, "No hand is recorded yet.", _PLAIN)
    _rule(pen, y + height)


def _middle(pen: Pen, x: float, y: float, words: str, style: Style) -> None:
    pen.text(x, y, words, style, align=Align.CENTRE)


def _words(pen: Pen, y: float, x: float, *lines: str) -> None:
    for place, line in enumerate(lines, start=1):
        pen.text(x, y + 37 - 15 * (len(lines) - place), line, LABEL, align=Align.CENTRE)


def _rule(pen: Pen, y: float) -> None:
    pen.line((LEFT, y), (pen.width - MARGIN, y), colour=LINE)
