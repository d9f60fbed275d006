"""The hub's ledger and the box's journal, read whole and left as they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deploy.doctor.finding import Finding, Part, good, soon, wrong
from hub.errors import LedgerError
from hub.record.ledger_outside import LedgerSeen
from hub.record.ledger_outside import look_at as look_at_ledger
from kiosk.errors import JournalError
from kiosk.journal.outside import look_at as look_at_journal


def ledger(path: Path) -> tuple[LedgerSeen | None, Finding]:
    """What stands in the ledger, ``None`` without one that can be read, and how it is."""
    if not path.exists():
        return None, good(Part.RECORD, "There is no ledger yet; the hub makes it when it first starts.")
    try:
        seen = look_at_ledger(path)
    except LedgerError as reason:
        return None, wrong(
            Part.RECORD, reason.code, reason.message, "Until then the boxes keep what they have; nothing of it is lost."
        )
    return seen, good(Part.RECORD, f"The ledger is whole: {seen.lines} lines.")


def journal(path: Path, box: str) -> Iterator[Finding]:
    """How a box's journal is, whose it is, and whether anything in it still waits for the hub."""
    if not path.exists():
        yield good(Part.RECORD, "There is no journal yet; the box makes it when it first starts.")
        return
    try:
        seen = look_at_journal(path)
    except JournalError as reason:
        yield wrong(Part.RECORD, reason.code, reason.message, "Give this table another box, and keep this one's card.")
        return
    if seen.box is not None and seen.box != box:
        yield wrong(
            Part.RECORD, "other-box", f"The journal in {path} is box {seen.box}'s, and this is box {box}.",
            f"Give box {seen.box} its card back, or move the file out of the way; never delete it.",
        )  # fmt: skip
    elif seen.unsent:
        yield soon(
            Part.RECORD, "unsent", f"The journal is whole: {seen.events} events, {seen.unsent} wait for the hub.",
            "They go up by themselves once the hub answers. Do not wipe this box before.",
        )  # fmt: skip
    else:
        yield good(Part.RECORD, f"The journal is whole: {seen.events} events, and the hub has them all.")
