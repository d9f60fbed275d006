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
    """Declare which benchmarks there are. A module is loaded once it is named: it brings a whole room along."""
    wide = max(map(len, BENCHES))
    listing = "\n".join(f"  {name:<{wide}}  {does}" for name, does in BENCHES.items())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"benchmarks:\n{listing}\n\n“{parser.prog} NAME --help” says more about one."
    parser.add_argument("name", choices=list(BENCHES), metavar="NAME", help="what to measure")
    options = parser.add_argument("options", nargs=argparse.REMAINDER, metavar="…", help="what that benchmark takes")
    options.required = False
    parser.set_defaults(parser=parser)


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that was named."""
    bench = cast("Bench", importlib.import_module(f"deploy.bench.{args.name}"))
    over, does = cast("argparse.ArgumentParser", args.parser), BENCHES[args.name]
    own = type(over)(prog=f"{over.prog} {args.name}", description=f"{does[0].upper()}{does[1:]}.")
    bench.arguments(own)
    return bench.run(own.parse_args(args.options))
