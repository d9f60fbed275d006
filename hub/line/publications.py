"""What the hub keeps retained on the broker, and which of it changed."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection
from dataclasses import dataclass

from msgspec import structs

from hub.clock import Clock, clock_message
from hub.line.desired import Wanted, desired_for, room, wanted
from hub.tournament.state import TableRound, Tournament
from tallybox.messages import LARGEST_MESSAGE, Rev, Room, encode
from tallybox.topics import Topics

ANY_REV: Rev = (1, 0)
ROOM_SECONDS = 0.5
"""How soon a changed score alone may follow the one before: while a room sends what it held back, scores change with
every group, and the standings of 500 tables take longer to make than the group to enter."""

TOO_LONG = "This table's record is too long to be sent here. Keep the cards as they are; the director has the record."


@dataclass(frozen=True, slots=True)
class Publication:
    """A message of the hub's own; all are retained but the officials' PINs."""

    topic: str
    payload: bytes


class Publications:
    """Remembers what was published, by content without its ``rev``, so that only changes travel."""

    def __init__(self, topics: Topics, boxes: Collection[str]) -> None:
        self._topics = topics
        self._boxes = boxes
        self._wanted: dict[str, Wanted] = {}
        self._common: tuple[object, ...] = ()
        self._tables: dict[str, TableRound | None] = {}
        self._clock: Clock | None = None
        self._room: Room | None = None
        self._tallied: tuple[object, ...] = ()
        self._scores: tuple[object, ...] = ()
        self._room_at = -math.inf
        self.owing = False
        """Whether scores changed that are not published yet; ask again when nothing else is to be done."""

    def changed(self, tournament: Tournament, rev: Rev, now: float = math.inf) -> list[Publication]:
        """What has to be published at ``now`` (monotonic seconds); from then on it counts as published."""
        made: list[Publication] = []
        if tournament.clock != self._clock:
            self._clock = tournament.clock
            made.append(Publication(self._topics.clock, encode(clock_message(tournament.clock, rev))))
        for box in self._touched(tournament):
            want = wanted(tournament, box)
            if self._wanted.get(box) != want:
                self._wanted[box] = want
                made.append(Publication(self._topics.kiosk(box, "desired"), _desired(tournament, box, rev)))
        made += self._room_changed(tournament, rev, now)
        return made

    def _touched(self, tournament: Tournament) -> list[str]:
        """The boxes whose desired state may be another one: mostly those at whose tables something was entered.

        A tournament is frozen, so what is the same object says the same.
        """
        common = _common(tournament)
        known = _same(common, self._common)
        current = tournament.current
        tables = {} if current is None else current.tables
        stands = {box: tables.get(number) for number, box in reversed(tuple(tournament.boxes.items()))}
        touched = [
            box for box in self._boxes
            if not known or box not in self._tables or stands.get(box) is not self._tables[box]
        ]  # fmt: skip
        self._common, self._tables = common, {box: stands.get(box) for box in self._boxes}
        return touched

    def _room_changed(self, tournament: Tournament, rev: Rev, now: float) -> list[Publication]:
        current = tournament.current
        scores = tuple(table.score for posted in tournament.rounds for table in posted.tables.values())
        pairings = () if current is None else tuple(table.pairing for table in current.tables.values())
        said = (tournament.title, tournament.teams, tournament.announcement, tournament.plan)
        tallied = (*said, len(tournament.rounds), *pairings)
        known = self._room is not None and _same(tallied, self._tallied)
        if known and _same(scores, self._scores):
            return []
        if known and now < self._room_at + ROOM_SECONDS:
            self.owing = True
            return []
        self._tallied, self._scores, self._room_at, self.owing = tallied, scores, now, False
        shown = room(tournament, ANY_REV)
        if shown == self._room:
            return []
        self._room = shown
        return [Publication(self._topics.room, encode(structs.replace(shown, rev=rev)))]

    def forget(self) -> None:
        """Everything has to be published again: the broker may have lost it."""
        self._wanted.clear()
        self._tables.clear()
        self._clock = None
        self._room = None


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether all are the same objects: a score that did not change is the one that was there."""
    return len(one) == len(other) and all(map(operator.is_, one, other))


def _common(tournament: Tournament) -> tuple[object, ...]:
    """What every box's desired state depends on, besides its own table."""
    current = tournament.current
    return (
        tournament.boxes, tournament.told, tournament.locked, tournament.identified, tournament.practice,
        None if current is None else current.number, None if current is None else current.stage,
    )  # fmt: skip


def _desired(tournament: Tournament, box: str, rev: Rev) -> bytes:
    """The box's desired state; a record that no broker would carry is left out, and the table is told."""
    whole = desired_for(tournament, box, rev)
    payload = encode(whole)
    if len(payload) <= LARGEST_MESSAGE:
        return payload
    return encode(structs.replace(whole, resume=(), hold=TOO_LONG))
