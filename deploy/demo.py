"""The whole room on one machine: broker, hub, and tables whose robots lay cards on simulated readers."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from deploy.errors import DemoError, RoomError
from deploy.hub_service import HubService, Occasion, begin, open_hub
from deploy.robots import Pace, RobotTable
from deploy.room import Room, make_room
from deploy.table_box import TableBox, open_box
from firmware_bridge.decks import Deck
from firmware_bridge.gpio import PinDriver
from firmware_bridge.simulator import SimulatedReader
from hub.broker import RunningBroker, start_broker
from hub.desk.autopilot import Autopilot
from hub.summary import summary
from kiosk.box import PAUSE
from kiosk.cards import deck_of
from tallybox.canonical import Json
from tallybox.table.state import TableState

ACTOR: Final = "demo"
LOOK: Final = 0.5
"""Seconds between two looks at whether there is something new to tell."""

QUIET_TOO_LONG: Final = 300.0
"""Seconds without one new ledger line after which a demo that was told to end says what it waits for. Not divided."""

DRAIN: Final = 60.0
"""Seconds the outboxes get to empty once the tournament is over."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the demo shows. ``speed`` divides people's pauses and the round clock, never protocol time-outs.

    ``title``: in place of the template's. ``by_hand``: a person directs, so nothing is posted or accepted by itself.
    """

    tables: int
    template: str
    hands: int | None
    speed: float
    seed: int
    until_done: bool
    data: Path | None
    port: int | None
    screen: bool
    title: str | None = None
    by_hand: bool = False

    def checked(self) -> Plan:
        """The plan itself; raises ``DemoError`` for figures that make no room."""
        if not 1 <= self.tables <= 100:
            raise DemoError("bad-plan", "A demo room has 1 to 100 tables.")
        if not 0.1 <= self.speed <= 10_000:
            raise DemoError("bad-plan", "A demo runs at a speed between 0.1 and 10000.")
        if self.hands is not None and not 1 <= self.hands <= 20:
            raise DemoError("bad-plan", "A round has 1 to 20 hands.")
        return self


@dataclass(slots=True)
class DemoRoom:
    """Everything that runs, for whoever looks in: tests, the command, a person's screen."""

    room: Room
    broker: RunningBroker
    service: HubService
    tables: list[TableBox]
    robots: list[RobotTable]


@contextmanager
def demo_room(plan: Plan, tell: Callable[[str], None]) -> Iterator[DemoRoom]:
    """The room, running; everything it started is stopped on the way out, by its own handle.

    Raises ``DemoError``, ``RoomError``, ``BrokerError``, ``HubError`` or ``ServeError`` with what to do.
    """
    with ExitStack() as stack:
        folder = plan.data or Path(stack.enter_context(TemporaryDirectory(prefix="tallybox-demo-")))
        _usable(folder)
        # Its files are of this run alone; another demo on the same folder must not write over them.
        broker = start_broker(Path(stack.enter_context(TemporaryDirectory(prefix="tallybox-broker-"))))
        stack.callback(broker.stop)
        tell(f"Broker: {broker.kind} on {broker.host}:{broker.port}, this machine only, no keys asked.")
        room = _room(folder, plan.tables, broker)
        service = open_hub(room, port=plan.port)
        stack.callback(service.stop)
        known = service.hub.tournament
        if known.plan is not None:
            played = f"{known.plan.template} with {len(known.teams) // 2} tables"
            tell(f"This folder holds a tournament already, and it goes on: {played}, whatever is asked for now.")
        boxes = {f"K-{number:02}": number for number in range(1, plan.tables + 1)}
        begin(service, Occasion(plan.template, 2 * plan.tables, plan.hands, plan.seed, plan.title), boxes, ACTOR)
        if not plan.by_hand:
            # A person at the screen plays at a person's pace, whatever the robots' speed makes of the clock.
            patient = plan.until_done or plan.screen
            service.autopilot = Autopilot(service.hub, actor=ACTOR, speed=plan.speed, keep_open=patient)
        tables, robots = _tables(room, plan, list(boxes), stack)
        if service.autopilot is not None:
            service.autopilot.start()
        for robot in robots:
            stack.callback(robot.stop)
            robot.start()
        tell(f"Dashboard: {service.server.url}")
        yield DemoRoom(room, broker, service, tables, robots)


