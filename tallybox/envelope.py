"""The envelope every journal event travels in, its id, its chain and its signature (docs/journal.md, Envelope)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallybox.canonical import Json, sorted_form
from tallybox.errors import MessageError, heard
from tallybox.signing import EVENT_TAG, SigningKey, verify

VERSION: Final = 1
LARGEST_EVENT: Final = 65_536
"""Bytes. A signature of 2,000 points is about 16 KiB; nothing honest comes near this."""

NO_MORE: Final = r"(?!\n)"
"""Behind “$”, which would let a line break through at the end."""

_FORMS: Final = {
    "kiosk": "[A-Za-z0-9][A-Za-z0-9_-]{0,31}",
    "epoch": "[0-9a-z]{1,32}",
    "type": r"[a-z_]{1,32}\.[a-z_/]{1,32}",
    "prev": "[0-9a-f]{64}",
    "sig": "[0-9a-f]{128}",
}
"""How these members of an envelope are written; none has a blank in it."""

Hex64 = Annotated[str, Meta(pattern=f"^{_FORMS['prev']}${NO_MORE}")]
Sig = Annotated[str, Meta(pattern=f"^{_FORMS['sig']}${NO_MORE}")]
BoxId = Annotated[str, Meta(pattern=f"^{_FORMS['kiosk']}${NO_MORE}")]
Epoch = Annotated[str, Meta(pattern=f"^{_FORMS['epoch']}${NO_MORE}")]
Count = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Whole = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""Every number that travels has a bound: SQLite and JSON readers have one too."""

Millis = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
Supersedes = Annotated[tuple[Hex64, ...], Meta(min_length=1, max_length=64)]


def _looked_at_together(member: str) -> Meta:
    """The form of a member, for whoever reads the schema: the envelope looks at all five at once, in half the time."""
    return Meta(extra_json_schema={"pattern": f"^{_FORMS[member]}${NO_MORE}"})


_WELL_FORMED: Final = re.compile(" ".join(_FORMS.values()))
_NONE_BEFORE: Final = "0" * 64

UNSIGNED: Final = "0" * 128
"""What stands for the signature of an event that has none yet."""

HUB: Final = "hub"
"""The box id of the hub's own events."""


