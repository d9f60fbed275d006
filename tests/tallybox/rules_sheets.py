"""Building sheets in the notation of the worked examples, and scoring them through the public door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tallybox.calls import Game, parse_call
from tallybox.rules.auction import Made
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, calling_order
from tallybox.sheet import SheetScore, score_sheet, score_to_json, sheet_from_json

WHIST = "capitol-city-bid-whist"
MSO = "mso-2000-spades"
WSOS = "wsos-2007-spades"


def scored(ruleset: str, hands: Sequence[Mapping[str, Any]], **rest: Any) -> SheetScore:
    """Score a sheet given as JSON members."""
    return score_sheet(sheet_from_json({"ruleset": ruleset, "hands": list(hands), **rest}, builtin))


def answer(ruleset: str, hands: Sequence[Mapping[str, Any]], **rest: Any) -> Any:
    """The JSON answer to a sheet."""
    facts = sheet_from_json({"ruleset": ruleset, "hands": list(hands), **rest}, builtin)
    return score_to_json(facts, score_sheet(facts))


def spades_hand(
    ns: str, tricks: str, ew: str = "1+1", ew_tricks: str | None = None, dealer: str = "N", **rest: Any
) -> dict[str, Any]:
    """A hand as ``bids ; tricks`` of North–South, the first figure being North's; ``N`` is nil."""
    bids = dict(zip("NSEW", [*ns.split("+"), *ew.split("+")], strict=True))
    north, south = map(int, tricks.split("+"))
    others = ew_tricks.split("+") if ew_tricks else [str(13 - north - south), "0"]
    calls = ["nil" if bids[seat] == "N" else bids[seat] for seat in calling_order(Seat(dealer))]
    taken = {"N": north, "S": south, "E": int(others[0]), "W": int(others[1])}
    return {"dealer": dealer, "calls": calls, "tricks": taken, **rest}


def whist_hand(
    bid: str, books: int | Mapping[str, int] | None, dealer: str = "W", bidder: int = 0, **rest: Any
) -> dict[str, Any]:
    """A hand as ``bid / books``: with West dealing, the bidder is North, so North–South bid."""
    calls = ["pass"] * 4
    calls[bidder] = bid
    seat = calling_order(Seat(dealer))[bidder]
    hand: dict[str, Any] = {"dealer": dealer, "calls": calls, **rest}
    if isinstance(books, int):
        books = {seat.side: books, seat.side.other: 13 - books}
    if books is not None:
        hand["books"] = dict(books)
    return hand


def made(game: Game, dealer: str, *texts: str) -> tuple[Made, ...]:
    """Calls made in turn from the dealer's left."""
    return tuple(
        Made(seat, parse_call(game, text)) for seat, text in zip(calling_order(Seat(dealer)), texts, strict=False)
    )
