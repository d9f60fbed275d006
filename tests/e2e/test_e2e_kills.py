"""Power strips and cables: hub, broker and boxes killed hard or cut off in mid-round; nothing lost, nothing twice."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from room_parts import (
    RoomProcesses,
    exported,
    recorded_in_journals,
    recorded_in_ledger,
    standings_recomputed,
    standings_told,
    wait_for,
)

from deploy.chaos.cable import Cable
from deploy.hub_service import Occasion, begin, open_hub
from deploy.robots import Pace, RobotTable
from deploy.table_box import open_box
from firmware_bridge.simulator import SimulatedReader
from hub.desk.autopilot import Autopilot
from hub.summary import summary
from kiosk.cards import deck_of

DIRECTED = ("--template", "capitol-4", "--hands", "2", "--autopilot", "--speed", "300")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[RoomProcesses]:
    parts = RoomProcesses(tmp_path, tables=2)
    yield parts
    parts.stop()


@pytest.mark.timeout(600)
def test_hub_broker_and_boxes_killed_in_mid_round_lose_and_double_nothing(room: RoomProcesses) -> None:
    room.broker()
    room.hub(*DIRECTED)
    for box in room.boxes:
        room.robot(box, "--speed", "240")
    wait_for("the first hands", lambda: room.recorded() >= 2, 150)
    room.kill("hub")
    time.sleep(1)
    room.hub(*DIRECTED)
    wait_for("hands after the hub's death", lambda: room.recorded() >= 5, 150)
    room.kill("broker")
    time.sleep(1)
    room.broker()
    wait_for("hands after the broker's death", lambda: room.recorded() >= 8, 150)
    room.kill(room.boxes[0])
    room.robot(room.boxes[0], "--speed", "240")
    wait_for("hands after a box's death", lambda: room.recorded() >= 11, 150)
    room.kill("broker")
    room.kill("hub")
    time.sleep(0.5)
    room.broker()
    room.hub(*DIRECTED)
    wait_for("the last hand", lambda: room.recorded() == 16, 150)
    told = room.summary()
    room.stop()
    lines = exported(room.folder)
    assert recorded_in_journals(room.folder) == recorded_in_ledger(lines)
    assert sorted(key[:3] for key in recorded_in_ledger(lines).elements()) == [
        (number, table, hand) for number in (1, 2, 3, 4) for table in (1, 2) for hand in (1, 2)
    ]
    assert standings_recomputed(lines) == standings_told(told)


@pytest.mark.timeout(240)
def test_a_box_cut_off_for_a_whole_round_plays_on_and_delivers_everything(tmp_path: Path) -> None:
    parts = RoomProcesses(tmp_path, tables=2)
    parts.broker()
    cable = Cable(parts.broker_port)
    service = open_hub(parts.room, port=0)
    readers = [SimulatedReader(f"r{number}") for number in (1, 2)]
    rooms = [replace(parts.room, broker_port=cable.port), parts.room]
    tables = [
        open_box(at, box, reader=reader.path, pause=5)
        for at, box, reader in zip(rooms, parts.boxes, readers, strict=True)
    ]
    robots = [
        RobotTable(table.box, reader, lambda state: deck_of(state.playing.ruleset), "4", Pace(300))
        for table, reader in zip(tables, readers, strict=True)
    ]
    pilot = Autopilot(service.hub, speed=100, keep_open=True)
    try:
        begin(service, Occasion("capitol-4", 4, 3), {box: n for n, box in enumerate(parts.boxes, 1)}, "director")
        for table in tables:
            table.box.start()
        pilot.start()
        for robot in robots:
            robot.start()
        wait_for("the first table bidding", lambda: tables[0].box.view.state.hand is not None)
        cable.cut()
        wait_for("a whole round played alone", lambda: tables[0].box.view.state.submitted is not None)
        offline = tables[0].box.view
        assert (offline.link.status, len(offline.state.counting)) == ("no_hub", 3)
        assert offline.unsent >= 3 * 15
        assert len(service.hub.tournament.rounds) == 1
        cable.mend()
        assert pilot.done.wait(120)
        wait_for("empty outboxes", lambda: all(table.box.view.unsent == 0 for table in tables))
        told = summary(service.hub.tournament)
    finally:
        for robot in robots:
            robot.stop()
        pilot.stop()
        for table in tables:
            table.stop()
        for reader in readers:
            reader.close()
        service.stop()
        cable.close()
        parts.stop()
    lines = exported(tmp_path)
    assert told["hands_recorded"] == told["hands_expected"] == 24
    assert recorded_in_journals(tmp_path) == recorded_in_ledger(lines)
    assert set(recorded_in_ledger(lines).values()) == {1}
    assert standings_recomputed(lines) == standings_told(told)
