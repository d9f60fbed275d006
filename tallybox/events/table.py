"""What happens at a table: the bodies of a kiosk's events (docs/journal.md). Past tense; facts, never totals."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tallybox.envelope import Count, Hex64, Name
from tallybox.seats import Seat, Side

HandNumber = Annotated[int, Meta(ge=1, le=99)]
TeamNumber = Annotated[int, Meta(ge=1, le=9999)]
CallText = Annotated[str, Meta(min_length=1, max_length=16)]
"""A call in its canonical spelling: ``pass``, ``4``, ``4 special``, ``4 no``, ``nil``, ``7``."""
Words = Annotated[str, Meta(max_length=280)]
Uid = Annotated[str, Meta(min_length=1, max_length=64)]
Books = Annotated[int, Meta(ge=0, le=13)]
Stroke = Annotated[tuple[Annotated[int, Meta(ge=0, le=1000)], ...], Meta(min_length=2, max_length=4000)]
"""x, y, x, y … on a pad of 1000 × 1000 units, origin top left."""


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The base of all bodies: unknown fields are refused, absent optional fields are not sent."""


class ClaimMade(Body, frozen=True, kw_only=True):
    """A box asks to speak for the table it was assigned. A request: the hub grants a tenure.

    ``official``: whose PIN took the table over from another box, or opened a provisional tenure without a hub.
    ``provisional``: what is entered from here on, without a tenure, counts once the director grants this claim.
    ``at_table``: another table than the one the box was given.
    """

    official: Name | None = None
    provisional: bool = False
    at_table: Count | None = None


class SeatsConfirmed(Body, frozen=True, kw_only=True):
    """A side says that it is the team that should sit there, and does."""

    side: Side
    team: TeamNumber


class ScorekeeperChosen(Body, frozen=True, kw_only=True):
    """Who keeps the sheet at this table; where two scorekeepers enter apart, said once for each side (C-13)."""

    seat: Seat


class DealerDrawn(Body, frozen=True, kw_only=True):
    """Who pulled the highest card and deals first (A-02, C-01)."""

    seat: Seat


class HandOpened(Body, frozen=True, kw_only=True):
    """The next deal begins. Idempotent: a hand opens once (INV-5)."""

    hand: HandNumber
    dealer: Seat


class HandCounted(Body, frozen=True, kw_only=True):
    """All four counted their cards; the bidding may start (A-05)."""

    hand: HandNumber


class DeviceStamp(Body, frozen=True, kw_only=True):
    """Where a reading came from: the reader's id, boot nonce, counter, and its own milliseconds."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    boot: Annotated[str, Meta(min_length=1, max_length=32)]
    seq: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    ms: Annotated[int, Meta(ge=0, le=2**53 - 1)]


class CardRead(Body, frozen=True, kw_only=True):
    """A card was laid on a seat's reader. ``call`` is what the deck says it means; absent if the card is unknown."""

    seat: Seat
    card: Uid
    stamp: DeviceStamp
    call: CallText | None = None


class CardRemoved(Body, frozen=True, kw_only=True):
    """A card was lifted from a seat's reader."""

    seat: Seat
    card: Uid
    stamp: DeviceStamp


class CallMade(Body, frozen=True, kw_only=True):
    """A seat called. ``reading`` is the event id of the card that made it, when a card did.

    ``said``: the improper call that ``call`` corrects (A-14).
    """

    hand: HandNumber
    seat: Seat
    call: CallText
    source: Literal["scanned", "typed"]
    reading: Hex64 | None = None
    said: CallText | None = None


class CallTakenBack(Body, frozen=True, kw_only=True):
    """The last call is undone before the hand goes on; the event supersedes that call."""

    hand: HandNumber
    seat: Seat


class ReadingResolved(Body, frozen=True, kw_only=True):
    """Card and typed call differed, and the table said which one stands; absent: neither, the seat bids again."""

    hand: HandNumber
    seat: Seat
    read: CallText
    typed: CallText
    stands: Literal["read", "typed"] | None = None


class ContractLocked(Body, frozen=True, kw_only=True):
    """The auction is on record: only now may the kitty be taken (A-17), or the opening lead be made (B-15)."""

    hand: HandNumber


class DirectionStated(Body, frozen=True, kw_only=True):
    """The winner of a No bid said UP or DOWN (A-18)."""

    hand: HandNumber
    direction: Literal["up", "down"]


class PlayStarted(Body, frozen=True, kw_only=True):
    """The first card was played; from now on the record governs the bid (A-16)."""

    hand: HandNumber


class ResultEntered(Body, frozen=True, kw_only=True):
    """Books per side (kitty counted for the bidders) or tricks per seat. A second one supersedes the first.

    ``scorer``: which side's scorekeeper entered it, where two enter apart and are compared (C-19).
    """

    hand: HandNumber
    books: dict[Side, Books] | None = None
    tricks: dict[Seat, Books] | None = None
    scorer: Side | None = None


class HandQuestioned(Body, frozen=True, kw_only=True):
    """A side says that something is wrong with what is shown."""

    hand: HandNumber
    side: Side
    what: Literal["result", "contract", "penalty", "total"]


class HandChecked(Body, frozen=True, kw_only=True):
    """A side agrees with exactly the lines whose digest this is."""

    hand: HandNumber
    side: Side
    lines: Hex64


class HandRecorded(Body, frozen=True, kw_only=True):
    """Both sides agreed. ``facts`` is the hand as a sheet holds it; ``ruleset`` and ``lines`` say what was shown.

    A correction at the table names the ``official`` and the ``reason``, and supersedes the record it replaces.
    """

    hand: HandNumber
    facts: dict[str, object]
    ruleset: Hex64
    lines: Hex64
    official: Name | None = None
    reason: Words = ""


class HandVoided(Body, frozen=True, kw_only=True):
    """The deal does not count; the same dealer deals the same hand again (A-07, B-04, INV-4)."""

    hand: HandNumber
    reason: Literal["misdeal", "exposed-in-deal", "director"]
    code: Annotated[str, Meta(max_length=32)] | None = None
    official: Name | None = None
    why: Words = ""


class DirectorCalled(Body, frozen=True, kw_only=True):
    """The table asks for the director; silent at the table."""

    reason: Words = ""


class DirectorCancelled(Body, frozen=True, kw_only=True):
    """The table no longer needs the director; the event supersedes the call."""


class SheetSigned(Body, frozen=True, kw_only=True):
    """A person signed exactly the sheet with this digest. Strokes are vectors."""

    side: Side
    seat: Seat
    digest: Hex64
    strokes: Annotated[tuple[Stroke, ...], Meta(min_length=1, max_length=64)]


class SheetSubmitted(Body, frozen=True, kw_only=True):
    """The signed sheet goes to the hub."""

    digest: Hex64
