"""The pace of the room: how long hands and steps take at most tables, and who is slow against it. Pure; times in ms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median_low
from typing import Final

from hub.tournament.state import TableRound
from hub.web.views.desk_step import MOST_TABLES, box_step
from hub.web.views.remembered import remembered
from tallybox.table.state import Step

FEWEST: Final = 3
"""Tables from which a median says something of the room."""
LEAST_STEP: Final = 60_000
"""A step that took less than this is never slow."""
TIMES: Final = 2
"""A step is slow when it takes more than so many times the room's median."""
_BACK: Final = 60
"""How many events back a hand's parts are looked for; a hand has half as many."""

_BEGINS: Final[Mapping[str, Step]] = {
    "hand.opened": Step.DEAL,
    "hand.counted": Step.AUCTION,
    "contract.locked": Step.CONTRACT,
    "play.started": Step.PLAY,
    "result.entered": Step.CHECK,
}
_ENDS: Final = "hand.recorded"


@dataclass(frozen=True, slots=True)
class RoomPace:
    """The room's medians: hands ``done`` at a table, the length of a hand, and of each step of one (ms)."""

    done: int = 0
    hand: int | None = None
    steps: Mapping[Step, int] | None = None


@dataclass(frozen=True, slots=True)
class Behind:
    """A table that is slow: at what, and since when (ms, by the hub's clock)."""

    at: str
    since: int


def room_pace(tables: Iterable[TableRound]) -> RoomPace:
    """The pace of these tables, from each one's last hand that is recorded."""
    done, hands, steps = list[int](), list[int](), dict[Step, list[int]]()
    for table in tables:
        done.append(len(table.state.counting))
        parts = _last_hand(table)
        if not parts:
            continue
        hands.append(sum(parts.values()))
        for part, took in parts.items():
            steps.setdefault(part, []).append(took)
    return RoomPace(
        median_low(done) if done else 0,
        median_low(hands) if len(hands) >= FEWEST else None,
        {part: median_low(took) for part, took in steps.items() if len(took) >= FEWEST},
    )


def behind(table: TableRound, pace: RoomPace, now: int) -> Behind | None:
    """How the table is slow at ``now``: a hand behind the room, or in a step that takes over twice the room's time.

    A table is a hand behind when most have finished one more and its own has already taken longer than the room's.
    """
    hand, at = table.state.hand, box_step(table)
    if hand is None or table.settled:
        return None
    began = _began(table, "hand.opened")
    missing = pace.done - len(table.state.counting)
    if began is not None and missing > 0 and (missing > 1 or (pace.hand is not None and now - began > pace.hand)):
        return Behind("a hand behind" if missing == 1 else f"{missing} hands behind", began)
    usual = (pace.steps or {}).get(at)
    since = next((_began(table, name) for name, part in _BEGINS.items() if part is at), None)
    if usual is None or since is None or now - since <= max(LEAST_STEP, TIMES * usual):
        return None
    return Behind(at.value, since)


@remembered(MOST_TABLES)
def _last_hand(table: TableRound) -> dict[Step, int]:
    """How long each part of the last recorded hand took, by the box's own clock; empty before there is one."""
    parts, end = dict[Step, int](), 0
    for event in reversed(table.journal[-_BACK:]):
        if event.type == _ENDS:
            if parts:
                return {}
            end = event.at.wall
        elif end and event.type in _BEGINS:
            part = _BEGINS[event.type]
            parts[part] = parts.get(part, 0) + max(0, end - event.at.wall)
            end = event.at.wall
            if event.type == "hand.opened":
                return parts
    return {}


def _began(table: TableRound, name: str) -> int | None:
    """When the box last said this, in the hub's time: the last word from it came at ``heard_at``."""
    return _heard(table).get(name)


@remembered(MOST_TABLES)
def _heard(table: TableRound) -> Mapping[str, int]:
    """When the box last said each of the words that begin something."""
    if not table.journal or table.heard_at is None:
        return {}
    last = table.journal[-1].at.wall
    said = {event.type: event.at.wall for event in table.journal[-_BACK:] if event.type in _BEGINS}
    return {name: table.heard_at - max(0, last - at) for name, at in said.items()}
