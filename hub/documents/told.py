"""What a printed score sheet says of the hands: the facts as they count now, with points and running totals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hub.tournament.state import TableRound
from tallybox.calls import Bid, Call, Direction, Game, Nil, Pass, Strain, call_words
from tallybox.errors import TallyboxError
from tallybox.rules.auction import Made, SpadesContract, WhistContract, contract
from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, Side, calling_order
from tallybox.sheet import HandScore, SheetFacts, SheetScore, score_sheet
from tallybox.table.shown import sheet_facts
from tallybox.table.state import Hand

VOIDS: Final = {
    "misdeal": "Void: misdeal. Dealt again.",
    "exposed-in-deal": "Void: a card was exposed in the deal. Dealt again.",
    "director": "Void by the director.",
}


@dataclass(frozen=True, slots=True)
class SideTold:
    """One side in one hand. ``bid``: the sum of its numbers in spades, with its nils; ``total``: after this hand."""

    earned: int = 0
    total: int = 0
    bags: int = 0
    bid: str = ""
    tricks: str = ""


@dataclass(frozen=True, slots=True)
class HandTold:
    """One row of the sheet. ``calls`` in the order in which the seats call, ``bid`` the winning one in bid whist."""

    number: int
    dealer: Seat
    calls: tuple[tuple[Seat, Call], ...] = ()
    bidder: Seat | None = None
    bid: Bid | None = None
    direction: Direction | None = None
    bid_points: int | None = None
    books: Mapping[Side, int] | None = None
    tricks: Mapping[Seat, int] | None = None
    sides: Mapping[Side, SideTold] | None = None
    won_by: Side | None = None
    boxed: tuple[str, ...] = ()
    void: str = ""


@dataclass(frozen=True, slots=True)
class SheetTold:
    """The whole sheet's hands and totals; ``end`` says in words how the round ended, if it has."""

    hands: tuple[HandTold, ...]
    points: Mapping[Side, int]
    bags: Mapping[Side, int]
    hands_won: Mapping[Side, int]
    bostons: Mapping[Side, int]
    end: str
    score: SheetScore | None


_ZERO: Final[Mapping[Side, int]] = {Side.NS: 0, Side.EW: 0}


def told(table: TableRound) -> SheetTold:
    """The sheet of one table as it counts now."""
    try:
        facts = sheet_facts(table.state)
        score = score_sheet(facts)
    except TallyboxError:
        return SheetTold((), _ZERO, _ZERO, _ZERO, _ZERO, "The hands cannot be scored as they stand.", None)
    totals = score.totals
    return SheetTold(
        hands=hand_rows(facts, score, table.state.hands),
        points=totals.points,
        bags=totals.bags,
        hands_won=totals.hands_won,
        bostons=totals.bostons,
        end=_end(score),
        score=score,
    )


def hand_rows(facts: SheetFacts, score: SheetScore, entered: tuple[Hand, ...] = ()) -> tuple[HandTold, ...]:
    """Every deal in order. Hands past the end of the game are listed and move no total.

    ``entered``: the hands as the table holds them, for the calls of a deal that is void.
    """
    running, counted = dict(_ZERO), 0
    made: list[HandTold] = []
    for place, (hand, scored) in enumerate(zip(facts.hands, score.hands, strict=True)):
        past = score.round.over and counted >= score.round.hands_played and not scored.void
        if not past:
            counted += not scored.void
            running = {side: running[side] + scored.points[side] for side in Side}
        called = _as_called(entered, place, hand)
        made.append(_hand(facts, called, scored, running, past=past))
    return tuple(made)


def _as_called(entered: tuple[Hand, ...], place: int, hand: HandFacts) -> HandFacts:
    """A void deal keeps the calls that were made in it, for the record."""
    if hand.calls or place >= len(entered):
        return hand
    return HandFacts(
        hand.dealer, entered[place].calls_in_order, hand.books, hand.tricks, hand.direction, hand.rulings,
        hand.void,
    )  # fmt: skip


def _hand(
    facts: SheetFacts, hand: HandFacts, scored: HandScore, running: Mapping[Side, int], *, past: bool
) -> HandTold:
    seats = calling_order(hand.dealer)
    calls = tuple(zip(seats, hand.calls, strict=False))
    bound = contract(facts.ruleset, hand.dealer, [Made(seat, call) for seat, call in calls])
    whist = bound if isinstance(bound, WhistContract) else None
    void = "" if not scored.void else VOIDS.get(hand.void or "", "Void. Dealt again.")
    return HandTold(
        number=scored.hand,
        dealer=hand.dealer,
        calls=calls,
        bidder=whist.seat if whist else None,
        bid=whist.bid if whist else None,
        direction=hand.direction,
        bid_points=bid_points(whist.bid) if whist else None,
        books=hand.books,
        tricks=hand.tricks,
        sides={side: _side(hand, bound, scored, running, side) for side in Side},
        won_by=None if void else scored.won_by,
        boxed=_boxed(scored, hand, past=past),
        void=void,
    )


def bid_points(bid: Bid) -> int:
    """What a bid is worth: its number, doubled for No (A-30, A-33)."""
    return bid.level * (2 if bid.strain is Strain.NO else 1)


def _side(
    hand: HandFacts, bound: WhistContract | SpadesContract | None, scored: HandScore, running: Mapping[Side, int],
    side: Side,
) -> SideTold:  # fmt: skip
    bid = ""
    if isinstance(bound, SpadesContract):
        number, nils = bound.number(side), len(bound.nils(side))
        bid = " + ".join(([] if number is None else [str(number)]) + ["nil"] * nils)
    tricks = "" if hand.tricks is None else " + ".join(str(hand.tricks[seat]) for seat in side.seats)
    return SideTold(scored.points[side], running[side], scored.bags[side], bid, tricks)


def _boxed(scored: HandScore, hand: HandFacts, *, past: bool) -> tuple[str, ...]:
    words: list[str] = []
    if past:
        words.append("not counted")
    if scored.boston is not None:
        words.append("Boston")
    if any(line.rule == "A-31" for line in scored.lines):
        words.append("set")
    if hand.rulings:
        words.append("ruling")
    return tuple(words)


def _end(score: SheetScore) -> str:
    """How the round ended, for a game of spades; in bid whist only what closed it from outside."""
    end = score.round
    if not end.over or end.reason is None:
        return ""
    won = f"{end.winner.word} win the game" if end.winner else ""
    why = {
        "win-limit": "the winning score was reached", "loss-limit": "the losing score was reached",
        "hand-limit": "the last hand was played" if won else "", "time": "time ran out",
        "forfeit": "a side gave up", "dq": "a side was disqualified",
    }[end.reason.value]  # fmt: skip
    said = ": ".join(part for part in (won, why) if part)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def auction_words(calls: tuple[tuple[Seat, Call], ...]) -> str:
    """The auction in one line: ``E 4 HIGH · S pass · W pass · N pass``."""
    return " · ".join(f"{seat.value} {_lower(call)}" for seat, call in calls)


def _lower(call: Call) -> str:
    return "pass" if isinstance(call, Pass) else "nil" if isinstance(call, Nil) else call_words(call)


def is_whist(table: TableRound) -> bool:
    """Which of the two games the table plays."""
    return table.state.playing.ruleset.game is Game.BID_WHIST
