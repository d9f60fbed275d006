"""One box: how far the hub knows its table, what can be done with it, and what it said that waits for a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.devices import DeviceRow, devices, set_aside
from hub.web.views.hands import spoken_contract
from hub.web.views.people import named
from hub.web.views.record_words import Telling, event_words
from hub.web.views.words import STEPS, count_word, counted, seal, time_of_day
from tallybox.envelope import KioskEvent, event_id
from tallybox.table.steps import step

MOST_SHOWN: Final = 60
"""Entries of one journal that stand side by side; the record has all."""
_ASKS: Final = {"extension": "more time", "lock": "this box locked", "unlock": "this box unlocked",
                "replacement": "another box"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """One entry of a journal in words, with its place there."""

    seq: int
    words: str
    seal: str


@dataclass(frozen=True, slots=True)
class Past:
    """One of two journals of a box from where they part. ``head`` names it; ``counts``: it is the one that counts."""

    head: str
    counts: bool
    entries: tuple[Told, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Fork:
    """Two journals of one box for one table, side by side."""

    place: str
    pasts: tuple[Past, Past]


@dataclass(frozen=True, slots=True)
class Late:
    """Entries of a former tenure that came too late; adopting takes them for one hand, up to ``head``."""

    round: int
    table: int
    place: str
    head: str
    hands: tuple[int, ...]
    entries: tuple[Told, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A claim or a request that waits for the desk. ``confirm``: the desk can do it by a word."""

    id: str
    kind: str
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
    forks: tuple[Fork, ...]
    late: tuple[Late, ...]
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
        waiting=(*_claims(picture, box), *_requests(picture, box)),
        forks=tuple(_forks(picture, box)),
        late=tuple(_late(picture, box)),
        odd=tuple(
            Odd(time_of_day(each.received_at), each.message, each.code, f"{each.size} bytes, {_times(each.times)}")
            for each in set_aside(picture, box)
        ),
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


def _claims(picture: Picture, box: str) -> Iterable[Waiting]:
    name = named(picture.tournament.officials)
    for claim in picture.tournament.claims:
        if claim.box == box and claim.provisional:
            who = f" {name(claim.official)} opened it with a PIN." if claim.official else ""
            yield Waiting(
                claim.id, "claim",
                f"Table {claim.table} was played on without the hub.{who} What was entered counts once you say so.",
            )  # fmt: skip


def _requests(picture: Picture, box: str) -> Iterable[Waiting]:
    name = named(picture.tournament.officials)
    for asked in picture.tournament.requests:
        if asked.box == box:
            minutes = f", {asked.minutes} minutes" if asked.minutes else ""
            reason = f" “{asked.reason}”" if asked.reason else ""
            said = f"{name(asked.official)} asks for {_ASKS.get(asked.what, asked.what)}{minutes}.{reason}"
            yield Waiting(asked.id, "request", said, confirm=asked.what != "replacement")


def _teller(picture: Picture) -> Callable[[KioskEvent], Told]:
    telling = Telling(picture.game, named(picture.tournament.officials))
    return lambda event: Told(event.seq, event_words(event.type, event.body, telling), seal(event_id(event)))


def _forks(picture: Picture, box: str) -> Iterable[Fork]:
    """For each table where this box has two journals: both from where they part."""
    listed = [each for each in picture.tournament.branches if each.box == box]
    for place in dict.fromkeys((each.round, each.table) for each in listed):
        table = picture.tournament.table(*place)
        if table is None:
            continue
        names = {each.id for each in listed}
        other = tuple(event for event in table.aside if event_id(event) in names)
        if not other:
            continue
        first = other[0]
        here = tuple(
            event for event in table.journal
            if event.kiosk == box and (event.epoch != first.epoch or event.seq >= first.seq)
        )  # fmt: skip
        where = f"Round {count_word(table.round)}, table {table.table}"
        held = [event for event in table.journal if event.kiosk == box]
        last = event_id(held[-1]) if held else ""
        yield Fork(where, (_past(picture, last, here, counts=True), _past(picture, event_id(other[-1]), other)))


def _past(picture: Picture, head: str, events: tuple[KioskEvent, ...], *, counts: bool = False) -> Past:
    shown = tuple(map(_teller(picture), events[:MOST_SHOWN]))
    return Past(head, counts, shown, max(0, len(events) - MOST_SHOWN))


def _late(picture: Picture, box: str) -> Iterable[Late]:
    listed = {each.id for each in picture.tournament.late if each.box == box}
    for posted in picture.tournament.rounds:
        for table in posted.tables.values():
            events = tuple(each for each in table.aside if each.kiosk == box and event_id(each) in listed)
            if not events:
                continue
            hands = sorted({int(str(each.body["hand"])) for each in events if "hand" in each.body})
            yield Late(
                table.round, table.table, f"Round {count_word(table.round)}, table {table.table}", event_id(events[-1]),
                tuple(hands), tuple(map(_teller(picture), events[:MOST_SHOWN])), max(0, len(events) - MOST_SHOWN),
            )  # fmt: skip
