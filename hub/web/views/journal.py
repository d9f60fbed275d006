"""A table's journal by deal, with the id of every event: read once for a page, for ids are made by hashing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hub.tournament.state import TableRound
from tallybox.envelope import KioskEvent, event_id, superseded
from tallybox.table.state import Hand


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the table. ``gone``: the event that took its place, if one did. ``refused``: it never counted."""

    id: str
    event: KioskEvent
    gone: KioskEvent | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class TableJournal:
    """The journal of a table in one round. ``deals`` holds what belongs to each deal, by the event that opened it."""

    table: TableRound
    entries: tuple[Entry, ...]
    deals: Mapping[str, tuple[Entry, ...]]

    def of(self, hand: Hand) -> tuple[Entry, ...]:
        """What the table did in this deal, and about it later; a void deal and the next one have the same number."""
        return () if hand.opened is None else self.deals.get(hand.opened, ())

    def by_id(self, name: str) -> Entry | None:
        """The entry with this id."""
        return next((entry for entry in self.entries if entry.id == name), None)


def table_journal(table: TableRound) -> TableJournal:
    """Read the journal of a table."""
    gone = {name: event for event in table.journal for name in superseded(event)}
    refused = {no.id for no in table.state.refused}
    entries: list[Entry] = []
    deals: dict[str, list[Entry]] = {}
    open_deals: dict[object, str] = {}
    for event in table.journal:
        name = event_id(event)
        entry = Entry(name, event, gone.get(name), name in refused)
        entries.append(entry)
        number = event.body.get("hand")
        if event.type == "hand.opened" and not entry.refused:
            open_deals[number] = name
        if number is not None and number in open_deals:
            deals.setdefault(open_deals[number], []).append(entry)
    return TableJournal(table, tuple(entries), {deal: tuple(found) for deal, found in deals.items()})
