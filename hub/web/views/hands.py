"""How a hand is told in one line: the auction as called, the contract, the result."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tallybox.calls import Bid, Call, Direction, call_words
from tallybox.rules.auction import Contract, Made, SpadesContract, WhistContract, contract
from tallybox.rules.hand import HandFacts
from tallybox.rules.ruleset import Ruleset
from tallybox.seats import CLOCKWISE, Seat, Side, calling_order
from tallybox.table.state import Hand, TableState


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat in the auction: its call (``None``: not yet), whether it is its turn, has the high bid, or deals."""

    seat: Seat
    call: Call | None
    turn: bool = False
    high: bool = False
    deals: bool = False
    source: str = ""
    differs: str = ""

    @property
    def letter(self) -> str:
        """The seat on the map."""
        return self.seat.value


@dataclass(frozen=True, slots=True)
class SideSum:
    """A side's spades contract: the sum of its numbers, and its nils."""

    side: Side
    number: int | None
    nils: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ContractView:
    """What is played: the winning bid and its bidder, or the two sides' sums."""

    seat: Seat | None = None
    bid: Bid | None = None
    direction: Direction | None = None
    needed: int = 0
    set_with: int = 0
    sums: tuple[SideSum, ...] = ()


def contract_view(hand: Hand, ruleset: Ruleset) -> ContractView | None:
    """The contract once the auction is complete."""
    return _shown(hand.contract(ruleset), hand.direction)


def contract_of(facts: HandFacts, ruleset: Ruleset) -> ContractView | None:
    """The contract of a hand as its facts have it: as it was corrected, should it have been."""
    made = tuple(Made(seat, call) for seat, call in zip(calling_order(facts.dealer), facts.calls, strict=False))
    stated = tuple(replace(each, call=each.call.stated) if isinstance(each.call, Bid) else each for each in made)
    bids = [each.call for each in made if isinstance(each.call, Bid)]
    called = bids[-1].direction if bids else None
    return _shown(contract(ruleset, facts.dealer, stated), facts.direction or called)


def _shown(bound: Contract | None, direction: Direction | None) -> ContractView | None:
    match bound:
        case WhistContract() as won:
            return ContractView(won.seat, won.bid, direction, won.needed, won.defenders_set_with)
        case SpadesContract() as bids:
            return ContractView(sums=tuple(SideSum(side, bids.number(side), bids.nils(side)) for side in Side))
        case None:
            return None


def seats(hand: Hand) -> tuple[SeatView, ...]:
    """The four seats in the order they call."""
    return tuple(_seat(hand, seat) for seat in calling_order(hand.dealer))


def seats_as_they_sit(hand: Hand) -> tuple[SeatView, ...]:
    """The four seats clockwise from North."""
    return tuple(_seat(hand, seat) for seat in CLOCKWISE)


def _seat(hand: Hand, seat: Seat) -> SeatView:
    called = hand.call_of(seat)
    turn = hand.counted and hand.conflict is None and hand.turn is seat
    return SeatView(
        seat=seat,
        call=called.call if called else None,
        turn=turn,
        high=high_seat(hand) is seat,
        deals=hand.dealer is seat,
        source={"scanned": "card", "typed": "typed"}.get(called.source, called.source) if called else "",
        differs=_differs(hand, seat),
    )


def _differs(hand: Hand, seat: Seat) -> str:
    from_card = hand.conflict
    if from_card is None or from_card.seat is not seat:
        return ""
    return f"The card says {call_words(from_card.read)}, the table typed {call_words(from_card.typed.call)}."


def high_seat(hand: Hand) -> Seat | None:
    """Who holds the high bid of a bid whist auction so far; the last bid made is the highest (A-13)."""
    bids = [called.seat for called in hand.calls if isinstance(called.call, Bid)]
    return bids[-1] if bids else None


def spoken_contract(state: TableState) -> str:
    """Where a table is, in a few words: ``hand 3 · 5 NO by East``."""
    hand = state.hand
    if hand is None:
        return ""
    said = f"hand {hand.number}"
    won = hand.contract(state.playing.ruleset)
    if isinstance(won, WhistContract):
        return f"{said} · {call_words(replace(won.bid, direction=hand.direction))} by {won.seat.word}"
    if not hand.counted:
        return f"{said} · {hand.dealer.word} deals"
    return f"{said} · bidding" if won is None else f"{said} · in play"
