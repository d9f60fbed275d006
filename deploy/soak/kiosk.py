"""``make soak-kiosk``: a table's box is killed with SIGKILL after every write of its journal, through whole rounds.

Each life of the box (``deploy.soak.table_at_work``) ends right after one write is on disk, before the screen knows.
The next life must show exactly what follows from what is on disk, and its next tap must work: so a round is played
by as many lives as it has writes, and ends with a submitted sheet.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.soak.firmware_process import SoakError

RULESETS: Final = ("capitol-city-bid-whist", "mso-2000-spades", "wsos-2007-spades")
LIFE_WITHIN: Final = 120.0
"""Seconds that one life may take."""
MOST_LIVES: Final = 2_000
BARREN: Final = 3
"""Lives that may end before their first tap in a row: what the box adds by itself is written, too."""


@dataclass(frozen=True, slots=True)
class Lived:
    """How a round ended: lives that were killed, restarts whose screen was compared, and the journal's last seq."""

    ruleset: str
    killed: int
    compared: int
    seq: int
    step: str
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.ruleset}: killed after {self.killed} writes, {self.compared} restarts showed the fold of the "
            f"journal, {self.seq} events, {self.step} after {self.seconds:.0f} s"
        )


def lives(ruleset: str, hands: int, *, most: int = MOST_LIVES) -> Lived:
    """Play one round, killed after each of its first ``most`` writes; raises ``SoakError`` with what differed."""
    began, killed, shown, barren, seen = time.monotonic(), 0, 0, 0, -1
    with tempfile.TemporaryDirectory(prefix="tallybox-soak-") as folder:
        journal = Path(folder) / "journal.sqlite"
        while True:
            life = ["--lives", "1"] if killed < most else []
            code, said = _one_life(journal, ruleset, hands, life)
            for report in said[:1]:
                seen = compared(report, seen)
                shown += 1
            barren = 0 if said else barren + 1
            if code == 0:
                return Lived(
                    ruleset, killed, shown, int(str(said[-1]["seq"])), str(said[-1]["step"]),
                    time.monotonic() - began,
                )  # fmt: skip
            if code != -signal.SIGKILL or barren > BARREN or killed >= MOST_LIVES:
                raise SoakError("soak", f"life {killed + 1} of {ruleset} ended with {code} after {said}")
            killed += 1


def compared(report: dict[str, object], before: int) -> int:
    """The journal's seq at the restart; raises when the screen is not what is on disk, or nothing was added."""
    if not (report["state_is_fold"] and report["screen_is_fold"]):
        raise SoakError("soak", f"the restarted screen is not the fold of the journal: {report}")
    seq = int(str(report["seq"]))
    if seq < before:
        raise SoakError("soak", f"the journal lost events: {before} before, {seq} now")
    return seq


def _one_life(
    journal: Path, ruleset: str, hands: int, options: Sequence[str]
) -> tuple[int, tuple[dict[str, object], ...]]:
    """The exit code of one life, and what it said."""
    command = [sys.executable, "-m", "deploy.soak.table_at_work", str(journal), ruleset, "--hands", str(hands)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=LIFE_WITHIN, check=False)
    if done.returncode not in {0, -signal.SIGKILL}:
        raise SoakError("soak", f"a life ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.returncode, tuple(json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))


def main(argv: Sequence[str] | None = None) -> int:
    """A whole round of each ruleset."""
    parser = argparse.ArgumentParser(prog="soak-kiosk", description="Kill a table's box after every write.")
    parser.add_argument("--hands", type=int, default=5, help="hands of the bid whist round (5)")
    parser.add_argument("--ruleset", choices=RULESETS, action="append", help="play only this one")
    args = parser.parse_args(argv)
    for ruleset in args.ruleset or RULESETS:
        print(lives(ruleset, args.hands), flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SoakError as reason:
        print(reason, file=sys.stderr)
        sys.exit(1)
