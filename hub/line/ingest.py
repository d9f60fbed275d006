"""The hub's line to the broker, and the only place that speaks MQTT on this side.

Delivery is acknowledged by hand: commit, then the ack to the box, then PUBACK. PUBACK proves nothing to a box; its
outbox is emptied by acks alone, so whatever is dropped here comes again.
"""

from __future__ import annotations

import math
import ssl
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Final

import paho.mqtt.client as mqtt
import structlog
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from hub.accepting.items import Connected, Item
from hub.accepting.keeper import Answer
from hub.accepting.received import Received
from hub.line.arrivals import LEAVES, Arrivals
from hub.line.client import Delivered, LineClient
from hub.line.flow import BOX, Allowance
from hub.line.loop import LineLoop
from hub.line.publications import Publication
from hub.timekeeping import HubTime
from tallybox.messages import HubState, encode
from tallybox.topics import Topics

log = structlog.get_logger("hub.ingest")

ONE_FOR_ANOTHER: Final = (
    "The broker lets one box speak for another: its permissions are not in force. Results could be forged. "
    "Have the broker read the venue's own settings again, then look here once more."
)
NO_TRUST: Final = (
    "The hub does not trust what answers as the broker ({reason}). The tables keep what they have. "
    "Look at the date on this machine and at the broker's certificate; “tallybox provision” renews it."
)
TURNED_AWAY: Final = (
    "The broker turns the hub's certificate away. The tables keep what they have. "
    "Look at the date on this machine; “tallybox provision --renew hub” makes a new certificate."
)

KEEPALIVE_SECONDS: Final = 20
RETRY_SECONDS: Final = 1.0
GOODBYE_SECONDS: Final = 2.0
"""A broker that takes no goodbye in this time gets none."""
JOIN_SECONDS: Final = 5.0
INFLIGHT: Final = 1_000


