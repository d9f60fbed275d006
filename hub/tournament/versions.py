"""A sheet's versions, and what the desk did about it: kept beside the sheet, so that every page can say which is which.

A version is what was put up for signing, or what the desk made of a sheet that was submitted already
(docs/journal.md, Corrections). Nothing of an older version is ever written anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tallybox.envelope import KioskEvent
from tallybox.renewed import renewed
from tallybox.sheet import SheetFacts
from tallybox.table.shown import sheet_digest, sheet_facts
from tallybox.table.state import TableState


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a sheet: its digest, the facts it is scored from, and when it came about (ms, the hub's clock).

    ``act``: the hub event that made it; ``None`` when the table put it up for signing.
    """

    digest: str
    facts: SheetFacts
    at: int
    act: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """Something the desk did about a table: the event's id and type, when (ms, the hub's clock), who, and why."""

    id: str
    what: str
    at: int
    by: str
    reason: str = ""
    hand: int | None = None


def with_signed(
    versions: tuple[Version, ...], state: TableState, events: Iterable[KioskEvent], at: int
) -> tuple[Version, ...]:  # fmt: skip
    """The versions with those that these events put up for signing; ``at``: ms, when the hub let them count."""
    for event in events:
        digest = str(event.body.get("digest"))
        if event.type == "sheet.signed" and digest not in {version.digest for version in versions}:
            versions = (*versions, Version(digest, signed_facts(state, digest), at))
    return versions


def signed_facts(state: TableState, digest: str) -> SheetFacts:
    """The facts that a signature with this digest covers.

    A table that was cut off may have signed before it heard the desk's latest word, or that the clock had ended.
    """
    for known in range(len(state.desk), -1, -1):
        for ended in (state.clock_ended, False):
            seen = renewed(state.with_desk(state.desk[:known]), clock_ended=ended)
            if sheet_digest(seen) == digest:
                return sheet_facts(seen)
            if not state.clock_ended:
                break
    return sheet_facts(state)
