"""Seats, sides and the clockwise order they sit in."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from tallybox.said import Said, say


class Side(StrEnum):
    """One of the two partnerships at a table."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> Side:
        """The opposing side."""
        return Side.EW if self is Side.NS else Side.NS

    @property
    def word(self) -> Said:
        """The side in full, as sentences use it."""
        return _SIDES[self]

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The side's two seats, in reading order."""
        return (Seat.N, Seat.S) if self is Side.NS else (Seat.E, Seat.W)


class Seat(StrEnum):
    """A compass seat; iteration runs clockwise from North."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"

    @property
    def left(self) -> Seat:
        """The next seat clockwise, which is to this seat's left."""
        return _LEFT[self]

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return self.left.left

    @property
    def side(self) -> Side:
        """The side this seat plays for."""
        return Side.NS if self in (Seat.N, Seat.S) else Side.EW

    @property
    def word(self) -> Said:
        """The seat in full, as sentences use it."""
        return _SEATS[self]


CLOCKWISE: Final = (Seat.N, Seat.E, Seat.S, Seat.W)
_LEFT: Final = dict(zip(CLOCKWISE, (*CLOCKWISE[1:], CLOCKWISE[0]), strict=True))
_SEATS: Final = {Seat.N: say("North"), Seat.E: say("East"), Seat.S: say("South"), Seat.W: say("West")}
_SIDES: Final = {Side.NS: say("North–South"), Side.EW: say("East–West")}


def calling_order(dealer: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The seats in the order they call: left of the dealer first, dealer last (A-11, B-10)."""
    first = dealer.left
    return (first, first.left, first.left.left, dealer)
