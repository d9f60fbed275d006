"""Waiting for the network and for a bell at once, with TLS or without."""

from __future__ import annotations

import math
import select
import socket
import ssl
from collections.abc import Mapping


class Bell:
    """Wakes whoever waits in ``ready``; any thread may ring it, also once it is closed."""

    def __init__(self) -> None:
        self._bell, self._ear = socket.socketpair()
        for end in (self._bell, self._ear):
            end.setblocking(False)

    @property
    def ear(self) -> int:
        """The descriptor that shows whether it rang."""
        return self._ear.fileno()

    def ring(self) -> None:
        """Wake the one who waits, now or when it waits next."""
        try:
            self._bell.send(b"!")
        except OSError:
            return  # it is full or closed: who waits wakes anyway, or is gone

    def heard(self) -> None:
        """Let it be silent again."""
        try:
            while self._ear.recv(4096):
                pass
        except BlockingIOError:
            return

    def close(self) -> None:
        """Nobody waits any more."""
        self._bell.close()
        self._ear.close()


def ready(wanted: Mapping[int, int], seconds: float) -> dict[int, int]:
    """What happened at which descriptor; a room of many boxes has more of them than ``select`` can number."""
    poll = select.poll()
    for descriptor, events in wanted.items():
        poll.register(descriptor, events)
    return dict(poll.poll(math.ceil(seconds * 1000)))


def unread(connection: object) -> bool:
    """Whether something came that is decrypted already, which the network no longer shows."""
    return isinstance(connection, ssl.SSLSocket) and connection.pending() > 0


def ends_when_silent(connection: object, seconds: int) -> None:
    """Have the system end a connection on which so long nothing was confirmed: its other end is gone, or has moved."""
    if isinstance(connection, socket.socket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds * 1000)
