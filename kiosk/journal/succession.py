"""Which of a box's epochs follow one another, and how facts are journalled anew in a fresh one. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from tallybox.canonical import LARGEST_INTEGER, Json
from tallybox.envelope import Fact, KioskEvent, superseded


@dataclass(frozen=True, slots=True)
class EpochRow:
    """One epoch and the event it goes on from; a first epoch has no parent."""

    epoch: str
    parent: str | None = None
    parent_seq: int = 0
    parent_id: str | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of an epoch that counts: up to ``upto``, or all of it (``None``)."""

    epoch: str
    upto: int | None = None

    @property
    def last(self) -> int:
        """The greatest ``seq`` that can belong to it."""
        return LARGEST_INTEGER if self.upto is None else self.upto

    def holds(self, seq: int) -> bool:
        """Whether the event with this number belongs to the part that counts."""
        return seq <= self.last


def line_of(epochs: tuple[EpochRow, ...]) -> tuple[Stretch, ...]:
    """The succession that ends with the youngest epoch, oldest stretch first; ``epochs`` are in the order made."""
    by_name = {row.epoch: row for row in epochs}
    line: list[Stretch] = []
    row: EpochRow | None = epochs[-1]
    upto: int | None = None
    while row is not None:
        line.append(Stretch(row.epoch, upto))
        upto = row.parent_seq
        row = by_name.get(row.parent) if row.parent is not None else None
    return tuple(reversed(line))


def renewed(event: KioskEvent, ids: Mapping[str, str]) -> Fact:
    """The event's fact for a fresh epoch: ids of events that were journalled anew are replaced by their new ones."""
    body = cast("Mapping[str, Json]", _translated(cast("Json", event.body), ids))
    return Fact(event.type, body, tuple(ids.get(old, old) for old in superseded(event)))


def _translated(value: Json, ids: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, Mapping):
        return {key: _translated(item, ids) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_translated(item, ids) for item in value]
    return value
