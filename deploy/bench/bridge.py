"""How soon a scanned card is an event of the box, what an idle reader costs, and how many frames a second are read.

Each figure stands beside the barest thing that could do the job, measured in the same run on the same machine.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import threading
import time
import tty
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from statistics import quantiles
from zlib import crc32

from deploy.logs import log_to_stderr
from firmware_bridge import reader
from firmware_bridge.errors import BridgeError
from firmware_bridge.frames import Scan, device_frame
from firmware_bridge.line import LineDecoder, encode
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import CardRead, ReaderEvent
from firmware_bridge.simulator import SimulatedReader
from tallybox.seats import CLOCKWISE, Seat

PAUSE = 0.003
"""Seconds between two cards, so that each finds both ends waiting."""
ANSWER_WITHIN = 5.0
CHUNK = 4096
FRAMES = 20_000


@dataclass(frozen=True, slots=True)
class Spread:
    """Latencies in ms."""

    p50: float
    p99: float


@dataclass(frozen=True, slots=True)
class Measured:
    """All figures. ``scan``: from laying the card to the box's event; ``bare``: the same bytes over a bare pty."""

    scans: int
    scan_ms: Spread
    bare_ms: Spread
    idle_seconds: float
    idle_cpu_percent: float
    """Of one core, the link's thread alone."""
    frames_per_second: int
    bare_frames_per_second: int
    """The same bytes only split into lines and their CRC computed."""

    @property
    def ratios(self) -> dict[str, float]:
        """Ours to the bare ones; for latencies less is better, for frames more."""
        return {
            "p50": round(self.scan_ms.p50 / self.bare_ms.p50, 2),
            "p99": round(self.scan_ms.p99 / self.bare_ms.p99, 2),
            "frames": round(self.frames_per_second / self.bare_frames_per_second, 3),
        }


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--scans", type=_between(10, 100_000), default=1_000, help="cards to lay (default 1000)")
    parser.add_argument("--idle", type=_between(1, 600), default=5, help="seconds of doing nothing (default 5)")
    parser.add_argument("--json", action="store_true", help="answer in JSON in place of a page")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    log_to_stderr()
    found = measure(args.scans, args.idle)
    if args.json:
        print(json.dumps({"benchmark": "bridge", **asdict(found), "ratios": found.ratios}))
        return 0
    ratios = found.ratios
    print(f"{'':<26}{'reader':>12}{'bare':>12}{'ratio':>9}")
    print(f"{'scan to event, p50':<26}{found.scan_ms.p50:>9.3f} ms{found.bare_ms.p50:>9.3f} ms{ratios['p50']:>9.2f}")
    print(f"{'scan to event, p99':<26}{found.scan_ms.p99:>9.3f} ms{found.bare_ms.p99:>9.3f} ms{ratios['p99']:>9.2f}")
    frames = f"{found.frames_per_second:>10}/s{found.bare_frames_per_second:>10}/s"
    print(f"{'frames read':<26}{frames}{ratios['frames']:>9.3f}")
    print(f"{'processor while idle':<26}{found.idle_cpu_percent:>10.2f} % of a core, over {found.idle_seconds:.0f} s")
    return 0


def measure(scans: int, idle: int) -> Measured:
    """All of it; raises ``BridgeError`` when the simulated reader does not answer."""
    arrived: queue.Queue[float] = queue.Queue()

    def keep(event: ReaderEvent) -> None:
        if isinstance(event, CardRead):
            arrived.put(time.perf_counter())

    with SimulatedReader("bench") as device, _bare_pty() as bare, _started(SerialLink(device.path, keep)) as link:
        ours, bares = [], []
        for number in range(scans):
            time.sleep(PAUSE)
            ours.append(_once(partial(device.lay, CLOCKWISE[number % 4], f"04{number:012X}"), arrived))
            time.sleep(PAUSE)
            bares.append(bare(number))
        cpu = _idle_cpu(link, idle)
    ours_second, bare_second = _frames_per_second()
    return Measured(scans, _spread(ours), _spread(bares), idle, cpu, ours_second, bare_second)


@contextmanager
def _started(link: SerialLink) -> Generator[SerialLink]:
    link.start()
    try:
        deadline = time.monotonic() + ANSWER_WITHIN
        while link.health != reader.WORKING:
            if time.monotonic() > deadline:
                raise BridgeError("The simulated reader does not answer. Try again on a machine that is less busy.")
            time.sleep(0.01)
        yield link
    finally:
        link.stop()


@contextmanager
def _bare_pty() -> Generator[Callable[[int], float]]:
    """One frame over a pseudo-terminal to a thread that only reads; the answer is its latency in seconds."""
    master, slave = os.openpty()
    tty.setraw(slave)
    arrived: queue.Queue[float] = queue.Queue()

    def read_on() -> None:
        while os.read(slave, CHUNK) != b"\n":
            arrived.put(time.perf_counter())

    thread = threading.Thread(target=read_on, name="bare read", daemon=True)
    thread.start()
    try:
        yield lambda number: _once(lambda: os.write(master, _frame(number)), arrived)
    finally:
        os.write(master, b"\n")
        thread.join(ANSWER_WITHIN)
        os.close(master)
        os.close(slave)


def _once(send: Callable[[], object], arrived: queue.Queue[float]) -> float:
    began = time.perf_counter()
    send()
    try:
        return arrived.get(timeout=ANSWER_WITHIN) - began
    except queue.Empty:
        raise BridgeError("A card did not arrive. Try again on a machine that is less busy.") from None


def _idle_cpu(link: SerialLink, seconds: int) -> float:
    """The processor time of the link's own thread while nothing is laid, in per cent of a core."""
    [thread] = [each for each in threading.enumerate() if each.name.startswith("reader ")]
    assert thread.ident is not None
    clock = time.pthread_getcpuclockid(thread.ident)
    before, began = time.clock_gettime(clock), time.monotonic()
    time.sleep(seconds)
    used, passed = time.clock_gettime(clock) - before, time.monotonic() - began
    if link.health != reader.WORKING:
        raise BridgeError("The reader was lost while idle. Try again on a machine that is less busy.")
    return round(used / passed * 100, 3)


def _frames_per_second() -> tuple[int, int]:
    stream = b"".join(_frame(number) for number in range(FRAMES))
    pieces = [stream[start : start + CHUNK] for start in range(0, len(stream), CHUNK)]
    decoder = LineDecoder()
    began = time.perf_counter()
    read = sum(device_frame(line) is not None for piece in pieces for line in decoder.feed(piece))
    ours = time.perf_counter() - began
    assert read == FRAMES
    began, rest = time.perf_counter(), b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            crc32(line[1:-9])
    return round(FRAMES / ours), round(FRAMES / (time.perf_counter() - began))


def _frame(number: int) -> bytes:
    return encode(Scan(number + 1, "9f3a12c4", Seat.E, f"04{number:012X}", number * 100).line())


def _spread(seconds: list[float]) -> Spread:
    cuts = quantiles(seconds, n=100)
    return Spread(round(cuts[49] * 1000, 3), round(cuts[98] * 1000, 3))


def _between(least: int, most: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"use a whole number from {least} to {most}")
        return int(text)

    return whole
