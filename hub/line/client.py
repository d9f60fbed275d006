"""The MQTT client of the hub's line: the library's own, which reads and acknowledges many packets at a time.

The library asks the operating system for every packet three times or more, and sends each PUBACK alone. Where a room
sends what it held back, that took more of the hub's time than anything else its line does. What is overridden here are
the two places where the library touches its socket; both are tried with a real broker in the tests of the line.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

import paho.mqtt.client as mqtt

AHEAD: Final = 262_144
"""Bytes read at once, at most."""

PUBACK: Final = 0x40
MOST_MIDS: Final = 5_000


class LineClient(mqtt.Client):
    """Reads ahead of the packet in hand; ``unread`` says that more of them is here already."""

    _ahead = b""
    _at = 0
    _of: object = None
    """The socket the bytes came from: those of an earlier connection are nobody's any more."""

    @property
    def unread(self) -> bool:
        """Whether bytes were read that belong to later packets."""
        return self._at < len(self._ahead) and self._of is self.socket()

    def ack_all(self, mids: Sequence[int]) -> None:
        """Tell the broker that these messages (QoS 1) are dealt with."""
        for begin in range(0, len(mids), MOST_MIDS):
            some = mids[begin : begin + MOST_MIDS]
            packets = b"".join([struct.pack("!BBH", PUBACK, 2, mid) for mid in some])
            self._packet_queue(PUBACK, packets, some[-1], 1)

    def _sock_recv(self, bufsize: int) -> bytes:
        if not self.unread:
            self._of = self.socket()
            self._at, self._ahead = 0, super()._sock_recv(AHEAD)
        begin = self._at
        self._at = min(begin + bufsize, len(self._ahead))
        return self._ahead[begin : self._at]
