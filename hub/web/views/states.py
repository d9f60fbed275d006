"""Which state a table shows: the highest one wins the tile, the others follow as small icons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hub.tournament.clock_log import started_at
from hub.tournament.in_sight import DeskCall
from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.desk_step import desk_step
from hub.web.views.pace import RoomPace, behind
from hub.web.views.people import named
from hub.web.views.ruling_words import kind_name
from hub.web.views.words import counted
from tallybox.seats import Side
from tallybox.table.overlay import awards_pending, unanswered
from tallybox.table.state import Step

SILENT_AFTER: Final = 30_000
"""Milliseconds without a word from a box: silence is told by age, because a dead box says nothing."""
UNSENT_AFTER: Final = 15_000
"""Milliseconds an outbox may wait before the desk hears of it."""

KEEPS: Final = frozenset({"", "low"})
"""What a box says of its disk while it keeps everything; its page alone warns that the room runs out."""


class TileState(StrEnum):
    """The states of a table, most urgent first."""

    CALLING = "calling"
    DISPUTED = "disputed"
    RULING = "ruling"
    FORK = "fork"
    REFUSED = "refused"
    DISK = "disk"
    LATE = "late"
    SILENT = "silent"
    UNSENT = "unsent"
    SLOW = "slow"
    HELD = "held"
    SIGN = "sign"
    MONITOR = "monitor"
    PLAYING = "playing"
    UNCLAIMED = "unclaimed"
    NOBOX = "nobox"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class StateWord:
    """How a state is told: a word, and a shape beside it."""

    word: str
    icon: str


WORDS: Final = {
    TileState.CALLING: StateWord("Calling", "bell"),
    TileState.DISPUTED: StateWord("Disputed", "vs"),
    TileState.RULING: StateWord("To rule", "scales"),
    TileState.FORK: StateWord("Two pasts", "fork"),
    TileState.REFUSED: StateWord("Refused", "warn"),
    TileState.DISK: StateWord("Not kept", "warn"),
    TileState.LATE: StateWord("Late", "hourglass"),
    TileState.SILENT: StateWord("Silent", "silent"),
    TileState.UNSENT: StateWord("Unsent", "tray"),
    TileState.SLOW: StateWord("Slow", "slow"),
    TileState.SIGN: StateWord("To sign", "pen"),
    TileState.MONITOR: StateWord("Monitor", "eye"),
    TileState.HELD: StateWord("Held", "lock"),
    TileState.PLAYING: StateWord("Playing", "cards"),
    TileState.UNCLAIMED: StateWord("Not claimed", "nobox"),
    TileState.NOBOX: StateWord("No box", "nobox"),
    TileState.DONE: StateWord("Done", "check"),
}

OVER: Final = frozenset({Step.ACCEPTED, Step.RELEASED})
"""Steps after which nothing is expected of the table in this round."""

NEEDS: Final = (
    TileState.CALLING,
    TileState.DISPUTED,
    TileState.RULING,
    TileState.FORK,
    TileState.REFUSED,
    TileState.DISK,
    TileState.LATE,
    TileState.SILENT,
    TileState.UNSENT,
    TileState.MONITOR,
)
"""The states in which a table needs someone from the floor."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One state a table is in: what to say of it, and since when (ms since 1970)."""

    state: TileState
    detail: str = ""
    since: int | None = None


def conditions(picture: Picture, table: TableRound, pace: RoomPace | None = None) -> tuple[Condition, ...]:
    """Every state the table is in, most urgent first; never empty. ``pace``: the room's, to say who is slow."""
    at = desk_step(table)
    found = [*_calls(picture, table), *_trouble(picture, table, at)]
    if at not in OVER:
        found += [*_late(picture, table), *_box(picture, table), *_held(picture, table)]
        slow = None if pace is None else behind(table, pace, picture.now)
        if slow is not None:
            found.append(Condition(TileState.SLOW, slow.at, slow.since))
    found.append(_going(picture, table, at))
    order = list(TileState)
    return tuple(sorted(found, key=lambda condition: order.index(condition.state)))


