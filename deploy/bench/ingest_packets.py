"""MQTT 3.1.1 packets as bytes: just those that a box of ``tallybox bench ingest`` sends and reads."""

from __future__ import annotations

import struct
from typing import Final

CONNACK: Final = 0x20
PUBLISH: Final = 0x30
PUBACK: Final = 0x40
SUBACK: Final = 0x90


def kind_of(first: int) -> int:
    """The kind of a packet that begins with this byte."""
    return first & 0xF0


def puback(number: bytes) -> bytes:
    """Says that the message of this number was taken."""
    return bytes((PUBACK, 2)) + number


def packet_at(data: bytes, at: int) -> tuple[int, bytes, int] | None:
    """The kind and the body of the packet at ``at``, and where the next begins; ``None`` while it is not all there."""
    length, place = 0, at + 1
    for shift in (0, 7, 14, 21):
        if place >= len(data):
            return None
        length |= (data[place] & 127) << shift
        place += 1
        if not data[place - 1] & 128:
            break
    if place + length > len(data):
        return None
    return data[at], data[place : place + length], place + length


def _framed(kind: int, body: bytes) -> bytes:
    length, left = bytearray(), len(body)
    while True:
        left, low = divmod(left, 128)
        length.append(low | (128 if left else 0))
        if not left:
            return bytes((kind, *length)) + body


def _text(text: str) -> bytes:
    return struct.pack("!H", len(text)) + text.encode()


def connect(name: str) -> bytes:
    """A clean session under this name, without a keep-alive."""
    return _framed(0x10, _text("MQTT") + struct.pack("!BBH", 4, 2, 0) + _text(name))


def subscribe(topic: str) -> bytes:
    """To one topic, with QoS 1."""
    return _framed(0x82, struct.pack("!H", 1) + _text(topic) + b"\x01")


def publish(topic: str, payload: bytes, place: int) -> bytes:
    """The message at this place of an outbox, with QoS 1."""
    return _framed(0x32, _text(topic) + struct.pack("!H", place % 65_535 + 1) + payload)
