"""The way to the hub over MQTT. One thread of its own; the box never waits for it. The only MQTT in the kiosk.

What arrives is decoded once, into types; what cannot be read is counted, logged and shown, and never stops the link.
Correctness never rests on the broker: only the hub's ack empties the outbox.
"""

from __future__ import annotations

import secrets
import select
import ssl
import threading
from dataclasses import dataclass, field
from typing import Final

import paho.mqtt.client as mqtt
import structlog
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from kiosk.link.health import LinkHealth
from kiosk.link.pings import Pings
from kiosk.link.pulse import Pulse
from kiosk.link.self_test import TOO_MUCH, SelfTest
from kiosk.link.sending import WINDOW, Patience, Sending
from kiosk.link.shore import LinkFactory, Shore
from kiosk.link.topics import HubTopics
from kiosk.link.trust import TURNED_AWAY, distrust, turned_away
from kiosk.link.uplink_wait import Bell, ends_when_silent, ready, unread
from kiosk.link.ways import OneWay, Way, Ways, worth_saying
from kiosk.view import NO_HUB, LinkView
from tallybox.countdown import Sample
from tallybox.errors import MessageError
from tallybox.messages import Ack, HubState, KioskState, Ping, Pong, encode
from tallybox.said import say
from tallybox.topics import Topics

KEEPALIVE: Final = 10
"""Seconds after which the broker misses a silent box and publishes its last will."""

CONNECT_WITHIN: Final = 3.0
STOP_WITHIN: Final = 5.0
LONGEST_SLEEP: Final = 1.0
"""Seconds; the link looks at its timers at least so often."""

_log = structlog.get_logger("kiosk")


@dataclass(frozen=True, slots=True)
class Timing:
    """The link's protocol times in ms. They are never divided by a demo's speed.

    ``retry_first`` to ``retry_most``: between two attempts to connect. ``welcome``: a broker answers within it.
    ``ping``: between two pings; ``quick_ping`` for the first few. ``deaf``: so long without a word from the hub is
    “no hub”; four times that: connect anew. ``steady``: a good connection lasts so long. ``births``: at the latest
    so often, ``births_on_change`` at the earliest.
    """

    retry_first: int = 250
    retry_most: int = 8_000
    welcome: int = 5_000
    ping: int = 5_000
    quick_ping: int = 500
    quick_pings: int = 3
    deaf: int = 15_000
    steady: int = 3_000
    births: int = 10_000
    births_on_change: int = 5_000
    patience: Patience = field(default_factory=Patience)


def connect_to(
    venue: str, host: str, port: int, *, box: str, timing: Timing = Timing(), tls: ssl.SSLContext | None = None,
    ways: Ways | None = None,
) -> LinkFactory:  # fmt: skip
    """Makes a box's link to a venue's broker; ``tls`` ``None`` is a plain one, for one machine alone.

    ``ways``: where else it may be than at ``host``; with them ``tls`` has to know whose certificate it wants to see.
    Raises ``MessageError`` when the venue's name cannot be a topic.
    """
    topics = Topics(venue)
    return lambda shore: Uplink(shore, topics, box, ways or OneWay(host, port), timing, tls)


