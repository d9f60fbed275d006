"""Rulings and corrections in words, for a sheet's own history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hub.web.views.words import signed
from tallybox.calls import Bid, call_words
from tallybox.rules.cards import card_words, is_card
from tallybox.rules.hand import HandFacts, Ruling
from tallybox.seats import Seat, Side, calling_order
from tallybox.why import OFFENCES

_SPADES: Final = {
    "REVOKE": "A revoke",
    "RENOUNCE": "A revoke, corrected in time",
    "EXPOSED": "An exposed card",
    "BID_TURN": "A bid out of turn",
    "LEAD_TURN": "A lead out of turn",
}
_PLAIN: Final = {
    "CLAIM": "The remaining tricks were claimed",
    "CONCEDED": "The bidder conceded the set",
    "LAYDOWN": "The bidder laid the hand down with all the winning books",
}


def ruling_words(ruling: Ruling) -> str:
    """The ruling as one sentence: what, by whom, who called it, and how it was decided."""
    match ruling.code:
        case "ADJUST":
            return _adjusted(ruling)
        case "IMPROPER_BID":
            return _improper(ruling)
        case "LATE":
            return f"{ruling.side.word if ruling.side else 'A side'} were late: the hand goes to the other side."
        case code if code in _PLAIN:
            return f"{_PLAIN[code]}."
    what = str(_SPADES.get(ruling.code) or OFFENCES.get(ruling.code) or ruling.code)
    if ruling.card and is_card(ruling.card):
        what += f" ({card_words(ruling.card)})"
    if ruling.side:
        what += f" by {ruling.side.word}"
    if ruling.seat:
        what += f", {ruling.seat.word}"
    if ruling.caller:
        what += f"; called by {ruling.caller.word}"
    if ruling.accepted is not None:
        what += "; the other side accepted it" if ruling.accepted else "; the other side did not accept it"
    return what + ("." if ruling.proven else "; not proven, so it costs nothing but what the club's rules say.")


def _adjusted(ruling: Ruling) -> str:
    parts: list[str] = []
    for side in Side:
        points = (ruling.points or {}).get(side)
        if points:
            parts.append(f"{side.value} {'+' if points > 0 else ''}{signed(points)}")
    if ruling.won_by:
        parts.append(f"hand won by {ruling.won_by.value}")
    if ruling.boston:
        parts.append(f"Boston for {ruling.boston.value}")
    if ruling.bags:
        parts += [f"bags {side.value} {bags}" for side, bags in ruling.bags.items()]
    said = f"Adjusted: {', '.join(parts)}." if parts else "Adjusted: no points."
    return f"{said} “{ruling.why}”" if ruling.why else said


def _improper(ruling: Ruling) -> str:
    if not (ruling.seat and ruling.said and ruling.corrected):
        return "An improper bid was corrected."
    return f"{ruling.seat.word} said {call_words(ruling.said)}; corrected to {call_words(ruling.corrected)}."


def changed_words(before: HandFacts | None, after: HandFacts) -> str:
    """What a correction changed, old and new: ``Books 2 – 11 became 1 – 12.``"""
    if before is None:
        return "The hand was entered anew."
    said = [
        *_void(before, after),
        *_became("Books", _books(before.books), _books(after.books)),
        *_became("Tricks", _tricks(before.tricks), _tricks(after.tricks)),
        *_became("Dealer", before.dealer.word, after.dealer.word),
        *_calls(before, after),
        *_became("Direction", _direction(before), _direction(after)),
    ]
    if before.rulings != after.rulings:
        said.append(_rulings(len(before.rulings), len(after.rulings)))
    return " ".join(said) or "The facts stay as they were."


def _void(before: HandFacts, after: HandFacts) -> list[str]:
    if bool(before.void) == bool(after.void):
        return []
    return ["The hand is void: it counts no more."] if after.void else ["The hand counts again."]


def _became(what: str, old: str, new: str) -> list[str]:
    return [f"{what} {old or 'none'} became {new or 'none'}."] if old != new else []


def _books(books: Mapping[Side, int] | None) -> str:
    return "" if books is None else f"{books[Side.NS]} – {books[Side.EW]}"


def _tricks(tricks: Mapping[Seat, int] | None) -> str:
    return "" if tricks is None else " ".join(f"{seat.value} {tricks[seat]}" for seat in Seat)


def _direction(facts: HandFacts) -> str:
    return facts.direction.upper() if facts.direction else ""


def _calls(before: HandFacts, after: HandFacts) -> list[str]:
    """Each seat whose call is another now; a direction that a No bid carries is told apart."""
    if before.dealer is not after.dealer or len(before.calls) != len(after.calls):
        return [] if before.calls == after.calls else ["The auction was entered anew."]
    said: list[str] = []
    for seat, old, new in zip(calling_order(after.dealer), before.calls, after.calls, strict=False):
        first = old.stated if isinstance(old, Bid) else old
        second = new.stated if isinstance(new, Bid) else new
        said += _became(f"{seat.word}'s call", call_words(first), call_words(second))
    return said


def _rulings(before: int, after: int) -> str:
    if after > before:
        return "A ruling was added."
    return "A ruling was taken out." if after < before else "A ruling was replaced."
