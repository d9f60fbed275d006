"""``tallybox demo``: the whole room on one machine, on loopback only."""

from __future__ import annotations

import argparse
import json

from deploy.demo import Plan, demo_room, run_until_over, watch
from deploy.logs import log_to_stderr, tell_stderr
from deploy.room import folder
from deploy.screen import SIZES, must_have_display, show
from deploy.service import interrupted_when_told

TEMPLATES = ("capitol-4", "capitol-5", "capitol-8", "mso", "wsos")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--tables", type=int, default=5, help="how many tables play (default: 5)")
    parser.add_argument(
        "--template", choices=TEMPLATES, default="capitol-5", help="what is played (default: capitol-5)"
    )
    parser.add_argument("--hands", type=int, help="hands in each round (default: the template's)")
    parser.add_argument("--speed", type=float, default=10.0, help="divides people's pauses and the clock (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same cards (default: 1)")
    parser.add_argument("--headless", action="store_true", help="no window, whatever the display")
    parser.add_argument("--screen", action="store_true", help="table 1 is a real window for you to play at")
    parser.add_argument("--size", choices=SIZES, default=SIZES[0], help="the window's size (default: 800x480)")
    parser.add_argument("--dark", action="store_true", help="the dark screen")
    parser.add_argument("--until-done", action="store_true", help="end with the tournament and print its standings")
    parser.add_argument("--data", type=folder, help="the room's folder, kept and gone on with (default: a new one)")
    parser.add_argument("--port", type=int, help="the dashboard's port (default: 8080, or a free one)")


def run(args: argparse.Namespace) -> int:
    """Run the room; with ``--until-done`` the answer is one JSON document."""
    log_to_stderr()
    interrupted_when_told()
    plan = Plan(
        tables=args.tables,
        template=args.template,
        hands=args.hands,
        speed=args.speed,
        seed=args.seed,
        until_done=args.until_done,
        data=args.data,
        port=args.port,
        screen=args.screen and not args.headless,
    ).checked()
    if plan.screen:
        must_have_display()
    with demo_room(plan, tell_stderr) as running:
        if plan.screen:
            show(running.tables[0].box, args.size, dark=args.dark)
        elif plan.until_done:
            print(json.dumps(run_until_over(running, tell_stderr)))
        else:
            watch(running, tell_stderr)
    return 0
