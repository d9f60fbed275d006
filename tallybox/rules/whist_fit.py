"""Bid whist rulings against the facts of their hand: what contradicts contract, calls or result is refused."""

from __future__ import annotations

from typing import Final

from tallybox.calls import PASS, Bid, Call, Strain, call_words
from tallybox.errors import SheetError
from tallybox.rules import whist_auction
from tallybox.rules.bidding import Made, WhistContract
from tallybox.rules.hand import HandFacts, Ruling
from tallybox.rules.settings import WhistSettings
from tallybox.said import say
from tallybox.seats import calling_order

_BIDDERS_ONLY: Final = frozenset({"CONCEDED", "LAYDOWN", "BAD_LAYDOWN", "JOKER_DISCARD"})
_NO_ONLY: Final = frozenset({"RENEGE_JOKER", "JOKER_DISCARD"})


def check_fit(settings: WhistSettings, hand: HandFacts, contract: WhistContract | None) -> None:
    """Rulings that contradict their hand are refused rather than passed over; the calls are legal.

    Raises ``SheetError`` (code ``ruling-fit``), its place relative to the hand.
    """
    for index, ruling in enumerate(hand.rulings):
        where = f"rulings[{index}]"
        if contract is not None:
            _check_contract(ruling, contract, where)
        if not ruling.proven:
            continue
        if ruling.code == "LATE" and hand.books is not None and sum(hand.books.values()) == settings.books:
            message = say(
                "LATE is for a hand that was not completed, and this one has its result. Leave one of them out."
            )
            raise SheetError("ruling-fit", message, where=f"{where}.code")
        if ruling.code == "IMPROPER_BID":
            _check_improper(settings, hand, ruling, where)


def _check_contract(ruling: Ruling, contract: WhistContract, where: str) -> None:
    """What only the bidders do, and what belongs to a No bid."""
    side = ruling.side or (ruling.seat and ruling.seat.side)
    if ruling.code in _BIDDERS_ONLY and side not in (None, contract.side):
        message = say("{code} belongs to the bidding side, {side}. Correct the side.", code=ruling.code,
                      side=contract.side.word)  # fmt: skip
        raise SheetError("ruling-fit", message, where=f"{where}.{'side' if ruling.side else 'seat'}")
    if ruling.code in _NO_ONLY and contract.bid.strain is not Strain.NO:
        message = say("{code} belongs to a No bid, and the bid is {call}. Correct the ruling.", code=ruling.code,
                      call=call_words(contract.bid))  # fmt: skip
        raise SheetError("ruling-fit", message, where=f"{where}.code")


def _check_improper(settings: WhistSettings, hand: HandFacts, ruling: Ruling, where: str) -> None:
    """A bid that was too low where it was made, corrected to the next one in its direction (A-14, Q-15e)."""
    seat, said, corrected = ruling.seat, ruling.said, ruling.corrected
    assert seat is not None  # check_ruling, as for the next two
    assert said is not None
    assert corrected is not None
    order = calling_order(hand.dealer)
    place = order.index(seat)
    before = tuple(map(Made, order[:place], hand.calls))
    if len(before) < place:
        message = f"The calls end before it was {seat.word}'s turn. Enter them, or leave the ruling out."
        raise SheetError("ruling-fit", message, where=f"{where}.seat")
    must = whist_auction.judge(settings, seat, before, said).correction
    if must is None:
        high = whist_auction.high_bid(settings, hand.calls[:place])
        over = f" over {call_words(high)}" if high else ""
        problem = f"{call_words(said)} was not too low{over} when {seat.word} called."
        message = f"{problem} Correct “said”, or leave the ruling out."
        raise SheetError("ruling-fit", message, where=f"{where}.said")
    if _stated(corrected) != must:
        now = call_words(must) if must != PASS else "PASS, as no bid is left in that direction"
        message = f"{call_words(said)} is corrected to {now}, not to {call_words(corrected)}. Correct the ruling."
        raise SheetError("ruling-fit", message, where=f"{where}.corrected")
    if len(hand.calls) == place and hand.void is None:
        message = f"The call of {seat.word} is not among the calls. Enter {call_words(must)} there."
        raise SheetError("ruling-fit", message, where=f"{where}.corrected")
    if len(hand.calls) > place and _stated(hand.calls[place]) != must:
        said_now = call_words(hand.calls[place])
        message = f"The calls say {said_now} for {seat.word}, the ruling {call_words(must)}. Make them agree."
        raise SheetError("ruling-fit", message, where=f"{where}.corrected")


def _stated(call: Call) -> Call:
    return call.stated if isinstance(call, Bid) else call
