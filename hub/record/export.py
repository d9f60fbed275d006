"""The ledger as a file that can be carried away and verified alone: one event a line."""

from __future__ import annotations

from collections.abc import Iterator

from hub.record.ledger import Ledger
from hub.tournament.fold import fold_lines
from tallybox.errors import MessageError
from tallybox.ledger_line import canonical_line, decode_line
from tallybox.proof.checkpoint import Checkpoint


def export(ledger: Ledger) -> Iterator[bytes]:
    """Each line of the ledger as canonical JSON, with its line end, oldest first."""
    return (written(text) + b"\n" for text in ledger.encoded())


def checkpoints(ledger: Ledger) -> tuple[Checkpoint, ...]:
    """The checkpoints that the hub has signed so far, oldest first."""
    return fold_lines(line for line in ledger.lines() if line.event["type"] == "checkpoint.signed").checkpoints


def written(stored: bytes) -> bytes:
    """A stored line as it is exported, without its end.

    What is no line any more is handed on as it is found, on one line, so that the check can name it.
    """
    try:
        return canonical_line(decode_line(stored))
    except MessageError:
        return b" ".join(stored.split(b"\n"))
