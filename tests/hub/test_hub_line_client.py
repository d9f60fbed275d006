"""The line reads and acknowledges many packets at once, and takes nothing from one connection into the next."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import paho.mqtt.client as mqtt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paho.mqtt.enums import CallbackAPIVersion

from hub.line.client import LARGEST, MOST_MIDS, Delivered, LineClient
from hub.line.loop import LineLoop

CONNACK = bytes([0x20, 2, 0, 0])
CONNECT = 0x10
PUBACK = 0x40


def publish(mid: int, payload: bytes) -> bytes:
    """A PUBLISH with QoS 1 as a broker sends it."""
    body = struct.pack("!H", 3) + b"t/1" + struct.pack("!H", mid) + payload
    return bytes([0x32]) + varied(len(body)) + body


def varied(length: int) -> bytes:
    """A length as MQTT writes it: seven bits a byte."""
    written = b""
    while True:
        length, digit = length >> 7, length & 127
        written += bytes([digit | (128 if length else 0)])
        if not length:
            return written


def puback(mid: int) -> bytes:
    return struct.pack("!BBH", PUBACK, 2, mid)


class Broker:
    """The other end of the wire, which sends just the bytes it is told to."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._wire = socket.socket()

    def accept(self) -> None:
        self._wire, _ = self._listener.accept()
        self._wire.settimeout(10.0)
        assert self._packet()[0] == CONNECT
        self.send(CONNACK)

    def send(self, data: bytes) -> None:
        self._wire.sendall(data)

    def hang_up(self) -> None:
        self._wire.close()

    def acked(self, many: int) -> list[int]:
        """The next so many packets, which acknowledge these messages."""
        packets = [self._packet() for _ in range(many)]
        assert {kind for kind, _ in packets} == {PUBACK}
        return [int.from_bytes(body) for _, body in packets]

    def _packet(self) -> tuple[int, bytes]:
        kind, length = self._exactly(2)
        assert length < 128, "nothing here is longer"
        return kind, self._exactly(length)

    def _exactly(self, size: int) -> bytes:
        got = b""
        while len(got) < size:
            more = self._wire.recv(size - len(got))
            assert more, "the client hung up"
            got += more
        return got

    def close(self) -> None:
        self._wire.close()
        self._listener.close()


class Line:
    """The client and its loop, turned by hand."""

    def __init__(self, port: int) -> None:
        self.client = LineClient(
            CallbackAPIVersion.VERSION2, client_id="line", protocol=mqtt.MQTTv311, manual_ack=True
        )  # fmt: skip
        self.heard: list[tuple[int, bytes]] = []
        self.groups: list[int] = []
        """How many messages came together, each time."""
        self.client.on_delivered = self._hear
        self.loop = LineLoop()
        self.loop.watch(self.client)
        self._port = port

    def connect(self, broker: Broker) -> None:
        self.client.connect("127.0.0.1", self._port)
        self.loop.turn(self.client)
        broker.accept()
        while not self.client.is_connected():
            assert self.loop.turn(self.client)

    def hear(self, many: int) -> list[tuple[int, bytes]]:
        """Turn until so many messages were heard in all."""
        while len(self.heard) < many:
            assert self.loop.turn(self.client)
        return self.heard

    def _hear(self, came: Sequence[Delivered]) -> None:
        assert {(each.topic, each.qos) for each in came} == {("t/1", 1)}
        self.groups.append(len(came))
        self.heard += [(each.mid, each.payload) for each in came]

    def close(self) -> None:
        self.client.disconnect()
        self.loop.close()


@contextmanager
def linked() -> Iterator[tuple[Broker, Line]]:
    with closing(Broker()) as broker, closing(Line(broker.port)) as line:
        line.connect(broker)
        yield broker, line


def told(payloads: Sequence[bytes]) -> list[tuple[int, bytes]]:
    return list(enumerate(payloads, 1))


@settings(max_examples=25, deadline=None)
@given(
    sizes=st.lists(st.sampled_from([0, 1, 117, 118, 119, 600, 16_378, 70_000]), min_size=1, max_size=12),
    cuts=st.lists(st.integers(1, 90_000), max_size=6),
)
def test_messages_are_the_same_however_the_network_cuts_them(sizes: list[int], cuts: list[int]) -> None:
    payloads = [bytes([place % 251]) * size for place, size in enumerate(sizes)]
    data = b"".join(publish(mid, payload) for mid, payload in told(payloads))
    with linked() as (broker, line):
        for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(data)], strict=True):
            broker.send(data[begin:end])
            line.loop.ring()
            line.loop.turn(line.client)
        assert line.hear(len(payloads)) == told(payloads)


def test_many_small_messages_are_read_and_handed_over_at_once() -> None:
    payloads = [b"x" * 100] * 1_000
    with linked() as (broker, line):
        broker.send(b"".join(publish(mid, payload) for mid, payload in told(payloads)))
        assert line.hear(len(payloads)) == told(payloads)
        assert max(line.groups) > 100


def test_the_librarys_own_packets_are_dealt_with_between_messages_in_their_order() -> None:
    with linked() as (broker, line):
        gone: list[int] = []
        line.client.on_publish = lambda *_: gone.append(len(line.heard))
        sent = line.client.publish("t/2", b"from here", qos=1)
        assert line.loop.turn(line.client)
        broker.send(publish(1, b"before") + puback(sent.mid) + publish(2, b"after"))
        assert line.hear(2) == [(1, b"before"), (2, b"after")]
        assert (gone, sent.is_published(), line.groups) == ([1], True, [1, 1])


@pytest.mark.parametrize(
    ("no_packet", "why"),
    [
        (bytes([0x32, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]), "a length of five bytes"),
        (bytes([0x32, *varied(LARGEST + 1)]), "more than any broker lets through"),
        (bytes([0x32, 4, 0, 9]) + b"t/", "a topic longer than the packet"),
        (bytes([0x34, 7, 0, 3]) + b"t/1\0\1", "a quality of service nobody asked for"),
        (bytes([0xF0, 0]), "a kind that there is not"),
    ],
)
def test_what_is_no_packet_ends_the_connection_and_what_came_before_it_is_heard(no_packet: bytes, why: str) -> None:
    with linked() as (broker, line):
        broker.send(publish(1, b"fine") + no_packet + publish(2, b"never heard"))
        while line.loop.turn(line.client):
            pass
        assert (line.heard, line.client.socket()) == ([(1, b"fine")], None), why
        line.connect(broker)
        broker.send(publish(3, b"anew"))
        assert line.hear(2) == [(1, b"fine"), (3, b"anew")]


def test_what_a_connection_left_half_said_is_not_taken_into_the_next() -> None:
    with linked() as (broker, line):
        broker.send(publish(1, b"whole") + publish(2, b"only half of this came")[:9])
        assert line.hear(1) == [(1, b"whole")]
        broker.hang_up()
        while line.loop.turn(line.client):
            pass
        line.connect(broker)
        broker.send(publish(3, b"anew"))
        assert line.hear(2) == [(1, b"whole"), (3, b"anew")]


def test_all_messages_are_acknowledged_one_by_one_and_in_order() -> None:
    mids = [*range(1, MOST_MIDS + 11), 65_535]
    with linked() as (broker, line):
        line.client.ack_all(mids)
        line.client.ack_all([])
        while line.client.want_write():
            assert line.loop.turn(line.client)
        assert broker.acked(len(mids)) == mids
