"""A fake kiosk on a real broker: an outbox that only acks empty, resending until they do."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

import paho.mqtt.client as mqtt
from hub_bench import TOPICS
from paho.mqtt.enums import CallbackAPIVersion
from waiting import PATIENCE, until

from tallybox.envelope import KioskEvent, encode_event, event_id
from tallybox.messages import Ack, ClockMessage, Desired, KioskState, Pong, Rev, Room, decode, encode


class Wire:
    """What a box hears, and a way to say things; ``box`` may be anything, to test what a stranger can do."""

    def __init__(self, box: str, port: int) -> None:
        self.box = box
        self.acks: list[Ack] = []
        self.desired: list[Desired] = []
        self.clocks: list[ClockMessage] = []
        self.rooms: list[Room] = []
        self.pongs: list[Pong] = []
        self.outbox: deque[KioskEvent] = deque()
        self._changed = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=box)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_message = self._on_message
        self._client.on_connect = self._on_connect
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        until(self._client.is_connected)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def listen(self, topic: str, heard: list[bytes]) -> None:
        """Hear one more topic of the venue."""
        self._client.message_callback_add(
            TOPICS.root + topic, lambda _c, _u, message: heard.append(bytes(message.payload))
        )
        self._client.subscribe(TOPICS.root + topic, 1)

    def birth(self, epoch: str | None, seq: int = 0, rev: Rev | None = None, unsent: int = 0) -> None:
        state = KioskState(v=1, kiosk=self.box, online=True, epoch=epoch, seq=seq, rev=rev, unsent=unsent)
        self.put("state", encode(state), retain=True)

    def put(self, leaf: str, payload: bytes, *, retain: bool = False) -> None:
        self._client.publish(TOPICS.kiosk(self.box, leaf), payload, qos=1, retain=retain)

    def send(self, events: Sequence[KioskEvent], seconds: float = PATIENCE, resend: float = 1.0) -> None:
        """Put events into the outbox and keep sending until acks have emptied it."""
        self.outbox.extend(events)
        end = time.monotonic() + seconds
        while self.outbox:
            assert time.monotonic() < end, f"{len(self.outbox)} events were never acked"
            for event in tuple(self.outbox):
                self.put("evt", encode_event(event))
            with self._changed:
                self._changed.wait_for(lambda: not self.outbox, timeout=resend)

    def ack_where(self, wanted: Callable[[Ack], object]) -> Ack:
        until(lambda: any(wanted(ack) for ack in self.acks))
        return next(ack for ack in self.acks if wanted(ack))

    def last_desired(self, wanted: Callable[[Desired], object]) -> Desired:
        found: list[Desired] = []

        def there() -> bool:
            found[:] = [desired for desired in self.desired[-1:] if wanted(desired)]
            return bool(found)

        until(there)
        return found[0]

    def _on_connect(self, client: mqtt.Client, *_: object) -> None:
        client.subscribe([(TOPICS.kiosk(self.box, leaf), 1) for leaf in ("ack", "desired", "pong")])
        client.subscribe([(TOPICS.clock, 1), (TOPICS.room, 1)])

    def _on_message(self, _client: mqtt.Client, _userdata: object, message: mqtt.MQTTMessage) -> None:
        payload = bytes(message.payload)
        with self._changed:
            match message.topic.rsplit("/", 1)[-1]:
                case "ack":
                    self._acked(decode(payload, Ack))
                case "desired":
                    self.desired.append(decode(payload, Desired))
                case "clock":
                    self.clocks.append(decode(payload, ClockMessage))
                case "room":
                    self.rooms.append(decode(payload, Room))
                case "pong":
                    self.pongs.append(decode(payload, Pong))
            self._changed.notify_all()

    def _acked(self, ack: Ack) -> None:
        self.acks.append(ack)
        ids = [event_id(event) for event in self.outbox]
        if not ack.branch and ack.id in ids:
            for _ in range(ids.index(ack.id) + 1):
                self.outbox.popleft()
