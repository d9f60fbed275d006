"""What fifty browsers that watch the room cost the hub, and how soon an event at a table is on their pages.

The hub runs in a process of its own with 200 tables; beside it, in the same call and as often, a bare stream of events
says numbers to as many listeners.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from bisect import bisect_left
from dataclasses import asdict, dataclass
from statistics import quantiles
from typing import Any, Final, cast

from deploy.bench.dashboard_watch import Browser
from deploy.errors import DemoError

READY_WITHIN: Final = 60.0
OPEN_WITHIN: Final = 180.0
"""Seconds to seat the tables and sign what they say."""
LONGEST_LINE: Final = 2**23


@dataclass(frozen=True, slots=True)
class Spread:
    """Milliseconds: half of all are sooner than ``p50``, all but one in a hundred sooner than ``p99``."""

    p50: float
    p99: float


@dataclass(frozen=True, slots=True)
class Watched:
    """What watching cost. ``told``: from event to the stream's word; ``page``: to the page that shows it."""

    events: int
    told_ms: Spread
    page_ms: Spread | None
    cpu_percent: float
    pages: int
    mib: float


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="how long events come (20)")
    parser.add_argument("--rate", type=float, default=20.0, metavar="R", help="events a second in the whole room (20)")
    parser.add_argument("--browsers", type=int, default=50, metavar="N", help="browsers that watch (50)")
    parser.add_argument("--tables", type=int, default=200, metavar="N", help="tables that play (200)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a page")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    if not (1 <= args.seconds <= 600 and 0.5 <= args.rate <= 200 and 1 <= args.browsers <= 150):
        raise DemoError("usage", "Use --seconds 1 to 600, --rate 0.5 to 200 and --browsers 1 to 150.")
    if not 1 <= args.tables <= 1_000:
        raise DemoError("usage", "Use --tables 1 to 1000.")
    echo = asyncio.run(_watched("echo", args))
    hub = asyncio.run(_watched("room", args))
    assert hub.page_ms is not None
    answer = {
        "benchmark": "dashboard",
        "browsers": args.browsers,
        "tables": args.tables,
        "events_per_second": args.rate,
        "hub": asdict(hub),
        "echo": asdict(echo),
        "ratios": {
            "told_p50": round(hub.told_ms.p50 / echo.told_ms.p50, 1),
            "page_p50": round(hub.page_ms.p50 / echo.told_ms.p50, 1),
            "cpu": round(hub.cpu_percent / echo.cpu_percent, 1) if echo.cpu_percent else None,
        },
    }
    print(json.dumps(answer) if args.json else _page(answer))
    return 0


async def _watched(what: str, args: argparse.Namespace) -> Watched:
    """Open one of the two, let the browsers watch, and add up."""
    command = [sys.executable, "-m", f"deploy.bench.dashboard_{what}", "--rate", str(args.rate)]
    command += ["--seconds", str(args.seconds), *(["--tables", str(args.tables)] if what == "room" else [])]
    print(f"The {'hub' if what == 'room' else 'bare stream'} is measured …", file=sys.stderr, flush=True)
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE)
    try:
        opened = await said_by(process, what, OPEN_WITHIN)
        browsers = [Browser(str(opened["url"]), fetches=what == "room") for _ in range(args.browsers)]
        return _sums(await _let_speak(process, browsers, what, args.seconds), browsers)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), READY_WITHIN)
        except TimeoutError:
            process.kill()


async def _let_speak(process: Process, browsers: list[Browser], what: str, seconds: float) -> dict[str, Any]:
    last: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    ready = [asyncio.Event() for _ in browsers]
    watching = [asyncio.create_task(each.watch(one, last)) for each, one in zip(browsers, ready, strict=True)]
    try:
        async with asyncio.timeout(READY_WITHIN):
            await asyncio.gather(*(one.wait() for one in ready))
    except TimeoutError:
        heard = sum(one.is_set() for one in ready)
        said = f"Only {heard} of {len(browsers)} browsers heard from the {what} within {READY_WITHIN:.0f} s."
        raise DemoError("no-dashboard", said) from None
    assert process.stdin is not None
    process.stdin.write(b"go\n")
    spoken = await said_by(process, what, seconds + OPEN_WITHIN)
    last.set_result(int(spoken["last"]))
    await asyncio.gather(*watching)
    return spoken


async def said_by(process: Process, what: str, within: float) -> dict[str, Any]:
    """The next line of the process."""
    assert process.stdout is not None
    try:
        async with asyncio.timeout(within):
            line = await process.stdout.readline()
    except TimeoutError:
        said = f"The {what} to measure did not answer within {within:.0f} s. Measure when this machine does less."
        raise DemoError("no-dashboard", said) from None
    if not line:
        raise DemoError("no-dashboard", f"The {what} to measure ended without a word. Its reason stands above.")
    return cast("dict[str, Any]", json.loads(line))


def _sums(spoken: dict[str, Any], browsers: list[Browser]) -> Watched:
    times, first = spoken["times"], spoken["first"]
    told = [wait for each in browsers for wait in waits(times, first, each.told)]
    pages = [wait for each in browsers if each.fetches for wait in waits(times, first, each.seen)]
    return Watched(
        events=len(times),
        told_ms=_spread(told),
        page_ms=_spread(pages) if pages else None,
        cpu_percent=round(100 * spoken["cpu"] / spoken["wall"], 1),
        pages=sum(len(each.seen) for each in browsers),
        mib=round(sum(each.fetched for each in browsers) / 2**20, 1),
    )


def waits(times: list[float], first: int, shown: list[tuple[int, float]]) -> list[float]:
    """How long each event took to be shown: line ``first + 1`` was said at the first of ``times``. Seconds."""
    lines = [line for line, _at in shown]
    found = []
    for number, said in enumerate(times, first + 1):
        place = bisect_left(lines, number)
        if place < len(shown):
            found.append(max(0.0, shown[place][1] - said))
    return found


def _spread(waits_s: list[float]) -> Spread:
    if len(waits_s) < 2:
        raise DemoError("no-dashboard", "Nothing was shown in time. Let events come for longer.")
    cut = quantiles(waits_s, n=100)
    return Spread(round(1_000 * cut[49], 1), round(1_000 * cut[98], 1))


def _page(answer: dict[str, Any]) -> str:
    hub, echo, ratios = answer["hub"], answer["echo"], answer["ratios"]
    rows = (
        ("event to word, ms p50 / p99", _both(hub["told_ms"]), _both(echo["told_ms"]), ratios["told_p50"]),
        ("event to page, ms p50 / p99", _both(hub["page_ms"]), "", ratios["page_p50"]),
        ("processor, % of a core", hub["cpu_percent"], echo["cpu_percent"], ratios["cpu"]),
    )
    rate = f"{answer['events_per_second']:g} events a second"
    return "\n".join(
        (
            f"{answer['browsers']} browsers, {answer['tables']} tables, {rate}",
            f"{'':<32}{'hub':>18}{'bare stream':>18}{'ratio':>8}",
            *(f"{name:<32}{ours!s:>18}{bare!s:>18}{ratio!s:>8}" for name, ours, bare, ratio in rows),
            f"{'pages fetched':<32}{hub['pages']:>18}  {hub['mib']} MiB",
        )
    )


def _both(spread: dict[str, float]) -> str:
    return f"{spread['p50']} / {spread['p99']}"
