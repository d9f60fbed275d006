"""The hub says into a network where its broker answers: ``_tallybox._tcp.local.``, TXT ``venue=…``, by zeroconf."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Final

import structlog

from deploy.addresses import own_addresses

SERVICE: Final = "_tallybox._tcp.local."
VENUE: Final = b"venue"

LOOK_AROUND: Final = 10.0
"""Seconds between two looks of the hub at its own addresses."""
PROBE_WITHIN: Final = 1.0
STOP_WITHIN: Final = 5.0

_log = structlog.get_logger("deploy")


class Announcement:
    """The hub's side: says at which of this machine's addresses the broker answers, and says it anew when they change.

    Where the broker answers only on loopback nothing is said at all.
    """

    def __init__(
        self, venue: str, port: int, *, addresses: Callable[[], tuple[str, ...]] = own_addresses,
        every: float = LOOK_AROUND,
    ) -> None:  # fmt: skip
        self._venue = venue
        self._port = port
        self._addresses = addresses
        self._every = every
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announcement", daemon=True)
        self.said: tuple[str, ...] = ()
        """The addresses that are announced now."""

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """Take the announcement back, and end."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(STOP_WITHIN)

    def _run(self) -> None:
        while not self._stopping.is_set():
            answering = self._answering()
            if not answering:
                self._stopping.wait(self._every)
                continue
            try:
                self._announce(answering)
            except Exception as reason:  # noqa: BLE001 (a hint that cannot be given must not end the hub)
                _log.warning("the hub cannot be announced", reason=str(reason))
                self._stopping.wait(self._every)

    def _announce(self, answering: tuple[str, ...]) -> None:
        """Say it until this machine's addresses change."""
        from zeroconf import IPVersion, ServiceInfo, Zeroconf  # noqa: PLC0415 (only a hub with a venue needs it)

        here = self._addresses()
        line = Zeroconf(interfaces=list(answering), ip_version=IPVersion.V4Only)
        try:
            line.register_service(
                ServiceInfo(
                    SERVICE, f"{self._venue}.{SERVICE}", addresses=[socket.inet_aton(each) for each in answering],
                    port=self._port, properties={VENUE: self._venue.encode()}, server=f"tallybox-{self._venue}.local.",
                ),
                allow_name_change=True,
            )  # fmt: skip
            self.said = answering
            _log.info("the hub is announced", addresses=answering)
            while not self._stopping.wait(self._every) and self._addresses() == here:
                pass
        finally:
            self.said = ()
            line.close()

    def _answering(self) -> tuple[str, ...]:
        return tuple(each for each in self._addresses() if not self._stopping.is_set() and _answers(each, self._port))


def _answers(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), PROBE_WITHIN).close()
    except OSError:
        return False
    return True
