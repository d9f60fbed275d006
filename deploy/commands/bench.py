"""``tallybox bench NAME``: how fast a part is on this machine; each benchmark is a module under ``deploy.bench``."""

from __future__ import annotations

import argparse
import importlib
from typing import Final, Protocol, cast

BENCHES: Final = {
    "bridge": "how soon a scanned card is an event, and what an idle reader costs",
    "dashboard": "how soon an event is on fifty browsers' pages, and what that costs the hub",
    "ingest": "events a second the hub has on disk and acked, beside a subscriber that only counts",
    "kiosk": "what a table's screen costs beside a bare Kivy window, and how soon a tap is seen",
    "pairing": "how long a Swiss round takes to pair, from 16 to 2,000 teams",
    "scoring": "hands scored in a second, over sheets by the thousand",
    "standings": "how long the standings take to follow one result",
}


class Bench(Protocol):
    """What a module under ``deploy.bench`` offers."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""

    def run(self, args: argparse.Namespace) -> int:
        """Measure and print; the exit code."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what each benchmark takes."""
    names = parser.add_subparsers(dest="name", required=True, metavar="NAME")
    for name, does in BENCHES.items():
        try:
            bench = cast("Bench", importlib.import_module(f"deploy.bench.{name}"))
        except ModuleNotFoundError:
            continue  # a table's box has no hub on it: it measures what it has
        one = names.add_parser(name, help=does, description=f"{does[0].upper()}{does[1:]}.")
        bench.arguments(one)
        one.set_defaults(bench=bench)


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that was named."""
    return cast("Bench", args.bench).run(args)
