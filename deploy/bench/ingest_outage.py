"""What a room has to say after hours without a hub, and how long the hub takes to have it all.

How much that is follows from the product: the template gives the minutes of a hand, and a robot's evening with cards on
the readers the events of a hand. The hub keeps all its bounds, and the boxes their windows and their patience.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from deploy.bench.dashboard_room import TEMPLATE
from deploy.bench.ingest_disk import Syncs, syncs
from deploy.bench.ingest_room import prepare
from deploy.bench.ingest_turn import Opened, Turn, hub_turn, reopened
from hub.broker import start_broker
from hub.tournament.templates import template

SYNCS: Final = 200


@dataclass(frozen=True, slots=True)
class Drained:
    """An outage: ``tables`` played so many ``hands`` each; what it took to take it in, and to start once more after."""

    tables: int
    hours: float
    hands: int
    events_a_hand: float
    turn: Turn
    disk: Syncs
    again: Opened


def hands_in(hours: float) -> int:
    """The hands that a table plays in so many hours, at the pace of the template's own clock."""
    planned = template(TEMPLATE)
    minutes = planned.minutes_for(planned.hands)
    assert minutes is not None
    return round(hours * 60 * planned.hands / minutes)


def drain(folder: Path, tables: int, hours: float, within: float, tell: Callable[[str], None]) -> Drained:
    """Let tables play without a hub, then start it; raises ``DemoError`` when it takes longer than ``within``."""
    hands = hands_in(hours)
    tell(f"{tables} tables play {hands} hands each, and sign every event …")
    room = prepare(folder / "room", tables, hands)
    broker = start_broker(folder / "broker", kind="mosquitto")
    try:
        disk = syncs(folder, SYNCS)
        tell(f"The hub is back, and {tables} boxes have {room.events} events for it …")
        turn = hub_turn(room, broker, room.folder, within)
        tell("The hub is started once more on that ledger …")
        again = reopened(room, broker, room.folder)
    finally:
        broker.stop()
    return Drained(tables, hours, hands, round(room.events / (tables * hands), 1), turn, disk, again)


def document(drained: Drained) -> dict[str, Any]:
    """All figures, for a program."""
    return {"benchmark": "ingest-outage", **asdict(drained)}


def page(drained: Drained) -> str:
    """The figures that matter, for people."""
    turn, again = drained.turn, drained.again
    lines = [
        (
            f"{drained.tables} tables, {drained.hours:g} hours without a hub: {drained.hands} hands each, "
            f"{drained.events_a_hand} events a hand, {turn.events} events."
        )
    ]
    lines.append(
        f"In the ledger and acked after {turn.seconds:.1f} s: {turn.per_second} events a second, "
        f"{turn.batch:.0f} a commit, the longest commit {turn.longest_commit_ms:.1f} ms."
    )
    lines.append(f"Put off by the hub {turn.put_off}, sent again by the boxes {turn.resent}; none lost, none twice.")
    lines.append(
        f"Processor: hub {turn.cpu:.1f} s ({turn.micros} µs an event), broker {turn.broker_cpu:.1f} s, "
        f"boxes {turn.boxes_cpu:.1f} s. "
        f"The hub's memory: {turn.mib:.0f} MiB at most."
    )
    lines.append(
        f"Started once more on {again.lines} lines in {again.seconds:.1f} s: "
        f"{100_000 * again.seconds / again.lines:.1f} s for each 100,000."
    )
    lines.append(f"fdatasync on this disk, p50 / p99: {drained.disk.p50:.2f} / {drained.disk.p99:.2f} ms.")
    return "\n".join(lines)
