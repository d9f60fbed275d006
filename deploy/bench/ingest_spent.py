"""What a process has spent so far: its processor time, and the most memory it ever held."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from typing import TypedDict


class Spent(TypedDict):
    """``cpu``: seconds of processor time. ``mib``: the most memory held so far."""

    cpu: float
    mib: float


def spent() -> Spent:
    """By this process and those that it started and that run still, so far; the memory is this one's alone."""
    return {
        "cpu": time.process_time() + sum(map(cpu_of, _started())),
        "mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024, 1),
    }


def since(before: Spent) -> Spent:
    """By this process since then; the memory is the most it ever held."""
    now = spent()
    return {"cpu": round(now["cpu"] - before["cpu"], 3), "mib": now["mib"]}


def cpu_of(process: int) -> float:
    """Seconds of processor time that another process of this machine has used."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _started() -> list[int]:
    """The processes that this one started, and that have not ended."""
    return [int(name) for task in Path("/proc/self/task").iterdir() for name in (task / "children").read_text().split()]
