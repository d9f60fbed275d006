"""What an auction is made of in both games: calls as they were made, verdicts, contracts, and whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tallybox.calls import Bid, Call, Nil, Number
from tallybox.errors import SheetError
from tallybox.seats import Seat, Side, calling_order


@dataclass(frozen=True, slots=True)
class Made:
    """A call as it was made, in the order in which it was made."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say to a call.

    ``rule`` is the rule's id, ``code`` a stable word for programs (``legal`` when it may stand), ``message`` the
    sentence for the screen (empty when legal), ``correction`` the call that the rules demand instead, ``warning``
    what a legal call should be asked about.
    """

    legal: bool
    rule: str
    code: str = "legal"
    message: str = ""
    correction: Call | None = None
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class WhistContract:
    """The winning bid. ``books`` is how many a hand has: 13 with the kitty."""

    seat: Seat
    bid: Bid
    books: int = 13

    @property
    def side(self) -> Side:
        """The bidding side."""
        return self.seat.side

    @property
    def needed(self) -> int:
        """Books the bid needs, the kitty included: six and its number."""
        return 6 + self.bid.level

    @property
    def defenders_set_with(self) -> int:
        """Books with which the other side sets the bid."""
        return self.books - self.needed + 1


@dataclass(frozen=True, slots=True)
class SpadesContract:
    """The four bids of a hand."""

    bids: Mapping[Seat, Nil | Number]

    def number(self, side: Side) -> int | None:
        """The side's numeric contract: the sum of its numbers; ``None`` when both partners bid nil (B-16, B-25)."""
        numbers = [bid.tricks for seat in side.seats if isinstance(bid := self.bids[seat], Number)]
        return sum(numbers) if numbers else None

    def nils(self, side: Side) -> tuple[Seat, ...]:
        """The side's seats that bid nil."""
        return tuple(seat for seat in side.seats if isinstance(self.bids[seat], Nil))


Contract = WhistContract | SpadesContract


def turn(dealer: Seat, made: Sequence[Made]) -> Seat | None:
    """Whose call it is, or ``None`` when all four have called.

    Left of the dealer begins. An accepted call out of turn moves the auction on from that seat, and seats that were
    passed over call in order after it (A-11, B-10, Q-38).
    """
    called = {entry.seat for entry in made}
    start = made[-1].seat.left if made else dealer.left
    for seat in calling_order(start.left.left.left):
        if seat not in called:
            return seat
    return None


def replay(
    dealer: Seat, calls: Sequence[Call], judge: Callable[[Seat, Sequence[Made], Call], Verdict]
) -> tuple[Made, ...]:
    """The calls as made in turn. Raises ``SheetError`` (code ``illegal-call``) at the first that the rules refuse."""
    made: tuple[Made, ...] = ()
    for index, (seat, call) in enumerate(zip(calling_order(dealer), calls, strict=False)):
        verdict = judge(seat, made, call)
        if not verdict.legal:
            raise SheetError("illegal-call", verdict.message, where=f"calls[{index}]")
        made = (*made, Made(seat, call))
    return made
