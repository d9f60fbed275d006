"""The dashboard's HTTP server in a thread of its own: plain on this machine alone, with TLS also in the venue.

Beside the dashboard there may be a plain port with the public page alone, for the phones of everybody
(docs/decisions/0011).
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from hub.web.desk import Desk
from hub.web.errors import ServeError
from hub.web.guard import LARGEST_HEAD
from hub.web.listening import HurriedLoop, Listening, PatientProtocol, Places, listen

START_TIMEOUT: Final = 15.0
STOP_TIMEOUT: Final = 10.0
PLACES: Final = Places()
OPEN_PLACES: Final = Places(all=800)
"""On the plain port: a hall of phones that open the page in the same minute, with a few connections each."""
KEEP_ALIVE: Final = 15
OPEN_KEEP_ALIVE: Final = 3
"""Seconds that a connection waits for its next request; a phone looks again every 20."""


@dataclass(frozen=True, slots=True)
class OpenPort:
    """A plain port, and the application that answers there: what everybody may see and nobody can act on."""

    app: ASGIApp
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that answers at ``url`` until ``stop`` is called; ``open_port``: where its public page is alone.

    ``tls``: what new connections are met with, so that a renewed certificate can be shown without a pause.
    """

    host: str
    port: int
    scheme: str
    open_port: int | None
    app: Starlette
    tls: ssl.SSLContext | None
    _hang_up: Callable[[], None]
    _servers: Sequence[uvicorn.Server]
    _thread: threading.Thread

    @property
    def url(self) -> str:
        """The address of the room, for people to open."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}/"

    @property
    def running(self) -> bool:
        """Whether it still answers."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Close every stream, finish what is being answered, and wait for the thread."""
        self._hang_up()
        for server in self._servers:
            server.should_exit = True
        self._thread.join(STOP_TIMEOUT)
        if self._thread.is_alive():
            for server in self._servers:
                server.force_exit = True
            self._thread.join(STOP_TIMEOUT)


def serve(
    app: Starlette,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    tls: ssl.SSLContext | None = None,
    named: str | None = None,
    open_port: OpenPort | None = None,
    places: Places = PLACES,
) -> RunningServer:
    """Open the dashboard; ``port`` 0 takes a free one. Returns once it answers.

    ``named``: the name under which people open it, where that is not ``host``. Raises ``ServeError`` when an address is
    taken, or when it is not this machine's own and there is no TLS.
    """
    if tls is None and not _loopback(host):
        raise ServeError(
            f"The dashboard is not encrypted, so it opens on this machine only, not on {host}. Use 127.0.0.1."
        )
    with ExitStack() as unless_it_starts:
        listening = listen(host, port, places, plain=tls is None)
        unless_it_starts.callback(listening.close)
        pairs = [(uvicorn.Server(_config(app, tls)), listening)]
        if open_port is not None:
            beside = listen(open_port.host, open_port.port, OPEN_PLACES, plain=True)
            unless_it_starts.callback(beside.close)
            pairs.append((uvicorn.Server(_config(open_port.app, None, beside=True)), beside))
        ports = [int(each.getsockname()[1]) for _, each in pairs]
        thread = threading.Thread(target=_run, args=(pairs,), name="dashboard", daemon=True)
        thread.start()
        unless_it_starts.pop_all()
    servers = [server for server, _ in pairs]
    _wait(servers, thread)
    desk: Desk = app.state.desk
    scheme, beside_port = "http" if tls is None else "https", None if open_port is None else ports[1]
    return RunningServer(named or host, ports[0], scheme, beside_port, app, tls, desk.hang_up, servers, thread)


def _config(app: ASGIApp, tls: ssl.SSLContext | None, *, beside: bool = False) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        log_config=None,
        # Strangers who speak no HTTP are answered, not logged: they could fill the disk that the ledger needs.
        log_level="error",
        access_log=False,
        lifespan="off" if beside else "on",
        ws="none",
        # Nothing stands in front: what a header says of the other end's address and scheme is hearsay.
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_keep_alive=OPEN_KEEP_ALIVE if beside else KEEP_ALIVE,
        timeout_graceful_shutdown=3,
    )
    config.load()
    config.ssl = tls
    return config


def _run(pairs: Sequence[tuple[uvicorn.Server, Listening]]) -> None:
    async def all_of_them() -> None:
        await asyncio.gather(*(server.serve(sockets=[listening]) for server, listening in pairs))

    try:
        with asyncio.Runner(loop_factory=HurriedLoop) as runner:
            runner.run(all_of_them())
    finally:
        for _, listening in pairs:
            listening.close()


def _wait(servers: Sequence[uvicorn.Server], thread: threading.Thread) -> None:
    waiting = threading.Event()
    for _ in range(int(START_TIMEOUT * 50)):
        if all(server.started for server in servers):
            return
        if not thread.is_alive():
            break
        waiting.wait(0.02)
    for server in servers:
        server.should_exit = True
    raise ServeError("The dashboard did not start. Its reason is in the hub's log.")


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
