"""``tallybox kiosk``: one table's box, with its screen, or without one and played by a robot.

A box with a screen shows that it is starting before the rest of the program is read.
"""

from __future__ import annotations

import argparse
from typing import Final

from deploy import logs
from deploy.room import folder
from deploy.screen import SIZES, must_have_display, starting

PINS: Final = ("none", "mock", "lgpio")
"""The drivers of ``firmware_bridge.gpio``, by name: that room is read once the box is seen to start."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--data", type=folder, required=True, help="the room's folder")
    parser.add_argument("--box", help="which box this is, such as K-01 (default: the only one in the folder)")
    parser.add_argument(
        "--sticks", type=folder, metavar="DIR", help="where USB sticks appear; a box without a bundle takes it from one"
    )
    parser.add_argument("--reader", help="its card reader's serial port (default: as box.toml says)")
    parser.add_argument("--pins", choices=PINS, help="buzzer and lamp (default: as box.toml says)")
    parser.add_argument("--size", choices=SIZES, default=SIZES[0], help="the screen's size (default: 800x480)")
    parser.add_argument("--fullscreen", action="store_true", help="no frame, no cursor")
    parser.add_argument("--dark", action="store_true", help="the dark screen, for a dim room")
    parser.add_argument("--still", action="store_true", help="nothing moves on the screen")
    parser.add_argument("--robot", metavar="SEED", help="no screen: a robot plays, laying cards on a simulated reader")
    parser.add_argument("--speed", type=float, default=1.0, help="divides the robot's pauses (default: 1)")
    logs.arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run until told to end, or until the window is closed; a restart goes on from the journal."""
    begun = None
    if args.robot is None:
        must_have_display()
        begun = starting(args.size, dark=args.dark, fullscreen=args.fullscreen)
    from deploy.table_service import serve  # noqa: PLC0415 (read once somebody sees that the box is starting)

    return serve(args, begun)