def run_until_over(running: DemoRoom, tell: Callable[[str], None]) -> dict[str, Json]:
    """Tell what happens until the tournament is over and every outbox is empty; the summary.

    Raises ``DemoError`` when nothing new reaches the ledger for ``QUIET_TOO_LONG`` seconds.
    """
    autopilot = running.service.autopilot
    assert autopilot is not None
    story = Story(running, tell)
    while not autopilot.done.wait(LOOK):
        if story.go_on() > QUIET_TOO_LONG:
            raise DemoError("stuck", f"Nothing has happened for {QUIET_TOO_LONG:.0f} s. {story.waiting_for()}")
    story.go_on()
    until = time.monotonic() + DRAIN
    while any(table.box.view.unsent for table in running.tables) and time.monotonic() < until:
        time.sleep(LOOK)
    return summary(running.service.hub.tournament)


def watch(running: DemoRoom, tell: Callable[[str], None]) -> None:
    """Tell what happens until somebody presses Ctrl+C."""
    story = Story(running, tell)
    tell("Ctrl+C ends the demo.")
    try:
        while True:
            time.sleep(LOOK)
            story.go_on()
    except KeyboardInterrupt:
        tell("The demo ends.")


class Story:
    """Tells each recorded hand and each round once, and how long nothing new has come."""

    def __init__(self, running: DemoRoom, tell: Callable[[str], None]) -> None:
        self._running = running
        self._tell = tell
        self._recorded = -1
        self._round = 0
        self._seq = -1
        self._since = time.monotonic()
        self._over = False

    def go_on(self) -> float:
        """Tell what is new; seconds since the ledger last grew."""
        hub = self._running.service.hub
        tournament = hub.tournament
        done = summary(tournament)
        current = tournament.current
        if current is not None and current.number != self._round:
            self._round = current.number
            self._tell(f"Round {current.number} is posted.")
        if done["hands_recorded"] != self._recorded:
            self._recorded = int(str(done["hands_recorded"]))
            self._tell(f"Hands recorded: {self._recorded} of {done['hands_expected']} expected.")
        if tournament.over and not self._over:
            self._over = True
            self._tell("The tournament is over. The dashboard shows the standings.")
        if hub.rev[1] != self._seq:
            self._seq, self._since = hub.rev[1], time.monotonic()
        return time.monotonic() - self._since

    def waiting_for(self) -> str:
        """Where each table stands, for somebody who wonders."""
        steps = [f"table {number} at “{t.box.view.step}”" for number, t in enumerate(self._running.tables, 1)]
        return "; ".join(steps) + "."


def _usable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise RoomError("cannot-write", f"{folder} cannot be used: {reason.strerror}. Choose another folder.") from None


def _room(folder: Path, tables: int, broker: RunningBroker) -> Room:
    """The room's folder, made or gone on with; the broker's port is another at every start."""
    known = (folder / "venue.toml").exists()
    room = make_room(folder, venue=None if known else "demo", boxes=tables, random_bytes=secrets.token_bytes)
    return replace(room, broker_host=broker.host, broker_port=broker.port)


def _tables(room: Room, plan: Plan, boxes: list[str], stack: ExitStack) -> tuple[list[TableBox], list[RobotTable]]:
    tables, robots = [], []
    pause = round(PAUSE / max(1.0, plan.speed))
    for number, name in enumerate(boxes, 1):
        reader = SimulatedReader(f"demo-{name}")
        stack.callback(reader.close)
        by_hand = plan.screen and number == 1
        table = open_box(room, name, reader=reader.path, pins=PinDriver.MOCK, pause=PAUSE if by_hand else pause)
        stack.callback(table.stop)
        table.box.start()
        tables.append(table)
        if not by_hand:
            robots.append(RobotTable(table.box, reader, _deck_in_play, str(plan.seed), Pace(plan.speed)))
    return tables, robots


def _deck_in_play(state: TableState) -> Deck:
    return deck_of(state.playing.ruleset)
