"""A broker: for a room on one machine, loopback only, mosquitto or the embedded amqtt; or a venue's own mosquitto.

The former keep nothing across a kill, and nothing rests on it: outboxes send again, the hub publishes again.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hub.errors import BrokerError

HOST: Final = "127.0.0.1"
READY_SECONDS: Final = 10.0
STOP_SECONDS: Final = 5.0
TRIES: Final = 5
"""A free port can be taken between looking and listening; then another one is tried."""

LARGEST_PACKET: Final = 1_310_720
INFLIGHT: Final = 4_500
"""Unacknowledged payloads at the hub: fewer than it keeps waiting, and enough that it sees all that a box has sent."""

Kind = Literal["mosquitto", "amqtt"]


@dataclass(frozen=True, slots=True)
class RunningBroker:
    """A broker that listens on ``host:port``; ``pid`` is its process, ``None`` when it runs in this one."""

    host: str
    port: int
    kind: Kind
    pid: int | None
    _stop: Callable[[], None]

    def stop(self) -> None:
        """End exactly this broker; returns when it is gone."""
        self._stop()

    def read_again(self) -> None:
        """Have mosquitto read permissions, certificates and the list of the withdrawn again, without a pause.

        Connections stay; what is no longer permitted on them is neither heard nor told.
        """
        if self.pid is not None:
            os.kill(self.pid, signal.SIGHUP)


def start_broker(data: Path, port: int = 0, kind: Kind | None = None) -> RunningBroker:
    """Start a broker with its configuration in ``data``; port 0 finds a free one.

    Raises ``BrokerError`` when the port is taken, or no broker comes up.
    """
    program = mosquitto_program()
    chosen: Kind = kind or ("mosquitto" if program else "amqtt")
    for last in range(TRIES):
        number = port or _free_port()
        if not _is_free(number):
            raise BrokerError(
                "port-busy", f"Port {number} is taken by another program. Stop that one, or choose another port."
            )
        try:
            return _mosquitto(data, number, program) if chosen == "mosquitto" else _embedded(number)
        except BrokerError:
            if port or last == TRIES - 1:
                raise
    raise AssertionError


def mosquitto_program() -> str | None:
    """Where mosquitto is installed; Debian keeps it where an ordinary search path does not look."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def _mosquitto(data: Path, port: int, program: str | None) -> RunningBroker:
    if program is None:
        raise BrokerError("no-broker", "mosquitto is not installed. Install it, or use the embedded broker.")
    data.mkdir(parents=True, exist_ok=True)
    config = data / "mosquitto.conf"
    config.write_text(
        f"listener {port} {HOST}\nallow_anonymous true\npersistence false\nmax_inflight_messages {INFLIGHT}\n"
        f"max_queued_messages 30000\nmessage_size_limit {LARGEST_PACKET}\nlog_dest stderr\n"
        "log_type error\nlog_type warning\n",
        encoding="utf-8",
    )
    return _run_mosquitto(program, config, port)


def start_configured(config: Path, port: int) -> RunningBroker:
    """Start mosquitto with a venue's own settings, as the user who asks; raises ``BrokerError``.

    Those of a service that runs as its own user are better started by the system; this is for one machine.
    """
    program = mosquitto_program()
    if program is None:
        raise BrokerError(
            "no-broker", "mosquitto is not installed, and a venue with certificates needs it. Install it."
        )
    if not _is_free(port):
        raise BrokerError("port-busy", f"Port {port} is taken by another program. Stop that one first.")
    try:
        settings = config.read_text("utf-8")
        here = config.with_name("here.conf")
        with os.fdopen(os.open(here, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{settings}user {getpass.getuser()}\n")
    except OSError as reason:
        raise BrokerError("no-broker", f"{config} cannot be used: {reason.strerror}.") from None
    return _run_mosquitto(program, here, port)


def _run_mosquitto(program: str, config: Path, port: int) -> RunningBroker:
    heard = config.parent / "mosquitto.log"
    with heard.open("ab") as log:
        # The program was found by name in fixed places, and its only argument is a file made here.
        process = subprocess.Popen([program, "-c", str(config)], stdout=log, stderr=log)  # noqa: S603
    until = time.monotonic() + READY_SECONDS
    while not _answers(port):
        if process.poll() is not None or time.monotonic() > until:
            _end(process)
            raise BrokerError("no-broker", f"mosquitto did not start. {heard} says why.")
        time.sleep(0.02)
    return RunningBroker(HOST, port, "mosquitto", process.pid, lambda: _end(process))


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=STOP_SECONDS)


def _embedded(port: int) -> RunningBroker:
    thread = _Embedded(port)
    thread.start()
    if not thread.ready.wait(timeout=READY_SECONDS) or thread.reason is not None:
        thread.stop()
        raise BrokerError("no-broker", f"The embedded broker did not start: {thread.reason or 'it took too long'}.")
    return RunningBroker(HOST, port, "amqtt", None, thread.stop)


class _Embedded(threading.Thread):
    """amqtt on an event loop of its own."""

    def __init__(self, port: int) -> None:
        super().__init__(name="broker", daemon=True)
        self.ready = threading.Event()
        self.reason: str | None = None
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()

    def run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except Exception as reason:  # noqa: BLE001 - whatever a foreign broker raises, the caller gets a sentence
            self.reason = str(reason) or type(reason).__name__
        finally:
            self.ready.set()
            self._loop.close()

    def stop(self) -> None:
        if self.is_alive():
            self._loop.call_soon_threadsafe(self._stopping.set)
            self.join(timeout=STOP_SECONDS)

    async def _serve(self) -> None:
        from amqtt.broker import Broker  # noqa: PLC0415 - heavy, and needed only where mosquitto is missing

        broker = Broker(
            {
                "listeners": {"default": {"type": "tcp", "bind": f"{HOST}:{self._port}"}},
                "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
            }
        )
        await broker.start()
        self.ready.set()
        await self._stopping.wait()
        await broker.shutdown()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((HOST, port)) == 0