class At(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """When the writer believes it happened: a witness only, never an order.

    ``wall``: milliseconds since 1970. ``mono``: milliseconds of the box's monotonic clock. ``synced``: whether
    the wall clock was known to be right.
    """

    wall: Millis
    mono: Millis
    synced: bool


class _Envelope(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What every event carries, whoever writes it."""

    v: int
    kiosk: Annotated[str, _looked_at_together("kiosk")]
    epoch: Annotated[str, _looked_at_together("epoch")]
    seq: Count
    tournament: Name | None
    round: Count | None
    table: Count | None
    type: Annotated[str, _looked_at_together("type")]
    body: dict[str, object]
    supersedes: Supersedes | UnsetType = UNSET
    at: At
    prev: Annotated[str, _looked_at_together("prev")] | None
    sig: Annotated[str, _looked_at_together("sig")]

    def __post_init__(self) -> None:
        """Raises ``ValueError`` when a member is not written as it should be; who decodes hears of it in words."""
        prev = _NONE_BEFORE if self.prev is None else self.prev
        if _WELL_FORMED.fullmatch(f"{self.kiosk} {self.epoch} {self.type} {prev} {self.sig}") is None:
            raise ValueError(self._ill_formed(prev))

    def _ill_formed(self, prev: str) -> str:
        members = {"kiosk": self.kiosk, "epoch": self.epoch, "type": self.type, "prev": prev, "sig": self.sig}
        wrong = next(name for name, text in members.items() if re.fullmatch(_FORMS[name], text) is None)
        return f"“{wrong}” is not written as {_FORMS[wrong]}"


class KioskEvent(_Envelope, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """One fact from a table's journal."""

    tenure: Count | None


class HubEvent(_Envelope, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """One fact from the hub: the same form without ``tenure``; its body names its ``actor``."""


Event = KioskEvent | HubEvent


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a journal: the next event follows it."""

    epoch: str
    seq: int
    id: str | None


@dataclass(frozen=True, slots=True)
class Occasion:
    """What an event is about: tournament, round, table, and the tenure it is spoken under."""

    tournament: str | None = None
    round: int | None = None
    table: int | None = None
    tenure: int | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """What happened, before it has a place in a journal."""

    type: str
    body: Mapping[str, Json]
    supersedes: tuple[str, ...] = ()


def as_json(event: Event) -> dict[str, Json]:
    """The event as a JSON object, exactly as it travels."""
    return cast("dict[str, Json]", msgspec.to_builtins(event))


def event_id(event: Event) -> str:
    """SHA-256 of the canonical JSON of the event without ``sig``.

    Raises ``MessageError`` (``not-canonical``) if the body holds a float, half a character or too many levels.
    """
    return id_in(event_form(event))


def event_form(event: Event) -> bytes:
    """The canonical JSON of the whole event, ``sig`` included; raises ``MessageError`` as ``event_id`` does.

    The envelope's own fields are plain by their types, so only the body has to be looked through.
    """
    return sorted_form(event, event.body, lambda: as_json(event))


def id_in(form: bytes) -> str:
    """The id of the event with this canonical JSON.

    No key that sorts behind the envelope's own ``sig`` holds an object, and a quote within a text is escaped: its last
    place is the envelope's.
    """
    begin = form.rindex(_SIG)
    end = form.index(b'"', begin + len(_SIG)) + 1
    return hashlib.sha256(form[:begin] + form[end:]).hexdigest()


_SIG: Final = b',"sig":"'


def follow_kiosk(head: Head, kiosk: str, occasion: Occasion, fact: Fact, at: At, key: SigningKey) -> KioskEvent:
    """The next event of a kiosk's journal, signed."""
    event = KioskEvent(
        v=VERSION, kiosk=kiosk, epoch=head.epoch, seq=head.seq + 1, tournament=occasion.tournament,
        round=occasion.round, table=occasion.table, tenure=occasion.tenure, type=fact.type, body=dict(fact.body),
        supersedes=fact.supersedes or UNSET, at=at, prev=head.id, sig=UNSIGNED,
    )  # fmt: skip
    return msgspec.structs.replace(event, sig=key.sign(EVENT_TAG, event_id(event)))


def follow_hub(head: Head, occasion: Occasion, fact: Fact, at: At, key: SigningKey) -> HubEvent:
    """The next event of the hub's own journal, signed."""
    event = HubEvent(
        v=VERSION, kiosk=HUB, epoch=head.epoch, seq=head.seq + 1, tournament=occasion.tournament,
        round=occasion.round, table=occasion.table, type=fact.type, body=dict(fact.body),
        supersedes=fact.supersedes or UNSET, at=at, prev=head.id, sig=UNSIGNED,
    )  # fmt: skip
    return msgspec.structs.replace(event, sig=key.sign(EVENT_TAG, event_id(event)))


def authentic(event: Event, public: str, identity: str | None = None) -> bool:
    """Whether the event was signed by the holder of ``public`` (64 hex digits).

    ``identity``: the event's id, where it is computed already.
    """
    return verify(public, EVENT_TAG, identity or event_id(event), event.sig)


def superseded(event: Event) -> tuple[str, ...]:
    """The ids of the events that this one replaces; empty when it replaces none."""
    return () if isinstance(event.supersedes, UnsetType) else event.supersedes


def encode_event(event: Event) -> bytes:
    """The bytes that travel and are stored."""
    return msgspec.json.encode(event)


_kiosk_decoder = msgspec.json.Decoder(KioskEvent)
_hub_decoder = msgspec.json.Decoder(HubEvent)


def decode_kiosk_event(payload: bytes) -> KioskEvent:
    """Read one event from outside.

    Raises ``MessageError``: ``oversized``, ``undecodable`` or ``not-canonical``, each with a sentence.
    """
    return identified(payload).event


class Identified(NamedTuple):
    """An event from outside, its ``id``, and its ``form``: its canonical JSON, of which the id was made."""

    event: KioskEvent
    id: str
    form: bytes


def identified(payload: bytes) -> Identified:
    """One event from outside, with its id; raises ``MessageError`` as ``decode_kiosk_event`` does."""
    event = cast("KioskEvent", _decode(payload, _kiosk_decoder))
    form = event_form(event)
    return Identified(event, id_in(form), form)


def decode_hub_event(payload: bytes) -> HubEvent:
    """Read one of the hub's own events back; raises ``MessageError`` as ``decode_kiosk_event`` does."""
    event = cast("HubEvent", _decode(payload, _hub_decoder))
    event_id(event)
    return event


def _decode(payload: bytes, decoder: msgspec.json.Decoder[KioskEvent] | msgspec.json.Decoder[HubEvent]) -> Event:
    if len(payload) > LARGEST_EVENT:
        raise MessageError("oversized", f"The event has {len(payload)} bytes; {LARGEST_EVENT} is the most.")
    try:
        event = decoder.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as reason:
        raise MessageError("undecodable", f"The event cannot be read: {heard(reason)}.") from None
    if event.v != VERSION:
        raise MessageError("undecodable", f"The event has version {event.v}; this hub reads version {VERSION}.")
    return event
