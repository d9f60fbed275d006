"""A message of the hub's own, through the broker and back: the only proof that the line carries both ways.

A connection that is up proves little: a broker may accept everything and bring nothing.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from typing import Final

LENGTH: Final = 16
"""Bytes of an echo, drawn anew for each: an older one that comes late proves nothing."""


class Echo:
    """What was called last, and whether it came back. Any thread may ask."""

    def __init__(self, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._draw = draw
        self._called = b""
        self._back = threading.Event()

    def call(self) -> bytes:
        """The payload to send now; what was called before does not count any more."""
        self._back.clear()
        self._called = self._draw(LENGTH)
        return self._called

    def heard(self, payload: bytes) -> None:
        """Something came on the echo's topic."""
        if payload == self._called:
            self._back.set()

    def back(self, within: float) -> bool:
        """Whether it came back within so many seconds."""
        return self._back.wait(within)
