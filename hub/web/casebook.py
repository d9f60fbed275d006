"""The ledger's lines that belong into a team's case record, read as the ledger grows and kept in memory."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from hub.record.ledger import Ledger
from tallybox.envelope import HUB
from tallybox.ledger_line import LedgerLine, is_branch

OF_TEAMS: Final = frozenset({
    "team.registered", "team.checked_in", "team.withdrew", "team.substituted", "team.disqualified", "conduct.noted",
    "pairing.changed", "bye.scored", "lot.drawn",
})  # fmt: skip
"""Events that name their teams."""
OF_TABLES: Final = frozenset({
    "irregularity.raised", "irregularity.withdrawn", "ruling.entered", "signature.waived", "director.called",
    "ruling.made", "hand.corrected", "late.marked", "award.made", "sheet.reopened", "sheet.entered", "table.held",
    "hand.questioned", "director.answered", "sheet.reassigned", "events.adopted",
})  # fmt: skip
"""Events that belong to both teams of the table."""
BY_OFFICIALS: Final = frozenset({"hand.recorded", "hand.voided", "seats.swapped"})
"""The same, where an official did at the table what players do too."""


@dataclass(frozen=True, slots=True)
class Case:
    """One entry: when (ms), what kind of event, where it happened, and its body. ``box``: the table said it."""

    seq: int
    at: int
    kind: str
    round: int | None
    table: int | None
    body: Mapping[str, object]
    box: bool


class CaseBook:
    """Reads what is new in the ledger whenever it is asked. Any thread may ask."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self._read = 0
        self._cases: tuple[Case, ...] = ()

    def cases(self) -> tuple[Case, ...]:
        """All entries so far, oldest first; raises ``LedgerError`` when the ledger cannot be read."""
        with self._lock:
            new: list[Case] = []
            for line in self._ledger.lines(self._read + 1):
                self._read = line.ledger_seq
                if _belongs(line.event) and not is_branch(line):
                    new.append(_case(line))
            if new:
                self._cases = (*self._cases, *new)
            return self._cases


def _belongs(event: Mapping[str, object]) -> bool:
    kind, body = str(event["type"]), event["body"]
    if kind in BY_OFFICIALS:
        return isinstance(body, Mapping) and bool(body.get("official"))
    return kind in OF_TEAMS | OF_TABLES


def _case(line: LedgerLine) -> Case:
    event = line.event
    number, table, body = event["round"], event["table"], event["body"]
    return Case(
        line.ledger_seq, line.received_at, str(event["type"]), number if isinstance(number, int) else None,
        table if isinstance(table, int) else None, cast("Mapping[str, object]", body), event["kiosk"] != HUB,
    )  # fmt: skip
