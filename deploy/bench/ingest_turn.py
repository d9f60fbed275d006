"""One turn of the ingest bench: all boxes send everything they have, to a bare counter or to a hub."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from deploy.bench.dashboard_room import VENUE
from deploy.bench.ingest_room import Prepared
from deploy.bench.ingest_senders import Crowd
from deploy.bench.ingest_spent import cpu_of
from deploy.errors import DemoError
from hub.broker import RunningBroker
from tallybox.topics import Topics

OPEN_WITHIN: Final = 300.0
"""Seconds for the process to be there; a hub replays its ledger before."""
STOP_WITHIN: Final = 30.0


@dataclass(frozen=True, slots=True)
class Opened:
    """What a start on a ledger of so many ``lines`` took: all of them are read, checked and folded."""

    lines: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn came to. Processor time in seconds: of the hub or the bare counter, the broker, all boxes together.

    ``commits``, ``longest_commit_ms``, ``resent`` and ``put_off`` (payloads beyond the hub's bounds) are the hub's.
    """

    events: int
    seconds: float
    per_second: int
    cpu: float
    broker_cpu: float
    boxes_cpu: float
    mib: float
    commits: int = 0
    longest_commit_ms: float = 0.0
    resent: int = 0
    put_off: int = 0

    @property
    def micros(self) -> int:
        """Processor time for each event, in µs; it depends less than the rate on what else the machine does."""
        return round(1_000_000 * self.cpu / self.events)

    @property
    def batch(self) -> float:
        """Events a commit, on average."""
        return round(self.events / self.commits, 1) if self.commits else 0.0


def bare_turn(room: Prepared, broker: RunningBroker, within: float) -> Turn:
    """The turn of the subscriber that only counts."""
    topic = Topics(VENUE).every_kiosk("evt")
    with _process("bare", "--port", broker.port, "--topic", topic, "--wanted", room.events) as measured:
        crowd, costs = Crowd(room.told, broker.port, acked=False), _Costs(broker)
        crowd.connect()
        _said(measured, OPEN_WITHIN)
        costs.begin()
        ended = _Line(measured)
        began = crowd.send(lambda: ended.came, within)
        said = ended.said
        seconds = float(said["at"]) - began
        costs.end()
        crowd.close()
    return costs.turn(room.events, seconds, said)


def hub_turn(room: Prepared, broker: RunningBroker, folder: Path, within: float) -> Turn:
    """The turn of the hub, on the room's ledger or a copy of it in ``folder``.

    Raises ``DemoError`` when the ledger does not hold exactly what the boxes sent, or refuses any of it.
    """
    with _process("hub", "--data", folder, "--port", broker.port, "--boxes", len(room.told)) as measured:
        _said(measured, OPEN_WITHIN)
        crowd, costs = Crowd(room.told, broker.port, acked=True), _Costs(broker)
        crowd.connect()
        costs.begin()
        began = crowd.send(lambda: crowd.finished, within)
        seconds = time.monotonic() - began
        costs.end()
        crowd.close()
        said = _asked(measured)
    refused = max(int(said["refused"]), *(sender.refused for sender in crowd.senders))
    if said["lines"] != room.events or refused:
        found = f"{said['lines']} of {room.events} events are in the ledger, {refused} do not count."
        raise DemoError("not-whole", f"{found} The figures mean nothing; look at what the hub says of it.")
    resent = sum(sender.resent for sender in crowd.senders)
    return costs.turn(room.events, seconds, said, resent=resent)


def reopened(room: Prepared, broker: RunningBroker, folder: Path) -> Opened:
    """Start the hub on this ledger once more."""
    with _process("hub", "--data", folder, "--port", broker.port, "--boxes", len(room.told)) as measured:
        opened = _said(measured, OPEN_WITHIN)["opened"]
    return Opened(int(opened["lines"]), float(opened["seconds"]))


class _Costs:
    """Processor time of the broker and of the senders, between ``begin`` and ``end``."""

    def __init__(self, broker: RunningBroker) -> None:
        self._broker = broker.pid
        self._began = (0.0, 0.0)
        self._used = (0.0, 0.0)

    def begin(self) -> None:
        self._began = self._now()

    def end(self) -> None:
        now = self._now()
        self._used = (now[0] - self._began[0], now[1] - self._began[1])

    def turn(self, events: int, seconds: float, said: dict[str, Any], *, resent: int = 0) -> Turn:
        return Turn(
            events=events, seconds=round(seconds, 3), per_second=round(events / seconds),
            cpu=float(said["cpu"]), broker_cpu=round(self._used[0], 2), boxes_cpu=round(self._used[1], 2),
            mib=float(said["mib"]), commits=int(said.get("commits", 0)), resent=resent,
            longest_commit_ms=float(said.get("longest_commit_ms", 0.0)), put_off=int(said.get("put_off", 0)),
        )  # fmt: skip

    def _now(self) -> tuple[float, float]:
        return (0.0 if self._broker is None else cpu_of(self._broker), time.process_time())


@contextmanager
def _process(what: str, *words: object) -> Generator[subprocess.Popen[bytes]]:
    """The measured process; it ends when its input does."""
    command = [sys.executable, "-m", f"deploy.bench.ingest_{what}", *map(str, words)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class _Line:
    """One line of a process's output, looked for without waiting."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self._file = process.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._file, selectors.EVENT_READ)

    @property
    def came(self) -> bool:
        """Whether the line is there, or the end of the output."""
        return bool(self._selector.select(0))

    @property
    def said(self) -> dict[str, Any]:
        """The line. Raises ``DemoError`` when the process ended without one."""
        line = self._file.readline()
        if not line:
            raise DemoError("no-answer", "What is measured ended without a word. Its reason stands above.")
        return cast("dict[str, Any]", json.loads(line))

    def wait(self, within: float) -> dict[str, Any]:
        """The line, waited for."""
        if not self._selector.select(within):
            raise DemoError("no-answer", f"What is measured did not answer within {within:.0f} s.")
        return self.said


def _said(process: subprocess.Popen[bytes], within: float) -> dict[str, Any]:
    return _Line(process).wait(within)


def _asked(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdin is not None
    os.write(process.stdin.fileno(), b"now\n")
    return _said(process, OPEN_WITHIN)
