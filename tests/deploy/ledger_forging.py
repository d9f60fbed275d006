"""What somebody can do who knows how a ledger is written: make the chain anew, with or without keys of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec
from ledger_tampering import holder, parsed, written

from tallybox.canonical import Json
from tallybox.envelope import HUB, Event, event_id
from tallybox.ledger_line import FIRST_PREV, canonical_line, decode_line, event_of, is_branch, line_hash, next_line
from tallybox.proof.checkpoint import sealed
from tallybox.signing import EVENT_TAG, SigningKey


def rechained(lines: Sequence[bytes]) -> list[bytes]:
    """The lines numbered and joined anew, as anybody can do without a key."""
    made: list[bytes] = []
    prev = FIRST_PREV
    for number, text in enumerate(lines, start=1):
        line = msgspec.structs.replace(decode_line(text), ledger_seq=number, prev_hash=prev)
        line = msgspec.structs.replace(line, hash=line_hash(line))
        made.append(canonical_line(line))
        prev = line.hash
    return made


def rewritten(line: bytes, path: tuple[str | int, ...], value: Json) -> bytes:
    """The line with another value in its event, and the id that belongs to it; the signature stays."""
    made = parsed(line)
    holder(made["event"], path)[path[-1]] = value
    made["id"] = event_id(event_of(decode_line(written(made))))
    return written(made)


def resigned(lines: Sequence[bytes], keys: Mapping[str, SigningKey]) -> list[bytes]:
    """The whole ledger signed with other keys, every id, reference, hash and checkpoint made anew."""
    names: dict[str, str] = {}
    made: list[bytes] = []
    prev = FIRST_PREV
    for number, text in enumerate(lines, start=1):
        told = re.sub(
            rb'"([0-9a-f]{64})"', lambda at: b'"' + names.get(at[1].decode(), at[1].decode()).encode() + b'"', text
        )
        old = decode_line(told)
        event = _signed(event_of(old), number, prev, keys)
        line = next_line(number, prev, event, old.received_at, branch=is_branch(old))
        names[decode_line(text).id], names[decode_line(text).hash] = line.id, line.hash
        made.append(canonical_line(line))
        prev = line.hash
    return made


def _signed(event: Event, number: int, prev: str, keys: Mapping[str, SigningKey]) -> Event:
    body = dict(event.body)
    if event.type == "key.trusted":
        body["key"] = keys[str(body["box"])].public
    if event.type == "checkpoint.signed":
        made = sealed(event.round, number - 1, prev, str(body["digest"]), keys[HUB])
        body |= {"head": made.head, "count": made.count, "seal": made.seal}
    event = msgspec.structs.replace(event, body=body)
    return msgspec.structs.replace(event, sig=keys[event.kiosk].sign(EVENT_TAG, event_id(event)))
