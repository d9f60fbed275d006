"""The MQTT client of the hub's line: the library's own, which reads and acknowledges many packets at a time.

The library asks the operating system for every packet three times or more, hands each over alone, and sends each PUBACK
alone. Where a room sends what it held back, that took more of the hub's time than anything else its line does. Here all
that came is read at once and what was said is handed over together; every other packet is still the library's to
handle. What is not public of it is used in this file alone, and tried over a real socket in the tests of the line.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final, NamedTuple

import paho.mqtt.client as mqtt
from paho.mqtt.client import MQTT_LOG_ERR
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.exception import MalformedPacket
from paho.mqtt.packettypes import PacketTypes

AHEAD: Final = 65_536
"""Bytes read at once, at most."""

LARGEST: Final = 2_097_152
"""Bytes of a packet, at most; no broker of a venue lets one through that is so large."""

PUBLISH: Final = PacketTypes.PUBLISH << 4
PUBACK: Final = PacketTypes.PUBACK << 4
MOST_MIDS: Final = 5_000
FINE: Final = MQTTErrorCode.MQTT_ERR_SUCCESS
BROKEN: Final = MQTTErrorCode.MQTT_ERR_PROTOCOL


class Delivered(NamedTuple):
    """What was said on a topic; a ``mid`` waits to be acknowledged where ``qos`` is 1."""

    topic: str
    payload: bytes
    mid: int
    qos: int


class Packet(NamedTuple):
    """A whole packet: its first byte, and where its body begins and ends."""

    first: int
    begin: int
    end: int


class LineClient(mqtt.Client):
    """Gives ``on_delivered`` all messages that came, in place of ``on_message`` for each; that must raise nothing."""

    on_delivered: Callable[[Sequence[Delivered]], None]
    _half = b""
    """The beginning of a packet whose rest is still to come."""
    _of: object = None
    """The socket that came from: what an earlier connection left half said is nobody's any more."""

    def ack_all(self, mids: Sequence[int]) -> None:
        """Tell the broker that these messages (QoS 1) are dealt with."""
        for begin in range(0, len(mids), MOST_MIDS):
            some = mids[begin : begin + MOST_MIDS]
            packets = b"".join([struct.pack("!BBH", PUBACK, 2, mid) for mid in some])
            self._packet_queue(PUBACK, packets, some[-1], 1)

    def loop_read(self, max_packets: int = 1) -> MQTTErrorCode:  # noqa: ARG002  # the library's own signature
        """Read what has come, and deal with every packet that is whole."""
        connection = self.socket()
        if connection is None:
            return MQTTErrorCode.MQTT_ERR_NO_CONN
        try:
            came = self._sock_recv(AHEAD)
        except BlockingIOError:
            return FINE
        except OSError as reason:
            # Why a broker hangs up on a line that was up already is told nowhere but here (``on_log``).
            self._easy_log(MQTT_LOG_ERR, "Nothing can be read from the broker: %s", reason)
            came = b""
        if not came:
            return self._loop_rc_handle(MQTTErrorCode.MQTT_ERR_CONN_LOST)
        with self._msgtime_mutex:
            self._last_readreceived = monotonic()
        read = self._half + came if self._of is connection else came
        self._of, self._half = connection, b""
        result = self._deal_with(read)
        return self._loop_rc_handle(result) if result > 0 else result

    def _deal_with(self, read: bytes) -> MQTTErrorCode:
        """Hand over what is said in them and have the library handle the rest, in the order in which it came."""
        said: list[Delivered] = []
        result, at = FINE, 0
        try:
            while result is FINE and (packet := packet_at(read, at)) is not None:
                at = packet.end
                if packet.first & 0xF0 == PUBLISH:
                    said.append(delivered(read, packet))
                    continue
                if said:
                    self.on_delivered(said)
                    said = []
                result = self._one_of_its_own(packet.first, read[packet.begin : packet.end])
        except MalformedPacket as reason:
            self._easy_log(MQTT_LOG_ERR, "The broker sent what is no packet: %s", reason)
            result = BROKEN
        if said:
            self.on_delivered(said)
        self._half = read[at:]
        return result

    def _one_of_its_own(self, first: int, body: bytes) -> MQTTErrorCode:
        self._in_packet = {
            "command": first, "have_remaining": 1, "remaining_count": [], "remaining_mult": 1,
            "remaining_length": len(body), "packet": bytearray(body), "to_process": 0, "pos": 0,
        }  # fmt: skip
        return self._packet_handle()


def packet_at(read: bytes, at: int) -> Packet | None:
    """The packet that begins there; ``None`` while it is not all here. Raises ``MalformedPacket`` when it is none."""
    here = len(read)
    length, place = 0, at + 1
    for shift in (0, 7, 14, 21):
        if place >= here:
            return None
        digit = read[place]
        length |= (digit & 127) << shift
        place += 1
        if digit < 128:
            break
    else:
        raise MalformedPacket("its length is longer than four bytes")
    if length > LARGEST:
        raise MalformedPacket(f"it has {length} bytes")
    return Packet(read[at], place, place + length) if place + length <= here else None


def delivered(read: bytes, packet: Packet) -> Delivered:
    """What this PUBLISH says; raises ``MalformedPacket`` when it is none that was asked for."""
    first, begin, end = packet
    qos = (first >> 1) & 3
    topic_ends = begin + 2 + int.from_bytes(read[begin : begin + 2])
    says = topic_ends + 2 if qos else topic_ends
    if qos > 1 or says > end:
        raise MalformedPacket("a message is cut short, or of a quality nobody asked for")
    topic = read[begin + 2 : topic_ends].decode(errors="replace")
    mid = int.from_bytes(read[topic_ends:says])
    return Delivered(topic, read[says:end], mid, qos)
