"""Which program has a serial port open, as far as this user may see it. Linux only: it reads ``/proc``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
MODEM_MANAGER: Final = "ModemManager"


@dataclass(frozen=True, slots=True)
class Holder:
    """A program, by its process number and its name."""

    pid: int
    name: str


def holders(path: str, proc: Path = PROC) -> list[Holder]:
    """The other programs that have the port open, the oldest process first."""
    port = os.path.realpath(path)
    found = [pid for pid in _processes(proc) if pid != os.getpid() and port in _open_files(proc / str(pid) / "fd")]
    return [Holder(pid, _name(proc, pid)) for pid in sorted(found)]


def lock_holder(path: str, proc: Path = PROC) -> Holder | None:
    """The program that holds the port for itself alone; ``None`` when that cannot be seen."""
    try:
        inode = Path(path).stat().st_ino
        table = (proc / "locks").read_text("ascii", "replace")
    except OSError:
        return None
    for line in table.splitlines():
        words = line.split()
        if len(words) > 5 and words[1] == "FLOCK" and words[5].endswith(f":{inode}") and words[4].isdecimal():
            pid = int(words[4])
            if any(holder.pid == pid for holder in holders(path, proc)):
                return Holder(pid, _name(proc, pid))
    return None


def modem_manager_runs(proc: Path = PROC) -> bool:
    """Whether ModemManager runs on this machine."""
    return any(_name(proc, pid) == MODEM_MANAGER for pid in _processes(proc))


def _processes(proc: Path) -> Iterator[int]:
    with suppress(OSError):
        for entry in proc.iterdir():
            if entry.name.isdecimal():
                yield int(entry.name)


def _open_files(folder: Path) -> set[str]:
    """Where a process's open files lead; nothing of a process that is not ours to look into, or has ended."""
    found: set[str] = set()
    with suppress(OSError):
        for entry in folder.iterdir():
            with suppress(OSError):
                found.add(str(entry.readlink()))
    return found


def _name(proc: Path, pid: int) -> str:
    try:
        return (proc / str(pid) / "comm").read_text("utf-8", "replace").strip() or "a program"
    except OSError:
        return "a program"
