"""What the pages are made from: the hub at one instant, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hub.record.ledger import QuarantinedPayload
from hub.tournament.in_sight import DeskCall
from hub.tournament.state import Round, Tournament
from tallybox.calls import Game


@dataclass(frozen=True, slots=True)
class Box:
    """A box as the hub last heard it; times in ms since 1970. ``unsent_since``: when its outbox began to wait."""

    id: str
    heard: int
    online: bool = True
    unsent: int = 0
    unsent_since: int | None = None
    reader: str = ""
    reader_state: str = ""
    firmware: str = ""
    software: str = ""
    disk: str = ""
    """What the box says of its disk when something is the matter with it, and in a word what that is."""
    disk_state: str = ""
    offset: int | None = None
    """The box's wall clock minus the hub's, in ms."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The tournament, the boxes and what was set aside, at ``now`` (ms since 1970)."""

    now: int
    tournament: Tournament = field(default_factory=Tournament)
    boxes: Mapping[str, Box] = field(default_factory=dict)
    quarantine: tuple[QuarantinedPayload, ...] = ()
    trouble: str | None = None
    low: str | None = None
    """The warning that the hub's disk runs out of room."""
    in_doubt: bool = False
    known: tuple[str, ...] = ()
    """Every box whose key the hub has."""
    connected: bool = True
    """Whether the hub's line to the broker is up."""

    @property
    def round(self) -> Round | None:
        """The round that is on: the last one posted."""
        return self.tournament.current

    @property
    def calls(self) -> tuple[DeskCall, ...]:
        """The tables that wait for the director, oldest first."""
        return tuple(sorted(self.tournament.open_calls, key=lambda call: call.at))

    @property
    def game(self) -> Game | None:
        """Which game is played; ``None`` while there is no tournament."""
        plan = self.tournament.plan
        return None if plan is None else plan.ruleset.game

    def box_of(self, table: int) -> Box | None:
        """The box that stands on a table, if the hub ever heard it."""
        return self.boxes.get(self.tournament.boxes.get(table, ""))
