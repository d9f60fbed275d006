"""How long this disk takes to have something for certain: a page is written, and ``fdatasync`` waited for."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Final

from deploy.errors import DemoError

PAGE: Final = b"tallybox".ljust(4_096, b".")
IN_MEMORY: Final = frozenset({"tmpfs", "ramfs"})


@dataclass(frozen=True, slots=True)
class Syncs:
    """Milliseconds: half of all ``fdatasync`` are sooner than ``p50``, all but one in a hundred sooner than ``p99``."""

    p50: float
    p99: float


def syncs(folder: Path, times: int) -> Syncs:
    """Write so many pages one after another, each for certain."""
    taken: list[float] = []
    file = os.open(folder / "syncs", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        for _ in range(times):
            os.write(file, PAGE)
            began = time.monotonic()
            os.fdatasync(file)
            taken.append(1_000 * (time.monotonic() - began))
    finally:
        os.close(file)
        (folder / "syncs").unlink()
    cut = quantiles(taken, n=100)
    return Syncs(round(cut[49], 3), round(cut[98], 3))


def require_disk(folder: Path) -> None:
    """Raises ``DemoError`` where nothing is ever on a disk: what is measured there says nothing."""
    best, kind = "", ""
    for line in Path("/proc/self/mounts").read_text("utf-8").splitlines():
        _device, where, what, *_rest = line.split(" ")
        if len(where) >= len(best) and folder.resolve().is_relative_to(where):
            best, kind = where, what
    if kind in IN_MEMORY:
        said = f"{folder} is kept in memory ({kind}), and a ledger is kept on a disk. Name a folder with --folder."
        raise DemoError("no-disk", said)
