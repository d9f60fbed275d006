"""What the desk keeps in sight of an occasion: calls for the director, rulings, events that do not count. Values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SHOWN: Final = 500
"""How many refusals, late events and branches the desk keeps in sight; the ledger keeps all of them."""


@dataclass(frozen=True, slots=True)
class DeskCall:
    """A table called the director at ``at`` (ms, when the hub heard it); ``claimed`` names who is on the way."""

    id: str
    round: int
    table: int
    box: str
    at: int
    reason: str = ""
    claimed: str | None = None
    closed: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class DeskRuling:
    """The desk ruled on a hand at ``at`` (ms, by the hub's clock); ``id`` is the ruling's event."""

    id: str
    at: int
    round: int
    table: int
    hand: int


@dataclass(frozen=True, slots=True)
class DeskRefusal:
    """An event in the ledger that does not count, and why."""

    ledger_seq: int
    id: str
    box: str
    epoch: str
    seq: int
    round: int | None
    table: int | None
    type: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Unfolded:
    """An authentic event that is stored and shown, never folded: of a former tenure, or of a branch."""

    ledger_seq: int
    id: str
    box: str
    epoch: str
    seq: int
    round: int | None
    table: int | None
    tenure: int | None
    type: str
