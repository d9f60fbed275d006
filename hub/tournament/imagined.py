"""What the tournament would be if something were decided now: plans that take several steps look one step ahead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from hub.tournament.at_desk import folded
from hub.tournament.state import Tournament
from tallybox.envelope import HUB, UNSIGNED, VERSION, At, HubEvent
from tallybox.events.hub import Act


class ToBe(Protocol):
    """A hub event to be."""

    @property
    def body(self) -> Act:
        """What it says."""

    @property
    def round(self) -> int | None:
        """The round it is about."""

    @property
    def table(self) -> int | None:
        """The table it is about."""


def imagined(tournament: Tournament, deeds: Iterable[ToBe]) -> Tournament:
    """The tournament after these deeds, as the fold will make it; nothing is journalled."""
    for deed in deeds:
        event = HubEvent(
            v=VERSION, kiosk=HUB, epoch="0", seq=1, tournament=tournament.name, round=deed.round, table=deed.table,
            type="hub.imagined", body={}, at=At(0, 0, synced=False), prev=None, sig=UNSIGNED,
        )  # fmt: skip
        tournament = folded(tournament, event, deed.body)
    return tournament
