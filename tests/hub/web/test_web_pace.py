"""Who is slow against the room: a hand behind most tables, or in a step that takes over twice the room's time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from web_room import Box, Room

from hub.web.views.pace import Behind, RoomPace, behind, room_pace
from tallybox.table.state import Step

SECOND = 1_000


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = Room(tmp_path, tables=4)
    made.seat_all()
    return made


def hand(room: Room, *boxes: Box) -> None:
    """One hand at these tables: 20 s of dealing, 60 of bidding, 10 of locking, 200 of play, 30 of checking."""
    acts: tuple[tuple[Callable[[Box], object], int], ...] = (
        (lambda box: box.open(), 20),
        (lambda box: box.deal(), 60),
        (lambda box: box.auction("4", "pass", "pass", "pass"), 10),
        (lambda box: box.lock(), 200),
        (lambda box: box.books(5), 30),
        (lambda box: box.agree(), 0),
    )
    for act, seconds in acts:
        for box in boxes:
            act(box)
        room.watch.pass_(seconds)
    room.flush()


def pace(room: Room) -> RoomPace:
    return room_pace(room.table(number) for number in room.boxes)


def slow(room: Room, table: int) -> Behind | None:
    return behind(room.table(table), pace(room), room.hub.time.now())


def test_medians_come_from_each_tables_last_hand(room: Room) -> None:
    boxes = tuple(room.boxes.values())
    hand(room, *boxes[:2])
    assert pace(room) == RoomPace(0, None, {})
    hand(room, *boxes[2:])
    assert pace(room) == RoomPace(
        1,
        320 * SECOND,
        {
            Step.DEAL: 20 * SECOND,
            Step.AUCTION: 70 * SECOND,
            Step.PLAY: 200 * SECOND,
            Step.CHECK: 30 * SECOND,
            Step.CONTRACT: 0,
        },
    )
    room.close()


def test_a_step_is_slow_over_twice_the_rooms_time_and_a_minute(room: Room) -> None:
    hand(room, *room.boxes.values())
    box = room.boxes[1].open()
    room.flush()
    began = room.hub.time.now()
    room.watch.pass_(60)
    assert slow(room, 1) is None
    room.watch.pass_(1)
    assert slow(room, 1) == Behind("deal", began)
    box.deal()
    room.flush()
    room.watch.pass_(140)
    assert slow(room, 1) is None
    room.watch.pass_(1)
    assert slow(room, 1) == Behind("auction", began + 61 * SECOND)
    room.close()


def test_a_table_is_a_hand_behind_once_its_own_takes_longer_than_the_rooms(room: Room) -> None:
    one, *others = room.boxes.values()
    one.open().deal()
    room.flush()
    began = room.hub.time.now()
    hand(room, *others)
    assert slow(room, 1) == Behind("auction", began)
    room.watch.pass_(1)
    assert slow(room, 1) == Behind("a hand behind", began)
    hand(room, *others)
    assert slow(room, 1) == Behind("2 hands behind", began)
    assert slow(room, 2) is None
    room.close()


def test_nobody_is_slow_before_the_room_has_a_pace(room: Room) -> None:
    room.boxes[1].open()
    room.flush()
    room.watch.pass_(3_600)
    assert slow(room, 1) is None
    room.close()
