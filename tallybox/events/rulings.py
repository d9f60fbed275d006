"""What goes wrong at a table, and what is decided there: irregularities, rulings, claims, and acts of officials.

An official's act at the table names the official, proved by that person's own PIN (docs/journal.md, Corrections).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tallybox.envelope import Hex64, Name
from tallybox.events.table import Body, CallText, HandNumber, Words
from tallybox.seats import Seat, Side

Code = Annotated[str, Meta(min_length=1, max_length=32)]
"""A code of sections A.4 and B.5 of docs/rules.md, such as ``RENEGE_SUIT`` or ``BID_TURN``."""
CardText = Annotated[str, Meta(min_length=2, max_length=2)]
"""Suit, then rank: ``SK``, ``D7``, ``HT``."""
Why = Annotated[str, Meta(min_length=1, max_length=280)]


class SeatsSwapped(Body, frozen=True, kw_only=True):
    """Seats were changed before the first deal: with ``side`` its two partners, without it the two teams."""

    side: Side | None = None
    official: Name | None = None


class BidDeckWaived(Body, frozen=True, kw_only=True):
    """One side does without the bid deck; it takes both (C-05)."""

    side: Side


class OutOfTurnMade(Body, frozen=True, kw_only=True):
    """A seat called before its turn; the other side decides before anybody goes on (B-12, C-16)."""

    hand: HandNumber
    seat: Seat
    call: CallText
    source: Literal["scanned", "typed"]
    reading: Hex64 | None = None


class OutOfTurnAccepted(Body, frozen=True, kw_only=True):
    """The other side lets the early call ``made`` stand: the bidding goes on from there."""

    hand: HandNumber
    seat: Seat
    made: Hex64


class OutOfTurnDeclined(Body, frozen=True, kw_only=True):
    """The other side does not take the early call: the proper seat bids (and C-16 locks the early call)."""

    hand: HandNumber
    seat: Seat
    made: Hex64


class IrregularityRaised(Body, frozen=True, kw_only=True):
    """A table says what happened, before anybody rules. ``side`` is the offender's; ``caller`` who says so."""

    hand: HandNumber
    code: Code
    side: Side
    caller: Seat
    seat: Seat | None = None
    card: CardText | None = None
    phase: Literal["deal", "bidding", "play"] | None = None
    said: CallText | None = None
    accepted: bool | None = None


class IrregularityWithdrawn(Body, frozen=True, kw_only=True):
    """Both sides drop the irregularity ``raised``; play goes on and nothing changes."""

    hand: HandNumber
    raised: Hex64


class RulingEntered(Body, frozen=True, kw_only=True):
    """An official ruled at the table. ``ruling`` is written as a sheet writes it; ``raised`` what it answers, if any.

    An adjustment (``ADJUST``) may be about a recorded hand. A second ruling supersedes the one it names.
    """

    hand: HandNumber
    ruling: dict[str, object]
    official: Name
    raised: Hex64 | None = None
    reason: Words = ""


class ClaimOfTricksMade(Body, frozen=True, kw_only=True):
    """A seat says that all remaining books or tricks are its side's; ``agreed`` once the other side has answered."""

    hand: HandNumber
    seat: Seat
    agreed: bool


class SetConceded(Body, frozen=True, kw_only=True):
    """The bidder gives the contract up (A-32); ``seat`` is the bidder's."""

    hand: HandNumber
    seat: Seat


class SignatureWaived(Body, frozen=True, kw_only=True):
    """A side does not sign, and an official lets the sheet go without; it covers exactly this digest."""

    side: Side
    digest: Hex64
    official: Name
    reason: Why


class RoundClosed(Body, frozen=True, kw_only=True):
    """An official calls time at this table while no hub can (docs/journal.md, Clock).

    ``deadline``: when the round was to end, as the hub last said it (ms by the hub's clock); a later one reopens
    dealing. ``None``: the table never heard one.
    """

    official: Name
    reason: Why
    deadline: Annotated[int, Meta(ge=0)] | None = None


class OfficialRequested(Body, frozen=True, kw_only=True):
    """An official asks the hub, at the table, for something that is the hub's to do.

    ``release``: the teams were let go by an official while no hub could release them; the hub is only told.
    """

    what: Literal["extension", "lock", "unlock", "replacement", "release"]
    official: Name
    minutes: Annotated[int, Meta(ge=1, le=60)] | None = None
    reason: Words = ""


class MenuOpened(Body, frozen=True, kw_only=True):
    """An official opened the menu of officials at this table."""

    official: Name
