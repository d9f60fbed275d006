"""The cable really does to packets what it says: shown with mosquitto and real clients at its ends."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import paho.mqtt.client as mqtt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paho.mqtt.enums import CallbackAPIVersion
from room_parts import wait_for

from deploy.chaos.cable import Cable
from deploy.chaos.mischief import Mischief
from deploy.chaos.packets import LARGEST, Packet, PacketError, PacketReader
from hub.broker import start_broker

EVT, STATE = "tallybox/v1/x/kiosk/K-01/evt", "tallybox/v1/x/kiosk/K-01/state"
SECONDS = 20.0
LAW = settings(deadline=None)


@dataclass
class Line:
    """A publisher behind a cable, and what a subscriber beside it gets."""

    cable: Cable
    publisher: mqtt.Client
    heard: queue.Queue[tuple[str, bytes]]

    def say(self, *payloads: str, topic: str = EVT, qos: int = 1) -> None:
        for payload in payloads:
            self.publisher.publish(topic, payload, qos).wait_for_publish(SECONDS)

    def hears(self, many: int) -> list[str]:
        return [self.heard.get(timeout=SECONDS)[1].decode() for _ in range(many)]

    def hears_nothing_before(self, mark: str) -> None:
        """What is said on a topic that no mischief touches arrives after all that was said before."""
        self.say(mark, topic=STATE)
        assert self.hears(1) == [mark]


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    with ExitStack() as stack:
        broker = start_broker(tmp_path)
        stack.callback(broker.stop)
        cable = Cable(broker.port, up=frozenset({"evt"}), down=frozenset({"ack"}))
        stack.callback(cable.close)
        heard: queue.Queue[tuple[str, bytes]] = queue.Queue()
        listening, ready = client(stack, "listener", broker.port)
        listening.on_message = lambda _client, _data, message: heard.put((message.topic, bytes(message.payload)))
        subscribed = Event()
        listening.on_subscribe = lambda *_rest: subscribed.set()
        assert ready.wait(SECONDS)
        listening.subscribe("tallybox/#", 1)
        assert subscribed.wait(SECONDS)
        publisher, ready = client(stack, "publisher", cable.port)
        assert ready.wait(SECONDS)
        yield Line(cable, publisher, heard)


def client(stack: ExitStack, name: str, port: int) -> tuple[mqtt.Client, Event]:
    made = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv311)
    made.reconnect_delay_set(1, 1)
    ready = Event()
    made.on_connect = lambda *_rest: ready.set()
    made.connect("127.0.0.1", port)
    made.loop_start()
    stack.callback(made.loop_stop)
    stack.callback(made.disconnect)
    return made, ready


def test_a_cable_that_is_well_changes_nothing(line: Line) -> None:
    line.say("a", "b", "c")
    assert line.hears(3) == ["a", "b", "c"]
    assert (line.cable.up.struck, line.cable.carries) == (0, True)


def test_messages_come_twice(line: Line) -> None:
    line.cable.up.trouble(Mischief.TWICE)
    line.say("a", "b")
    assert line.hears(4) == ["a", "a", "b", "b"]
    line.cable.up.trouble(Mischief.NONE)
    line.say("c")
    assert line.hears(1) == ["c"]
    assert line.cable.up.struck == 2


def test_messages_change_places_and_none_is_lost(line: Line) -> None:
    line.cable.up.trouble(Mischief.MIX, draw=4)
    said = [line.publisher.publish(EVT, str(number), 1) for number in range(8)]
    for each in said:
        each.wait_for_publish(SECONDS)
    came = line.hears(8)
    assert came != [str(number) for number in range(8)]
    assert sorted(came) == [str(number) for number in range(8)]
    assert line.cable.up.struck >= 2


def test_messages_are_lost_though_their_sender_hears_that_they_were_taken(line: Line) -> None:
    line.cable.up.trouble(Mischief.LOSE)
    lost = line.publisher.publish(EVT, "lost", 1)
    lost.wait_for_publish(SECONDS)
    assert lost.is_published()
    line.hears_nothing_before("mark")
    assert line.cable.up.struck == 1


def test_only_the_topics_that_were_named_are_troubled(line: Line) -> None:
    line.cable.up.trouble(Mischief.LOSE)
    line.say("here", topic=STATE)
    assert line.hears(1) == ["here"]


def test_old_messages_come_again(line: Line) -> None:
    line.say("a", "b", "c")
    assert line.hears(3) == ["a", "b", "c"]
    assert line.cable.again(up=True, draw=2) == 3
    assert sorted(line.hears(3)) == ["a", "b", "c"]


def test_a_trap_swallows_one_message_and_springs_once(line: Line) -> None:
    sprung: list[str] = []
    line.cable.up.trap("evt", lambda: sprung.append("now"))
    line.publisher.publish(EVT, "swallowed", 0)
    line.say("next", qos=0)
    assert line.hears(1) == ["next"]
    assert sprung == ["now"]


def test_a_cut_cable_carries_nothing_until_it_is_mended(line: Line) -> None:
    line.say("before")
    assert line.hears(1) == ["before"]
    line.cable.cut()
    wait_for("the publisher noticing", lambda: not line.publisher.is_connected(), SECONDS)
    assert not line.cable.carries
    line.publisher.publish(EVT, "kept by its sender", 1)
    line.cable.mend()
    assert line.hears(1) == ["kept by its sender"]


def test_a_cable_that_is_closed_refuses_everybody(line: Line) -> None:
    line.cable.close()
    with pytest.raises(OSError, match="refused"):
        mqtt.Client(CallbackAPIVersion.VERSION2).connect("127.0.0.1", line.cable.port)


def publish(payload: bytes, mid: int, topic: bytes) -> bytes:
    rest = len(topic).to_bytes(2, "big") + topic + (mid.to_bytes(2, "big") if mid else b"") + payload
    length = bytearray()
    left = len(rest)
    while left or not length:
        left, digit = divmod(left, 128)
        length.append(digit | (0x80 if left else 0))
    return bytes([0x32 if mid else 0x31]) + bytes(length) + rest


PACKETS = st.builds(publish, st.binary(max_size=400), st.integers(0, 65_535), st.just(EVT.encode()))


@LAW
@given(st.lists(st.one_of(PACKETS, st.just(b"\xc0\x00"), st.just(b"\x40\x02\x00\x07")), max_size=6), st.data())
def test_however_a_stream_is_cut_the_same_packets_come_out(packets: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(packets)
    reader, found, at = PacketReader(), list[Packet](), 0
    while at < len(stream):
        step = data.draw(st.integers(1, len(stream) - at))
        found += reader.feed(stream[at : at + step])
        at += step
    assert [packet.raw for packet in found] == packets


@LAW
@given(st.binary(max_size=400), st.integers(1, 65_535))
def test_a_message_sent_once_more_says_the_same_and_asks_for_no_answer(payload: bytes, mid: int) -> None:
    (packet,) = PacketReader().feed(publish(payload, mid, EVT.encode()))
    assert (packet.topic, packet.leaf, packet.mid, packet.body) == (EVT, "evt", mid, payload)
    (again,) = PacketReader().feed(packet.once())
    assert (again.topic, again.body, again.acknowledged) == (EVT, payload, False)
    (twice,) = PacketReader().feed(packet.again())
    assert (twice.topic, twice.body, twice.mid) == (EVT, payload, mid)
    assert packet.puback() == b"\x40\x02" + mid.to_bytes(2, "big")


@pytest.mark.parametrize("bytes_", [b"\x30\xff\xff\xff\xff", b"\x30\xff\xff\xff\x7f"], ids=["endless", "too large"])
def test_bytes_that_are_no_packet_are_refused(bytes_: bytes) -> None:
    assert LARGEST < 0xFFFFFFF
    with pytest.raises(PacketError):
        PacketReader().feed(bytes_)
