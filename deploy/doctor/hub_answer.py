"""Broker and hub as this end meets them over MQTT: who answers, how far the clocks are apart, which version it is."""

from __future__ import annotations

import secrets
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from deploy.doctor.finding import Finding, Part, good, soon, wrong
from tallybox.errors import MessageError
from tallybox.messages import HubState, Ping, Pong, decode, encode
from tallybox.topics import Topics

WITHIN: Final = 5.0
"""Seconds for the broker to let us in, and for the hub to answer."""
APART: Final = 120_000
"""Milliseconds between a box's clock and the hub's that are worth a word."""
STEP: Final = 0.1


@dataclass(slots=True)
class Heard:
    """What came back."""

    connected: bool = False
    refused: str | None = None
    state: HubState | None = None
    offset: int | None = None
    """The hub's clock minus this machine's, in ms."""


@dataclass(slots=True)
class Asking:
    """One short visit to the broker as a box or as the hub itself, under a client id of its own."""

    topics: Topics
    box: str | None
    """Whose topics to ask on; ``None`` for the hub's own end, which only listens."""
    heard: Heard = field(default_factory=Heard)
    mono: int = field(default_factory=lambda: secrets.randbelow(2**40))

    def visit(self, host: str, port: int, tls: ssl.SSLContext | None, within: float = WITHIN) -> Heard:
        """Connect, ask, wait for the answer at most ``within`` seconds, and go. Never raises for what the line does."""
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=f"doctor-{secrets.token_hex(6)}", protocol=mqtt.MQTTv311
        )
        if tls is not None:
            client.tls_set_context(tls)
        client.connect_timeout = within
        client.on_connect = self._on_connect
        client.on_message = self._on_message
        until = time.monotonic() + within
        try:
            client.connect(host, port, keepalive=30)
            while time.monotonic() < until and not self._done():
                if client.loop(STEP) is not MQTTErrorCode.MQTT_ERR_SUCCESS:
                    break
        except (OSError, ValueError) as reason:
            self.heard.refused = str(getattr(reason, "strerror", None) or reason)
        finally:
            client.disconnect()
        return self.heard

    def _done(self) -> bool:
        heard = self.heard
        if heard.refused is not None:
            return True
        return heard.state is not None and (self.box is None or heard.offset is not None or not heard.state.online)

    def _on_connect(
        self, client: mqtt.Client, _data: object, _flags: mqtt.ConnectFlags, code: ReasonCode, _more: object
    ) -> None:
        if code.is_failure:
            self.heard.refused = str(code)
            return
        self.heard.connected = True
        client.subscribe(self.topics.hub_state, 1)
        if self.box is not None:
            client.subscribe(self.topics.kiosk(self.box, "pong"), 0)
            client.publish(self.topics.kiosk(self.box, "ping"), encode(Ping(v=1, mono=self.mono)), 0)

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        try:
            if message.topic == self.topics.hub_state:
                self.heard.state = decode(bytes(message.payload), HubState)
            else:
                pong = decode(bytes(message.payload), Pong)
                if pong.mono == self.mono:
                    self.heard.offset = pong.hub - time.time_ns() // 1_000_000
        except MessageError:
            return  # not the hub's own words: as good as no answer


def told(heard: Heard, where: str, box: str | None, software: str) -> Iterator[Finding]:
    """What the visit showed; ``software`` is this end's version as boxes and hub name theirs."""
    if not heard.connected:
        why = heard.refused or "it does not speak"
        yield wrong(
            Part.BROKER, "no-answer", f"The broker at {where} does not let this end in: {why}.",
            "Look at cable or Wi-Fi, at the name in venue.toml, and whether mosquitto runs on the hub's machine.",
        )  # fmt: skip
        return
    yield good(Part.BROKER, f"The broker at {where} answers and lets this end in.")
    if heard.state is None or not heard.state.online or (box is not None and heard.offset is None):
        yield wrong(
            Part.HUB, "no-hub", "The broker is up, and no hub answers.",
            "Start the hub: systemctl start tallybox-hub. Tables play on meanwhile." if box is None
            else "Look at the hub's machine: tallybox doctor there says why. This table plays on meanwhile.",
        )  # fmt: skip
        return
    yield good(Part.HUB, f"The hub answers: {heard.state.software or 'it does not say its version'}.")
    if heard.state.software and heard.state.software != software:
        yield soon(
            Part.HUB, "other-version", f"The hub runs {heard.state.software}, and this is {software}.",
            "Install the same version on both from the stick; the hub first.",
        )  # fmt: skip
    if heard.offset is not None:
        yield _apart(heard.offset)


def _apart(offset: int) -> Finding:
    if abs(offset) <= APART:
        return good(Part.CLOCK, f"This machine's clock and the hub's are {abs(offset) / 1000:.1f} seconds apart.")
    minutes = round(abs(offset) / 60_000)
    much = f"{minutes} minutes" if minutes < 120 else f"{round(minutes / 60)} hours"
    return soon(
        Part.CLOCK,
        "apart",
        f"This machine's clock is {much} {'behind' if offset > 0 else 'ahead of'} the hub's.",
        "The round clock does not mind: it follows the hub. Certificates may; look at chrony (“chronyc sources”) here.",
    )
