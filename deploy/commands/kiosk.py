"""``tallybox kiosk``: one table's box, with its screen, or without one and played by a robot."""

from __future__ import annotations

import argparse
from contextlib import ExitStack

from deploy.logs import log_to_stderr, tell_stderr
from deploy.robots import Pace, RobotTable
from deploy.room import folder, open_room
from deploy.screen import SIZES, must_have_display, show
from deploy.service import until_told
from deploy.table_box import open_box
from firmware_bridge.gpio import PinDriver
from firmware_bridge.simulator import SimulatedReader
from kiosk.box import PAUSE
from kiosk.cards import deck_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder")
    parser.add_argument("--box", required=True, help="which box this is, such as K-01")
    parser.add_argument("--reader", help="its card reader's serial port (default: as box.toml says)")
    parser.add_argument(
        "--pins", type=PinDriver, choices=list(PinDriver), help="buzzer and lamp (default: as box.toml says)"
    )
    parser.add_argument("--size", choices=SIZES, default=SIZES[0], help="the screen's size (default: 800x480)")
    parser.add_argument("--fullscreen", action="store_true", help="no frame, no cursor")
    parser.add_argument("--dark", action="store_true", help="the dark screen, for a dim room")
    parser.add_argument("--robot", metavar="SEED", help="no screen: a robot plays, laying cards on a simulated reader")
    parser.add_argument("--speed", type=float, default=1.0, help="divides the robot's pauses (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Run until told to end, or until the window is closed; a restart goes on from the journal."""
    log_to_stderr()
    if args.robot is None:
        must_have_display()
    told = until_told()
    room = open_room(args.data)
    with ExitStack() as stack:
        reader = args.reader
        simulated = None
        if args.robot is not None:
            simulated = stack.enter_context(SimulatedReader(f"robot-{args.box}"))
            reader = simulated.path
        pause = PAUSE if args.robot is None else round(PAUSE / max(1.0, args.speed))
        table = open_box(room, args.box, reader=reader, pins=args.pins, pause=pause)
        stack.callback(table.stop)
        table.box.start()
        tell_stderr(f"Box {args.box} is up.")
        if simulated is not None:
            robot = RobotTable(
                table.box, simulated, lambda state: deck_of(state.playing.ruleset), args.robot, Pace(args.speed)
            )
            stack.callback(robot.stop)
            robot.start()
            told.wait()
        else:
            show(table.box, args.size, dark=args.dark, fullscreen=args.fullscreen)
    return 0
