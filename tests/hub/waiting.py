"""Waiting for what other threads and processes do: as long as the slowest machine needs, and no longer than that."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 90.0
"""Seconds; nothing that a test waits for takes a tenth of it on a machine that is idle."""


def until(happened: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for it, and fail when it takes too long."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)
