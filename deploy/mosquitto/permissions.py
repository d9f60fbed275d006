"""Who may say and hear what at the broker: mosquitto's ACL file. Pure.

A name in it is the identity of a client certificate, never anything a client says of itself. Every box is listed by
name, so that a certificate that is not listed may do nothing at all, and a box that was taken off is out even before
the broker has read the new list of withdrawn certificates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tallybox.topics import Topics

SAYS: Final = ("evt", "state", "ping")
"""What a box publishes on its own topics."""

HEARS: Final = ("ack", "desired", "pins", "pong")
"""What the hub tells one box."""


def permissions(topics: Topics, boxes: Iterable[str], *, hub: str) -> str:
    """The ACL file of a venue: ``hub`` is the hub's identity."""
    blocks = [
        (
            f"# Who may say and hear what at the broker of {topics.venue}, by the names in the client certificates.\n"
            "# Written by “tallybox provision”; a name that is not listed may nothing.\n"
        ),
        f"user {hub}\ntopic readwrite {topics.root}#\n",
        *(_box(topics, box) for box in sorted(boxes)),
    ]
    return "\n".join(blocks)


def _box(topics: Topics, box: str) -> str:
    says = [f"topic write {topics.kiosk(box, leaf)}" for leaf in SAYS]
    hears = [f"topic read {topics.kiosk(box, leaf)}" for leaf in HEARS]
    common = [f"topic read {topic}" for topic in (topics.clock, topics.room, topics.hub_state)]
    return "\n".join([f"user {box}", *says, *hears, *common, ""])
