"""A scorekeeper who knows the screens: from what is shown to the next tap towards a signed sheet. Pure.

It taps what a person would tap, never calls the director, and takes the shortest way: so it also says how many
actions a hand's next step is away.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from kiosk.screens.look import Look
from tallybox.calls import Bid
from tallybox.rules.settings import SpadesSettings
from tallybox.seats import Seat, Side
from tallybox.table.state import Step

OUT_OF: Final = ("close", "director:no", "back", "not-now", "cancel")
"""Keys that leave what is laid over a step, or an entry that was begun."""


@dataclass(frozen=True, slots=True)
class Tapped:
    """A key to tap."""

    key: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A signature to draw on a side's pad."""

    side: Side


Move = Tapped | Drawn


def next_move(look: Look, keys: Collection[str], *, bold: bool = False) -> Move | None:
    """The next move; ``None`` while the table waits for the hub, the clock or the box itself.

    ``bold``: North and South bid six tricks each, so that a game of spades is soon lost.
    """
    if look.over is not None or "director:no" in keys:
        return _first(keys, *OUT_OF)
    if bold and look.step is Step.AUCTION and not look.whist:
        bid = ":6" if look.hand.turn is not None and look.hand.turn.side is Side.NS else ":3"
        keys = [key for key in keys if not key.startswith("call:") or key.endswith(bid)]
    wanted = _WANTED.get(look.step)
    return None if wanted is None else wanted(look, keys)


def _first(keys: Collection[str], *wanted: str) -> Move | None:
    """The first wanted key that is on the screen; one that ends in a colon stands for all that begin so."""
    for want in wanted:
        found = [key for key in keys if (key.startswith(want) if want.endswith(":") else key == want)]
        if found:
            return Tapped(min(found))
    return None


def _of(*wanted: str) -> Callable[[Look, Collection[str]], Move | None]:
    return lambda _look, keys: _first(keys, *wanted)


def _keeps(look: Look, keys: Collection[str]) -> Move | None:
    """A scorekeeper; where each side has its own, then one of the other side."""
    sides = {seat.side for seat in look.state.scorekeepers}
    return _first(keys, *(f"scorekeeper:{seat}" for seat in Seat if seat.side not in sides))


def _calls(look: Look, keys: Collection[str]) -> Move | None:
    """The cheapest call that takes the auction on: passes where they are allowed, else the lowest bid."""
    if (asked := _first(keys, "record", "lock")) is not None:
        return asked
    legal = sorted(key for key in keys if key.startswith("call:"))
    passes = [key for key in legal if key.endswith(":pass")]
    bids = [key for key in legal if key not in passes and not key.endswith(":nil")]
    if look.whist and bids and not any(isinstance(called.call, Bid) for called in look.hand.calls):
        return Tapped(min(bids, key=_level))
    return Tapped(passes[0]) if passes else Tapped(min(bids, key=_level)) if bids else None


def _level(key: str) -> tuple[int, str]:
    word = key.rsplit(":", maxsplit=1)[-1].split(maxsplit=1)[0]
    return (int(word) if word.isdigit() else 99, key)


def _result(look: Look, keys: Collection[str]) -> Move | None:
    if look.step is Step.PLAY and not look.entries.entering:
        return _first(keys, "forward")
    if look.whist:
        return _first(keys, "forward") if look.entries.books is not None else _first(keys, "book:10", "book:")
    left = 13 - sum(look.entries.tricks.values())
    if left <= 0:
        return _first(keys, "forward", "forward:") or _first(keys, "minus:")
    settings = look.playing.ruleset.settings
    if isinstance(settings, SpadesSettings) and settings.scorers == "two" and left == 13:
        return _first(keys, "rest:")
    fewest = min(Seat, key=lambda seat: look.entries.tricks.get(seat, 0))
    if left > 4:
        return _first(keys, f"plus:{fewest}", "plus:")
    return _first(keys, f"rest:{fewest}", f"plus:{fewest}", "plus:", "forward:", "forward")


def _compared(look: Look, keys: Collection[str]) -> Move | None:
    """One side counts again, until it has what the other has."""
    side = look.entries.changing
    if side is None:
        return _first(keys, "change:")
    wanted = (look.hand.entries[side.other].tricks or {}) if side.other in look.hand.entries else {}
    for seat in Seat:
        now = look.entries.tricks.get(seat, 0)
        if now != wanted.get(seat, 0):
            return _first(keys, f"minus:{seat}" if now > wanted.get(seat, 0) else f"plus:{seat}")
    return _first(keys, "forward:", "forward")


def _signs(look: Look, keys: Collection[str]) -> Move | None:
    if not look.entries.signing:
        return _first(keys, "forward")
    if "submit" in keys:
        return Tapped("submit")
    for side in Side:
        if f"sign:{side}" in keys:
            return Tapped(f"sign:{side}") if look.entries.strokes.get(side) else Drawn(side)
    return None


_WANTED: Final[Mapping[Step, Callable[[Look, Collection[str]], Move | None]]] = {
    Step.IDLE: _of("yes", "forward"),
    Step.SEATS: _of("seats:"),
    Step.SCOREKEEPER: _keeps,
    Step.DRAW: _of("draw:"),
    Step.NEXT: _of("forward", "deck:"),
    Step.DEAL: _of("forward"),
    Step.AUCTION: _calls,
    Step.EARLY: _of("early:"),
    Step.CONFLICT: _of("stands:typed", "stands:", "neither"),
    Step.CONTRACT: _of("lock", "forward", "direction:"),
    Step.PLAY: _result,
    Step.RULING: _of("drop:", "withdraw"),
    Step.RESULT: _result,
    Step.COMPARE: _compared,
    Step.CHECK: _of("agree:", "forward"),
    Step.DISPUTED: _of("agree:"),
    Step.SIGN: _signs,
}
