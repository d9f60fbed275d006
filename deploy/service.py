"""How a long-running command waits to be told to end."""

from __future__ import annotations

import signal
import threading
from types import FrameType


def until_told() -> threading.Event:
    """An event that SIGTERM, SIGINT and SIGHUP set; the command waits on it and then stops in order."""
    told = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        told.set()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    return told


def interrupted_when_told() -> None:
    """SIGTERM and SIGHUP (a closed terminal) become ``KeyboardInterrupt``: all that was started is stopped.

    So does SIGINT, which a shell's background job ignores unless it is told otherwise.
    """
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
