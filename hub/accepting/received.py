"""A payload as it came from the broker."""

from __future__ import annotations

import msgspec


class Received(msgspec.Struct, frozen=True, gc=False):
    """What was said on a topic; ``mid``, ``qos`` and ``connection`` are the transport's own."""

    topic: str
    payload: bytes
    mid: int = 0
    qos: int = 0
    connection: int = 0
