"""One box: how far the hub knows its table, what can be done with it, and what it said that waits for a decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.devices import OFFSET_MATTERS, DeviceRow, devices, set_aside
from hub.web.views.hands import spoken_contract
from hub.web.views.other_records import OtherRecord, left_aside, other_records
from hub.web.views.people import named
from hub.web.views.words import STEPS, count_word, counted, time_of_day
from tallybox.table.steps import step

_ASKS: Final = {"extension": "more time", "lock": "this box locked", "unlock": "this box unlocked",
                "replacement": "another box"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that waits for the desk. ``confirm``: the desk can do it by a word."""

    id: str
    sentence: str
    confirm: bool = False


@dataclass(frozen=True, slots=True)
class Odd:
    """Something under this box's name that is not in the ledger, and why."""

    time: str
    message: str
    code: str
    about: str


@dataclass(frozen=True, slots=True)
class DeviceView:
    """Everything about one box. ``known``: how far the hub knows its table; ``spares``: who could take its place."""

    row: DeviceRow
    known: str
    detail: str
    locked: str
    spares: tuple[str, ...]
    replaced: str
    tables: tuple[int, ...]
    waiting: tuple[Waiting, ...]
    clock: str
    records: tuple[OtherRecord, ...]
    decided: tuple[OtherRecord, ...]
    odd: tuple[Odd, ...]


def device(picture: Picture, box: str) -> DeviceView | None:
    """The box's values; ``None`` for one that nobody knows."""
    row = next((row for row in devices(picture).rows if row.box == box), None)
    if row is None:
        return None
    tournament = picture.tournament
    spares = tuple(each.box for each in devices(picture).rows if each.table is None and each.box != box)
    on = picture.round
    table = on.tables.get(row.table) if on is not None and row.table is not None else None
    taken = set(tournament.boxes)
    return DeviceView(
        row=row,
        known=_known(table),
        detail=_detail(picture, table),
        locked=tournament.locked.get(box, ""),
        spares=tuple(sorted(spares, key=lambda each: each not in picture.boxes)),
        replaced="The other box goes on from there. If this one comes back, it is told so, and what only it had is "
        "shown to you for a decision.",
        tables=tuple(number for number in (on.tables if on else ()) if number not in taken),
        waiting=tuple(_requests(picture, box)),
        clock=_clock(picture, box),
        records=other_records(picture, box),
        decided=left_aside(picture, box),
        odd=tuple(
            Odd(time_of_day(each.received_at), each.message, each.code, f"{each.size} bytes, {_times(each.times)}")
            for each in set_aside(picture, box)
        ),
    )


def _clock(picture: Picture, box: str) -> str:
    """What a box's wall clock means when it is far from the hub's; empty when it is near enough."""
    seen = picture.boxes.get(box)
    if seen is None or seen.offset is None or abs(seen.offset) < OFFSET_MATTERS:
        return ""
    seconds = abs(seen.offset) // 1000
    units = ((7_200, 3_600, "hours"), (120, 60, "minutes"), (0, 1, "seconds"))
    far = next(f"{seconds // size} {unit}" for least, size, unit in units if seconds >= least)
    which = "ahead of" if seen.offset > 0 else "behind"
    return (
        f"Its clock is off by {far}, {which} the hub's. No deadline and no hand depends on it; the times it wrote into "
        "its record are marked as unsure. Set the clock, or change its battery, between rounds."
    )


def _times(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def _known(table: TableRound | None) -> str:
    """How far the hub knows the table: what a box in its place goes on from."""
    if table is None:
        return ""
    if spoken := spoken_contract(table.state):
        return spoken
    hands = counted(len(table.state.counting), "hand", "hands")
    return f"{hands} recorded · {STEPS[step(table.state)].lower()}"


def _detail(picture: Picture, table: TableRound | None) -> str:
    if table is None:
        return "Nothing is played there in this round." if picture.round else "No round is posted yet."
    heard = f"heard {time_of_day(table.heard_at)}" if table.heard_at else "not heard in this round"
    return f"{counted(len(table.journal), 'entry', 'entries')} in round {count_word(table.round)}, {heard}"


def _requests(picture: Picture, box: str) -> Iterable[Waiting]:
    name = named(picture.tournament.officials)
    for asked in picture.tournament.requests:
        if asked.box == box:
            minutes = f", {asked.minutes} minutes" if asked.minutes else ""
            reason = f" “{asked.reason}”" if asked.reason else ""
            said = f"{name(asked.official)} asks for {_ASKS.get(asked.what, asked.what)}{minutes}.{reason}"
            yield Waiting(asked.id, said, confirm=asked.what != "replacement")
