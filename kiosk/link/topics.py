"""Where the hub speaks to a box, and what each of its words is read as. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kiosk.link.shore import HubMessage
from tallybox.messages import Ack, ClockMessage, Desired, HubState, Pins, Pong, Room, decode
from tallybox.topics import Topics

Word = HubMessage | HubState | Pong
"""Everything that the hub says to a box: for the table, of itself, and in answer to a ping."""

_TO_A_BOX: Final[Mapping[str, type[Word]]] = MappingProxyType(
    {"ack": Ack, "desired": Desired, "pins": Pins, "pong": Pong}
)


class HubTopics:
    """The topics that the hub speaks on to ``box``."""

    def __init__(self, topics: Topics, box: str) -> None:
        self._words: dict[str, type[Word]] = {topics.kiosk(box, leaf): kind for leaf, kind in _TO_A_BOX.items()}
        self._words |= {topics.clock: ClockMessage, topics.room: Room, topics.hub_state: HubState}

    def wanted(self) -> list[tuple[str, int]]:
        """What to subscribe to, each with its QoS: a pong that is late is worth nothing."""
        return [(topic, 0 if kind is Pong else 1) for topic, kind in self._words.items()]

    def read(self, topic: str, payload: bytes) -> Word | None:
        """The hub's word, ``None`` on a topic of another kind; raises ``MessageError`` when it cannot be read."""
        kind = self._words.get(topic)
        return None if kind is None else decode(payload, kind)
