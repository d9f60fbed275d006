"""Finding the hub in a venue's network: what ``deploy.announcement`` says there is a hint, never more.

Whoever answers has to show the certificate of the venue's authority for the host name in the box's bundle, so that a
lie costs a box a moment and nothing else.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

from deploy.addresses import own_addresses
from deploy.announcement import SERVICE, VENUE
from deploy.files import write_whole
from kiosk.link.ways import Told, Way
from tallybox.said import Said

if TYPE_CHECKING:
    from zeroconf import ServiceInfo

Place = tuple[str, int]
"""An address and a port."""

MOST_HINTS: Final = 4
"""Hints that are tried in one go; a room has one hub."""
MOST_HEARD: Final = 32
"""Announcements that are looked at in one go, whatever their venue."""
MOST_ADDRESSES: Final = 4
"""Addresses of the hub's name that are tried."""
LARGEST_MEMORY: Final = 256
"""Bytes of the file that keeps where the hub was."""

LISTEN: Final = 8.0
"""Seconds for which a box listens for hints; a hub in the same network answers within one."""
LISTEN_EVERY: Final = 10.0
"""Seconds from one time to the next, while there is no link."""
RESOLVE_WITHIN: Final = 2.0
"""Seconds that a link waits for the network to know the hub's name; the answer counts at the next attempt."""
STRANGE_FOR: Final = 120.0
"""Seconds for which a hint that led to a stranger is tried after all others."""
_IPV4: Final = 4
"""Bytes of an address."""

_log = structlog.get_logger("deploy")


class HubFinder:
    """A box's side (``kiosk.link.ways.Ways``): where the hub was, where the bundle says it is, and what hints say.

    While there is a link nothing runs. The first attempt in vain begins to listen, for a few seconds and then again
    every ``LISTEN_EVERY``, as long as attempts fail. ``memory`` is the file that keeps where the hub was.
    """

    def __init__(
        self, venue: str, host: str, port: int, memory: Path, *,
        addresses: Callable[[], tuple[str, ...]] = own_addresses,
    ) -> None:  # fmt: skip
        self._venue = venue
        self._port = port
        self._memory = memory
        self._addresses = addresses
        self._last = _remembered(memory)
        self._hints: dict[Place, None] = {}
        self._strange: dict[Place, float] = {}
        self._lock = threading.Lock()
        self._failing = False
        self._listened = float("-inf")
        self._resolver = _Resolver(host, port)

    def now(self) -> Iterable[Way]:
        """Where the hub was last, where the bundle says it is, then what hints say; strangers last."""
        if self._failing:
            self._listen()
        self._failing = True
        tried: set[Place] = set()
        for way in self._ways():
            if (way.host, way.port) not in tried:
                tried.add((way.host, way.port))
                yield way

    def _ways(self) -> Iterable[Way]:
        if self._last is not None:
            yield Way(*self._last, Told.MEMORY)
        for address in self._resolver.addresses(RESOLVE_WITHIN):
            yield Way(address, self._port)
        with self._lock:
            hints = sorted(self._hints, key=self._is_strange)
        yield from (Way(*each, Told.HINT) for each in hints[:MOST_HINTS])

    def led(self, way: Way) -> None:
        """The hub itself was heard there: the next start begins with it."""
        self._failing = False
        with self._lock:
            self._hints.clear()
            self._strange.clear()
        if (way.host, way.port) == self._last:
            return
        self._last = (way.host, way.port)
        _log.info("the hub is found", host=way.host, port=way.port, told=str(way.told))
        try:
            write_whole(self._memory, f"{way.host} {way.port}\n".encode())
        except OSError as reason:
            _log.warning("where the hub is cannot be kept", reason=reason.strerror)

    def barred(self, way: Way, distrust: Said | None) -> None:
        """Nobody is there, or somebody who is not the hub: what hinted at it comes after all other hints."""
        if way.told is Told.HINT:
            _log.info("a hint led nowhere", host=way.host, port=way.port, why=distrust)
            with self._lock:
                self._strange[way.host, way.port] = time.monotonic()

    def _is_strange(self, hint: Place) -> bool:
        return time.monotonic() - self._strange.get(hint, float("-inf")) < STRANGE_FOR

    def _listen(self) -> None:
        """Begin to listen, unless that was a moment ago; returns at once."""
        if time.monotonic() - self._listened >= LISTEN_EVERY:
            self._listened = time.monotonic()
            threading.Thread(target=self._hear, name="hints", daemon=True).start()

    def _hear(self) -> None:
        with self._lock:
            self._strange = {each: at for each, at in self._strange.items() if self._is_strange(each)}
            self._hints = {each: None for each in self._hints if each not in self._strange}
        try:
            listen(self._venue, LISTEN, self.heard, self._addresses())
        except Exception as reason:  # noqa: BLE001 (what strangers say into a network must not end a box)
            _log.info("no hints", reason=str(reason))

    def heard(self, hint: Place) -> None:
        """Room for as many as are tried twice over; one that led to a stranger makes room for another."""
        with self._lock:
            if len(self._hints) >= 2 * MOST_HINTS:
                worst = next((each for each in self._hints if self._is_strange(each)), None)
                if worst is None:
                    return
                del self._hints[worst]
            self._hints.setdefault(hint)


