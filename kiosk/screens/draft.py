"""What an official is preparing behind the menu, before it is said: belongs to one visit, and to nobody's entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, Side


@dataclass(frozen=True)
class Draft:
    """The steps of a guided sheet. ``page`` names the one that is shown; none is the first."""

    page: str = ""
    place: int | None = None
    """Where the hand stands on the sheet, void deals counted; the open hand stands behind the last."""
    facts: HandFacts | None = None
    """The hand as it is to count."""
    seat: Seat | None = None
    """Whose call is being chosen."""
    side: Side | None = None
    points: Mapping[Side, int] = field(default_factory=lambda: MappingProxyType({}))
    won_by: Side | None = None
    minutes: int = 5
    reason: str = ""
    signs: bool = False
    """Whether the keys show signs rather than letters."""
