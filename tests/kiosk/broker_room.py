"""A real mosquitto on a free loopback port, and a small hub that acks: what the link's tests talk to."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import paho.mqtt.client as mqtt
from free_ports import free_port
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode
from seated import BOX

from tallybox.envelope import KioskEvent, decode_kiosk_event, event_id
from tallybox.messages import Ack, HubState, KioskState, Message, Ping, Pong, decode, encode
from tallybox.topics import Topics

TOPICS = Topics("main-hall")


def wait_for(what: Callable[[], object], within: float = 60.0) -> None:
    until = time.monotonic() + within
    while not what():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)


class Broker:
    """One mosquitto; killed and started again on the same port. Nothing is persisted: the worst case."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self._settings = folder / "mosquitto.conf"
        self._settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            ["mosquitto", "-c", str(self._settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for(self._answers)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(5)
            self._process = None

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 0.2).close()
        except OSError:
            return False
        return True


class SmallHub:
    """Takes only the next event of an epoch, acks after taking; can be told to lose, to be mute, to be late."""

    def __init__(self, port: int, *, wall: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self.held: dict[str, list[KioskEvent]] = {}
        self.received: list[bytes] = []
        self.states: list[KioskState] = []
        self.mute = False
        self.lose: Callable[[KioskEvent], bool] = lambda _event: False
        self._wall = wall
        self._lock = threading.Lock()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="small-hub")
        self._client.on_connect = self._connected
        self._client.on_message = self._message
        self._client.will_set(TOPICS.hub_state, encode(HubState(v=1, online=False, epoch=1)), qos=1, retain=True)
        self._client.reconnect_delay_set(0.1, 0.5)  # type: ignore[arg-type]
        self._port = port

    def start(self) -> None:
        self._client.connect_async("127.0.0.1", self._port)
        self._client.loop_start()

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def say(self, topic: str, message: Message | bytes, *, retain: bool = True) -> None:
        payload = message if isinstance(message, bytes) else encode(message)
        self._client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(5)

    def to_box(self, leaf: str, message: Message | bytes, *, retain: bool = False) -> None:
        self.say(TOPICS.kiosk(BOX, leaf), message, retain=retain)

    def ids(self) -> list[str]:
        with self._lock:
            return [event_id(event) for events in self.held.values() for event in events]

    def types(self) -> list[str]:
        with self._lock:
            return [event.type for events in self.held.values() for event in events]

    def ack(self, epoch: str) -> None:
        events = self.held.get(epoch, [])
        held = event_id(events[-1]) if events else None
        self._client.publish(TOPICS.kiosk(BOX, "ack"), encode(Ack(v=1, epoch=epoch, upto=len(events), id=held)), qos=1)

    def _connected(
        self, client: mqtt.Client, _data: object, _flags: mqtt.ConnectFlags, _code: ReasonCode, _properties: object
    ) -> None:
        client.subscribe([(TOPICS.every_kiosk(leaf), 1) for leaf in ("evt", "state", "ping")])
        client.publish(TOPICS.hub_state, encode(HubState(v=1, online=True, epoch=1)), qos=1, retain=True)

    def _message(self, client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        payload = bytes(message.payload)
        leaf = message.topic.rsplit("/", 1)[1]
        if leaf == "state":
            state = decode(payload, KioskState)
            self.states.append(state)
            if state.epoch is not None and not self.mute:
                self.ack(state.epoch)
        elif leaf == "ping" and not self.mute:
            ping = decode(payload, Ping)
            client.publish(TOPICS.kiosk(BOX, "pong"), encode(Pong(v=1, mono=ping.mono, hub=self._wall())), qos=0)
        elif leaf == "evt":
            self._event(payload)

    def _event(self, payload: bytes) -> None:
        event = decode_kiosk_event(payload)
        with self._lock:
            self.received.append(payload)
            if self.mute or self.lose(event):
                return
            events = self.held.setdefault(event.epoch, [])
            if event.seq == len(events) + 1:
                events.append(event)
        self.ack(event.epoch)
