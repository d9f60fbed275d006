"""Both ends of a venue's line as tests open them: a table that keeps what its link tells it, and the hub."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deploy.room import open_room
from hub.hub import Hub
from kiosk.journal.journal import Parcel
from kiosk.link.shore import HubMessage
from kiosk.link.uplink import Timing
from kiosk.view import LinkView
from tallybox.countdown import Sample
from tallybox.messages import KioskState

QUICK = Timing(retry_first=100, retry_most=300, quick_ping=100, ping=300)


@dataclass
class Table:
    """What a box's link asks of the box, and what it tells it."""

    links: list[LinkView] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    taken: list[HubMessage] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)

    def now(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def parcels(self, limit: int) -> list[Parcel]:
        return []

    def birth(self) -> KioskState:
        return KioskState(v=1, kiosk="K-01", online=True, epoch="e1")

    def take(self, message: HubMessage) -> None:
        self.taken.append(message)

    def take_sample(self, sample: Sample) -> None:
        self.samples.append(sample)

    def show_link(self, link: LinkView) -> None:
        self.links.append(link)

    def show_strange(self, sentence: str) -> None:
        self.strange.append(sentence)


@contextmanager
def at_the_desk(folder: Path) -> Iterator[Hub]:
    """The venue's hub, as its command would open it."""
    room = open_room(folder)
    hub = Hub(
        room.hub_folder, venue=room.venue, key=room.hub_key(), kiosks=room.known_kiosks(),
        host=room.broker_host, port=room.broker_port, tls=room.hub_line(),
    )  # fmt: skip
    hub.start()
    try:
        yield hub
    finally:
        hub.stop()
