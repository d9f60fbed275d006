"""``tallybox chaos``: a whole room in which everything goes wrong, and the count at the end that nothing was lost."""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import tempfile
from pathlib import Path
from types import FrameType
from typing import Final, get_args

from deploy.chaos.evening import Count
from deploy.chaos.room import BrokerKind, Play
from deploy.chaos.run import Plan, answer
from deploy.chaos.run import run as carry_out
from deploy.errors import RoomError
from deploy.logs import log_to_stderr, tell_stderr
from deploy.room import folder
from hub.tournament.templates import templates

TELLS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What ends a run before its time."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--minutes", type=float, required=True, help="how long everything goes wrong")
    parser.add_argument("--seed", type=int, default=1, help="the same seed brings the same faults (default: 1)")
    parser.add_argument("--broker", choices=get_args(BrokerKind), default="mosquitto", help="default: mosquitto")
    parser.add_argument("--tables", type=int, default=3, help="how many tables play (default: 3)")
    parser.add_argument(
        "--template",
        choices=sorted(templates()),
        default="capitol-5",
        help="what is played each evening (default: capitol-5)",
    )
    parser.add_argument("--hands", type=int, help="hands in each round (default: the template's)")
    parser.add_argument("--speed", type=float, default=60.0, help="divides people's pauses and the clock (default: 60)")
    parser.add_argument("--data", type=folder, help="a folder for the room, kept (default: a new one, kept on failure)")
    parser.add_argument("--json", action="store_true", help="the answer is JSON in any case; this says so")


def run(args: argparse.Namespace) -> int:
    """Run, and print one JSON document; 0 when every promise held, 1 when one was broken."""
    log_to_stderr()
    play = Play(args.tables, args.template, args.hands, args.speed, args.seed, args.broker)
    plan = Plan(args.minutes, play).checked()
    home = _home(args.data)
    _interrupted_once()
    count = Count()
    try:
        count = carry_out(plan, home, tell_stderr)
    except KeyboardInterrupt:
        tell_stderr(f"Ended before its time; every process was ended. What there was is in {home}.")
        return 130
    except BaseException:
        tell_stderr(f"The run did not come to its end. What there was is in {home}.")
        raise
    kept = home if args.data is not None or count.findings else None
    if kept is None:
        shutil.rmtree(home)
    print(json.dumps(answer(plan, count, kept), ensure_ascii=False))
    if count.findings:
        tell_stderr(f"{len(count.findings)} promises were broken. Everything is in {home}.")
    return 1 if count.findings else 0


def _interrupted_once() -> None:
    """The first time somebody tells it to end becomes ``KeyboardInterrupt``; then nothing hinders the cleaning up."""

    def end(_number: int, _frame: FrameType | None) -> None:
        for number in TELLS:
            # Not ignored: a part that is just being started would inherit that, and not end when it is told to.
            signal.signal(number, lambda *_: None)
        tell_stderr("Every process of this run is being ended; that takes some seconds.")
        raise KeyboardInterrupt

    for number in TELLS:
        signal.signal(number, end)


def _home(asked: Path | None) -> Path:
    if asked is None:
        return Path(tempfile.mkdtemp(prefix="tallybox-chaos-"))
    try:
        asked.mkdir(parents=True, exist_ok=True)
        if any(asked.iterdir()):
            raise RoomError("in-the-way", f"{asked} is not empty. Give a new folder, so that nothing is mixed up.")
    except OSError as reason:
        raise RoomError("cannot-write", f"{asked} cannot be used: {reason.strerror}. Choose another folder.") from None
    return asked
