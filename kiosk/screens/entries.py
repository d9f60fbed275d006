"""The entries being made on the screens: kept apart from the view, so that a new view loses none of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from kiosk.screens.draft import Draft
from tallybox.seats import Seat, Side

Stroke = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Raising:
    """An irregularity as it is being described, before anybody is called. ``about`` is what it was opened for."""

    about: str = ""
    code: str = ""
    caller: Seat | None = None
    seat: Seat | None = None
    suit: str = ""
    rank: str = ""
    accepted: bool | None = None
    """Whether the other side took a lead out of turn; not asked yet."""
    call: str = ""
    """The call that was made out of turn."""
    page: str = ""
    """Which part of it is being chosen; none: the whole is shown."""

    @property
    def card(self) -> str | None:
        """Suit, then rank, once both are chosen."""
        return self.suit + self.rank if self.suit and self.rank else None


@dataclass(frozen=True)
class Entries:
    """What the people at the table have set and not yet said. Entries of a hand belong to its number."""

    playing: tuple[str, int, int] | None = None
    """Tournament, round and table that the entries belong to."""
    acts: tuple[int, int] = (0, 0)
    """How many calls of the hand had been made, and how often it had been questioned."""
    hand: tuple[int, int] = (0, 0)
    """Number of the open hand, and how many hands lie behind it (a void hand keeps its number)."""
    books: int | None = None
    """Books of the bidding side."""
    tricks: Mapping[Seat, int] = field(default_factory=lambda: MappingProxyType({}))
    direction: str | None = None
    strokes: Mapping[Side, tuple[Stroke, ...]] = field(default_factory=lambda: MappingProxyType({}))
    inked: str = ""
    """The digest of the sheet that the strokes were drawn under."""
    bottom: Seat | None = None
    """The seat shown at the bottom, once someone turned the map."""
    claiming: bool = False
    """Whether the sign on the table is being compared."""
    entering: bool = False
    """Whether the hand is over and its result is being entered."""
    asking: str = ""
    """A legal call that the rules want asked about before it counts."""
    questioner: Side | None = None
    """Which side says that something is wrong."""
    time_seen: int = 0
    """The round whose end was read."""
    signers: Mapping[Side, Seat] = field(default_factory=lambda: MappingProxyType({}))
    signed: Mapping[Side, str] = field(default_factory=lambda: MappingProxyType({}))
    """The signatures the table had taken, by event id."""
    redo: frozenset[Side] = frozenset()
    """Sides that sign once more."""
    pad_turned: bool = False
    """Whether the signature pads face the players who sign."""
    signing: bool = False
    """Whether the signatures are shown rather than the sheet."""
    page: int = -1
    """The page of the sheet that is shown; the last one when not chosen."""
    raising: Raising = Raising()
    """What is being called."""
    withdrawing: frozenset[Side] = frozenset()
    """Sides that would drop what was called."""
    not_proven: bool = False
    """Whether the official who rules says that it was not proven."""
    others: int | None = None
    """Books that the side without the bid had, when the bidder claimed the rest."""
    facing: Seat | None = None
    """The seat to which a question for one side is turned."""
    swapping: Seat | None = None
    """The seat that is to change places with the next one tapped."""
    seated: tuple[bool, frozenset[Side], frozenset[Side]] = (False, frozenset(), frozenset())
    """Whether the teams changed sides, which partners changed seats, and who had confirmed, when this was entered."""
    digits: str = ""
    """A number being typed."""
    changing: Side | None = None
    """The side whose scorekeeper enters, where two enter apart."""
    first_scorer: Side | None = None
    """The side whose scorekeeper enters first."""
    read: frozenset[str] = frozenset()
    """Rulings that both sides have read, by event id."""
    raised: tuple[int, int] = (0, 0)
    """How many irregularities had been raised on the hand, and how many of them ruled."""
    compared: frozenset[str] = frozenset()
    """The entries of the two scorekeepers that the table had taken, by event id."""
    choosing: bool = False
    """Whether the number of another table is being typed."""
    table: str = ""
    """The number of the table that is claimed, where it is not the box's own."""
    draft: Draft = field(default_factory=Draft)
    """What an official is preparing."""
    pin: str = field(default="", repr=False)
    """A personal PIN being typed; shown to nobody."""
