"""Every message on the wire besides the journal events: acks, births, desired state, clock, room, ping and pong.

All are versioned JSON objects with closed fields; ``docs/asyncapi.yaml`` describes them for strangers.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from tallybox.envelope import BoxId, Count, Epoch, Hex64, KioskEvent, Millis, Name, Whole
from tallybox.errors import MessageError, heard
from tallybox.events.hub import Pairing
from tallybox.events.table import HandNumber, TeamNumber, Words
from tallybox.said import plain
from tallybox.seats import Side

LARGEST_MESSAGE = 1_048_576
MOST_REFUSED = 500
"""Refusals that one desired state names; the latest, should a table have more."""
"""Bytes. ``desired`` carries a table's whole round journal; nothing honest comes near this."""

Rev = tuple[Count, Whole]
"""(hub epoch, ledger_seq): a box ignores what is older than what it has."""

Figure = Annotated[int, Meta(ge=-(2**53 - 1), le=2**53 - 1)]
Sentence = Annotated[str, Meta(max_length=400)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The base of all messages; ``v`` is always sent."""


class Refused(Message, frozen=True, kw_only=True):
    """An event that entered the ledger and does not count: the rules refuse it, and say why."""

    seq: Count
    id: Hex64
    code: Annotated[str, Meta(max_length=40)]
    message: Sentence


class Fault(Message, frozen=True, kw_only=True):
    """A payload that did not enter the ledger. ``payload`` is the SHA-256 of its bytes."""

    code: Literal["undecodable", "oversized", "not-canonical", "unknown-kiosk", "bad-signature", "wrong-topic"]
    message: Sentence
    payload: Hex64


class Ack(Message, frozen=True, kw_only=True):
    """Hub to kiosk, after commit only: everything of ``epoch`` up to ``upto``, whose event is ``id``, is stored.

    ``upto`` 0 (without ``id``): nothing of this epoch is held. ``branch``: what was acked continues another past and
    is stored, not counted; the kiosk opens a new epoch from the last common event.
    """

    v: Literal[1]
    epoch: Epoch
    upto: Whole
    id: Hex64 | None = None
    refused: Annotated[tuple[Refused, ...], Meta(max_length=200)] = ()
    branch: bool = False
    fault: Fault | None = None


class ReaderReport(Message, frozen=True, kw_only=True):
    """How the bid-card reader is, in a word and a sentence."""

    state: Annotated[str, Meta(max_length=24)]
    message: Sentence = ""
    firmware: Annotated[str, Meta(max_length=40)] = ""


class DiskReport(Message, frozen=True, kw_only=True):
    """What is the matter with a box's disk, in a word (``low``: all is kept still) and a sentence."""

    state: Annotated[str, Meta(max_length=24)]
    message: Sentence = ""


class KioskState(Message, frozen=True, kw_only=True):
    """A box's birth, heartbeat and last will (``online`` false), retained.

    ``offset``: its wall clock minus the hub's in ms, once its pings have told; it moves no deadline. ``disk``: only
    while something is the matter with it.
    """

    v: Literal[1]
    kiosk: BoxId
    online: bool
    epoch: Epoch | None = None
    seq: Whole = 0
    rev: Rev | None = None
    unsent: Whole = 0
    software: Annotated[str, Meta(max_length=40)] = ""
    reader: ReaderReport | None = None
    offset: Figure | None = None
    disk: DiskReport | None = None


class HubState(Message, frozen=True, kw_only=True):
    """The hub's birth and last will, retained."""

    v: Literal[1]
    online: bool
    epoch: Count
    software: Annotated[str, Meta(max_length=40)] = ""


class Team(Message, frozen=True, kw_only=True):
    """A numbered pair as a table shows it."""

    number: TeamNumber
    names: tuple[Name, Name]


class Seating(Message, frozen=True, kw_only=True):
    """What a table plays in one round: who, where, by which rules, how many hands, how long (no minutes: untimed)."""

    tournament: Name
    title: Annotated[str, Meta(max_length=80)]
    round: Count
    rounds: Count
    table: Count
    teams: dict[Side, Team]
    ruleset: dict[str, object]
    hands: Annotated[int, Meta(ge=1, le=99)]
    minutes: Count | None = None


class Tenure(Message, frozen=True, kw_only=True):
    """Which box speaks for the table. ``resumes`` is the head it goes on from; ``claim`` the request it answers.

    ``after``, where a hub was restored from an older copy of its data: numbers above it and below ``number`` came from
    the hub whose record is lost, and what this box entered here under one of them goes on to count.
    """

    number: Count
    kiosk: BoxId
    claim: Hex64
    resumes: Hex64 | None = None
    after: Whole | None = None


class NextSeat(Message, frozen=True, kw_only=True):
    """Where a side goes after its release; no table: it sits out or the tournament is over."""

    table: Count | None = None
    sits: Side | None = None
    against: TeamNumber | None = None


class Outcome(Message, frozen=True, kw_only=True):
    """What the hub says of the table's round: the state of its sheet, and whether its teams may move."""

    accepted: Hex64 | None = None
    reopened: Sentence | None = None
    stale: Hex64 | None = None
    """The hub's own digest, when a submitted sheet differs from it."""
    released: bool = False
    moves: dict[Side, NextSeat] = {}
    official: Name | None = None
    """Who is on the way, once a call was claimed."""
    answered: Hex64 | None = None
    """The last call (its event id) that an official settled; the table may call again."""


class DeskFact(Message, frozen=True, kw_only=True):
    """One thing that the desk decided about this table's sheet, in the hub's order. ``id`` is the hub event's.

    ``hand`` is its number, ``deal`` the event that opened it.
    ``ruling``: ``ruling`` counts on the hand, and answers ``raised``. ``correction``: the hand's ``facts`` as they
    count now. ``award``: ``hands`` unfinished hands go to the side that is not ``loser``. ``ended``: the sheet is
    closed by ``ended`` against ``loser``.
    """

    id: Hex64
    kind: Literal["ruling", "correction", "award", "ended"]
    by: Name
    reason: Words = ""
    hand: HandNumber | None = None
    deal: Hex64 | None = None
    supersedes: tuple[Hex64, ...] = ()
    raised: Hex64 | None = None
    ruling: dict[str, object] | None = None
    facts: dict[str, object] | None = None
    loser: Side | None = None
    hands: Whole = 0
    ended: Literal["forfeit", "dq"] | None = None


class Verifier(Message, frozen=True, kw_only=True):
    """One official: who, in what role, and the argon2id hash that proves the personal PIN."""

    official: Name
    name: Name
    role: Literal["director", "monitor", "helper", "viewer"]
    verifier: Annotated[str, Meta(max_length=256)]


class Pins(Message, frozen=True, kw_only=True):
    """Hub to kiosk after each birth, not retained, over TLS alone: who may open the menu of officials."""

    v: Literal[1]
    kiosk: BoxId
    officials: Annotated[tuple[Verifier, ...], Meta(max_length=200)] = ()


class Desired(Message, frozen=True, kw_only=True):
    """Hub to kiosk, retained: everything this box should show. A box without a table has no ``seating``.

    ``hold``: the table waits for the director, and why. ``locked``: the box takes no taps, and why. ``extra``: seconds
    that this table alone has beyond the round clock. ``late``: the sides marked absent. ``practice``: how many
    practice hands the desk has invited to so far. ``identify``: how often it has had this box buzz.
    ``dropped``: events of this table that count no more, because the director adopted others in their place.
    ``refused``: what does not count of the journal in ``resume``; a box that goes on may never have had an ack of it.
    """

    v: Literal[1]
    rev: Rev
    kiosk: BoxId
    seating: Seating | None = None
    tenure: Tenure | None = None
    resume: tuple[KioskEvent, ...] = ()
    outcome: Outcome = Outcome()
    hold: Sentence | None = None
    locked: Sentence | None = None
    message: Sentence | None = None
    desk: Annotated[tuple[DeskFact, ...], Meta(max_length=500)] = ()
    extra: Whole = 0
    late: tuple[Side, ...] = ()
    practice: Whole = 0
    identify: Whole = 0
    dropped: Annotated[tuple[Hex64, ...], Meta(max_length=2000)] = ()
    refused: Annotated[tuple[Refused, ...], Meta(max_length=MOST_REFUSED)] = ()


class ClockMessage(Message, frozen=True, kw_only=True):
    """The round clock, retained: a state and a deadline, never ticks.

    ``deadline``: ms since 1970 by the hub's clock (running). ``remaining``: ms (paused, held). ``none``: untimed, or
    no round yet. ``seconds``: the length of the round with its extensions.
    """

    v: Literal[1]
    rev: Rev
    state: Literal["none", "waiting", "running", "paused", "held", "ended"]
    round: Count | None = None
    seconds: Whole = 0
    deadline: Millis | None = None
    remaining: Millis | None = None


class Standing(Message, frozen=True, kw_only=True):
    """One row of the running standings; spades rows carry ``wins``, ``net_points`` and ``bags`` instead."""

    rank: Count
    team: TeamNumber
    hands_won: Figure = 0
    points: Figure = 0
    bostons: Figure = 0
    wins: Figure = 0
    net_points: Figure = 0
    bags: Figure = 0


class Room(Message, frozen=True, kw_only=True):
    """What idle screens and projectors show, retained."""

    v: Literal[1]
    rev: Rev
    title: Annotated[str, Meta(max_length=80)] = ""
    round: Count | None = None
    rounds: Count | None = None
    pairings: tuple[Pairing, ...] = ()
    standings: tuple[Standing, ...] = ()
    announcement: Sentence = ""


class Ping(Message, frozen=True, kw_only=True):
    """Kiosk to hub: its monotonic milliseconds, to measure the offset of the two clocks."""

    v: Literal[1]
    mono: Millis


class Pong(Message, frozen=True, kw_only=True):
    """The answer: the ping's ``mono``, and the hub's wall clock in ms since 1970."""

    v: Literal[1]
    mono: Millis
    hub: Millis


M = TypeVar("M", bound=Message)


def encode(message: Message) -> bytes:
    """The bytes that travel."""
    return msgspec.json.encode(message, enc_hook=plain)


def decode(payload: bytes, kind: type[M]) -> M:
    """Read one message from outside; raises ``MessageError`` (``oversized``, ``undecodable``) with a sentence."""
    if len(payload) > LARGEST_MESSAGE:
        raise MessageError("oversized", f"The message has {len(payload)} bytes; {LARGEST_MESSAGE} is the most.")
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as reason:
        raise MessageError("undecodable", f"The message cannot be read: {heard(reason)}.") from None
