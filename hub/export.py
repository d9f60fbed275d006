"""The ledger as a file that can be carried away and verified alone: one event a line."""

from __future__ import annotations

from collections.abc import Iterator

from hub.ledger import Ledger


def export(ledger: Ledger) -> Iterator[bytes]:
    """Each line of the ledger exactly as it is stored, with its line end, oldest first."""
    return (text + b"\n" for text in ledger.encoded())