class Ingest:
    """Connects in the background and reconnects for ever; ``put`` hands what arrives to the writer.

    ``waiting`` says how much the writer has still before it, ``allowance`` how much of it may be one box's.
    """

    def __init__(
        self,
        *,
        topics: Topics,
        host: str,
        port: int,
        client_id: str,
        software: str,
        kiosks: Collection[str],
        time: HubTime,
        put: Callable[[Item], None],
        waiting: Callable[[], int],
        tls: ssl.SSLContext | None = None,
        allowance: Allowance = BOX,
    ) -> None:
        self.connected = False
        self.acks = 0
        """Acks sent since the start."""
        self._arrivals = Arrivals(topics, kiosks, time, allowance, put=put, waiting=waiting, pong=self._pong)
        self._heard: frozenset[str] = frozenset()
        self._shut: frozenset[str] = frozenset()
        self._distrust: str | None = None
        self._topics = topics
        self._address = (host, port)
        self._software = software
        self._kiosks = kiosks
        self._time = time
        self._put = put
        self._connection = 0
        self._stopping = threading.Event()
        self._gone = threading.Event()
        self._client = self._made(client_id, tls)
        self._again = threading.Event()
        self._turned_at = time.seconds()
        self._loop = LineLoop()
        self._loop.watch(self._client)
        self._thread = threading.Thread(target=self._run, name="hub-line", daemon=True)

    @property
    def put_off(self) -> int:
        """Payloads not taken so far: beyond a box's allowance, or beyond what may wait for the writer."""
        return self._arrivals.put_off

    @property
    def trouble(self) -> str | None:
        """What the director must know about the line: no trust, permissions not in force, a flood."""
        if self._distrust is not None or self._arrivals.one_for_another:
            return self._distrust or ONE_FOR_ANOTHER
        return self._arrivals.trouble

    def start(self, epoch: int) -> None:
        """Begin to connect; ``epoch`` is what the last will names."""
        self._client.will_set(self._topics.hub_state, self._state(epoch, online=False), qos=1, retain=True)
        self._thread.start()

    def stop(self, epoch: int) -> None:
        """Say goodbye, if the line is up, and let go."""
        self._stopping.set()
        if self.connected:
            farewell = self._client.publish(self._topics.hub_state, self._state(epoch, online=False), 1, retain=True)
            try:
                farewell.wait_for_publish(timeout=1.0)
            except (RuntimeError, ValueError):
                log.info("farewell_not_sent")
        self._client.disconnect()
        self._loop.ring()
        if self._thread.ident is not None:
            self._thread.join(timeout=GOODBYE_SECONDS)
            self._gone.set()
            self._thread.join(timeout=JOIN_SECONDS)
        self._loop.close()

    def answer(self, answers: Sequence[Answer], done: Sequence[Received]) -> None:
        """Send the acks; then PUBACK what came over the present connection (mids of an earlier one are reused)."""
        for answer in answers:
            self._client.publish(self._topics.kiosk(answer.box, "ack"), encode(answer.ack), qos=1)
        self.acks += len(answers)
        self._arrivals.done(done)
        now = self._connection
        self._client.ack_all([each.mid for each in done if each.qos > 0 and each.connection == now])

    def publish(self, publications: Sequence[Publication]) -> None:
        """Send retained messages; while the line is down nothing is queued, as everything goes out at reconnect."""
        if not self.connected:
            return
        for publication in publications:
            self._client.publish(publication.topic, publication.payload, qos=1, retain=True)

    def send(self, letters: Sequence[Publication]) -> None:
        """Send messages that the broker does not keep; a box that is away gets them at its next birth."""
        if not self.connected:
            return
        for letter in letters:
            self._client.publish(letter.topic, letter.payload, qos=1, retain=False)

    def announce(self, epoch: int) -> None:
        """The hub's birth."""
        self._client.publish(self._topics.hub_state, self._state(epoch, online=True), qos=1, retain=True)

    def echo(self, within: float) -> bool:
        """Whether a message of the hub's own went through the broker and came back, within so many seconds."""
        if not self.connected:
            return False
        self._client.publish(self._topics.hub_echo, self._arrivals.echo.call(), qos=0)
        return self._arrivals.echo.back(within)

    def renew(self) -> None:
        """Give the connection up and make a new one: it looks up, but carries nothing."""
        self._again.set()
        self._loop.ring()

    def turned(self) -> float:
        """How long ago, in seconds, the line's thread went round last; infinite once it has ended."""
        return self._time.seconds() - self._turned_at if self._thread.is_alive() else math.inf

    def _made(self, client_id: str, tls: ssl.SSLContext | None) -> LineClient:
        client = LineClient(
            CallbackAPIVersion.VERSION2, client_id=client_id, clean_session=True, protocol=mqtt.MQTTv311,
            manual_ack=True,
        )  # fmt: skip
        if tls is not None:
            client.tls_set_context(tls)
            client.on_log = self._on_log
        client.max_inflight_messages_set(INFLIGHT)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_delivered = self._on_delivered
        return client

    def _state(self, epoch: int, *, online: bool) -> bytes:
        return encode(HubState(v=1, online=online, epoch=epoch, software=self._software))

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._turned_at = self._time.seconds()
            try:
                self._client.connect(*self._address, keepalive=KEEPALIVE_SECONDS)
                while not self._gone.is_set() and not self._again.is_set() and self._loop.turn(self._client):
                    self._turned_at = self._time.seconds()
                    self._listen()
                if self._again.is_set():
                    log.warning("line_renewed", why="the broker brings nothing back")
                    self._again.clear()
                    self.connected = False
            except OSError as reason:
                self._distrust = _no_trust(reason)
                log.info("broker_not_reached", reason=str(reason))
            except Exception:
                # The library's loop can end on its own faults; the line must come back.
                log.exception("line_stumbled")
            self._stopping.wait(RETRY_SECONDS)

    def _on_connect(
        self,
        _client: mqtt.Client,
        _userdata: object,
        _flags: mqtt.ConnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if reason.is_failure:
            log.warning("broker_refused", reason=str(reason))
            return
        self._connection += 1
        self._distrust, self._arrivals.one_for_another = None, False
        self.connected = True
        self._heard = frozenset()
        self._client.subscribe(self._topics.hub_echo, 0)
        self._listen()
        self._put(Connected())

    def _listen(self) -> None:
        """Subscribe to whom the hub listens to: everybody, or while somebody floods each known box but that one.

        The broker then drops the flood by itself; to read it, if only to put it off, would hold the others up.
        """
        if not self.connected:
            return
        shut = self._arrivals.shut()
        if shut == self._shut and self._heard:
            return
        wanted = self._filters(shut)
        fresh, stale = wanted - self._heard, self._heard - wanted
        if fresh:
            self._client.subscribe([(topic, LEAVES[topic.rsplit("/", 1)[1]]) for topic in sorted(fresh)])
        if stale:
            self._client.unsubscribe(sorted(stale))
        if shut != self._shut:
            log.warning("listening_changed", not_to=sorted(name or "strangers" for name in shut))
        self._heard, self._shut = wanted, shut

    def _filters(self, shut: frozenset[str]) -> frozenset[str]:
        if not shut:
            return frozenset(self._topics.every_kiosk(leaf) for leaf in LEAVES)
        boxes = [box for box in self._kiosks if box not in shut]
        return frozenset(self._topics.kiosk(box, leaf) for box in boxes for leaf in LEAVES)

    def _on_disconnect(
        self,
        _client: mqtt.Client,
        _userdata: object,
        _flags: mqtt.DisconnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        self.connected = False
        log.info("broker_left", reason=str(reason))

    def _on_log(self, _client: mqtt.Client, _userdata: object, _level: int, said: str) -> None:
        """The library tells only here why a broker hangs up on a line that was up already."""
        if "ALERT" in said:
            self._distrust = TURNED_AWAY
            log.warning("broker_turns_the_hub_away", reason=said)

    def _on_delivered(self, came: Sequence[Delivered]) -> None:
        self._client.ack_all(self._arrivals.take(came, self._connection))

    def _pong(self, box: str, payload: bytes) -> None:
        self._client.publish(self._topics.kiosk(box, "pong"), payload, qos=0)


def _no_trust(reason: OSError) -> str | None:
    """What to say when the broker is not trusted; ``None`` when it is merely not reached."""
    if not isinstance(reason, ssl.SSLCertVerificationError):
        return None
    return NO_TRUST.format(reason=reason.verify_message)
