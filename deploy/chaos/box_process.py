"""One table's box under chaos, played by a robot: a process of its own, so that it can be killed like one."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from deploy.chaos.told import BoxTold, tell, told_file, until_alone_or_told
from deploy.chaos.weather import Barometer, WeatherFiles
from deploy.logs import log_to_stderr
from deploy.robot_player import next_act
from deploy.robots import Pace, RobotTable
from deploy.room import open_room
from deploy.service import until_told
from deploy.table_box import open_box
from firmware_bridge.gpio import PinDriver
from firmware_bridge.simulator import SimulatedReader
from kiosk.box import PAUSE
from kiosk.cards import deck_of
from kiosk.view import BoxView


def main(argv: Sequence[str] | None = None) -> int:
    """Run the box until told to end."""
    parser = argparse.ArgumentParser(prog="python -m deploy.chaos.box_process")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--chaos", type=Path, required=True)
    parser.add_argument("--box", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--speed", type=float, required=True)
    args = parser.parse_args(argv)
    log_to_stderr()
    ended = until_told()
    barometer = Barometer(WeatherFiles(args.chaos, args.box))
    told = told_file(args.chaos, args.box)
    with ExitStack() as stack:
        reader = stack.enter_context(SimulatedReader(f"chaos-{args.box}"))
        table = open_box(
            replace(open_room(args.data), broker_port=args.port), args.box, reader=reader.path, pins=PinDriver.MOCK,
            pause=round(PAUSE / max(1.0, args.speed)), before_commit=barometer.before_commit, wall=barometer.wall_ms,
        )  # fmt: skip
        stack.callback(table.stop)
        table.box.start()
        robot = RobotTable(table.box, reader, lambda state: deck_of(state.playing.ruleset), args.seed, Pace(args.speed))
        stack.callback(robot.stop)
        robot.start()
        resting = False

        def look() -> None:
            nonlocal resting
            if barometer.look().rest and not resting:
                resting = True
                robot.stop()
            tell(told, _seen(table.box.view, args.seed))

        until_alone_or_told(ended, look)
    return 0


def _seen(view: BoxView, seed: str) -> BoxTold:
    state = view.state
    return BoxTold(
        pid=os.getpid(),
        unsent=view.unsent,
        round=0 if state.assignment is None else state.playing.round,
        hands=len(state.hands),
        step=view.step.value,
        opened=state.hand is not None,
        submitted=state.submitted is not None,
        waits=next_act(state, seed) is None,
        linked=view.link.status.value,
        notice="" if view.notice is None else str(view.notice.text),
    )


if __name__ == "__main__":
    sys.exit(main())
