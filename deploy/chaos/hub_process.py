"""The hub under chaos, directed by the autopilot: a process of its own, so that it can be killed like one.

The director of this room lets a clock go on that the hub holds, after a moment in which everybody could see it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from deploy.chaos.parts import HUB
from deploy.chaos.told import HubTold, tell, told_file, until_alone_or_told
from deploy.chaos.weather import Barometer, WeatherFiles
from deploy.hub_service import HubService, Occasion, begin, open_hub
from deploy.logs import log_to_stderr
from deploy.room import open_room
from deploy.service import until_told
from hub.clock import ClockState
from hub.desk.autopilot import Autopilot
from hub.errors import HubError
from hub.summary import summary

DIRECTOR: Final = "director"
HELD_SECONDS: Final = 1.0
"""How long the director looks at a held clock before letting it go on."""


class Director:
    """Lets a held clock go on."""

    def __init__(self, service: HubService) -> None:
        self._service = service
        self._since: float | None = None

    def look(self) -> None:
        """See whether the clock is held, and for how long."""
        if self._service.hub.tournament.clock.state is not ClockState.HELD:
            self._since = None
            return
        now = time.monotonic()
        self._since = self._since or now
        if now - self._since < HELD_SECONDS:
            return
        try:
            self._service.hub.director.resume(DIRECTOR)
        except HubError as reason:
            print(reason.message, file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the hub until told to end."""
    parser = argparse.ArgumentParser(prog="python -m deploy.chaos.hub_process")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--chaos", type=Path, required=True)
    parser.add_argument("--broker", type=int, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--template", required=True)
    parser.add_argument("--hands", type=int)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--speed", type=float, required=True)
    args = parser.parse_args(argv)
    log_to_stderr()
    ended = until_told()
    barometer = Barometer(WeatherFiles(args.chaos, HUB))
    room = replace(open_room(args.data), broker_port=args.broker)
    with ExitStack() as stack:
        service = open_hub(room, port=args.port, before_commit=barometer.before_commit, wall=barometer.wall)
        stack.callback(service.stop)
        boxes = {box: number for number, box in enumerate(sorted(room.known_kiosks()), 1)}
        begin(service, Occasion(args.template, 2 * len(boxes), args.hands, args.seed), boxes, DIRECTOR)
        service.autopilot = Autopilot(service.hub, actor=DIRECTOR, speed=args.speed, keep_open=True)
        service.autopilot.start()
        director = Director(service)
        told = told_file(args.chaos, HUB)

        rests = False

        def look() -> None:
            nonlocal rests
            if not barometer.look().rest:
                director.look()
            elif not rests and service.autopilot is not None:
                service.autopilot.stop()
                rests = True
            tell(told, _seen(service, rests=rests))

        until_alone_or_told(ended, look)
    return 0


def _seen(service: HubService, *, rests: bool) -> HubTold:
    hub = service.hub
    tournament = hub.tournament
    return HubTold(
        pid=os.getpid(), ledger_seq=tournament.seq, recorded=int(str(summary(tournament)["hands_recorded"])),
        over=tournament.over, clock=tournament.clock.state.value, rests=rests, in_doubt=hub.in_doubt,
        trouble=hub.trouble or "",
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
