"""A table's box as a service: until told to end, or until its window is closed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime

from deploy import notify
from deploy.box_watch import journal_trip, screen_trip
from deploy.line_findings import tell_line
from deploy.logs import log_to_stderr, tell_stderr
from deploy.robots import Pace, RobotTable
from deploy.room import open_room
from deploy.screen import show
from deploy.service import until_told
from deploy.table_box import open_box
from deploy.watchdog import Trip, watched
from firmware_bridge.gpio import PinDriver
from firmware_bridge.simulator import SimulatedReader
from kiosk.box import PAUSE
from kiosk.cards import deck_of


def serve(args: argparse.Namespace, begun: Callable[[], None] | None) -> int:
    """Run the box that the options of ``tallybox kiosk`` describe; a restart goes on from the journal.

    ``begun`` is called when the table's own screen takes the place of the starting picture.
    """
    log_to_stderr()
    told = until_told()
    room = open_room(args.data)
    if room.tls:
        tell_line(room.kiosk_folder(args.box) / "tls", args.box, datetime.now(UTC), tell_stderr)
    with ExitStack() as stack:
        reader = args.reader
        simulated = None
        if args.robot is not None:
            simulated = stack.enter_context(SimulatedReader(f"robot-{args.box}"))
            reader = simulated.path
        pause = PAUSE if args.robot is None else round(PAUSE / max(1.0, args.speed))
        pins = None if args.pins is None else PinDriver(args.pins)
        table = open_box(room, args.box, reader=reader, pins=pins, pause=pause)
        stack.callback(table.stop)
        table.box.start()
        tell_stderr(f"Box {args.box} is up.")
        stack.callback(notify.stopping)
        words = f"Box {args.box} is up."

        def up(*trips: Trip) -> None:
            notify.status(words)
            notify.ready()
            stack.callback(watched((journal_trip(table.box), *trips), words))

        if simulated is not None:
            robot = RobotTable(
                table.box, simulated, lambda state: deck_of(state.playing.ruleset), args.robot, Pace(args.speed)
            )
            stack.callback(robot.stop)
            robot.start()
            up()
            told.wait()
        else:
            show(
                table.box, args.size, dark=args.dark, fullscreen=args.fullscreen, begun=begun, told=told,
                seen=lambda ask_frame: up(screen_trip(ask_frame)),
            )  # fmt: skip
    return 0
