"""Taking the picture of the hub: its frozen snapshot, the roll of boxes in wall time, and what was set aside."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from hub.hub import Hub
from hub.line.presence import Presence
from hub.record.ledger import QuarantinedPayload
from hub.tournament.state import Tournament
from hub.web.picture import Box, Picture


@dataclass(frozen=True, slots=True, eq=False)
class Stamp:
    """What a page was made from. Two stamps are the same when nothing was replaced and no second has passed."""

    tournament: Tournament
    presence: Mapping[str, Presence]
    quarantine: tuple[QuarantinedPayload, ...]
    trouble: str | None
    low: str | None
    second: int

    def same(self, other: Stamp) -> bool:
        """Whether a page made for the other one may be shown for this one."""
        return (
            self.tournament is other.tournament
            and self.presence is other.presence
            and self.quarantine is other.quarantine
            and (self.trouble, self.low, self.second) == (other.trouble, other.low, other.second)
        )


class Reader:
    """Reads the hub from any thread; remembers since when a box's outbox waits, which no message says."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._unsent: Mapping[str, int] = {}

    def stamp(self) -> Stamp:
        """What the pages would be made from now."""
        hub = self._hub
        return Stamp(hub.tournament, hub.presence, hub.quarantine, hub.trouble, hub.low, hub.time.now() // 1000)

    def picture(self) -> Picture:
        """The room now."""
        hub = self._hub
        now, seconds = hub.time.now(), hub.time.seconds()
        present = hub.presence
        waiting = self._waiting(present, now)
        boxes = {
            name: Box(
                id=name,
                heard=now - int(presence.age(seconds) * 1000),
                online=presence.online,
                unsent=presence.unsent,
                unsent_since=waiting.get(name),
                reader=presence.reader.message if presence.reader else "",
                reader_state=presence.reader.state if presence.reader else "",
                firmware=presence.reader.firmware if presence.reader else "",
                software=presence.software,
                disk=presence.disk.message if presence.disk else "",
                disk_state=presence.disk.state if presence.disk else "",
                offset=presence.offset,
            )
            for name, presence in present.items()
        }
        return Picture(
            now=now,
            tournament=hub.tournament,
            boxes=boxes,
            quarantine=hub.quarantine,
            trouble=hub.trouble,
            low=hub.low,
            in_doubt=hub.in_doubt,
            known=hub.known_boxes,
            connected=hub.connected,
        )

    def _waiting(self, present: Mapping[str, Presence], now: int) -> Mapping[str, int]:
        with self._lock:
            self._unsent = {name: self._unsent.get(name, now) for name, seen in present.items() if seen.unsent}
            return self._unsent
