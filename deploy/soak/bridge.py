"""``make soak-bridge``: thousands of scans through the firmware, a line that damages, and the box's link.

Every line has its own seed, which is printed; the same seed gives the same cards and the same fate of each chunk.
"""

from __future__ import annotations

import argparse
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from deploy.logs import log_to_stderr
from deploy.soak.firmware_process import FirmwareProcess, SoakError, eventually
from deploy.soak.noisy_line import NoisyLine, Weather
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import CardRead, CardRemoved, ReaderEvent, ReaderStatistics, Snapshot
from tallybox.seats import Seat

WORST: Final = 0.2
"""The share of chunks that are dropped, flipped or delayed, a third of it each."""

IN_FLIGHT: Final = 24
"""Events laid and not yet delivered; a device holds 64."""

SCANS: Final = 10_000
LINES: Final = 32
PATIENCE: Final = 60.0
"""Seconds in which nothing at all arrives and the run is given up."""


@dataclass(frozen=True, slots=True)
class Soaked:
    """What one line did: the cards laid and lifted, and those that arrived, each in order."""

    seed: int
    laid: tuple[str, ...]
    lifted: tuple[str, ...]
    arrived: tuple[str, ...]
    left: tuple[str, ...]
    seconds: float
    chunks: tuple[int, int, int]
    """Dropped, flipped, delayed, both ways together."""
    statistics: ReaderStatistics

    @property
    def whole(self) -> bool:
        """Whether everything arrived once and in order."""
        return (self.laid, self.lifted) == (self.arrived, self.left)

    def __str__(self) -> str:
        dropped, flipped, delayed = self.chunks
        verdict = "all arrived in order" if self.whole else "NOT what was sent"
        return (
            f"seed {self.seed}: {len(self.arrived)} of {len(self.laid)} scans, {len(self.left)} of {len(self.lifted)} "
            f"removals, {verdict}; {self.seconds:.1f} s; chunks dropped {dropped}, flipped {flipped}, delayed "
            f"{delayed}; bad frames {self.statistics.bad_frames}, came again {self.statistics.duplicates}, "
            f"greeted {self.statistics.connections} times"
        )


def weather(share: float) -> Weather:
    """A third of the share each."""
    return Weather(share / 3, share / 3, share / 3)


def soak(seed: int, scans: int, share: float = WORST) -> Soaked:
    """Lay ``scans`` cards over one line, each at a seat of chance, lifting the one that lay there."""
    chance = Random(seed)  # noqa: S311 - repeatable on purpose, nothing secret
    kept: list[ReaderEvent] = []
    laid: list[str] = []
    lifted: list[str] = []
    lying: dict[Seat, str] = {}
    began = time.monotonic()

    def outstanding() -> int:
        return len(laid) + len(lifted) - sum(not isinstance(event, Snapshot) for event in kept)

    with NoisyLine(seed, weather(share)) as line, FirmwareProcess(line.device, f"R-{seed}") as device:
        link = SerialLink(line.host, kept.append)
        link.start()
        try:
            for _ in range(scans):
                seat, uid = chance.choice(tuple(Seat)), f"{chance.randrange(2**56):014X}"
                before = lying.get(seat)
                laid.append(uid)
                device.lay(seat, uid)
                if before is not None:
                    lifted.append(before)
                    device.lift(seat, before)
                lying[seat] = uid
                _wait(outstanding, IN_FLIGHT)
            _wait(outstanding, 0)
        finally:
            link.stop()
        chunks = (line.dropped, line.flipped, line.delayed)
    arrived = tuple(event.uid for event in kept if isinstance(event, CardRead))
    left = tuple(event.uid for event in kept if isinstance(event, CardRemoved))
    seconds = time.monotonic() - began
    return Soaked(seed, tuple(laid), tuple(lifted), arrived, left, seconds, chunks, link.statistics)


def soak_lines(seeds: Sequence[int], scans: int, share: float = WORST) -> Iterator[Soaked]:
    """Several lines at once, so many ``scans`` each, as they end; most of their time they wait to send again."""
    with ThreadPoolExecutor(len(seeds)) as lines:
        for line in as_completed([lines.submit(soak, seed, scans, share) for seed in seeds]):
            yield line.result()


def main(argv: Sequence[str] | None = None) -> int:
    """Soak and print; 0 when every list that arrived is the list that was sent, 2 when one came to a halt."""
    parser = argparse.ArgumentParser(prog="python -m deploy.soak.bridge", description="Soak the reader protocol.")
    parser.add_argument("--scans", type=int, default=SCANS, help=f"scans in all (default {SCANS})")
    parser.add_argument("--lines", type=int, default=LINES, help=f"lines at once (default {LINES})")
    parser.add_argument("--noise", type=float, default=WORST, help=f"share of chunks harmed (default {WORST})")
    parser.add_argument("--seed", type=int, help="the first line's seed; the others follow (default: of chance)")
    args = parser.parse_args(argv)
    if not (1 <= args.lines <= args.scans and 0 <= args.noise <= WORST):
        parser.error(f"Give at least one scan a line, and a noise of at most {WORST}.")
    log_to_stderr(level=logging.ERROR)
    first = secrets.randbelow(10**6) if args.seed is None else args.seed
    print(f"seeds {first} to {first + args.lines - 1}, {args.noise:.0%} of the chunks harmed", flush=True)
    done = []
    try:
        for line in soak_lines(range(first, first + args.lines), -(-args.scans // args.lines), args.noise):
            print(line, flush=True)
            done.append(line)
    except SoakError as reason:
        print(reason.message)
        return 2
    arrived = sum(len(line.arrived) for line in done)
    print(f"{arrived} scans")
    return 0 if all(line.whole for line in done) else 1


def _wait(outstanding: Callable[[], int], most: int) -> None:
    while (waiting := outstanding()) > most:
        if not eventually(partial(_fewer, outstanding, waiting), PATIENCE):
            raise SoakError("soak", f"Nothing arrived for {PATIENCE:.0f} s; {waiting} events are under way.")


def _fewer(outstanding: Callable[[], int], than: int) -> bool:
    return outstanding() < than


if __name__ == "__main__":
    raise SystemExit(main())
