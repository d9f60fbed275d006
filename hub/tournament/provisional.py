"""A table that an official opened without a hub: what was entered counts once the director grants its claim."""

from __future__ import annotations

from dataclasses import replace

from hub.tournament.at_tables import judged
from hub.tournament.state import TableRound, Tournament
from hub.tournament.tables import scored
from tallybox.envelope import KioskEvent


def entered_before(tournament: Tournament, table: TableRound) -> TableRound:
    """The table, whose claim has just been granted, with what its box entered without a number folded in."""
    tenure, posted = table.tenure, tournament.round(table.round)
    assert tenure is not None
    assert posted is not None
    waiting = tuple(event for event in table.aside if waits_for(event, tenure.box))
    folded = replace(table, opened=(*table.opened, tenure.claim))
    for event in waiting:
        state, _refusal = judged(posted, folded, event)
        folded = replace(folded, state=state, journal=(*folded.journal, event))
    kept = tuple(event for event in table.aside if event not in waiting)
    return replace(folded, aside=kept, score=scored(folded.state) if folded.state.hands else folded.score)


def waits_for(event: KioskEvent, box: str) -> bool:
    """Whether an event kept aside was entered by this box before its claim had a number."""
    return event.kiosk == box and event.tenure is None
