"""The record that stood in a hub's folder before a backup took its place: what it has and the copy has not.

It is read from a copy of its own, so that nothing of what was kept aside is touched.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hub.errors import LedgerError
from hub.record.engine import copy_database, ledger_url
from hub.record.ledger import Ledger
from tallybox.ledger_line import LedgerLine

MOST_LINES: Final = 20_000
"""Lines beyond the copy that are read; a whole evening has fewer."""


@dataclass(frozen=True, slots=True)
class Former:
    """The record that was there before. ``lines``: what it has after the copy's end; ``readable``: it could be read."""

    name: str
    lines: tuple[LedgerLine, ...] = ()
    readable: bool = True


def former(folder: Path, ledger: Ledger, copy_ends: int) -> Former | None:
    """The newest record kept aside in ``folder``; ``None`` when there is none, or it is of another tournament."""
    kept = sorted(folder.glob("ledger-before-*.sqlite"), key=lambda path: int(path.stem.rsplit("-", 1)[1]))
    if not kept:
        return None
    try:
        with tempfile.TemporaryDirectory() as place:
            copy_database(kept[-1], Path(place) / kept[-1].name)
            old = Ledger(ledger_url(Path(place), kept[-1].name))
            try:
                return _beyond(old, ledger, copy_ends, kept[-1].name)
            finally:
                old.close()
    except (LedgerError, OSError):
        return Former(kept[-1].name, readable=False)


def _beyond(old: Ledger, ledger: Ledger, copy_ends: int, name: str) -> Former | None:
    """The lines of the old record that follow the last one both have."""
    last = next(iter(ledger.lines(copy_ends)), None) if copy_ends else None
    same = next(iter(old.lines(copy_ends)), None) if copy_ends else None
    if last is not None and (same is None or same.hash != last.hash):
        return None
    lines: list[LedgerLine] = []
    for line in old.lines(copy_ends + 1):
        if len(lines) == MOST_LINES:
            break
        lines.append(line)
    return Former(name, tuple(lines))
