"""Whether a payload enters the ledger (docs/journal.md, Accepting 1 to 4): pure, over what the ledger holds.

Only authenticity and order are judged here. Whether an event counts is the fold's judgement.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final, Literal, cast

import msgspec

from hub.accepting.held import Held
from tallybox.envelope import Identified, KioskEvent, authentic, identified
from tallybox.errors import MessageError
from tallybox.topics import Topics

FaultCode = Literal["undecodable", "oversized", "not-canonical", "unknown-kiosk", "bad-signature", "wrong-topic"]

UNREADABLE: Final = frozenset({"undecodable", "oversized", "not-canonical"})
"""Faults of the payload itself: the box journals the facts behind it anew, in a new epoch."""


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """The next event of its journal: it enters the chain and the fold. ``form`` is its canonical JSON."""

    event: KioskEvent
    id: str
    form: bytes


class Branch(msgspec.Struct, frozen=True, gc=False):
    """Authentic, but it continues another past: stored, acked as a branch, never folded.

    ``common`` is the ``seq`` of the last event both pasts share, 0 when the hub knows of none.
    """

    event: KioskEvent
    id: str
    form: bytes
    common: int


class Duplicate(msgspec.Struct, frozen=True, gc=False):
    """Held already; acked again. ``common`` is set when it is held as a branch."""

    box: str
    epoch: str
    common: int | None = None


class Gap(msgspec.Struct, frozen=True, gc=False):
    """Something before it is missing here: not taken, never acked past; the box sends again from ``upto`` on."""

    box: str
    epoch: str


class Quarantined(msgspec.Struct, frozen=True, gc=False):
    """Not authentic or not readable: kept outside the chain, shown to the director, answered with a fault.

    ``box`` is the topic's box, ``None`` when the topic names none.
    """

    box: str | None
    code: FaultCode
    message: str
    payload: str


Verdict = Accepted | Branch | Duplicate | Gap | Quarantined


class Claimed(msgspec.Struct, frozen=True, gc=False):
    """An event that says it is of the box with the key ``public``; whether it is, its signature shows."""

    read: Identified
    public: str

    @property
    def authentic(self) -> bool:
        """Whether its signature is that box's, looked at here and now."""
        return authentic(self.read.event, self.public, self.read.id)


def accept(held: Held, keys: Mapping[str, str], topics: Topics, topic: str, payload: bytes) -> Verdict:
    """Judge one payload. ``keys`` maps each known box to its public key (64 hex digits)."""
    claimed = look(keys, topics, topic, payload)
    if isinstance(claimed, Quarantined):
        return claimed
    return judge(held, claimed, payload, authentic=claimed.authentic)


def look(keys: Mapping[str, str], topics: Topics, topic: str, payload: bytes) -> Claimed | Quarantined:
    """Read one payload; all that can be said without the signature, and without what the ledger holds."""
    match topics.parse_kiosk(topic):
        case (box, "evt"):
            pass
        case _:
            return _fault(None, "wrong-topic", "Events travel on a box's own evt topic only.", payload)
    try:
        read = identified(payload)
    except MessageError as reason:
        return _fault(box, cast("FaultCode", reason.code), reason.message, payload)
    if read.event.kiosk != box:
        said = f"An event of box {read.event.kiosk} came on the topic of box {box}. The director looks at both boxes."
        return _fault(box, "wrong-topic", said, payload)
    public = keys.get(box)
    if public is None:
        said = f"Box {box} is not known to this hub. The director adds its key, or takes it off the floor."
        return _fault(box, "unknown-kiosk", said, payload)
    return Claimed(read, public)


def judge(held: Held, claimed: Claimed, payload: bytes, *, authentic: bool) -> Verdict:
    """Judge what was read; ``authentic``: whether the signature is the box's."""
    if authentic:
        return place(held, claimed.read)
    box = claimed.read.event.kiosk
    said = f"The signature is not box {box}'s. The director compares its key with the one on file."
    return _fault(box, "bad-signature", said, payload)


def place(held: Held, read: Identified) -> Accepted | Branch | Duplicate | Gap:
    """Where an authentic event belongs, after what is held of its box."""
    event, identity, form = read
    box, epoch, seq = event.kiosk, event.epoch, event.seq
    known = held.find(box, identity)
    if known is not None:
        return Duplicate(box, epoch, known.common)
    upto = held.upto(box, epoch)
    other = held.find(box, event.prev) if event.prev is not None else None
    if other is not None and other.common is not None and (other.epoch, other.seq + 1) == (epoch, seq):
        return Branch(event, identity, form, other.common)
    if seq > upto + 1:
        return Gap(box, epoch)
    if seq == 1 and upto == 0:
        return Accepted(event, identity, form) if event.prev is None or other is not None else Gap(box, epoch)
    follows = seq > 1 and event.prev == held.at(box, epoch, seq - 1)
    if seq == upto + 1 and follows:
        return Accepted(event, identity, form)
    return Branch(event, identity, form, seq - 1 if follows else 0)


def _fault(box: str | None, code: FaultCode, message: str, payload: bytes) -> Quarantined:
    return Quarantined(box, code, message, hashlib.sha256(payload).hexdigest())
