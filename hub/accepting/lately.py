"""What was stored lately, byte for byte: when it is sent again, nothing of it has to be read or checked once more.

After an outage, or where an ack was lost, boxes send whole windows again. An event that came on the same topic, in the
same bytes, while its box had the same key, was found authentic: it is a duplicate (docs/journal.md, Accepting 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from hub.accepting.accept import Duplicate

REMEMBERED: Final = 20_000
"""Payloads; more than all boxes of a large venue have under way at once."""


class Lately:
    """The latest ``most`` payloads that were stored, by their digest."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._known: dict[bytes, Duplicate] = {}

    @staticmethod
    def mark(key: str | None, topic: str, payload: bytes) -> bytes:
        """What a payload is known by: its topic, the ``key`` its box has now, and its bytes."""
        head = f"{key}\n{topic}\n".encode("utf-8", "surrogatepass")
        return blake2b(head + payload, digest_size=20).digest()

    def find(self, mark: bytes) -> Duplicate | None:
        """What it is, if it was stored lately; ``None``: it has to be judged."""
        return self._known.get(mark)

    def keep(self, stored: Iterable[tuple[bytes, Duplicate]]) -> None:
        """These were stored, and committed."""
        self._known.update(stored)
        while len(self._known) > self._most:
            del self._known[next(iter(self._known))]
