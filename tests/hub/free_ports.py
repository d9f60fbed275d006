"""Ports of this machine that nobody listens on, for whatever a test starts."""

from __future__ import annotations

import socket
from contextlib import ExitStack


def free_port() -> int:
    """A port that is free."""
    return free_ports(1)[0]


def free_ports(many: int) -> list[int]:
    """Ports that are free and all different."""
    with ExitStack() as probes:
        taken = [probes.enter_context(socket.socket()) for _ in range(many)]
        for probe in taken:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in taken]
