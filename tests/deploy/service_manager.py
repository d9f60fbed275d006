"""Somebody who listens as a service manager does: a real datagram socket that collects what a service says."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Listener:
    """What was heard so far, oldest first. ``address`` is what ``NOTIFY_SOCKET`` has to say."""

    def __init__(self, ear: socket.socket, address: str) -> None:
        self.address = address
        self.heard: list[str] = []
        self._ear = ear

    def listen(self, seconds: float) -> list[str]:
        """Collect for so long, or until nothing more comes at all when ``seconds`` is 0; what came now."""
        before, until = len(self.heard), time.monotonic() + seconds
        while True:
            self._ear.settimeout(max(0.0, until - time.monotonic()))
            try:
                self.heard.append(self._ear.recv(4096).decode())
            except (BlockingIOError, TimeoutError):
                return self.heard[before:]

    def wait_for(self, line: str, seconds: float = 30.0) -> None:
        """Until this was said from now on; raises ``TimeoutError``."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if line in self.listen(0.05):
                return
        raise TimeoutError(f"{line} was not said in {seconds:.0f} s; heard {self.heard[-5:]}")


@contextmanager
def listening(name: Path | str) -> Iterator[Listener]:
    """A listener at a path, or (a name that begins with “@”) in the abstract."""
    address = str(name)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        yield Listener(ear, address)
