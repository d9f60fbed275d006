"""Stages, drafts, lots and overrides as the ledger left them: values only."""

from __future__ import annotations

from dataclasses import dataclass

from tallybox.events.hub import Pairing, StagePlanned

Basis = tuple[tuple[int, int, int | None], ...]
"""What a pairing rests on: round, table and winning team (``None``: no winner) of every earlier game of the stage."""


@dataclass(frozen=True, slots=True)
class StagePlay:
    """A stage that has begun. ``number`` counts from 1; ``first`` is the first round it could have.

    ``teams``: as it began, in seed order where it has seeds. ``places``: the places of a rotation in order, late teams
    where somebody left, 0 for nobody. ``implied``: the ledger is from before there were stages, and says nowhere that
    this one began or ended.
    """

    number: int
    plan: StagePlanned
    teams: tuple[int, ...]
    places: tuple[int, ...]
    first: int
    note: str = ""
    ended: bool = False
    implied: bool = False


@dataclass(frozen=True, slots=True)
class HandChange:
    """Two teams changed places by hand, who did it and why; ``at`` in ms by the hub's clock."""

    first: int
    second: int
    reason: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class Draft:
    """The next round before it is posted; nobody but the desk sees it."""

    number: int
    stage: int
    hands: int
    minutes: int | None
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    note: str = ""
    basis: Basis = ()
    changes: tuple[HandChange, ...] = ()
    event: str = ""

    @property
    def mark(self) -> str:
        """Another one for every draft and every change of it: what a page shows is told apart from what is so now."""
        return f"{self.event[:16]}.{len(self.changes)}"


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that was drawn from a published seed: ``order`` separates teams that nothing else does."""

    teams: tuple[int, ...]
    order: tuple[int, ...]
    seed: int
    what: str


@dataclass(frozen=True, slots=True)
class Override:
    """Somebody went past a gate, and why."""

    gate: str
    reason: str
    by: str
    round: int | None
    table: int | None = None


@dataclass(frozen=True, slots=True)
class ByeScore:
    """What the director gave a team for sitting out."""

    hands_won: int
    points: int
    win: bool
    by: str
    reason: str
