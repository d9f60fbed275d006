"""The room's processes: started by name, killed hard, started again, and ended by their own process ids."""

from __future__ import annotations

import signal
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HUB: Final = "hub"
BROKER: Final = "broker"
"""Names of parts; every other part is a box and has its name."""

STOP_SECONDS: Final = 20.0
KILL_SECONDS: Final = 10.0


@dataclass(slots=True)
class _Part:
    command: list[str]
    process: subprocess.Popen[bytes]
    may_die: bool = False


class Parts:
    """Every process of one room. Methods may be called from any thread; logs go to ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._parts: dict[str, _Part] = {}
        self._ended: list[tuple[str, int]] = []

    def start(self, name: str, command: list[str]) -> None:
        """Start a part in a session of its own: what a terminal tells this program, this program tells the parts."""
        with self._lock, (self._folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
            self._parts[name] = _Part(command, process)

    def again(self, name: str) -> None:
        """Start a part anew as it was started before."""
        self.start(name, self._parts[name].command)

    def kill(self, name: str) -> None:
        """SIGKILL: no goodbye, no flush."""
        with self._lock:
            part = self._parts[name]
            part.may_die = True
            part.process.send_signal(signal.SIGKILL)
            part.process.wait(KILL_SECONDS)

    def may_die(self, name: str, may: bool) -> None:
        """Whether a part is expected to end without being told."""
        with self._lock:
            self._parts[name].may_die = may

    def runs(self, name: str) -> bool:
        """Whether a part is there now."""
        with self._lock:
            return name in self._parts and self._parts[name].process.poll() is None

    def pid(self, name: str) -> int:
        """A part's present process."""
        return self._parts[name].process.pid

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run now."""
        with self._lock:
            return tuple(part.process.pid for part in self._parts.values() if part.process.poll() is None)

    def ended_by_itself(self) -> list[tuple[str, int]]:
        """The parts that ended though nobody killed them, with their exit codes; each is named once and started anew,
        as a service manager would."""
        with self._lock:
            found = []
            for name, part in list(self._parts.items()):
                code = part.process.poll()
                if code is not None and not part.may_die:
                    found.append((name, code))
                    self.again(name)
            return found

    def stop(self) -> list[str]:
        """End everything, boxes first, then the hub, then the broker; the names of those that had to be killed."""
        with self._lock:
            boxes = [name for name in self._parts if name not in (HUB, BROKER)]
            stubborn = [name for some in (boxes, [HUB], [BROKER]) for name in self._end(some)]
            self._parts.clear()
        return stubborn

    def _end(self, names: list[str]) -> list[str]:
        running = [(name, self._parts[name].process) for name in names if self.runs(name)]
        for _, process in running:
            process.terminate()
        stubborn = []
        for name, process in running:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                stubborn.append(name)
                process.kill()
                process.wait(KILL_SECONDS)
        return stubborn
