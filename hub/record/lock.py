"""Who may use a hub's folder: one hub, or one restore, and never two at once."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO, Final

from hub.errors import HubError, LedgerError

LOCK: Final = "hub.lock"


def alone(folder: Path) -> IO[bytes]:
    """Take a hub's folder for oneself, made if need be, until what this gives is closed.

    Raises ``HubError`` (``no-data``), or ``LedgerError`` (``hub-running``) when a hub has it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("wb")
    except OSError as reason:
        raise HubError("no-data", f"The hub's folder {folder} cannot be used: {reason.strerror}.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise LedgerError("hub-running", f"A hub is running on {folder}. Stop it first.") from None
    return lock
