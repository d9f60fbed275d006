"""Two machines in one: a network namespace for the hub, one for a box, and a cable between them. Needs root."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

NET = "10.77.0"
NAMES = Path("/etc/netns")
"""What lies here for a namespace, “ip netns exec” puts over /etc: each machine has its own idea of names."""


class TwoHosts:
    """Both machines; ``stop`` ends every process by its id and takes namespaces, cable and names away."""

    def __init__(self, logs: Path) -> None:
        for program in ("ip", "faketime"):
            assert shutil.which(program), f"{program} is missing: apt-get install iproute2 faketime"
        assert os.geteuid() == 0, "network namespaces need root: run these tests as root"
        mark = secrets.token_hex(3)
        self.hub, self.box = f"tallybox-hub-{mark}", f"tallybox-box-{mark}"
        self._ends = {self.hub: f"tbh{mark}", self.box: f"tbb{mark}"}
        self._logs = logs
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        try:
            self._lay_cable()
        except BaseException:
            self.stop()
            raise

    def _lay_cable(self) -> None:
        for host in self._ends:
            ip("netns", "add", host)
        one, other = self._ends.values()
        ip("link", "add", one, "type", "veth", "peer", "name", other)
        for host, end in self._ends.items():
            ip("link", "set", end, "netns", host)
            ip("-n", host, "link", "set", "lo", "up")
            ip("-n", host, "link", "set", end, "up")

    def address(self, host: str, number: int, *, instead_of: int | None = None) -> str:
        """Give a machine an address, and take another one away from it."""
        if instead_of is not None:
            ip("-n", host, "address", "del", f"{NET}.{instead_of}/24", "dev", self._ends[host])
        ip("-n", host, "address", "add", f"{NET}.{number}/24", "dev", self._ends[host])
        return f"{NET}.{number}"

    def knows(self, host: str, name: str, number: int) -> None:
        """A machine finds an address under a name."""
        (NAMES / host).mkdir(parents=True, exist_ok=True)
        (NAMES / host / "hosts").write_text(f"127.0.0.1 localhost\n{NET}.{number} {name}\n")

    def cable(self, *, plugged: bool) -> None:
        """Pull the hub's cable, or put it back."""
        ip("-n", self.hub, "link", "set", self._ends[self.hub], "up" if plugged else "down")

    def start(self, name: str, host: str, *words: str) -> None:
        """Run a program on one of the machines."""
        with (self._logs / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                ["ip", "netns", "exec", host, *words], stdout=log, stderr=log, start_new_session=True
            )

    def log(self, name: str) -> str:
        return (self._logs / f"{name}.log").read_text("utf-8")

    def end(self, name: str) -> None:
        """End it and what it started: faketime runs its program as a child, and goes without it."""
        process = self._running.pop(name)
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(15)
            gone = time.monotonic() + 15
            while group_lives(process.pid) and time.monotonic() < gone:
                time.sleep(0.05)
        except subprocess.TimeoutExpired:
            pass
        if group_lives(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)

    def stop(self) -> None:
        for name in list(self._running):
            self.end(name)
        for host in self._ends:
            subprocess.run(["ip", "netns", "delete", host], check=False, capture_output=True, timeout=20)
            shutil.rmtree(NAMES / host, ignore_errors=True)
        if NAMES.is_dir() and not any(NAMES.iterdir()):
            NAMES.rmdir()


def group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True, timeout=20)
    if done.returncode != 0:
        pytest.fail(f"ip {' '.join(words)}: {done.stderr.strip()}")
