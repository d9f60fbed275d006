"""What somebody asks for: an event's id, a sheet's digest, or a reading's stamp; ids by as few digits as are unique."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from deploy.errors import TraceError
from deploy.trace.record import Known, Record, digest_in, stamp_of
from hub.tournament.state import TableRound
from tallybox.errors import shown

LEAST: Final = 8
"""Digits of an id that are printed in a foot, and that must be given at least."""

_HEX: Final = re.compile(r"^[0-9a-f]{8,64}$")
_CODE: Final = re.compile(r"^TALLYBOX:1:[^:]+:R([0-9]+)-T([0-9]+):V[0-9]+:([0-9A-F]{64})$", re.IGNORECASE)
_SEAL: Final = re.compile(r"^([0-9A-F]{4})-([0-9A-F]{4})$", re.IGNORECASE)
_LISTED: Final = 5


@dataclass(frozen=True, slots=True)
class Sheet:
    """A version of a table's sheet."""

    table: TableRound
    digest: str


def found(record: Record, asked: str) -> Known | Sheet:
    """The one thing that is meant; raises ``TraceError`` when it is not there, or several things could be."""
    asked = asked.strip()
    code = _CODE.match(asked)
    wanted = (code[3] if code else _SEAL.sub(r"\1\2", asked)).lower()
    if "/" in asked:
        return _one(asked, _by_stamp(record, asked))
    if not _HEX.match(wanted):
        raise TraceError(
            "not-an-id",
            f"“{shown(asked)}” is no id. Give the first {LEAST} or more digits of an event's id, a sheet's seal, the "
            "text of a sheet's code, or a reading as READER/BOOT/FRAME.",
        )
    events: list[Known | Sheet] = [known for name, known in record.events.items() if name.startswith(wanted)]
    return _one(asked, events or _sheets(record, wanted))


def _by_stamp(record: Record, asked: str) -> list[Known | Sheet]:
    stamps = [(known, stamp_of(known.event)) for known in record.events.values()]
    same = [known for known, stamp in stamps if stamp is not None and "/".join(map(str, stamp[:3])) == asked]
    # A fact that was journalled anew keeps its stamp: the newest one is what counts.
    newest = {known.text.get("card"): known for known in same}
    return list(newest.values())


def _sheets(record: Record, wanted: str) -> list[Known | Sheet]:
    found_here: dict[str, Sheet] = {}
    for posted in record.tournament.rounds:
        for table in posted.tables.values():
            for digest in table.offered:
                if digest.startswith(wanted):
                    found_here[digest] = Sheet(table, digest)
    for known in record.events.values():
        named, at = digest_in(known.event), record.table_of(known)
        if named is not None and at is not None and named.startswith(wanted):
            found_here.setdefault(named, Sheet(at, named))
    return list(found_here.values())


def _one(asked: str, candidates: list[Known | Sheet]) -> Known | Sheet:
    if not candidates:
        raise TraceError(
            "not-found",
            f"Nothing here begins with “{shown(asked)}”. Look whether this is the right folder, and whether the event "
            "is still in a box's journal (--kiosk).",
        )
    if len(candidates) > 1:
        names = ", ".join(_name(each) for each in candidates[:_LISTED])
        raise TraceError("not-unique", f"“{shown(asked)}” could be {len(candidates)} things: {names}. Give more of it.")
    return candidates[0]


def _name(candidate: Known | Sheet) -> str:
    if isinstance(candidate, Sheet):
        return f"sheet {candidate.table.sheet_id} {candidate.digest[:16]}"
    return f"{candidate.event.type} {candidate.id[:16]}"
