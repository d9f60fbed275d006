"""What the hub decides: the bodies of the hub's own events. Every one names its ``actor`` (docs/journal.md, Events)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tallybox.envelope import BoxId, Count, Hex64, Millis, Name
from tallybox.events.table import Body, TeamNumber, Words
from tallybox.seats import Side

Seconds = Annotated[int, Meta(ge=0, le=86_400)]
Reason = Annotated[str, Meta(min_length=1, max_length=280)]


class Act(Body, frozen=True, kw_only=True):
    """The base of the hub's bodies: somebody did it. ``actor`` is an official's id, or ``hub`` for its own acts."""

    actor: Name


class StagePlanned(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One stage as its template plans it; all of it can be another in the next occasion.

    ``rounds``: of a rotation or a Swiss stage; the other kinds follow from their teams. ``minutes`` absent: untimed.
    ``even_rounds``: which rounds of a rotation move the even teams (absent: the text's). ``wins`` and ``top``: who
    enters from the stage before, by games won or as so many best (neither: every team). ``bye``: what sitting out
    brings (Q-11). ``notice``: minutes between posting and start. ``places``: shared places up to this one are
    played off.
    """

    name: Name
    kind: Literal["rotation", "swiss", "round_robin", "elimination", "play_off"]
    hands: Annotated[int, Meta(ge=1, le=99)]
    rounds: Annotated[int, Meta(ge=1, le=99)] | None = None
    minutes: Annotated[int, Meta(ge=1, le=600)] | None = None
    even_rounds: Annotated[tuple[int, ...], Meta(max_length=99)] | None = None
    wins: Annotated[int, Meta(ge=0, le=99)] | None = None
    top: Annotated[int, Meta(ge=2, le=2000)] | None = None
    bye: Literal["win", "average", "zero"] = "win"
    notice: Annotated[int, Meta(ge=0, le=120)] = 0
    intermission: Annotated[int, Meta(ge=0, le=5)] = 0
    places: Annotated[int, Meta(ge=1, le=99)] = 4


class TournamentCreated(Act, frozen=True, kw_only=True):
    """The whole occasion: its template, the ruleset in full, its stages, and what each round starts from.

    ``rounds``, ``hands`` and ``minutes`` (absent: untimed) are those of the first stage; ``seed`` decides every draw.
    An older ledger names no ``stages``: then the first is the only one.
    """

    tournament: Name
    title: Annotated[str, Meta(min_length=1, max_length=80)]
    template: Name
    ruleset: dict[str, object]
    rounds: Annotated[int, Meta(ge=1, le=99)]
    hands: Annotated[int, Meta(ge=1, le=99)]
    minutes: Annotated[int, Meta(ge=1, le=600)] | None = None
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    stages: Annotated[tuple[StagePlanned, ...], Meta(max_length=16)] = ()


class TeamRegistered(Act, frozen=True, kw_only=True):
    """A numbered pair enters; a ``filler`` team sits where one is missing and does not rank (Q-11)."""

    team: TeamNumber
    names: tuple[Name, Name]
    filler: bool = False


class Pairing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who meets whom, and where."""

    table: Count
    ns: TeamNumber
    ew: TeamNumber


class RoundPublished(Act, frozen=True, kw_only=True):
    """The pairings of a round are posted; hands and minutes belong to the round (no minutes: untimed).

    A round that nobody has begun is posted again under its own number. ``byes``: who sits out.
    """

    hands: Annotated[int, Meta(ge=1, le=99)]
    minutes: Annotated[int, Meta(ge=1, le=600)] | None
    pairings: Annotated[tuple[Pairing, ...], Meta(max_length=2000)]
    stage: Count | None = None
    byes: Annotated[tuple[TeamNumber, ...], Meta(max_length=2000)] = ()


class RoundStarted(Act, frozen=True, kw_only=True):
    """The director opened the round."""


class RoundEnded(Act, frozen=True, kw_only=True):
    """The round is over; its tables are released."""


class ClockStarted(Act, frozen=True, kw_only=True):
    """The round clock runs; ``deadline`` in ms since 1970 by the hub's clock."""

    seconds: Seconds
    deadline: Millis


class ClockPaused(Act, frozen=True, kw_only=True):
    """The clock stands still with ``remaining`` milliseconds left."""

    remaining: Millis


class ClockResumed(Act, frozen=True, kw_only=True):
    """The clock goes on towards a new ``deadline``."""

    deadline: Millis


class ClockExtended(Act, frozen=True, kw_only=True):
    """More time for everybody; a paused clock keeps ``deadline`` absent and gains ``remaining``."""

    seconds: Seconds
    deadline: Millis | None = None
    remaining: Millis | None = None


class ClockHeld(Act, frozen=True, kw_only=True):
    """A hub restarted and cannot trust its wall clock: ``remaining`` is the last it knew; the director chooses."""

    remaining: Millis
    reason: Reason


class ClockEnded(Act, frozen=True, kw_only=True):
    """Time is up for this round: only this closes it, never a table's own clock."""


class KioskAssigned(Act, frozen=True, kw_only=True):
    """A box stands on a table until it is assigned elsewhere."""

    box: BoxId
    at_table: Count


class TenureGranted(Act, frozen=True, kw_only=True):
    """From now on this box speaks for the table in this round, going on from ``resumes`` (an event id, if any).

    ``reason``: why a claim counts that an official made without a hub.
    """

    box: BoxId
    claim: Hex64
    tenure: Count
    resumes: Hex64 | None = None
    reason: Reason | None = None


class TenureRefused(Act, frozen=True, kw_only=True):
    """The claim is not granted, and why."""

    box: BoxId
    claim: Hex64
    reason: Reason


class SheetAccepted(Act, frozen=True, kw_only=True):
    """An official took the signed sheet; it is final."""

    digest: Hex64
    version: Count


class SheetReopened(Act, frozen=True, kw_only=True):
    """The monitor sends the sheet back to the table, and why."""

    reason: Reason


class TableReleased(Act, frozen=True, kw_only=True):
    """The teams of this table may move."""


class DirectorClaimed(Act, frozen=True, kw_only=True):
    """An official is on the way to a table that called."""

    call: Hex64


class DirectorAnswered(Act, frozen=True, kw_only=True):
    """The call is settled."""

    call: Hex64
    note: Words = ""


class AnnouncementMade(Act, frozen=True, kw_only=True):
    """A sentence for every idle screen, in the place of the one before; an empty one takes that down."""

    text: Words


class HubRestored(Act, frozen=True, kw_only=True):
    """The director confirmed that this hub, restored or restarted in doubt, speaks again.

    ``after``: the number of the last line that its copy of the data held when the doubt arose.
    """

    reason: Reason
    after: Count | None = None


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a side goes next."""

    side: Side
    table: Count
    sits: Side
