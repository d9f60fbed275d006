"""What arrives on the hub's line: events and heartbeats go to the writer, pings and the hub's own echo end here.

Whatever is beyond a box's allowance, or more than the writer can keep up with, is put off: it comes again.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final

import structlog
from paho.mqtt.client import topic_matches_sub

from hub.accepting.items import Heartbeat, Item, Odd
from hub.accepting.received import Received
from hub.line.client import Delivered
from hub.line.echo import Echo
from hub.line.flow import Allowance, Flow
from hub.timekeeping import HubTime
from tallybox.errors import MessageError
from tallybox.messages import KioskState, Ping, Pong, decode, encode
from tallybox.topics import SELF_TEST, Topics

log = structlog.get_logger("hub.ingest")

TROUBLED_SECONDS: Final = 60.0
"""How long the desk is told of a flood after its last dropped payload."""

QUEUE_MOST: Final = 10_000
"""Payloads that may wait for the writer; beyond this they are dropped, and come again from the outboxes.

A broker lets 4,500 be under way, and mosquitto 2.0.11 twice as many (docs/decisions/0015-line.md)."""

TOO_MUCH: Final = (
    "More arrives at the hub than it can keep up with. Nothing is lost: the boxes send it again. "
    "Look for a box, or a stranger, that sends too much."
)

LEAVES: Final = {"evt": 1, "state": 1, "ping": 0}
"""What the hub hears of each box, and with which QoS."""


class Arrivals:
    """Sorts what comes of the ``kiosks`` and of strangers.

    ``put`` hands it to the writer, ``waiting`` says how much that has still before it, ``allowance`` how much of it may
    be one box's; ``pong`` sends a box, by name, the answer to its ping.
    """

    def __init__(
        self,
        topics: Topics,
        kiosks: Collection[str],
        time: HubTime,
        allowance: Allowance,
        *,
        put: Callable[[Item], None],
        waiting: Callable[[], int],
        pong: Callable[[str, bytes], object],
    ) -> None:
        self.echo = Echo()
        self.one_for_another = False
        """Whether the broker let a box speak for another."""
        self._topics = topics
        self._kiosks = kiosks
        self._time = time
        self._put = put
        self._waiting = waiting
        self._pong = pong
        self._flow = Flow(kiosks, allowance)
        self._flowing = threading.Lock()
        self._dropped = 0
        self._dropped_at: float | None = None

    @property
    def put_off(self) -> int:
        """Payloads not taken so far: beyond a box's allowance, or beyond what may wait for the writer."""
        with self._flowing:
            return self._flow.put_off + self._dropped

    @property
    def trouble(self) -> str | None:
        """Who floods the hub, for the director; ``None`` while nobody does."""
        now = self._time.seconds()
        at = self._dropped_at
        if at is not None and now - at <= TROUBLED_SECONDS:
            return TOO_MUCH
        with self._flowing:
            return self._flow.sentence(now)

    def take(self, came: Sequence[Delivered], connection: int) -> list[int]:
        """Deal with what came over this connection, or hand it to the writer.

        Answers with the mids (QoS 1) that were dealt with; of all others the writer says so later.
        """
        now = self._time.seconds()
        dealt: list[int] = []
        for each in came:
            try:
                waits = self._take(each, now, connection)
            except Exception:
                # One message that fails must not take along what came with it.
                log.exception("message_stumbled", topic=each.topic)
                waits = False
            if not waits and each.qos:
                dealt.append(each.mid)
        return dealt

    def done(self, done: Sequence[Received]) -> None:
        """These were written, or set aside."""
        topics = Counter([received.topic for received in done])
        with self._flowing:
            for topic, times in topics.items():
                parsed = self._topics.parse_kiosk(topic)
                self._flow.done(None if parsed is None else parsed[0], times)

    def shut(self) -> frozenset[str]:
        """Whom not to listen to now, as they flood (``Flow.shut``)."""
        with self._flowing:
            return self._flow.shut(self._time.seconds())

    def _take(self, each: Delivered, now: float, connection: int) -> bool:
        """Whether the writer will say that it is dealt with."""
        topic, payload = each.topic, each.payload
        parsed = self._topics.parse_kiosk(topic)
        box, leaf = parsed or (None, self._asked_for(topic))
        if leaf not in LEAVES:
            if topic == self._topics.hub_echo:
                self.echo.heard(payload)
            return False
        event = leaf == "evt"
        with self._flowing:
            within = self._flow.take(box, len(payload), now, waits=event, sign=not event)
        if not within:
            return False
        if leaf == "ping":
            self._ping(box, payload)
        elif self._waiting() >= QUEUE_MOST:
            self._drop(box, now, event=event)
        elif event:
            self._put(Received(topic, payload, each.mid, each.qos, connection))
            return True
        else:
            self._put(self._heartbeat(topic, box, payload))
        return False

    def _asked_for(self, topic: str) -> str:
        """What a topic that is no box's ends with, if the hub listens to it all the same.

        The embedded broker hands whoever connects what it keeps for others: this hub's own words are no box's.
        """
        leaf = topic.rpartition("/")[2]
        return leaf if leaf in LEAVES and topic_matches_sub(self._topics.every_kiosk(leaf), topic) else ""

    def _drop(self, box: str | None, now: float, *, event: bool) -> None:
        self._dropped += 1
        self._dropped_at = now
        if event:
            with self._flowing:
                self._flow.done(box)

    def _heartbeat(self, topic: str, box: str | None, payload: bytes) -> Heartbeat | Odd:
        try:
            state = decode(payload, KioskState)
        except MessageError as reason:
            return Odd(topic, payload, reason.code, reason.message)
        if box != state.kiosk:
            said = f"The state of box {state.kiosk} came on another box's topic. The director looks at both boxes."
            return Odd(topic, payload, "wrong-topic", said)
        if state.kiosk not in self._kiosks:
            said = f"Box {state.kiosk} is not known to this hub. The director adds its key, or takes it off the floor."
            return Odd(topic, payload, "unknown-kiosk", said)
        return Heartbeat(state)

    def _ping(self, box: str | None, payload: bytes) -> None:
        if box is None:
            return
        if box == SELF_TEST and not self.one_for_another:
            self.one_for_another = True
            log.error("one_box_speaks_for_another")
        try:
            ping = decode(payload, Ping)
        except MessageError:
            return
        self._pong(box, encode(Pong(v=1, mono=ping.mono, hub=self._time.now())))
