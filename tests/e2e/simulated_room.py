"""A room without a tournament: broker, hub with its dashboard, and boxes at whose tables robots sit down when told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from deploy.hub_service import HubService, open_hub
from deploy.robots import Pace, RobotTable
from deploy.room import make_room
from deploy.table_box import TableBox, open_box
from firmware_bridge.gpio import PinDriver
from firmware_bridge.simulator import SimulatedReader
from hub.broker import start_broker
from hub.hub import Hub
from kiosk.box import PAUSE
from kiosk.cards import deck_of

SPEED = 400.0


@dataclass
class SimulatedRoom:
    """``play`` lets robots sit down at a table; ``rest`` has them get up where they are."""

    service: HubService
    boxes: dict[int, TableBox]
    readers: dict[int, SimulatedReader]
    robots: dict[int, RobotTable] = field(default_factory=dict)

    @property
    def hub(self) -> Hub:
        return self.service.hub

    @property
    def url(self) -> str:
        return self.service.server.url.rstrip("/")

    def play(self, *tables: int) -> None:
        for table in tables or self.boxes:
            if table not in self.robots:
                robot = RobotTable(
                    self.boxes[table].box, self.readers[table],
                    lambda state: deck_of(state.playing.ruleset), f"robot {table}", Pace(SPEED),
                )  # fmt: skip
                self.robots[table] = robot
                robot.start()

    def rest(self, *tables: int) -> None:
        for table in tables or tuple(self.robots):
            robot = self.robots.pop(table, None)
            if robot is not None:
                robot.stop()


@contextmanager
def simulated_room(folder: Path, tables: int) -> Iterator[SimulatedRoom]:
    """The room; everything it started is stopped at the end."""
    with ExitStack() as stack:
        (folder / "broker").mkdir(parents=True)
        broker = start_broker(folder / "broker")
        stack.callback(broker.stop)
        made = make_room(folder / "room", venue="hall", boxes=tables, random_bytes=os.urandom)
        room = replace(made, broker_host=broker.host, broker_port=broker.port)
        service = open_hub(room, port=0)
        stack.callback(service.stop)
        running = SimulatedRoom(service, {}, {})
        for table in range(1, tables + 1):
            reader = SimulatedReader(f"hall-{table}")
            stack.callback(reader.close)
            box = open_box(room, f"K-{table:02}", reader=reader.path, pins=PinDriver.MOCK, pause=round(PAUSE / SPEED))
            stack.callback(box.stop)
            box.box.start()
            running.boxes[table], running.readers[table] = box, reader
        stack.callback(running.rest)
        yield running
