"""Scoring one hand of bid whist: made, set, conceded, laid down, lost by a ruling, late (A-30 to A-37)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tallybox.calls import Bid, Strain, call_text, call_words
from tallybox.errors import SheetError
from tallybox.rules import whist_auction
from tallybox.rules.adjust import adjustment_lines, overruled
from tallybox.rules.bidding import Made, WhistContract, replay
from tallybox.rules.hand import HandFacts, Line, LineKind, Ruling, Settled
from tallybox.rules.rulings import CLOSING, LOST_HAND, RENEGES, TECHS, in_auction
from tallybox.rules.settings import WhistSettings
from tallybox.rules.whist_fit import check_fit
from tallybox.said import joined, say
from tallybox.seats import Side

_LOSES_THE_HAND_ONLY: Final = RENEGES | {"MISDEAL_LATE"}
"""What the text says “loses that hand” of, without naming points (Q-12)."""


def settle(settings: WhistSettings, hand: HandFacts) -> Settled:
    """Score one hand; exactly one side is credited with it unless it is void (INV-8).

    The rulings are complete (``check_ruling``). Raises ``SheetError``, its place relative to the hand, when a fact is
    missing or does not fit.
    """
    ruled = _false_calls(settings, hand) + adjustment_lines(hand.rulings)  # these stay on a void hand too (INV-4)
    if hand.void is not None:
        _check_void(hand)
        made = _calls(settings, hand)
        check_fit(settings, hand, whist_auction.contract(settings, made) if len(made) == 4 else None)
        return Settled(ruled, void=True)
    closing = closing_ruling(hand)
    contract = _contract(settings, hand, closing)
    check_fit(settings, hand, contract)
    if contract is not None and not _before_direction(closing):
        _check_direction(contract, hand)
    if closing is None or closing.code == "LAYDOWN":
        settled = _played(settings, hand, contract, closing)
    else:
        _check_books(settings, hand)
        settled = _ruled(settings, hand, contract, closing)
    if settled.void:
        _check_void(hand)
        return Settled(ruled, void=True)
    settled = replace(settled, lines=settled.lines + ruled)
    return overruled(settled, hand)


def closing_ruling(hand: HandFacts) -> Ruling | None:
    """The first proven ruling that ends the hand, or the director's award of a hand without a result."""
    proven = [ruling for ruling in hand.rulings if ruling.proven]
    first = next((ruling for ruling in proven if ruling.code in CLOSING), None)
    if first is None and hand.books is None:
        return next((ruling for ruling in proven if ruling.won_by is not None), None)
    return first


def value(bid: Bid) -> int:
    """The points associated with a bid: its number, twice that for a No bid."""
    return bid.level * (2 if bid.strain is Strain.NO else 1)


def books_with(settings: WhistSettings, side: Side, count: int) -> dict[Side, int]:
    """Both sides' books when one side has ``count``: the other has the rest (INV-1)."""
    return {side: count, side.other: settings.books - count}


def _before_direction(closing: Ruling | None) -> bool:
    """Whether the hand ended without a No bidder having had to state the direction."""
    return closing is not None and (closing.code in ("LATE", "ADJUST") or in_auction(closing))


def _calls(settings: WhistSettings, hand: HandFacts) -> tuple[Made, ...]:
    return replay(hand.dealer, hand.calls, lambda seat, made, call: whist_auction.judge(settings, seat, made, call))


def _contract(settings: WhistSettings, hand: HandFacts, closing: Ruling | None) -> WhistContract | None:
    made = _calls(settings, hand)
    if len(made) == 4:
        return whist_auction.contract(settings, made)
    if not _before_direction(closing):
        missing = 4 - len(made)
        calls = "1 call is" if missing == 1 else f"{missing} calls are"
        raise SheetError("calls-missing", f"{calls} missing. Enter all four, from the dealer's left.", where="calls")
    return None


def _check_void(hand: HandFacts) -> None:
    for index, ruling in enumerate(hand.rulings):
        if ruling.won_by is not None or ruling.boston is not None:
            message = "A void hand is won by nobody. Leave “won_by” and “boston” out, or do not void the hand."
            raise SheetError("ruling-fit", message, where=f"rulings[{index}]")


def _check_direction(contract: WhistContract, hand: HandFacts) -> None:
    """A No winner states UP or DOWN, once; other bids have no direction (A-18)."""
    called, stated = contract.bid.direction, hand.direction
    if contract.bid.strain is not Strain.NO:
        if stated is not None:
            message = f"The bid is {call_words(contract.bid)}; up and down belong to a No bid. Leave “direction” out."
            raise SheetError("direction-unwanted", message, where="direction")
    elif called is None and stated is None:
        message = say("{seat} won with {call} and states UP or DOWN. Add the direction.", seat=contract.seat.word,
                      call=call_words(contract.bid))  # fmt: skip
        raise SheetError("direction-missing", message, where="direction")
    elif called is not None and stated is not None and called is not stated:
        raise SheetError(
            "direction-unwanted", f"The call says {called}, the hand says {stated}. Keep one.", where="direction"
        )


def _check_books(settings: WhistSettings, hand: HandFacts) -> None:
    """Books of a hand that a ruling ended: as far as it was played."""
    if hand.books is not None and sum(hand.books.values()) > settings.books:
        raise _sum_refused(settings, hand.books)


