"""The MQTT topics of the public contract (docs/asyncapi.yaml): root ``tallybox/v1/<venue>/``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tallybox.errors import MessageError

_VENUE: Final = re.compile(r"^[a-z0-9][a-z0-9-]{0,31}$")
_BOX: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$")
KIOSK_LEAVES: Final = frozenset({"evt", "ack", "state", "desired", "pins", "ping", "pong"})
LONGEST: Final = 128
"""Characters of a topic; those of this contract are shorter."""

SELF_TEST: Final = "self-test"
"""A box that nobody has. A ping on its topic shows the hub that the broker lets one box speak for another."""


@dataclass(frozen=True, slots=True)
class Topics:
    """Every topic of one venue. ``venue`` is a short name in lower case; raises ``MessageError`` otherwise."""

    venue: str

    def __post_init__(self) -> None:
        if not _VENUE.fullmatch(self.venue):
            raise MessageError("bad-venue", "A venue's name is 1 to 32 of a–z, 0–9 and “-”, such as “main-hall”.")

    @property
    def root(self) -> str:
        """The prefix of all topics, with its slash."""
        return f"tallybox/v1/{self.venue}/"

    def kiosk(self, box: str, leaf: str) -> str:
        """A box's topic: ``evt``, ``ack``, ``state``, ``desired``, ``pins``, ``ping`` or ``pong``."""
        if leaf not in KIOSK_LEAVES or not _BOX.fullmatch(box):
            raise MessageError("bad-topic", f"There is no topic “{leaf}” of box “{box}”.")
        return f"{self.root}kiosk/{box}/{leaf}"

    def every_kiosk(self, leaf: str) -> str:
        """A subscription to one leaf of all boxes."""
        return f"{self.root}kiosk/+/{leaf}"

    @property
    def clock(self) -> str:
        """The round clock (hub, retained)."""
        return self.root + "clock"

    @property
    def room(self) -> str:
        """Pairings, announcements and standings for idle screens (hub, retained)."""
        return self.root + "room"

    @property
    def hub_state(self) -> str:
        """The hub's birth and last will (retained)."""
        return self.root + "hub/state"

    @property
    def hub_echo(self) -> str:
        """Where the hub calls to itself through the broker; no box says or hears anything here."""
        return self.root + "hub/echo"

    def parse_kiosk(self, topic: str) -> tuple[str, str] | None:
        """The box and leaf of a kiosk topic of this venue; ``None`` when it is not one."""
        return _parsed(self.root, topic) if len(topic) <= LONGEST else None


@lru_cache(maxsize=4_096)
def _parsed(root: str, topic: str) -> tuple[str, str] | None:
    """A room has the same few topics all evening, and each of them is read for every message."""
    parts = topic.removeprefix(root).split("/") if topic.startswith(root) else []
    match parts:
        case ["kiosk", box, leaf] if leaf in KIOSK_LEAVES and _BOX.fullmatch(box):
            return box, leaf
    return None
