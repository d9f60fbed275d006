"""One line of the hub's ledger: an event, its place, and the hash chain (docs/journal.md, Envelope)."""

from __future__ import annotations

import hashlib
from typing import Final, cast

import msgspec
from msgspec import UNSET, UnsetType

from tallybox.canonical import Json, canonical
from tallybox.envelope import Count, Event, Hex64, HubEvent, KioskEvent, Millis, event_form, id_in
from tallybox.errors import MessageError, heard

FIRST_PREV: Final = "0" * 64
"""What the first line names as the line before it."""

LARGEST_LINE: Final = 70_000
"""Bytes: the largest event and the hub's own fields."""


class LedgerLine(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What the hub stores: ``event`` at place ``ledger_seq``, received at ``received_at`` ms since 1970.

    ``branch`` marks an authentic event that continues another past than the one the hub holds: stored, never folded.
    ``hash`` covers the whole line except itself.
    """

    ledger_seq: Count
    received_at: Millis
    id: Hex64
    event: dict[str, object]
    branch: bool | UnsetType = UNSET
    prev_hash: Hex64
    hash: Hex64


def next_line(
    ledger_seq: int,
    prev_hash: str,
    event: Event,
    received_at: int,
    *,
    branch: bool = False,
    identity: str | None = None,
) -> LedgerLine:
    """The line that stores ``event`` after the line whose hash is ``prev_hash``.

    ``identity``: the event's id, where it is computed already.
    """
    form = event_form(event)
    return chained(ledger_seq, prev_hash, event, received_at, identity or id_in(form), form, branch=branch)[0]


def chained(
    ledger_seq: int, prev_hash: str, event: Event, received_at: int, identity: str, form: bytes, *, branch: bool
) -> tuple[LedgerLine, bytes]:
    """The line that stores ``event`` after the line whose hash is ``prev_hash``, and its canonical JSON.

    ``identity``: the event's id; ``form``: the event's canonical JSON.
    """
    before, after = _around(form, True if branch else UNSET, identity, ledger_seq, prev_hash, received_at)
    hashed = hashlib.sha256(before + after).hexdigest()
    line = LedgerLine(
        ledger_seq=ledger_seq,
        received_at=received_at,
        id=identity,
        event=cast("dict[str, object]", msgspec.to_builtins(event)),
        branch=True if branch else UNSET,
        prev_hash=prev_hash,
        hash=hashed,
    )
    return line, before + _hash_member(hashed) + after


def line_hash(line: LedgerLine) -> str:
    """SHA-256 of the canonical JSON of the line without ``hash``."""
    return written(line, canonical(cast("Json", line.event)))[1]


def canonical_line(line: LedgerLine) -> bytes:
    """The one form in which a line is handed on: its canonical JSON, without the line end.

    Raises ``MessageError`` (``not-canonical``) when the event has no such form.
    """
    return written(line, canonical(cast("Json", line.event)))[0]


def written(line: LedgerLine, event: bytes) -> tuple[bytes, str]:
    """The line's canonical JSON, and what its hash has to be; ``event`` is the canonical JSON of its event."""
    before, after = _around(event, line.branch, line.id, line.ledger_seq, line.prev_hash, line.received_at)
    return before + _hash_member(line.hash) + after, hashlib.sha256(before + after).hexdigest()


def _around(
    event: bytes, branch: bool | UnsetType, identity: str, ledger_seq: int, prev_hash: str, received_at: int
) -> tuple[bytes, bytes]:
    """A line's canonical JSON before and after its hash."""
    marked = b"" if branch is UNSET else b'"branch":true,' if branch else b'"branch":false,'
    after = f'"id":"{identity}","ledger_seq":{ledger_seq},"prev_hash":"{prev_hash}","received_at":{received_at}}}'
    return b"{" + marked + b'"event":' + event + b",", after.encode()


def _hash_member(hashed: str) -> bytes:
    return f'"hash":"{hashed}",'.encode()


def is_branch(line: LedgerLine) -> bool:
    """Whether the line's event continues another past than the one that counts."""
    return line.branch is True


def event_of(line: LedgerLine) -> Event:
    """The typed event of a line; raises ``MessageError`` (``undecodable``) when it is none."""
    try:
        if "tenure" in line.event:
            return msgspec.convert(line.event, KioskEvent)
        return msgspec.convert(line.event, HubEvent)
    except msgspec.ValidationError as reason:
        raise MessageError("undecodable", f"Line {line.ledger_seq} holds no event: {reason}.") from None


def encode_line(line: LedgerLine) -> bytes:
    """One line of NDJSON, without the line end."""
    return msgspec.json.encode(line)


def decode_line(text: bytes) -> LedgerLine:
    """Read one exported line; raises ``MessageError`` (``oversized``, ``undecodable``)."""
    if len(text) > LARGEST_LINE:
        raise MessageError("oversized", f"A ledger line has {len(text)} bytes; {LARGEST_LINE} is the most.")
    try:
        return msgspec.json.decode(text, type=LedgerLine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as reason:
        raise MessageError("undecodable", f"The line cannot be read: {heard(reason)}.") from None