def _sum_refused(settings: WhistSettings, books: Mapping[Side, int]) -> SheetError:
    ns, ew = books[Side.NS], books[Side.EW]
    if ns + ew == 1:
        added = say("{ns} and {ew} make 1 book.", ns=ns, ew=ew)
    else:
        added = say("{ns} and {ew} are {sum} books.", ns=ns, ew=ew, sum=ns + ew)
    if settings.kitty_is_book:
        has = say("A hand has {books}, the kitty included. Count again.", books=settings.books)
    else:
        has = say("A hand has {books}. Count again.", books=settings.books)
    message = joined(added, has)
    return SheetError("books-sum", message, where="books")


def _books(settings: WhistSettings, hand: HandFacts, contract: WhistContract, laid_down: bool) -> int:
    """The bidding side's books, the kitty included (INV-1, A-33)."""
    if hand.books is None:
        taken = "taken before the cards were laid down" if laid_down else "of both sides"
        raise SheetError("books-missing", f"The books {taken} are missing. Enter them.", where="books")
    bidders, others = hand.books[contract.side], hand.books[contract.side.other]
    if bidders + others > settings.books or (bidders + others < settings.books and not laid_down):
        raise _sum_refused(settings, hand.books)
    if settings.kitty_is_book and bidders == 0:
        message = say("{side} have 0 books, but the kitty is their first. Count again.", side=contract.side.word)
        raise SheetError("books-kitty", message, where=f"books.{contract.side}")
    return settings.books - others


def _played(
    settings: WhistSettings, hand: HandFacts, contract: WhistContract | None, laydown: Ruling | None
) -> Settled:
    assert contract is not None  # four legal calls always hold a bid
    books = _books(settings, hand, contract, laydown is not None)
    bid, side, times = contract.bid, contract.side, value(contract.bid) // contract.bid.level
    params: dict[str, int | str] = {
        "bid": call_text(bid.stated), "bidders": side.value, "books": books, "needed": contract.needed, "times": times,
    }  # fmt: skip
    if books < contract.needed:
        return _set(settings, contract, "A-31", params)
    boston = books == settings.books and (
        bid.level == whist_auction.HIGHEST_LEVEL or not settings.boston_requires_seven
    )
    if boston:
        params["boston"] = 1
    line = Line(side, LineKind.CONTRACT, times * (books - 6), "A-30", params)
    return Settled((line,), won_by=side, boston=side if boston else None)


def _set(settings: WhistSettings, contract: WhistContract, rule: str, params: dict[str, int | str]) -> Settled:
    """A set, played out or conceded: the setters get the points of the bid (A-31, A-32, Q-02, Q-03)."""
    setters = contract.side.other
    level = contract.bid.level
    points = value(contract.bid) if settings.set_no_doubled else level
    params = {**params, "level": level, "times": points // level}
    lines = [Line(setters, LineKind.CONTRACT, points, rule, params)]
    if settings.set_bidder_penalty:
        each = settings.set_bidder_penalty
        lines.append(Line(contract.side, LineKind.CONTRACT, -each * points, "Q-03", {**params, "each": each}))
    return Settled(tuple(lines), won_by=setters)


def _ruled(settings: WhistSettings, hand: HandFacts, contract: WhistContract | None, closing: Ruling) -> Settled:
    if closing.code == "ADJUST":
        return Settled(won_by=closing.won_by)
    if closing.code == "LATE":
        assert closing.side is not None  # check_ruling
        present = closing.side.other
        line = Line(present, LineKind.RULING, settings.late_points, "A-37", {"late": closing.side.value})
        return Settled((line,), won_by=present)
    if contract is None:
        return _tech_in_auction(settings, hand, closing)
    params: dict[str, int | str] = {"bid": call_text(contract.bid.stated), "bidders": contract.side.value}
    if closing.code == "CONCEDED":
        return _set(settings, contract, "A-32", params)
    assert closing.code in LOST_HAND
    assert closing.side is not None  # check_ruling
    counts = settings.lost_hand_points == "bid" or closing.code not in _LOSES_THE_HAND_ONLY
    points = value(contract.bid) if counts else 0
    winners = closing.side.other
    rule = "A-34" if closing.side is contract.side else "A-35"
    params |= {"code": closing.code, "offenders": closing.side.value} | _card(closing)
    return Settled((Line(winners, LineKind.RULING, points, rule, params),), won_by=winners)


def _tech_in_auction(settings: WhistSettings, hand: HandFacts, closing: Ruling) -> Settled:
    """A Tech before the contract stood: the high bid's value, else the lowest bid's (A-36, Q-13)."""
    assert closing.side is not None  # check_ruling
    if settings.tech_no_bid_value == "void":
        return Settled(void=True)
    high = whist_auction.high_bid(settings, hand.calls)
    points = value(high) if high else settings.min_level
    params: dict[str, int | str] = {"code": closing.code, "offenders": closing.side.value, "lowest": settings.min_level}
    if high:
        params["bid"] = call_text(high)
    params |= _card(closing)
    winners = closing.side.other
    return Settled((Line(winners, LineKind.RULING, points, "A-36", params),), won_by=winners)


def _card(ruling: Ruling) -> dict[str, str]:
    """The card that an exposed-card Tech names."""
    return {} if ruling.card is None else {"card": ruling.card}


def _false_calls(settings: WhistSettings, hand: HandFacts) -> tuple[Line, ...]:
    """What calls that were not proven cost the callers, where a club wants that (Q-14)."""
    lines = []
    for ruling in hand.rulings:
        if settings.false_call_penalty and not ruling.proven and ruling.side and ruling.code in RENEGES | TECHS:
            params = {"code": ruling.code, "offenders": ruling.side.value, **_card(ruling)}
            lines.append(Line(ruling.side.other, LineKind.RULING, -settings.false_call_penalty, "Q-14", params))
    return tuple(lines)
