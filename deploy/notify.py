"""What a service says to whoever started it: systemd's own protocol, one datagram of ``KEY=value`` lines each.

Every call does nothing when nobody listens (no ``NOTIFY_SOCKET``), and never fails or waits: a table plays on whether
or not its service manager hears of it. Source: sd_notify(3), sd_watchdog_enabled(3).
"""

from __future__ import annotations

import os
import socket
from typing import Final

import structlog

STATUS_LENGTH: Final = 200
"""Characters of a status; ``systemctl status`` shows it in one line."""

_SOCKET: Final = "NOTIFY_SOCKET"
_SEND_SECONDS: Final = 0.5
"""A service manager that does not read for so long is not waited for."""

_log = structlog.get_logger("deploy.notify")


def heard() -> bool:
    """Whether a service manager wants to be told."""
    return bool(os.environ.get(_SOCKET))


def ready() -> None:
    """The service does what it is there for: units that come after it may start."""
    _say("READY=1")


def status(words: str) -> None:
    """What the service is doing, in one line for people."""
    _say(f"STATUS={' '.join(words.split())[:STATUS_LENGTH]}")


def alive() -> None:
    """Feed the watchdog. Only for who has just seen the service's real work come back."""
    _say("WATCHDOG=1")


def watch(seconds: float) -> None:
    """From now on the watchdog is to be fed within so many seconds, counted anew; for a trouble that needs people."""
    _say(f"WATCHDOG_USEC={round(seconds * 1_000_000)}")


def stopping() -> None:
    """The service was told to end and is doing so in order."""
    _say("STOPPING=1")


def watchdog_seconds() -> float | None:
    """Within how many seconds the watchdog wants to be fed; ``None``: this process has none."""
    asked, whose = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not asked.isdecimal() or int(asked) == 0 or (whose and whose != str(os.getpid())):
        return None
    return int(asked) / 1_000_000


def _say(line: str) -> None:
    where = os.environ.get(_SOCKET, "")
    if not where:
        return
    if where[0] not in "/@":
        _log.warning("nobody is told how the service is", socket=where, why="not a path and not an abstract name")
        return
    # An abstract name begins with a zero byte, which an environment cannot carry: it is written as “@”.
    address = f"\0{where[1:]}" if where[0] == "@" else where
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line_out:
            line_out.settimeout(_SEND_SECONDS)
            line_out.sendto(line.encode(), address)
    except OSError as reason:
        _log.warning("the service manager was not told", what=line.partition("=")[0], why=str(reason))
