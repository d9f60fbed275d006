"""The auction of both games: whose turn, what may be called, what is wrong with a call, and the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tallybox.calls import Call
from tallybox.rules import spades_auction, whist_auction
from tallybox.rules.bidding import Contract, Made, SpadesContract, Verdict, WhistContract, turn
from tallybox.rules.ruleset import Ruleset
from tallybox.rules.settings import WhistSettings
from tallybox.seats import Seat

__all__ = [
    "Contract",
    "Made",
    "SpadesContract",
    "Verdict",
    "WhistContract",
    "contract",
    "judge",
    "legal_calls",
    "turn",
]


def judge(
    ruleset: Ruleset, dealer: Seat, made: Sequence[Made], call: Call, locked: Mapping[Seat, Call] | None = None
) -> Verdict:
    """Whether the seat in turn may make this call, and if not, what it must call instead.

    ``locked`` holds declined bids out of turn, which some rules want repeated (C-16, Q-39).
    """
    seat = turn(dealer, made)
    settings = ruleset.settings
    if isinstance(settings, WhistSettings):
        return whist_auction.judge(settings, seat, made, call)
    return spades_auction.judge(settings, seat, made, call, locked or {})


def legal_calls(
    ruleset: Ruleset, dealer: Seat, made: Sequence[Made], locked: Mapping[Seat, Call] | None = None
) -> tuple[Call, ...]:
    """What the seat in turn may call, in keypad order; empty when the auction is over.

    Bid whist: high, special and No bids by number, then pass. Spades: nil, then numbers.
    """
    settings = ruleset.settings
    keypad: tuple[Call, ...] = (
        whist_auction.keypad(settings) if isinstance(settings, WhistSettings) else spades_auction.keypad(settings)
    )
    return tuple(call for call in keypad if judge(ruleset, dealer, made, call, locked).legal)


def contract(ruleset: Ruleset, dealer: Seat, made: Sequence[Made]) -> Contract | None:
    """The contract, once all four have called; ``None`` before."""
    if turn(dealer, made) is not None:
        return None
    settings = ruleset.settings
    if isinstance(settings, WhistSettings):
        return whist_auction.contract(settings, made)
    return spades_auction.contract(made)
