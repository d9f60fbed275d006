"""The dashboard's HTTP server in a thread of its own, on this machine unless the venue's settings say otherwise."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.applications import Starlette

from hub.web.desk import Desk
from hub.web.errors import ServeError

START_TIMEOUT: Final = 15.0
STOP_TIMEOUT: Final = 10.0
LARGEST_HEADERS: Final = 16_384


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that answers at ``url`` until ``stop`` is called."""

    host: str
    port: int
    _hang_up: Callable[[], None]
    _server: uvicorn.Server
    _thread: threading.Thread

    @property
    def url(self) -> str:
        """The address of the room, for people to open."""
        return f"http://{self.host}:{self.port}/"

    @property
    def running(self) -> bool:
        """Whether it still answers."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Close every stream, finish what is being answered, and wait for the thread."""
        self._hang_up()
        self._server.should_exit = True
        self._thread.join(STOP_TIMEOUT)
        if self._thread.is_alive():
            self._server.force_exit = True
            self._thread.join(STOP_TIMEOUT)


def serve(
    app: Starlette, host: str = "127.0.0.1", port: int = 0, *, beyond_this_machine: bool = False
) -> RunningServer:
    """Open the dashboard; ``port`` 0 takes a free one. Returns once it answers.

    Raises ``ServeError`` when the address is taken, or is not this machine's own and nobody configured that.
    """
    if not (beyond_this_machine or _loopback(host)):
        raise ServeError(
            f"The dashboard is not encrypted, so it opens on this machine only, not on {host}. Use 127.0.0.1."
        )
    listening = _listen(host, port)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        h11_max_incomplete_event_size=LARGEST_HEADERS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=3,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=_run, args=(server, listening), name="dashboard", daemon=True)
    thread.start()
    _wait(server, thread)
    taken = int(listening.getsockname()[1])
    desk: Desk = app.state.desk
    return RunningServer(host, taken, desk.hang_up, server, thread)


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    try:
        server.run(sockets=[listening])
    finally:
        listening.close()


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    waiting = threading.Event()
    for _ in range(int(START_TIMEOUT * 50)):
        if server.started:
            return
        if not thread.is_alive():
            break
        waiting.wait(0.02)
    server.should_exit = True
    raise ServeError("The dashboard did not start. Its reason is in the hub's log.")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio turns Nagle's delay off only where it is: else each answer waits 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(256)
    except (OSError, OverflowError) as reason:
        listening.close()
        raise ServeError(f"The dashboard cannot open on {host}, port {port}: {reason}. Choose another port.") from None
    return listening


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