def _calls(picture: Picture, table: TableRound) -> list[Condition]:
    return [
        Condition(TileState.CALLING, _calling(picture, call), call.at)
        for call in picture.calls
        if (call.round, call.table) == (table.round, table.table)
    ]


def _calling(picture: Picture, call: DeskCall) -> str:
    if call.claimed is not None:
        return named(picture.tournament.officials)(call.claimed)
    return call.reason or "asked"


def _trouble(picture: Picture, table: TableRound, at: Step) -> list[Condition]:
    found = []
    hand = table.state.hand
    if at is Step.DISPUTED and hand is not None:
        found.append(Condition(TileState.DISPUTED, f"hand {hand.number}", table.heard_at))
    if at is Step.CONFLICT and hand is not None and hand.conflict is not None:
        found.append(Condition(TileState.DISPUTED, f"{hand.conflict.seat.word}: two calls", table.heard_at))
    if at is Step.COMPARE and hand is not None:
        found.append(Condition(TileState.DISPUTED, f"hand {hand.number}: two results", table.heard_at))
    if hand is not None:
        waiting = unanswered(table.state, hand)
        found += [Condition(TileState.RULING, kind_name(table, each.code), table.heard_at) for each in waiting[:1]]
    if any((each.round, each.table) == (table.round, table.table) for each in picture.tournament.branches):
        found.append(Condition(TileState.FORK, "two journals"))
    elif not table.settled and any(place[1:] == (table.round, table.table) for place in picture.tournament.asides):
        found.append(Condition(TileState.FORK, "two records"))
    if table.state.refused:
        found.append(Condition(TileState.REFUSED, counted(len(table.state.refused), "entry", "entries")))
    return found


def _late(picture: Picture, table: TableRound) -> list[Condition]:
    """A late side until its table deals, or whose hands nobody has given away yet (A-37)."""
    since = started_at(picture.tournament.turns, table.round)
    if awards_pending(table.state):
        return [Condition(TileState.LATE, "award waits", since)]
    absent = [side for side in Side if side in table.late]
    if not absent or table.begun:
        return []
    return [Condition(TileState.LATE, "both absent" if len(absent) == 2 else f"{absent[0]} absent", since)]


def _held(picture: Picture, table: TableRound) -> list[Condition]:
    if table.held is not None:
        return [Condition(TileState.HELD, table.held.rstrip("."))]
    locked = picture.tournament.locked.get(picture.tournament.boxes.get(table.table, ""))
    return [] if locked is None else [Condition(TileState.HELD, "box locked")]


def _box(picture: Picture, table: TableRound) -> list[Condition]:
    box = picture.box_of(table.table)
    if box is None:
        return []
    if not box.online or picture.now - box.heard >= SILENT_AFTER:
        return [Condition(TileState.SILENT, "no sign", box.heard)]
    if box.disk_state not in KEEPS:
        return [Condition(TileState.DISK, "disk full" if box.disk_state == "full" else "disk fails")]
    if box.unsent and box.unsent_since is not None and picture.now - box.unsent_since > UNSENT_AFTER:
        return [Condition(TileState.UNSENT, f"{box.unsent} waiting", box.unsent_since)]
    return []


def _going(picture: Picture, table: TableRound, at: Step) -> Condition:
    if at in OVER:
        return Condition(TileState.DONE, "may move" if at is Step.RELEASED else "")
    if at is Step.SUBMITTED:
        return Condition(TileState.MONITOR, "signed", table.heard_at)
    if at is Step.SIGN:
        return Condition(TileState.SIGN, "sent back" if table.reopened is not None else _unsigned(table))
    if at is Step.IDLE:
        return Condition(TileState.UNCLAIMED if picture.box_of(table.table) else TileState.NOBOX)
    if at is Step.CLAIMED:
        return Condition(TileState.UNCLAIMED, "asks now")
    return Condition(TileState.PLAYING)


def _unsigned(table: TableRound) -> str:
    missing = [side for side in Side if side not in table.state.signatures]
    return f"{missing[0]} to sign" if len(missing) == 1 else "both" if missing else "to submit"
