"""A gate before every commit of a ledger or a journal, for tests: it lets it through, holds it, or fails it."""

from __future__ import annotations

import sqlite3
import threading


class CommitGate:
    """What is given as ``before_commit``: open and with room on the disk until a test says otherwise."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.open.set()
        self.full = False

    def __call__(self) -> None:
        self.open.wait(60)
        if self.full:
            raise sqlite3.OperationalError("database or disk is full")
