"""Where a record is read from: a hub's folder, an exported file, boxes' journals. Nothing is written anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from deploy.errors import TraceError
from deploy.logs import tell_stderr
from deploy.trace.record import Record
from hub.record.engine import LEDGER
from hub.record.ledger_outside import stored_lines
from kiosk.journal.outside import journalled
from tallybox.errors import MessageError
from tallybox.ledger_line import LARGEST_LINE, LedgerLine, decode_line

JOURNAL: Final = "journal.sqlite"
PROGRESS: Final = 20_000
"""After so many lines somebody who waits is told how far it has come."""


def read_record(ledger: Path | None, journals: list[Path]) -> Record:
    """Everything there; ``ledger`` is a file that ``ledger_in`` found. Raises ``TallyboxError``."""
    record = Record()
    if ledger is not None:
        record.add_ledger(_lines(ledger))
    for journal in journals:
        record.add_journal(journalled(journal))
    return record


def ledger_in(named: Path) -> Path:
    """The ledger that a name means: a room's folder, a hub's folder, or a file. Raises ``TraceError``."""
    for candidate in (named / "hub" / LEDGER, named / LEDGER, named):
        if candidate.is_file():
            return candidate
    raise TraceError("no-ledger", f"There is no ledger in {named}. Name a room's or hub's folder, or an exported file.")


def journals_in(named: Path) -> list[Path]:
    """The journals that a name means: a box's folder or file, or all of a room's. Raises ``TraceError``."""
    if named.is_file():
        return [named]
    found = sorted({*named.glob(JOURNAL), *named.glob(f"kiosks/*/{JOURNAL}"), *named.glob(f"*/{JOURNAL}")})
    if not found:
        raise TraceError("no-journal", f"There is no journal in {named}. Name a box's folder, or its journal's file.")
    return found


def _lines(path: Path) -> Iterator[LedgerLine]:
    texts = _exported(path) if _is_text(path) else stored_lines(path)
    for number, text in enumerate(texts, 1):
        if number % PROGRESS == 0:
            tell_stderr(f"{number:,} lines read")
        try:
            yield decode_line(text)
        except MessageError as reason:
            raise TraceError("no-line", f"Line {number} of {path} is no ledger line: {reason.message}") from None


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        return not file.read(16).startswith(b"SQLite format 3")


def _exported(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while text := file.readline(LARGEST_LINE + 2):
            yield text.rstrip(b"\r\n")
