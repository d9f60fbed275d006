"""Just enough of MQTT 3.1.1 to see which packets go by: where each begins and ends, and what a PUBLISH says. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PUBLISH: Final = 3
PUBACK: Final = 4
LARGEST: Final = 2_097_152
"""Bytes of a packet; nothing of a venue is larger."""

_DUPLICATE: Final = 0x08
_QOS: Final = 0x06
_RETAIN: Final = 0x01


class PacketError(ValueError):
    """These bytes are no MQTT."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet as it travels; ``topic`` and ``mid`` are empty unless it is a PUBLISH. ``body`` begins after the topic
    and the mid."""

    raw: bytes
    topic: str = ""
    mid: int = 0
    body: bytes = b""

    @property
    def leaf(self) -> str:
        """The last part of the topic, such as ``evt``; empty when it is no PUBLISH."""
        return self.topic.rpartition("/")[2]

    @property
    def acknowledged(self) -> bool:
        """Whether its sender waits for a PUBACK."""
        return bool(self.topic) and bool(self.raw[0] & _QOS)

    def again(self) -> bytes:
        """The same packet a second time, marked as a duplicate where there is a mark for it."""
        return bytes([self.raw[0] | _DUPLICATE]) + self.raw[1:] if self.acknowledged else self.raw

    def once(self) -> bytes:
        """The same message as one that nobody acknowledges: its mid would mean another packet by now."""
        said = self.topic.encode()
        rest = len(said).to_bytes(2, "big") + said + self.body
        return bytes([PUBLISH << 4 | self.raw[0] & _RETAIN]) + _length(len(rest)) + rest

    def puback(self) -> bytes:
        """What a broker answers that took it."""
        return bytes([PUBACK << 4, 2]) + self.mid.to_bytes(2, "big")


class PacketReader:
    """Cuts a stream of bytes into packets."""

    def __init__(self) -> None:
        self._left = b""

    def feed(self, more: bytes) -> list[Packet]:
        """The packets that are whole now, in order; raises ``PacketError``."""
        self._left += more
        found = []
        while (end := _end(self._left)) is not None and end[1] <= len(self._left):
            found.append(_packet(self._left[: end[1]], end[0]))
            self._left = self._left[end[1] :]
        return found


def _end(data: bytes) -> tuple[int, int] | None:
    """Where the first packet's rest begins and ends; ``None`` while its length is not known."""
    length = 0
    for place, byte in enumerate(data[1:5]):
        length |= (byte & 0x7F) << 7 * place
        if not byte & 0x80:
            if length > LARGEST:
                raise PacketError(f"a packet of {length} bytes")
            return place + 2, place + 2 + length
    if len(data) >= 5:
        raise PacketError("a length of more than four bytes")
    return None


def _packet(raw: bytes, start: int) -> Packet:
    if raw[0] >> 4 != PUBLISH:
        return Packet(raw)
    after = start + 2 + int.from_bytes(raw[start : start + 2], "big")
    topic = raw[start + 2 : after].decode("utf-8", "replace")
    if not raw[0] & _QOS:
        return Packet(raw, topic, 0, raw[after:])
    return Packet(raw, topic, int.from_bytes(raw[after : after + 2], "big"), raw[after + 2 :])


def _length(number: int) -> bytes:
    coded = bytearray()
    while True:
        number, digit = divmod(number, 128)
        coded.append(digit | (0x80 if number else 0))
        if not number:
            return bytes(coded)
