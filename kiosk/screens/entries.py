"""The entries being made on the screens: kept apart from the view, so that a new view loses none of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tallybox.seats import Seat, Side

Stroke = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Entries:
    """What the people at the table have set and not yet said. Entries of a hand belong to its number."""

    hand: tuple[int, int] = (0, 0)
    """Number of the open hand, and how many hands lie behind it (a void hand keeps its number)."""
    books: int | None = None
    """Books of the bidding side."""
    tricks: Mapping[Seat, int] = field(default_factory=lambda: MappingProxyType({}))
    direction: str | None = None
    strokes: Mapping[Side, tuple[Stroke, ...]] = field(default_factory=lambda: MappingProxyType({}))
    turned: int = 0
    """Quarter turns of the seat map, kept for the round."""
    pad_turned: bool = False
    """Whether the signature pads face the far side."""
    signing: bool = False
    """Whether the signatures are shown rather than the sheet."""
    page: int = 0
    number: str = ""
    """A table or team number being typed."""
