"""A checkpoint: the hub's signed word on the ledger so far, in the ledger and as a short text on paper."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tallybox.canonical import digest
from tallybox.errors import MessageError
from tallybox.signing import CHECKPOINT_TAG, SigningKey, verify

FORM: Final = "TALLYBOX:1:CHECKPOINT"
"""How the text begins; another number may mean other fields."""

_TEXT: Final = re.compile(
    re.escape(FORM) + r":(?:R([1-9][0-9]{0,8})|END):(0|[1-9][0-9]{0,15}):([0-9A-F]{64}):([0-9A-F]{64}):([0-9A-F]{128})",
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """``round`` ``None``: of the whole tournament. ``count`` lines, of which ``head`` is the hash of the last.

    ``standings`` is the digest of the standings after them; ``seal`` the hub's signature on these four.
    """

    round: int | None
    count: int
    head: str
    standings: str
    seal: str


def sealed(round_: int | None, count: int, head: str, standings: str, key: SigningKey) -> Checkpoint:
    """The checkpoint, signed by the hub."""
    seal = key.sign(CHECKPOINT_TAG, _statement(round_, count, head, standings))
    return Checkpoint(round_, count, head, standings, seal)


def seal_holds(checkpoint: Checkpoint, public: str) -> bool:
    """Whether the holder of ``public`` (64 hex digits) signed exactly this."""
    said = _statement(checkpoint.round, checkpoint.count, checkpoint.head, checkpoint.standings)
    return verify(public, CHECKPOINT_TAG, said, checkpoint.seal)


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """What a code on paper says, in about 300 capitals, digits and colons.

    ``R3`` or ``END``, then count, head, standings and seal.
    """
    when = "END" if checkpoint.round is None else f"R{checkpoint.round}"
    said = f"{FORM}:{when}:{checkpoint.count}:{checkpoint.head}:{checkpoint.standings}:{checkpoint.seal}"
    return said.upper()


def read_checkpoint(text: str) -> Checkpoint:
    """The checkpoint that a text from paper says; raises ``MessageError`` (``not-a-checkpoint``)."""
    found = _TEXT.fullmatch(text.strip().upper())
    if found is None:
        raise MessageError(
            "not-a-checkpoint", f"This is no checkpoint. Scan the whole code; its text begins with {FORM}."
        )
    when, count, head, standings, seal = found.groups()
    return Checkpoint(None if when is None else int(when), int(count), head.lower(), standings.lower(), seal.lower())


def _statement(round_: int | None, count: int, head: str, standings: str) -> str:
    return digest({"round": round_, "count": count, "head": head, "standings": standings})
