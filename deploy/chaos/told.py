"""What hub and boxes tell the run of themselves, several times a second, in a file each that is replaced whole."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import msgspec

LOOK: Final = 0.1
"""Seconds between two times a part tells of itself and looks for what it is told."""

LARGEST: Final = 4_096


class BoxTold(msgspec.Struct, frozen=True, kw_only=True):
    """How a box is. ``unsent``: events without an ack. ``waits``: its robot has nothing to do for now."""

    pid: int
    unsent: int
    round: int
    hands: int
    step: str
    opened: bool
    submitted: bool
    waits: bool
    linked: str
    notice: str = ""

    @property
    def place(self) -> tuple[int, int, str]:
        """How far play has come: another place is progress."""
        return self.round, self.hands, self.step


class HubTold(msgspec.Struct, frozen=True, kw_only=True):
    """How the hub is. ``clock``: the round clock's state. ``rests``: nobody directs any more.

    ``trouble``: what the director is told of the hub itself.
    """

    pid: int
    ledger_seq: int
    recorded: int
    over: bool
    clock: str
    rests: bool
    in_doubt: bool
    trouble: str = ""


Told = TypeVar("Told", BoxTold, HubTold)


def told_file(folder: Path, part: str) -> Path:
    """Where a part tells of itself."""
    return folder / f"{part}.told.json"


def tell(path: Path, told: BoxTold | HubTold) -> None:
    """Replace what was told. Nobody needs it after a power cut, so the disk is not waited for."""
    half = path.with_suffix(".new")
    half.write_bytes(msgspec.json.encode(told))
    half.replace(path)


def read_told(path: Path, kind: type[Told]) -> Told | None:
    """What a part told last; ``None`` before it told anything."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(LARGEST), type=kind)
    except FileNotFoundError:
        return None


def until_alone_or_told(told: threading.Event, every: Callable[[], None]) -> None:
    """Call ``every`` every ``LOOK`` seconds until told to end, or until whoever started this process is gone."""
    parent = os.getppid()
    while not told.wait(LOOK):
        if os.getppid() != parent:
            return
        every()
