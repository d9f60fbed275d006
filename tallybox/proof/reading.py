"""One line of a file that may be a ledger: what stands there, and what its digests come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from tallybox.canonical import Json, digest
from tallybox.envelope import VERSION, Event
from tallybox.errors import MessageError
from tallybox.ledger_line import LedgerLine, canonical_line, decode_line, event_of, line_hash

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
        unsigned = {name: value for name, value in line.event.items() if name != "sig"}
        identity, hashed = digest(cast("Json", unsigned)), line_hash(line)
    except MessageError as reason:
        return Read(number, why=reason.message)
    spelled = canonical_line(line) == text
    try:
        event = event_of(line)
    except MessageError as reason:
        return Read(number, line, None, identity, hashed, spelled, reason.message, _where(reason.message))
    if event.v != VERSION:
        said = f"The event has version {event.v}; this program reads version {VERSION}."
        return Read(number, line, None, identity, hashed, spelled, said, "event.v")
    return Read(number, line, event, identity, hashed, spelled)


def _where(message: str) -> str:
    _, found, path = message.partition(_PATH)
    return f"event{path.split('`')[0]}" if found else "event"
