"""How a long-running command waits to be told to end."""

from __future__ import annotations

import signal
import threading
from types import FrameType


def until_told() -> threading.Event:
    """An event that SIGTERM and SIGINT set; the command waits on it and then stops in order."""
    told = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        told.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    return told


def interrupted_when_told() -> None:
    """SIGTERM becomes ``KeyboardInterrupt``, so that everything that was started is stopped on the way out."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
