"""The room that ``tallybox bench ingest`` measures: a ledger with seated tables, and what each of them says next.

Everything is signed before the time is taken. Robots play an evening at one table, with a card on the reader for every
call; each table's box then signs such an evening with its own key, in its own journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from deploy.bench.dashboard_room import MeasuredRoom, Table
from deploy.bench.ingest_packets import publish
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger
from tallybox.envelope import KioskEvent, encode_event
from tallybox.events.table import Body, CallMade, CardRead, CardRemoved, DeviceStamp, PlayStarted
from tallybox.seats import CLOCKWISE, Seat
from tallybox.table.fold import fold_event

EVENINGS: Final = 6
"""Different evenings; the tables take turns at them."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one box has to send: its events in order, as MQTT ``packets``, and their ``ids``."""

    box: str
    topic: str
    ids: tuple[str, ...]
    packets: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A ledger of ``lines`` in ``folder`` with every table seated, and what the boxes say next."""

    folder: Path
    lines: int
    hands: int
    told: tuple[Told, ...]

    @property
    def events(self) -> int:
        """How many events the boxes have to send in all."""
        return sum(len(each.ids) for each in self.told)


def prepare(folder: Path, tables: int, hands: int, most: int | None = None) -> Prepared:
    """Seat so many tables in a round of so many hands, and have their boxes play it; at most ``most`` events each."""
    room = MeasuredRoom(folder, tables, hands)
    try:
        first = room.tables[0]
        evenings = [tuple(islice(_evening(first, f"bench/{luck}"), most)) for luck in range(min(EVENINGS, tables))]
        told = tuple(_told(table, evenings[place % len(evenings)]) for place, table in enumerate(room.tables))
    finally:
        room.hub.stop()
    with closing(Ledger(ledger_url(folder))) as ledger:
        return Prepared(folder, ledger.head_seq, hands, told)


def _evening(first: Table, seed: str) -> Iterator[Body]:
    """What one table says until its round is played; every call of it was judged by the table's own fold."""
    table = replace(first, seed=seed)
    boot = _Cards()
    while (body := table.next()) is not None:
        for said in boot.around(body):
            event = boot.signed(table, said)
            table.state = fold_event(table.state, event)
            yield said


def _told(table: Table, evening: Iterable[Body]) -> Told:
    cards, ids, packets = _Cards(), list[str](), list[bytes]()
    for place, body in enumerate(evening):
        event = cards.signed(table, body)
        assert table.head.id is not None
        ids.append(table.head.id)
        packets.append(publish(table.topic, encode_event(event), place))
    return Told(table.box, table.topic, tuple(ids), tuple(packets))


class _Cards:
    """The readers of one table: a card is laid for each call, and all are taken up when play begins."""

    def __init__(self) -> None:
        self._frames = 0
        self._lying: dict[Seat, str] = {}

    def around(self, body: Body) -> Iterator[Body]:
        """The body, with what the readers say about it."""
        match body:
            case CallMade(seat=seat, call=call):
                yield CardRead(seat=seat, card=_card(seat), stamp=self._stamp(), call=call)
                yield msgspec.structs.replace(body, source="scanned")
            case PlayStarted():
                yield body
                for seat in CLOCKWISE:
                    yield CardRemoved(seat=seat, card=_card(seat), stamp=self._stamp())
            case _:
                yield body

    def signed(self, table: Table, body: Body) -> KioskEvent:
        """The table's next event; a call names the reading of its own table's card."""
        if isinstance(body, CallMade):
            body = msgspec.structs.replace(body, reading=self._lying[body.seat])
        event = table.sign(body)
        if isinstance(body, CardRead):
            assert table.head.id is not None
            self._lying[body.seat] = table.head.id
        return event

    def _stamp(self) -> DeviceStamp:
        self._frames += 1
        return DeviceStamp(id="E6614C311B6A8B26", boot="9f3a12c4", seq=self._frames, ms=self._frames * 700)


def _card(seat: Seat) -> str:
    return f"04A1B2C3D4E5{CLOCKWISE.index(seat):02X}"
