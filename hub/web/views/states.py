"""Which state a table shows: the highest one wins the tile, the others follow as small icons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.words import counted
from tallybox.seats import Side
from tallybox.table.state import Step
from tallybox.table.steps import step

SILENT_AFTER: Final = 30_000
"""Milliseconds without a word from a box: silence is told by age, because a dead box says nothing."""
UNSENT_AFTER: Final = 15_000
"""Milliseconds an outbox may wait before the desk hears of it."""


class TileState(StrEnum):
    """The states of a table, most urgent first."""

    CALLING = "calling"
    DISPUTED = "disputed"
    REFUSED = "refused"
    SILENT = "silent"
    UNSENT = "unsent"
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
    TileState.REFUSED: StateWord("Refused", "warn"),
    TileState.SILENT: StateWord("Silent", "silent"),
    TileState.UNSENT: StateWord("Unsent", "tray"),
    TileState.SIGN: StateWord("To sign", "pen"),
    TileState.MONITOR: StateWord("Monitor", "eye"),
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
    TileState.REFUSED,
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


def conditions(picture: Picture, table: TableRound) -> tuple[Condition, ...]:
    """Every state the table is in, most urgent first; never empty."""
    at = step(table.state)
    found = [*_calls(picture, table), *_trouble(table, at)]
    if at not in OVER:
        found += _box(picture, table)
    found.append(_going(picture, table, at))
    order = list(TileState)
    return tuple(sorted(found, key=lambda condition: order.index(condition.state)))


def _calls(picture: Picture, table: TableRound) -> list[Condition]:
    return [
        Condition(TileState.CALLING, call.claimed or call.reason or "asked", call.at)
        for call in picture.calls
        if (call.round, call.table) == (table.round, table.table)
    ]


def _trouble(table: TableRound, at: Step) -> list[Condition]:
    found = []
    hand = table.state.hand
    if at is Step.DISPUTED and hand is not None:
        found.append(Condition(TileState.DISPUTED, f"hand {hand.number}", table.heard_at))
    if at is Step.CONFLICT and hand is not None and hand.conflict is not None:
        found.append(Condition(TileState.DISPUTED, f"{hand.conflict.seat.word}: two calls", table.heard_at))
    if table.state.refused:
        found.append(Condition(TileState.REFUSED, counted(len(table.state.refused), "entry", "entries")))
    return found


def _box(picture: Picture, table: TableRound) -> list[Condition]:
    box = picture.box_of(table.table)
    if box is None:
        return []
    if not box.online or picture.now - box.heard >= SILENT_AFTER:
        return [Condition(TileState.SILENT, "no sign", box.heard)]
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
