"""What can be wrong with a ledger, each with the line where it shows and a sentence for a person."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tallybox.canonical import Json


class What(StrEnum):
    """What happened to a ledger."""

    UNDECODABLE = "undecodable"
    """The line cannot be read at all."""
    ALTERED = "altered"
    """The line is there, but not as the hub wrote it."""
    REMOVED = "removed"
    """Something that stood before this line is missing."""
    INSERTED = "inserted"
    """The line does not belong here, or stands here a second time."""
    REORDERED = "reordered"
    """The line belongs elsewhere."""
    KEY = "key"
    """The signature is not that of a key to be trusted."""
    CHECKPOINT = "checkpoint"
    """The hub signed for other lines than these."""
    SCORE = "score"
    """What was accepted does not follow from the facts."""


@dataclass(frozen=True, slots=True)
class Fault:
    """``line``: in the file, from 1. ``id``: the event's, as it stands there. ``where``: the member or the place."""

    line: int
    id: str | None
    what: What
    where: str
    message: str

    def as_json(self) -> dict[str, Json]:
        """The fault as ``tallybox verify`` answers it."""
        return {
            "line": self.line, "id": self.id, "what": self.what.value, "where": self.where, "message": self.message,
        }  # fmt: skip
