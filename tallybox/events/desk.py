"""What the desk decides about one table, one box or one official: bodies of the hub's own events."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tallybox.envelope import BoxId, Count, Hex64, Name
from tallybox.events.hub import Act, Reason, Seconds
from tallybox.events.table import HandNumber, Words
from tallybox.seats import Side

AwardKind = Literal["late", "forfeit", "dq"]


class RulingMade(Act, frozen=True, kw_only=True):
    """An official ruled at the desk. ``ruling`` is written as a sheet writes it; ``raised`` what it answers.

    A ruling that supersedes another takes its place; one with ``"proven": false`` changes no score. ``deal`` names
    the event that opened the hand: a void deal and the one after it have the same number.
    """

    hand: HandNumber
    deal: Hex64 | None = None
    ruling: dict[str, object]
    raised: Hex64 | None = None
    reason: Words = ""


class HandCorrected(Act, frozen=True, kw_only=True):
    """The hand's facts as they count from now on, in the form of a sheet file; the event supersedes the record.

    It supersedes, too, every ruling that went into the facts. An open hand has no record: its ``deal`` is named, and
    its facts are ``void``.
    """

    hand: HandNumber
    deal: Hex64 | None = None
    facts: dict[str, object]
    reason: Reason


class LateMarked(Act, frozen=True, kw_only=True):
    """An official saw that a side was absent when the clock started (A-37); ``late`` false takes the mark back."""

    side: Side
    late: bool = True


class AwardMade(Act, frozen=True, kw_only=True):
    """A result that was not played, confirmed by the director, with an explicit loser.

    ``late``: ``hands`` unfinished hands go to the other side (A-37). ``forfeit`` and ``dq`` close the sheet (Q-44).
    """

    kind: AwardKind
    loser: Side
    hands: Annotated[int, Meta(ge=0, le=99)] = 0
    reason: Words = ""


class TableHeld(Act, frozen=True, kw_only=True):
    """The table waits for the director; its box says so and takes nothing."""

    reason: Reason


class TableUnheld(Act, frozen=True, kw_only=True):
    """The table goes on."""


class TableExtended(Act, frozen=True, kw_only=True):
    """More time for one table alone, in seconds; ``over`` ends what this table has beyond the round clock."""

    seconds: Seconds
    over: bool = False


class RequestRefused(Act, frozen=True, kw_only=True):
    """What an official asked for at a table is not done, and why; it supersedes the request."""

    reason: Reason


class KioskLocked(Act, frozen=True, kw_only=True):
    """A box takes no taps until it is unlocked."""

    box: BoxId
    reason: Reason


class KioskUnlocked(Act, frozen=True, kw_only=True):
    """A box takes taps again."""

    box: BoxId


class KioskIdentified(Act, frozen=True, kw_only=True):
    """Somebody looks for a box: it buzzes, and says on its screen which one it is."""

    box: BoxId


class KioskReplaced(Act, frozen=True, kw_only=True):
    """``box`` stands on the table in place of ``former``; what the former still holds is stored and shown."""

    box: BoxId
    former: BoxId
    at_table: Count


class SheetEntered(Act, frozen=True, kw_only=True):
    """A whole sheet from paper, for a table that no box speaks for; ``sheet`` is in the form of a sheet file."""

    sheet: dict[str, object]
    reason: Reason


class SheetReassigned(Act, frozen=True, kw_only=True):
    """A sheet was played under the wrong table number: it counts for ``to_table`` of the same round."""

    to_table: Count
    reason: Reason


class EventsAdopted(Act, frozen=True, kw_only=True):
    """Events that were kept aside count after all: those of ``hand``, up to ``head``, in place of what was recorded.

    No ``tenure``: they were entered without a hub, under a claim that was refused.
    """

    box: BoxId
    tenure: Count | None = None
    head: Hex64
    hand: HandNumber
    reason: Reason


class EventsDeclined(Act, frozen=True, kw_only=True):
    """What counts stays as it is: the events of ``box`` kept aside up to ``head`` are shown no more for a decision."""

    box: BoxId
    head: Hex64
    reason: Reason


class ForkDecided(Act, frozen=True, kw_only=True):
    """Of two journals of one box, ``head`` names the one that counts."""

    box: BoxId
    head: Hex64
    reason: Reason


class OfficialChanged(Act, frozen=True, kw_only=True):
    """An official came, changed or left (no ``role``). ``verifier`` is the argon2id hash of the personal PIN.

    ``password``: a new one was set. What proves it is kept beside the ledger, because a ledger is handed on.
    """

    official: Name
    name: Name
    role: Literal["director", "monitor", "helper", "viewer"] | None = None
    verifier: Annotated[str, Meta(max_length=256)] | None = None
    password: bool = False


class PracticeStarted(Act, frozen=True, kw_only=True):
    """All tables are invited to a practice hand, which is recorded nowhere."""


class OverrideMade(Act, frozen=True, kw_only=True):
    """Somebody went past a gate, and why."""

    gate: Name
    reason: Reason
