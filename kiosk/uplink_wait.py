"""Waiting for the network and for a bell at once, with TLS or without."""

from __future__ import annotations

import math
import select
import socket
import ssl
from collections.abc import Mapping


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
