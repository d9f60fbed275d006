"""The dashboard's sockets and their bounds: how many connections, and how long a slow one is waited for.

Whoever connects and says nothing, says it a byte at a time, or does not take the answer, holds a place for some seconds
and nothing else. Without bounds, a phone that opens connections for ever would leave the hub without files to open.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from hub.web.errors import ServeError

HANDSHAKE_SECONDS: Final = 10.0
"""For TLS to be agreed on."""
HEAD_SECONDS: Final = 10.0
"""For a request's first line and headers, from the connection's or the request's first moment on."""
BODY_SECONDS: Final = 30.0
"""For what is posted; a mebibyte over a weak radio takes a few."""
UNTAKEN_MILLISECONDS: Final = 30_000
"""For bytes of an answer that the other end does not take."""

FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Retry-After: 10\r\nCache-Control: no-store\r\n\r\n"
    b"As many are connected to this hub as it serves at once. Try again in a moment.\n"
)


@dataclass(frozen=True, slots=True)
class Places:
    """Connections at once: ``all`` of them, and ``each`` for one address (never counted on this machine's own)."""

    all: int = 400
    each: int = 100


class _Taken:
    """Who holds how many places."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._lock = threading.Lock()
        self._held: Counter[str] = Counter()

    def take(self, address: str) -> bool:
        with self._lock:
            mine = address if not _own(address) else ""
            if self._held.total() >= self._places.all or (mine and self._held[mine] >= self._places.each):
                return False
            self._held[mine] += 1
            return True

    def give_back(self, address: str) -> None:
        with self._lock:
            mine = address if not _own(address) else ""
            self._held[mine] -= 1
            if not self._held[mine]:
                del self._held[mine]


def _own(address: str) -> bool:
    try:
        return ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


class _Connection(socket.socket):
    """A connection that gives its place back when it is closed."""

    taken: _Taken | None = None
    address = ""

    def close(self) -> None:
        taken, self.taken = self.taken, None
        if taken is not None:
            taken.give_back(self.address)
        super().close()


class Listening(socket.socket):
    """A listening socket that hangs up on whoever comes when all places, or all of that address, are taken.

    ``says``: what they are told first, where the line is plain.
    """

    def __init__(self, family: int, places: Places, says: bytes) -> None:
        # The protocol is named because asyncio turns Nagle's delay off only where it is: else each answer waits 40 ms.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._taken = _Taken(places)
        self._says = says

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; raises ``ConnectionAbortedError`` when it was hung up on at once."""
        plain, peer = super().accept()
        address = str(peer[0])
        if not self._taken.take(address):
            with plain, suppress(OSError):
                plain.setblocking(False)
                plain.send(self._says)
            raise ConnectionAbortedError
        made = _Connection(plain.family, plain.type, plain.proto, fileno=plain.detach())
        made.taken, made.address = self._taken, address
        with suppress(OSError):
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNTAKEN_MILLISECONDS)
        return made, peer


def listen(host: str, port: int, places: Places, *, plain: bool) -> Listening:
    """Open a port, 0 for a free one; raises ``ServeError``."""
    listening = Listening(socket.AF_INET6 if ":" in host else socket.AF_INET, places, FULL if plain else b"")
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(256)
    except (OSError, OverflowError) as reason:
        listening.close()
        raise ServeError(f"The dashboard cannot open on {host}, port {port}: {reason}. Choose another port.") from None
    return listening


class PatientProtocol(H11Protocol):
    """HTTP with an end to its patience: a head or a body that does not come whole in time ends the connection."""

    _waits: asyncio.TimerHandle | None = None
    _for: type[h11.IDLE | h11.SEND_BODY] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the base class
        """Somebody is there: their first request is due."""
        super().connection_made(transport)
        self._expect(h11.IDLE, HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Something came: what is due next?"""
        super().data_received(data)
        state = self.conn.their_state
        if state is h11.IDLE:
            self._expect(h11.IDLE, HEAD_SECONDS)
        elif state is h11.SEND_BODY:
            self._expect(h11.SEND_BODY, BODY_SECONDS)
        else:
            self._calm()

    def connection_lost(self, exc: Exception | None) -> None:
        """They left."""
        self._calm()
        super().connection_lost(exc)

    def _expect(self, what: type[h11.IDLE | h11.SEND_BODY], seconds: float) -> None:
        """Wait for the rest of a head or a body, from now on unless that is waited for already."""
        if self._for is what:
            return
        self._calm()
        self._for, self._waits = what, self.loop.call_later(seconds, self._enough)

    def _calm(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
        self._for = self._waits = None

    def _enough(self) -> None:
        self._for = self._waits = None
        self.transport.abort()


class HurriedLoop(asyncio.SelectorEventLoop):
    """An event loop whose servers do not wait a minute for TLS to be agreed on."""

    async def create_server(self, *args: Any, **options: Any) -> asyncio.Server:
        """A server; see ``asyncio``."""
        if options.get("ssl") is not None:
            options["ssl_handshake_timeout"] = HANDSHAKE_SECONDS
        return await super().create_server(*args, **options)