def listen(venue: str, seconds: float, heard: Callable[[Place], None], addresses: tuple[str, ...]) -> None:
    """Listen on these own addresses for so many seconds, and tell where the hub of a venue is said to be.

    ``heard`` is called in another thread. Raises ``OSError`` without a network.
    """
    from zeroconf import IPVersion, ServiceBrowser, ServiceListener, Zeroconf  # noqa: PLC0415 (only without a link)

    class Ear(ServiceListener):
        """Every announcement, as long as there is room for more."""

        left = MOST_HEARD

        def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
            self.left -= 1
            if self.left >= 0:
                for each in _told(zc.get_service_info(type_, name, timeout=1000), venue):
                    heard(each)

        def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
            self.add_service(zc, type_, name)

        def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
            """What was said a moment ago is worth a look all the same."""

    if not addresses:
        return
    line = Zeroconf(interfaces=list(addresses), ip_version=IPVersion.V4Only)
    try:
        browser = ServiceBrowser(line, SERVICE, Ear())
        threading.Event().wait(seconds)
        browser.cancel()
    finally:
        line.close()


def _told(said: ServiceInfo | None, venue: str) -> Iterable[Place]:
    """The addresses in an announcement of this venue."""
    if said is None or said.properties.get(VENUE) != venue.encode() or not said.port:
        return
    for raw in said.addresses[:MOST_HINTS]:
        if len(raw) == _IPV4:
            address = ipaddress.IPv4Address(raw)
            if not (address.is_multicast or address.is_unspecified):
                yield str(address), said.port


class _Resolver:
    """Asks the network for a name without waiting longer than told: one question at a time, in its own thread."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._asked: threading.Thread | None = None
        self._found: tuple[str, ...] = ()

    def addresses(self, within: float) -> tuple[str, ...]:
        """The host's addresses, none while nobody knows them."""
        if self._asked is None or not self._asked.is_alive():
            self._found = ()
            self._asked = threading.Thread(target=self._ask, name=f"resolving {self._host}", daemon=True)
            self._asked.start()
        self._asked.join(within)
        return self._found

    def _ask(self) -> None:
        try:
            found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as reason:
            _log.info("no address", host=self._host, reason=str(reason))
            return
        self._found = tuple(dict.fromkeys(str(each[4][0]) for each in found))[:MOST_ADDRESSES]


def _remembered(path: Path) -> Place | None:
    try:
        with path.open("rb") as file:
            host, port = file.read(LARGEST_MEMORY).decode("ascii").split()
        return str(ipaddress.ip_address(host)), int(port)
    except (OSError, ValueError):
        return None
