"""What a benchmark's own process holds in memory."""

from __future__ import annotations

import os
from pathlib import Path


def resident_kib() -> int:
    """KiB that are in the machine's memory now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") // 1024
