"""One line of a file that may be a ledger: what stands there, and what its digests come to."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final, cast

import msgspec

from tallybox.canonical import DEEPEST, Json, canonical, digest
from tallybox.envelope import VERSION, Event
from tallybox.errors import MessageError
from tallybox.ledger_line import LedgerLine, decode_line, event_of, written

_TO_LOOK_AT: Final = re.compile(rb"[^ -~]|\\|[:,\[]-?[0-9]+(?:[.eE]|(?<=[0-9]{16}))")
"""Letters beyond ASCII, escapes, and numbers that may be no whole ones or too large."""

_encoder: Final = msgspec.json.Encoder(order="sorted")

_PATH: Final = " - at `$"
"""How msgspec says where something is not what it should be."""


@dataclass(frozen=True, slots=True)
class Read:
    """Line ``number`` of the file, from 1. Without ``line`` it cannot be read, and ``why`` says so.

    ``event``: the typed event, if it is one. ``identity`` and ``hash``: recomputed. ``spelled``: whether the bytes are
    the canonical ones, so that nothing hides in a member that stands twice.
    """

    number: int
    line: LedgerLine | None = None
    event: Event | None = None
    identity: str = ""
    hash: str = ""
    spelled: bool = True
    why: str = ""
    where: str = "line"

    @property
    def id(self) -> str | None:
        """The event's id as it stands in the line."""
        return None if self.line is None else self.line.id


def read_line(number: int, text: bytes) -> Read:
    """Take one line apart; whatever it holds, the answer is a ``Read``."""
    try:
        line = decode_line(text)
        identity, hashed, spelled = _quickly(line, text) or _thoroughly(line, text)
    except MessageError as reason:
        return Read(number, why=reason.message)
    try:
        event = event_of(line)
    except MessageError as reason:
        return Read(number, line, None, identity, hashed, spelled, reason.message, _where(reason.message))
    if event.v != VERSION:
        said = f"The event has version {event.v}; this program reads version {VERSION}."
        return Read(number, line, None, identity, hashed, spelled, said, "event.v")
    return Read(number, line, event, identity, hashed, spelled)


def _quickly(line: LedgerLine, text: bytes) -> tuple[str, str, bool] | None:
    """Identity and hash of a line in plain ASCII that is written as it should be; ``None``: look more closely.

    Most lines are such, and it takes a fifth of the time: sorted keys are then the same in any order of letters.
    """
    if _TO_LOOK_AT.search(text) or text.count(b"[") + text.count(b"{") > DEEPEST:
        return None
    whole, hashed = written(line, _encoder.encode(line.event))
    if whole != text:
        return None
    return hashlib.sha256(_encoder.encode(_unsigned(line))).hexdigest(), hashed, True


def _thoroughly(line: LedgerLine, text: bytes) -> tuple[str, str, bool]:
    whole, hashed = written(line, canonical(cast("Json", line.event)))
    return digest(cast("Json", _unsigned(line))), hashed, whole == text


def _unsigned(line: LedgerLine) -> dict[str, object]:
    return {name: value for name, value in line.event.items() if name != "sig"}


def _where(message: str) -> str:
    _, found, path = message.partition(_PATH)
    return f"event{path.split('`')[0]}" if found else "event"
