"""What a table's screen costs beside a bare Kivy app that shows a clock, and how soon a tap or a card is seen.

Both windows run in the same call, each in a process of its own, offscreen, drawn by the same loop.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from typing import Any, Final, cast

from deploy.errors import DemoError

WINDOW_WITHIN: Final = 3600.0
"""Seconds that one window may take; eight simulated hours take some minutes."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--idle", type=float, default=10.0, metavar="SECONDS", help="how long to idle (10)")
    parser.add_argument("--taps", type=int, default=100, metavar="N", help="taps and cards to time (100)")
    parser.add_argument("--hours", type=float, default=8.0, metavar="H", help="simulated hours for memory (8)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a page")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    if not (0.5 <= args.idle <= 600 and 10 <= args.taps <= 10_000 and 0.02 <= args.hours <= 48):
        message = "Use --idle 0.5 to 600 seconds, --taps 10 to 10000 and --hours 0.02 to 48."
        raise DemoError("usage", message)
    bare = _window("bare", args)
    table = _window("table", args)
    answer = {
        "benchmark": "kiosk",
        "first_frame_s": {"table": table["first"], "bare": bare["first"]},
        "table_ready_s": table["ready"],
        "idle_cpu_percent": {"table": table["idle"], "bare": bare["idle"]},
        "tap_to_frame_ms": table["tap"],
        "scan_to_frame_ms": table["scan"],
        "memory": table["memory"],
        "resident_kib": {"table": table["kib"], "bare": bare["kib"]},
        "ratios": {
            "first_frame": round(table["first"] / bare["first"], 2),
            "idle_cpu": round(table["idle"] / bare["idle"], 2),
        },
    }
    print(json.dumps(answer) if args.json else _page(answer))
    return 0


def _window(what: str, args: argparse.Namespace) -> dict[str, Any]:
    """What one window measured; ``first``: seconds from the start of its process to its first frame."""
    command = [sys.executable, "-m", "deploy.bench.kiosk_window", what, "--idle", str(args.idle)]
    command += ["--taps", str(args.taps), "--hours", str(args.hours)]
    print(f"The {what} window is measured …", file=sys.stderr, flush=True)
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=WINDOW_WITHIN, check=False)
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
        raise DemoError("no-window", f"The {what} window could not be measured: {why[:300]}.")
    found = cast("dict[str, Any]", json.loads(done.stdout.splitlines()[-1]))
    return {**found, **{name: round(found[name] - began, 2) for name in ("first", "ready") if name in found}}


def _page(answer: dict[str, Any]) -> str:
    first, idle, ratios = answer["first_frame_s"], answer["idle_cpu_percent"], answer["ratios"]
    tap, scan, memory = answer["tap_to_frame_ms"], answer["scan_to_frame_ms"], answer["memory"]
    held = f"{memory['kib'][0]} KiB, after {memory['hours']:g} simulated hours {memory['kib'][-1]} KiB"
    return "\n".join(
        (
            f"{'':<28}{'table':>10}{'bare Kivy':>12}{'ratio':>9}",
            f"{'start to first frame, s':<28}{first['table']:>10}{first['bare']:>12}{ratios['first_frame']:>9}",
            f"{'start to the table, s':<28}{answer['table_ready_s']:>10}",
            f"{'idle, % of a core':<28}{idle['table']:>10}{idle['bare']:>12}{ratios['idle_cpu']:>9}",
            f"{'tap to frame, ms':<28}p50 {tap['p50']}, p99 {tap['p99']} (on disk before it is seen)",
            f"{'card to frame, ms':<28}p50 {scan['p50']}, p99 {scan['p99']}",
            f"{'memory':<28}{held} (× {memory['ratio']})",
        )
    )
