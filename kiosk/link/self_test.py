"""Whether the broker lets this box do more than it may: tried at each birth, for a refusal is not told. Pure.

A broker answers a publish that its permissions refuse as if it were delivered, and a subscription likewise. So the box
says something where it may only hear, and listens where it may only speak; it speaks for a box that nobody has, too,
which the hub would notice. Whatever comes back shows that the permissions are not in force.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallybox.messages import Ping, Pong, encode
from tallybox.said import say
from tallybox.topics import SELF_TEST, Topics

TOO_MUCH: Final = say("The network lets this box do more than it may. Play on; tell the director.")


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The test of one connection; ``nonce`` is drawn for it, so that nobody else's words pass for the box's own."""

    topics: Topics
    box: str
    nonce: int

    def listens(self) -> tuple[str, ...]:
        """Where the box listens although it may not: to itself, and to the hub's word to another box."""
        return (self.topics.kiosk(self.box, "state"), self.topics.kiosk(SELF_TEST, "pong"))

    def says(self) -> tuple[tuple[str, bytes], ...]:
        """What the box says although it may not: for the hub, and for another box."""
        return (
            (self.topics.kiosk(self.box, "pong"), encode(Pong(v=1, mono=self.nonce, hub=0))),
            (self.topics.kiosk(SELF_TEST, "ping"), encode(Ping(v=1, mono=self.nonce))),
        )

    def came_back(self, topic: str, payload: bytes) -> bool:
        """Whether this is something that a broker with permissions in force would not have brought."""
        return topic in self.listens() or (topic, payload) == self.says()[0]
