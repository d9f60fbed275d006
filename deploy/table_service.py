"""A table's box as a service: until told to end, or until its window is closed."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime

from deploy import notify
from deploy.box_watch import journal_trip, screen_trip
from deploy.first_boot import Arrival, only_box
from deploy.line_findings import tell_line
from deploy.logs import log_as_service, tell_stderr
from deploy.robots import Pace, RobotTable
from deploy.room import open_room
from deploy.screen import AskFrame, show
from deploy.service import until_told
from deploy.table_box import TableBox, open_box
from deploy.watchdog import Told, Trip, Way, watched
from firmware_bridge.gpio import PinDriver
from firmware_bridge.simulator import SimulatedReader
from kiosk.box import PAUSE, Box
from kiosk.cards import deck_of
from kiosk.first_boot import FirstBoot
from kiosk.no_box import NoBox


def serve(args: argparse.Namespace, begun: Callable[[], None] | None) -> int:
    """Run the box that the options of ``tallybox kiosk`` describe; a restart goes on from the journal.

    ``begun`` is called when the table's own screen takes the place of the starting picture.
    """
    log_as_service(args.log)
    told = until_told()
    with ExitStack() as stack:
        if args.robot is not None:
            _play_alone(args, told, stack)
        else:
            _show_table(args, told, stack, begun)
    return 0


def _play_alone(args: argparse.Namespace, told: threading.Event, stack: ExitStack) -> None:
    """Without a screen, played by a robot."""
    name = args.box or only_box(args.data)
    simulated = stack.enter_context(SimulatedReader(f"robot-{name}"))
    table = _brought_up(args, name, reader=simulated.path, pause=round(PAUSE / max(1.0, args.speed)))
    stack.callback(table.stop)
    stack.callback(notify.stopping)
    robot = RobotTable(table.box, simulated, lambda state: deck_of(state.playing.ruleset), args.robot, Pace(args.speed))
    stack.callback(robot.stop)
    robot.start()
    _say_up(stack, f"Box {name} is up.", journal_trip(table.box))
    told.wait()


def _show_table(
    args: argparse.Namespace, told: threading.Event, stack: ExitStack, begun: Callable[[], None] | None
) -> None:
    """With a screen, which says what is missing as long as the folder holds no whole bundle."""
    screened = ScreenedTable(args)
    stack.callback(screened.stop)
    stack.callback(notify.stopping)

    def up(ask_frame: AskFrame) -> None:
        _say_up(stack, screened.words, screened.journal, screen_trip(ask_frame))

    show(
        screened.shown, args.size, dark=args.dark, fullscreen=args.fullscreen, still=args.still, begun=begun, told=told,
        seen=up, survey=screened.survey, becomes=screened.becomes,
    )  # fmt: skip


class ScreenedTable:
    """What a screen shows: the box of the folder, or what is missing until it is there."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._table: TableBox | None = None
        self._arrival = Arrival(args.data, args.box, self._opened, args.sticks)
        box = self._arrival.look()
        self.shown: Box | NoBox = NoBox(self._arrival.name) if box is None else box
        self.becomes = self._arrival.tell if box is None else None
        if box is None:
            for missing in self._arrival.survey().missing:
                tell_stderr(f"{missing.says} {missing.do}")
            self._arrival.start()

    @property
    def words(self) -> str:
        """What the service says of itself."""
        return f"Box {self._arrival.name} is up." if self._table is not None else "This box waits for its bundle."

    def _opened(self, name: str) -> Box:
        self._table = _brought_up(self._args, name, reader=self._args.reader)
        return self._table.box

    def survey(self) -> FirstBoot:
        """What a box without a table says of itself."""
        return self._arrival.survey() if self._table is None else self._table.survey()

    def journal(self, within: float) -> Told:
        """Through the box and its journal, once there is one (a ``Trip``)."""
        return Told(Way.BACK) if self._table is None else journal_trip(self._table.box)(within)

    def stop(self) -> None:
        """End in order."""
        self._arrival.stop()
        if self._table is not None:
            self._table.stop()


def _brought_up(args: argparse.Namespace, name: str, *, reader: str | None, pause: int = PAUSE) -> TableBox:
    room = open_room(args.data)
    if room.tls:
        tell_line(room.kiosk_folder(name) / "tls", name, datetime.now(UTC), tell_stderr)
    pins = None if args.pins is None else PinDriver(args.pins)
    table = open_box(room, name, reader=reader, pins=pins, pause=pause)
    table.box.start()
    tell_stderr(f"Box {name} is up.")
    return table


def _say_up(stack: ExitStack, words: str, *trips: Trip) -> None:
    notify.status(words)
    notify.ready()
    stack.callback(watched(trips, words))
