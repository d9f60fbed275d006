"""The hands of a sheet as rows: contract, result, what the bid was worth and what was earned, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hub.web.views.auction import CallRow, auction, auction_of
from hub.web.views.hand_versions import HandVersion, hand_versions
from hub.web.views.hands import ContractView, SeatView, contract_of, contract_view, seats
from hub.web.views.journal import TableJournal
from hub.web.views.lines import LineView, line_view
from hub.web.views.rulings import Named, RulingView, ruling_views
from hub.web.views.words import signed
from tallybox.calls import Bid, Strain
from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, Side
from tallybox.sheet import HandScore, SheetFacts, SheetScore
from tallybox.table.state import Hand

VOIDS: Final = {
    "misdeal": "void: misdeal",
    "exposed-in-deal": "void: a card was exposed in the deal",
    "director": "void by the director",
}
_QUIET: Final = frozenset({"IMPROPER_BID", "LAYDOWN", "CLAIM", "CONCEDED"})
"""Rulings that the table settles by itself: they need no boxed word."""


@dataclass(frozen=True, slots=True)
class HandView:
    """One row of the sheet. ``bid_points`` is what the bid alone is worth (A-30); ``tricks`` are per seat in spades.

    ``calls`` is the auction as called, ``corrected`` what the calls became since. ``versions``: what was recorded of
    this hand, the newest first, once it was changed. ``fixable``: it can be corrected.
    """

    index: int
    number: int
    dealer: Seat
    seats: tuple[SeatView, ...]
    contract: ContractView | None
    books: str
    bid_points: str
    earned: Mapping[Side, str]
    bags: Mapping[Side, str]
    tricks: Mapping[Side, str]
    won_by: Side | None
    boxed: tuple[str, ...]
    lines: tuple[LineView, ...]
    void: str
    open: bool = False
    calls: tuple[CallRow, ...] = ()
    corrected: tuple[CallRow, ...] = ()
    rulings: tuple[RulingView, ...] = ()
    versions: tuple[HandVersion, ...] = ()
    fixable: bool = False
    awarded: bool = False


def hand_views(
    journal: TableJournal, facts: SheetFacts, score: SheetScore | None, named: Named
) -> tuple[HandView, ...]:
    """Every hand of the sheet in order: recorded, void and awarded ones, then the one that is being played."""
    state = journal.table.state
    scores = score.hands if score is not None and len(score.hands) == len(facts.hands) else ()
    rows: list[HandView] = []
    for index, each in enumerate(facts.hands):
        played = state.hands[index] if index < len(state.hands) else None
        scored = scores[index] if scores else None
        number = scored.hand if scored else played.number if played else index + 1
        rows.append(_row(journal, index + 1, number, each, scored, played, named))
    if state.hand is not None:
        rows.append(_open(journal, len(rows) + 1, state.hand, named))
    return tuple(rows)


def _row(
    journal: TableJournal, index: int, number: int, facts: HandFacts, scored: HandScore | None, played: Hand | None,
    named: Named,
) -> HandView:  # fmt: skip
    points = scored.points if scored and not scored.void else {}
    bound = contract_of(facts, journal.table.state.playing.ruleset) if facts.void is None else None
    history = hand_versions(journal, played, named) if played is not None else ()
    return HandView(
        index=index,
        number=number,
        dealer=facts.dealer,
        seats=seats(played) if played is not None else (),
        contract=bound,
        books=books_text(facts),
        bid_points=str(bid_points(bound.bid)) if bound and bound.bid else "",
        earned={side: signed(points[side]) if points.get(side) else "" for side in Side},
        bags={side: str(scored.bags[side]) if scored and not scored.void else "" for side in Side},
        tricks={side: tricks_text(facts, side) for side in Side},
        won_by=scored.won_by if scored else None,
        boxed=_boxed(facts, scored, len(history)),
        lines=tuple(line_view(line) for line in scored.lines) if scored else (),
        void=void_text(facts),
        calls=_calls(journal, facts, played),
        corrected=_corrected(facts, played),
        rulings=ruling_views(journal, played, facts, named) if played is not None else (),
        versions=history,
        fixable=played is not None and _is_last(journal, played),
        awarded=played is None and facts.void is None,
    )


def _is_last(journal: TableJournal, hand: Hand) -> bool:
    """Whether the hand is the last deal with its number: that one is what a correction is about."""
    state = journal.table.state
    same = [known for known in (*state.hands, state.hand) if known is not None and known.number == hand.number]
    return same[-1] is hand


def _open(journal: TableJournal, index: int, hand: Hand, named: Named) -> HandView:
    """The hand that is being played: its auction so far, and no points."""
    bound = contract_view(hand, journal.table.state.playing.ruleset)
    facts = HandFacts(
        hand.dealer,
        books=hand.result.books if hand.result else None,
        tricks=hand.result.tricks if hand.result else None,
    )
    return HandView(
        index=index, number=hand.number, dealer=hand.dealer, seats=seats(hand), contract=bound,
        books=books_text(facts), bid_points=str(bid_points(bound.bid)) if bound and bound.bid else "",
        earned=dict.fromkeys(Side, ""), bags=dict.fromkeys(Side, ""),
        tricks={side: tricks_text(facts, side) for side in Side}, won_by=None, boxed=(), lines=(), void="", open=True,
        calls=auction(journal, hand), rulings=ruling_views(journal, hand, HandFacts(hand.dealer), named),
    )  # fmt: skip


def _calls(journal: TableJournal, facts: HandFacts, played: Hand | None) -> tuple[CallRow, ...]:
    if played is None:
        return ()
    called = auction(journal, played)
    if any(row.call is not None for row in called):
        return called
    return auction_of(facts, "from paper" if journal.table.paper else "as corrected")


def _corrected(facts: HandFacts, played: Hand | None) -> tuple[CallRow, ...]:
    """The calls as they count, where an official corrected what was called."""
    if played is None or not played.calls or facts.void is not None or facts.calls == played.calls_in_order:
        return ()
    return auction_of(facts, "")


def _boxed(facts: HandFacts, scored: HandScore | None, versions: int) -> tuple[str, ...]:
    codes = {ruling.code for ruling in facts.rulings if ruling.proven}
    words = (
        ("Boston", bool(scored and scored.boston)),
        ("Late", "LATE" in codes),
        ("Ruling", bool(codes - _QUIET - {"LATE"})),
        (f"v{versions}", versions > 1),
    )
    return tuple(word for word, holds in words if holds)


def bid_points(bid: Bid) -> int:
    """What a bid is worth: its number, doubled for No (A-30, A-33)."""
    return bid.level * (2 if bid.strain is Strain.NO else 1)


def books_text(facts: HandFacts) -> str:
    """Both sides' books, North–South first."""
    return "" if facts.books is None else f"{facts.books[Side.NS]} – {facts.books[Side.EW]}"


def tricks_text(facts: HandFacts, side: Side) -> str:
    """The tricks of a side's two seats."""
    if facts.tricks is None:
        return ""
    first, second = (facts.tricks[seat] for seat in side.seats)
    return f"{first} + {second}"


def void_text(facts: HandFacts) -> str:
    """Why a hand is void, if it is."""
    return "" if facts.void is None else VOIDS.get(facts.void, f"void: {facts.void}")