class Uplink:
    """A ``kiosk.link.shore.Link`` over MQTT 3.1.1 with paho."""

    def __init__(
        self, shore: Shore, topics: Topics, box: str, ways: Ways, timing: Timing, tls: ssl.SSLContext | None = None
    ) -> None:
        self._shore = shore
        self._topics = topics
        self._hub_topics = HubTopics(topics, box)
        self._box = box
        self._ways = ways
        self._way: Way | None = None
        self._timing = timing
        self._tls = tls
        self._self_test: SelfTest | None = None
        self._too_much_said = False
        self._sending = Sending(timing.patience)
        self._pulse = Pulse(timing.births, timing.births_on_change)
        self._stopping = threading.Event()
        self._again = threading.Event()
        self._health = LinkHealth(timing.deaf, timing.steady)
        self._link: LinkView = NO_HUB
        self._client: mqtt.Client | None = None
        self._hub_epoch: int | None = None
        self._pings = Pings(timing.ping, timing.quick_ping, timing.quick_pings)
        self.strange = 0
        self._bell = Bell()
        self._thread = threading.Thread(target=self._run, name=f"uplink {box}", daemon=True)

    # What the box asks (kiosk.shore.Link)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """Say that the box goes, and end."""
        self._stopping.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(STOP_WITHIN)

    def wake(self) -> None:
        """There is something new to send."""
        self._bell.ring()

    def halt(self, sentence: str) -> None:
        """Send no more events, and say why, until ``try_again``."""
        self._health.halted = sentence
        self.wake()

    def try_again(self) -> None:
        """Connect at once, and send again after a halt."""
        self._health.halted = None
        self._again.set()
        self.wake()

    # The link's own thread

    def _run(self) -> None:
        wait = self._timing.retry_first
        while not self._stopping.is_set():
            try:
                if self._converse():
                    wait = self._timing.retry_first
            except Exception as failure:  # noqa: BLE001 (logged; a link that dies quietly is worse than one that retries)
                _log.error("the link failed", exc_info=failure)
            self._show()
            asked = self._sleep(wait)
            wait = self._timing.retry_first if asked else min(wait * 2, self._timing.retry_most)
        self._bell.close()

    def _converse(self) -> bool:
        """One connection from its beginning to its end; whether it was a good one."""
        client = self._reached()
        if client is None:
            return False
        self._begin()
        try:
            while not self._stopping.is_set() and self._turn(client) and not self._hopeless():
                pass
            self._leave(client)
        finally:
            self._client = None
            lasted = self._health.disconnected(self._shore.now())
        return lasted

    def _reached(self) -> mqtt.Client | None:
        """A client at the first of the ways that leads to a broker this box trusts; ``None`` when none does."""
        said = None
        for way in self._ways.now():
            if self._stopping.is_set():
                return None
            client = self._client = self._new_client()
            try:
                client.connect(way.host, way.port, keepalive=KEEPALIVE)
            except (OSError, ValueError) as reason:
                why = distrust(reason) if isinstance(reason, ssl.SSLError) else None
                self._ways.barred(way, why)
                said = said or worth_saying(way, why)
                _log.info("no broker", host=way.host, port=way.port, reason=str(reason))
            else:
                self._way = way
                ends_when_silent(client.socket(), KEEPALIVE)
                return client
        self._health.distrust = said
        return None

    def _begin(self) -> None:
        """A new connection: nothing of the last one counts."""
        self._health.connected(self._shore.now())
        self._sending.again()
        self._pulse.again()
        self._pings.again()

    def _hopeless(self) -> bool:
        """Whether a fresh connection may help, because this one is silent for too long."""
        silent = self._health.silent_for(self._shore.now())
        welcome = self._health.subscribed or silent <= self._timing.welcome
        if welcome and (self._health.hub_away or silent <= 4 * self._timing.deaf):
            return False
        _log.warning("nothing heard: connecting anew", ms=silent)
        return True

    def _turn(self, client: mqtt.Client) -> bool:
        """Wait for the network, the bell or a timer, and do what is due; False when the connection is gone."""
        connection = client.socket()
        if connection is None:
            return False
        wanted = select.POLLIN | (select.POLLOUT if client.want_write() else 0)
        left = unread(connection)
        happened = ready(
            {connection.fileno(): wanted, self._bell.ear: select.POLLIN}, 0.0 if left else self._until_due()
        )
        if self._bell.ear in happened:
            self._bell.heard()
        now = happened.get(connection.fileno(), 0) | (select.POLLIN if left else 0)
        if now & ~select.POLLOUT and client.loop_read() is not MQTTErrorCode.MQTT_ERR_SUCCESS:
            return False
        if now & select.POLLOUT and client.loop_write() is not MQTTErrorCode.MQTT_ERR_SUCCESS:
            return False
        if client.loop_misc() is not MQTTErrorCode.MQTT_ERR_SUCCESS:
            return False
        if self._health.subscribed:
            self._tell(client)
        self._show()
        return True

    def _tell(self, client: mqtt.Client) -> None:
        now = self._shore.now()
        birth = self._shore.birth()
        if self._pulse.due(birth, now):
            client.publish(self._topics.kiosk(self._box, "state"), encode(birth), qos=1, retain=True)
        if self._pings.due(now):
            client.publish(self._topics.kiosk(self._box, "ping"), encode(Ping(v=1, mono=now)), qos=0)
        if self._health.halted is not None:
            return
        waiting = {parcel.id: parcel.payload for parcel in self._shore.parcels(WINDOW)}
        for name in self._sending.due(list(waiting), now):
            self._health.sent(now)
            client.publish(self._topics.kiosk(self._box, "evt"), waiting[name], qos=1)

    def _until_due(self) -> float:
        now = self._shore.now()
        resend = self._sending.next_due() if self._health.halted is None else None
        due = [at for at in (resend, self._pulse.next_due(), self._pings.next_due()) if at]
        return min(max(0.0, (min(due) - now) / 1000), LONGEST_SLEEP) if due else LONGEST_SLEEP

    def _leave(self, client: mqtt.Client) -> None:
        """Say that the box is away, in place of the last will, if there is still somebody to hear it."""
        if self._health.subscribed and client.is_connected():
            away = client.publish(
                self._topics.kiosk(self._box, "state"), encode(KioskState(v=1, kiosk=self._box, online=False)),
                qos=1, retain=True,
            )  # fmt: skip
            for _ in range(20):
                if away.is_published() or client.loop(timeout=0.05) is not MQTTErrorCode.MQTT_ERR_SUCCESS:
                    break
        client.disconnect()

    def _sleep(self, ms: int) -> bool:
        """Wait before the next attempt; True when somebody asked to try at once."""
        until = self._shore.now() + ms
        while not self._stopping.is_set() and not self._again.is_set():
            left = until - self._shore.now()
            if left <= 0:
                return False
            if ready({self._bell.ear: select.POLLIN}, left / 1000):
                self._bell.heard()
        self._again.clear()
        return True

    # What comes in

    def _new_client(self) -> mqtt.Client:
        """A client for one connection: what an earlier one left under way is the outbox's business, not paho's."""
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=f"tallybox-{self._topics.venue}-{self._box}", protocol=mqtt.MQTTv311
        )
        client.connect_timeout = CONNECT_WITHIN
        client.max_inflight_messages_set(2 * WINDOW)
        client.max_queued_messages_set(8 * WINDOW)
        client.will_set(
            self._topics.kiosk(self._box, "state"), encode(KioskState(v=1, kiosk=self._box, online=False)),
            qos=1, retain=True,
        )  # fmt: skip
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message
        self._self_test, self._too_much_said = None, False
        if self._tls is not None:
            client.tls_set_context(self._tls)
            client.on_log = self._on_log
            self._self_test = SelfTest(self._topics, self._box, secrets.randbelow(2**52))
        return client

    def _on_connect(
        self, client: mqtt.Client, _data: object, _flags: mqtt.ConnectFlags, code: ReasonCode, _properties: object
    ) -> None:
        if code.is_failure:
            _log.warning("the broker refuses this box", reason=str(code))
            return
        client.subscribe(self._hub_topics.wanted())
        if self._self_test is not None:
            client.subscribe([(topic, 0) for topic in self._self_test.listens()])

    def _on_subscribe(self, client: mqtt.Client, _data: object, _mid: int, *_rest: object) -> None:
        if not self._health.subscribed:
            self._try_permissions(client)
        self._health.subscribed = True

    def _try_permissions(self, client: mqtt.Client) -> None:
        if self._self_test is not None:
            for topic, payload in self._self_test.says():
                client.publish(topic, payload, qos=0)

    def _on_log(self, _client: mqtt.Client, _data: object, _level: int, said: str) -> None:
        """The library tells only here why a broker hangs up on a line that was up already."""
        if turned_away(said):
            self._health.distrust = TURNED_AWAY
            _log.warning("the broker turns this box away", reason=said)

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        """Everything from outside, decoded once; an exception here would be raised in paho again and again."""
        try:
            if self._self_test is not None and self._self_test.came_back(message.topic, bytes(message.payload)):
                self._too_much(message.topic)
                return
            self._receive(message.topic, bytes(message.payload), retained=message.retain)
        except MessageError as reason:
            self.strange += 1
            _log.warning("a message cannot be read", topic=message.topic, code=reason.code, reason=reason.message)
            self._shore.show_strange(
                say(
                    "Something came over the network that cannot be read. Play on; tell the director if it comes again."
                )
            )
        except Exception as failure:  # noqa: BLE001 (as above)
            self.strange += 1
            _log.error("a message could not be taken", topic=message.topic, exc_info=failure)

    def _too_much(self, topic: str) -> None:
        """The broker's permissions are not in force: said once a connection, as the next birth tries again."""
        if not self._too_much_said:
            self._too_much_said = True
            _log.error("the broker lets this box do more than it may", topic=topic)
            self._shore.show_strange(TOO_MUCH)

    def _receive(self, topic: str, payload: bytes, *, retained: bool) -> None:
        word = self._hub_topics.read(topic, payload)
        match word:
            case None:
                return
            case HubState():
                self._hub_said(word)
            case Pong():
                self._pong(word)
            case _:
                if not retained:
                    self._health.heard(self._shore.now())
                if isinstance(word, Ack):
                    self._health.acked(self._shore.now(), more=len(self._sending.under_way) > 1)
                self._shore.take(word)

    def _hub_said(self, state: HubState) -> None:
        """The hub is here or away; a hub that came anew hears of this box at once, and its clock is measured anew."""
        self._health.hub_away = not state.online
        if state.online and self._client is not None:
            # It hears only now what a broker without permissions would bring it.
            self._try_permissions(self._client)
        if state.online and state.epoch != self._hub_epoch:
            if self._hub_epoch is not None:
                self._pulse.again()
                self._sending.again()
                self._pings.again()
            self._hub_epoch = state.epoch

    def _pong(self, pong: Pong) -> None:
        now = self._shore.now()
        if not self._pings.answered(pong.mono):
            return
        self._health.heard(now)
        if self._way is not None:
            self._ways.led(self._way)
            self._way = None
        self._shore.take_sample(Sample(sent=pong.mono, received=now, hub=pong.hub))

    # What is shown

    def _show(self) -> None:
        link = self._health.view(self._shore.now())
        if link != self._link:
            self._link = link
            self._shore.show_link(link)
