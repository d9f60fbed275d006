"""How many events a second the hub has on disk and acked, beside a subscriber that only counts them.

Both are measured in one run, turn by turn, over the same broker with the same packets of as many boxes. The hub checks
every signature, keeps its ledger at ``synchronous=FULL`` on a real disk, and has its own bounds in force.
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from deploy.bench.ingest_disk import Syncs, require_disk, syncs
from deploy.bench.ingest_outage import document, drain, page
from deploy.bench.ingest_room import prepare
from deploy.bench.ingest_turn import Turn, bare_turn, hub_turn
from deploy.logs import log_to_stderr, tell_stderr
from hub.broker import start_broker

CONNECTIONS: Final = (1, 50, 500)
EVENTS: Final = 10_000
HANDS: Final = 48
"""Four hours of a table at five minutes a hand: nobody has more to send."""
SYNCS: Final = 200
TARGET: Final = 0.6


@dataclass(frozen=True, slots=True)
class Measured:
    """So many connections: the turns of both, and of each pair what part of the bare rate the hub had."""

    connections: int
    bare: tuple[Turn, ...]
    hub: tuple[Turn, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """One for each pair of turns."""
        pairs = zip(self.hub, self.bare, strict=True)
        return tuple(round(ours.per_second / theirs.per_second, 3) for ours, theirs in pairs)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    several = ",".join(map(str, CONNECTIONS))
    parser.add_argument("--connections", type=_counts, default=CONNECTIONS, metavar="N,N", help=f"boxes ({several})")
    parser.add_argument("--events", type=_between(1, 200_000), default=EVENTS, metavar="N", help="events in a turn")
    parser.add_argument("--turns", type=_between(1, 50), default=3, metavar="N", help="turns of each of the two (3)")
    parser.add_argument("--outage", action="store_true", help="drain what a room has after hours without a hub")
    parser.add_argument("--tables", type=_between(1, 900), default=300, metavar="N", help="tables in the outage (300)")
    parser.add_argument("--hours", type=_hours, default=4.0, metavar="H", help="hours without a hub (4)")
    parser.add_argument(
        "--within", type=_between(5, 3_600), default=900, metavar="S", help="patience with a turn (900)"
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the ledger is kept meanwhile, on a real disk")
    parser.add_argument("--json", action="store_true", help="answer in JSON in place of a page")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    log_to_stderr(level=logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="tallybox-bench-", dir=args.folder) as name:
        folder = Path(name)
        require_disk(folder)
        if args.outage:
            return _outage(folder, args)
        before = syncs(folder, SYNCS)
        measured = [_measured(folder, count, args) for count in args.connections]
        after = syncs(folder, SYNCS)
    print(_document(measured, (before, after)) if args.json else _page(measured, (before, after)))
    return 0


def _outage(folder: Path, args: argparse.Namespace) -> int:
    drained = drain(folder, args.tables, args.hours, args.within, tell_stderr)
    print(json.dumps(document(drained)) if args.json else page(drained))
    return 0


def _measured(folder: Path, connections: int, args: argparse.Namespace) -> Measured:
    tell_stderr(f"{connections} boxes sign what they will say …")
    room = prepare(folder / f"room-{connections}", connections, HANDS, -(-args.events // connections))
    broker = start_broker(folder / f"broker-{connections}", kind="mosquitto")
    bare, hub = list[Turn](), list[Turn]()
    try:
        for turn in range(1, args.turns + 1):
            tell_stderr(f"{connections} boxes send {room.events} events, turn {turn} of {args.turns} …")
            bare.append(bare_turn(room, broker, args.within))
            shutil.copytree(room.folder, folder / "hub")
            hub.append(hub_turn(room, broker, folder / "hub", args.within))
            shutil.rmtree(folder / "hub")
    finally:
        broker.stop()
    return Measured(connections, tuple(bare), tuple(hub))


def _document(measured: Sequence[Measured], disk: tuple[Syncs, Syncs]) -> str:
    found = [_figures(each) for each in measured]
    return json.dumps(
        {"benchmark": "ingest", "target": TARGET, "fdatasync_ms": [asdict(each) for each in disk], "measured": found}
    )


def _figures(each: Measured) -> dict[str, Any]:
    return {
        "connections": each.connections,
        "events": each.hub[0].events,
        "ratio": median(each.ratios),
        "ratios": each.ratios,
        "hub": [{**asdict(turn), "batch": turn.batch, "micros": turn.micros} for turn in each.hub],
        "bare": [{**asdict(turn), "micros": turn.micros} for turn in each.bare],
    }


def _page(measured: Sequence[Measured], disk: tuple[Syncs, Syncs]) -> str:
    said = " and ".join(f"{each.p50:.2f} / {each.p99:.2f} ms" for each in disk)
    head = f"{'boxes':>6}{'events':>8}{'hub/s':>8}{'bare/s':>8}{'ratio':>7}  {'of each turn':<20}{'a commit':>9}"
    rows = [
        f"fdatasync on this disk, p50 / p99, before and after: {said}",
        f"{head}{'longest':>11}{'hub µs':>8}{'bare µs':>8}{'broker':>8}{'boxes':>7}",
    ]
    for each in measured:
        ours, theirs = _middle(each.hub), _middle(each.bare)
        turns = " ".join(f"{ratio:.2f}" for ratio in each.ratios)
        longest = max(turn.longest_commit_ms for turn in each.hub)
        rest = [round(1_000_000 * cpu / ours.events) for cpu in (ours.broker_cpu, ours.boxes_cpu)]
        rows.append(
            f"{each.connections:>6}{ours.events:>8}{ours.per_second:>8}{theirs.per_second:>8}"
            f"{median(each.ratios):>7.2f}  {turns:<20}{ours.batch:>9.1f}{longest:>8.1f} ms"
            f"{ours.micros:>8}{theirs.micros:>8}{rest[0]:>8}{rest[1]:>7}"
        )
    rows.append(
        f"Rates are of the middle turn; the ratio aimed at is {TARGET}. Processor time is in µs for each event: of the "
        "hub, of the bare counter, and of the broker and the boxes beside the hub."
    )
    return "\n".join(rows)


def _middle(turns: Sequence[Turn]) -> Turn:
    return sorted(turns, key=lambda turn: turn.per_second)[len(turns) // 2]


def _counts(text: str) -> tuple[int, ...]:
    counts = tuple(int(part) for part in text.split(","))
    if not all(1 <= count <= 900 for count in counts):
        raise argparse.ArgumentTypeError("use whole numbers from 1 to 900")
    return counts


def _hours(text: str) -> float:
    if not 0.1 <= float(text) <= 8:
        raise argparse.ArgumentTypeError("use hours from 0.1 to 8")
    return float(text)


def _between(least: int, most: int) -> Any:
    def whole(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"use a whole number from {least} to {most}")
        return int(text)

    return whole
