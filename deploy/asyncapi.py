"""The MQTT contract as an AsyncAPI 3 document, made from the very types that decode the messages.

``python -m deploy.asyncapi`` prints it; ``docs/asyncapi.yaml`` is that print, and a test keeps the two equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

import msgspec
import yaml

from tallybox import messages
from tallybox.canonical import Json
from tallybox.envelope import At, Fact, Head, KioskEvent, Occasion, event_id, follow_kiosk
from tallybox.events import HUB_EVENTS, TABLE_EVENTS
from tallybox.events.hub import Pairing
from tallybox.events.table import CallMade
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey

_KEY: Final = SigningKey(bytes(range(32)))
_AT: Final = At(wall=1_790_000_000_000, mono=812_345, synced=True)
_SEAT: Final = Occasion("spring-2026", 2, 4, 3)
_REV: Final = (1, 57)
_VERIFIER: Final = "$argon2id$v=19$m=19456,t=2,p=1$ZXhhbXBsZS1zYWx0$" + "A" * 43


@dataclass(frozen=True, slots=True)
class Channel:
    """One topic: who sends what on it, how, and one example of it."""

    name: str
    address: str
    sender: str
    delivery: str
    summary: str
    message: type[msgspec.Struct]
    example: msgspec.Struct


def document() -> dict[str, Json]:
    """The whole AsyncAPI 3 document."""
    channels = _channels()
    bodies = {**TABLE_EVENTS, **HUB_EVENTS}
    kinds = [*{channel.message for channel in channels}, *bodies.values()]
    kinds.sort(key=lambda kind: kind.__name__)
    _, schemas = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}", schema_hook=_anything
    )
    return cast(
        "dict[str, Json]",
        {
            "asyncapi": "3.0.0",
            "info": {
                "title": "Tallybox",
                "version": "1.0.0",
                "license": {"name": "Apache-2.0"},
                "description": (
                    "How table boxes and the hub talk. Events travel up and are acknowledged after commit; desired "
                    "state travels down, retained. The rules behind the messages are in docs/journal.md. "
                    "x-event-senders says which events a box journals and sends, and which are the hub's own: those "
                    "stand in its ledger and reach a box as desired state. On hub/echo the hub calls to itself through "
                    "the broker; no box says or hears anything there."
                ),
            },
            "defaultContentType": "application/json",
            "channels": {channel.name: _channel(channel) for channel in channels},
            "operations": {_operation_name(channel): _operation(channel) for channel in channels},
            "components": {
                "schemas": schemas,
                "messages": {channel.name: _message(channel) for channel in channels},
                "x-event-bodies": {
                    name: {"$ref": f"#/components/schemas/{kind.__name__}"} for name, kind in sorted(bodies.items())
                },
                "x-event-senders": {"kiosk": sorted(TABLE_EVENTS), "hub": sorted(HUB_EVENTS)},
            },
        },
    )


def examples() -> Mapping[str, tuple[type[msgspec.Struct], msgspec.Struct]]:
    """By channel: the type that decodes its messages, and the example that the document shows."""
    return {channel.name: (channel.message, channel.example) for channel in _channels()}


def text() -> str:
    """The document as YAML, as ``docs/asyncapi.yaml`` holds it."""
    head = "# Made by `make contract` from the types that decode the messages; do not edit by hand.\n"
    return head + yaml.safe_dump(document(), sort_keys=False, allow_unicode=True, width=110)


def _channels() -> tuple[Channel, ...]:
    kiosk = "tallybox/v1/{venue}/kiosk/{box}/"
    event = _event()
    return (
        Channel("event", kiosk + "evt", "kiosk", "QoS 1, not retained", "One journal event.", KioskEvent, event),
        Channel(
            "ack", kiosk + "ack", "hub", "QoS 1, not retained",
            "Cumulative, after commit only; repeated on each birth of the box. Only this empties an outbox.",
            messages.Ack, messages.Ack(v=1, epoch=event.epoch, upto=event.seq, id=event_id(event)),
        ),
        Channel(
            "kioskState", kiosk + "state", "kiosk", "QoS 1, retained, last will",
            "Birth, heartbeat (on change at most every 5 s, else every 10 s) and last will of a box.",
            messages.KioskState,
            messages.KioskState(
                v=1, kiosk="K-04", online=True, epoch=event.epoch, seq=event.seq, rev=_REV, unsent=1,
                software="0.1.0", reader=messages.ReaderReport(state="working"),
            ),
        ),
        Channel(
            "desired", kiosk + "desired", "hub", "QoS 1, retained",
            "Everything this box should show. A box ignores what is older than what it has (rev).",
            messages.Desired, _desired(event),
        ),
        Channel(
            "pins", kiosk + "pins", "hub", "QoS 1, not retained",
            "Who may open the menu of officials; sent after each birth of the box, over TLS alone.",
            messages.Pins,
            messages.Pins(v=1, kiosk="K-04", officials=(
                messages.Verifier(official="dana", name="Dana", role="director", verifier=_VERIFIER),
            )),
        ),
        Channel(
            "ping", kiosk + "ping", "kiosk", "QoS 0", "Asks for the hub's clock. A box pings for the box “self-test” "
            "too, which nobody has: what the hub hears there shows that the broker lets one box speak for another.",
            messages.Ping, messages.Ping(v=1, mono=812_345),
        ),
        Channel(
            "pong", kiosk + "pong", "hub", "QoS 0", "The ping's own figure and the hub's clock.",
            messages.Pong, messages.Pong(v=1, mono=812_345, hub=1_790_000_000_012),
        ),
        Channel(
            "clock", "tallybox/v1/{venue}/clock", "hub", "QoS 1, retained", "The round clock: a deadline, never ticks.",
            messages.ClockMessage,
            messages.ClockMessage(
                v=1, rev=_REV, state="running", round=2, seconds=1_500, deadline=1_790_000_900_000
            ),
        ),
        Channel(
            "room", "tallybox/v1/{venue}/room", "hub", "QoS 1, retained", "What idle screens show.",
            messages.Room,
            messages.Room(
                v=1, rev=_REV, title="Spring tournament", round=2, rounds=5,
                pairings=(Pairing(table=4, ns=7, ew=6),),
                standings=(messages.Standing(rank=1, team=7, hands_won=4, points=22, bostons=1),),
            ),
        ),
        Channel(
            "hubState", "tallybox/v1/{venue}/hub/state", "hub", "QoS 1, retained, last will",
            "Birth and last will of the hub.",
            messages.HubState, messages.HubState(v=1, online=True, epoch=1, software="0.1.0"),
        ),
    )  # fmt: skip


def _event() -> KioskEvent:
    body = CallMade(hand=3, seat=Seat.E, call="5 no", source="scanned", reading="a" * 64)
    fact = Fact("call.made", cast("Mapping[str, Json]", msgspec.to_builtins(body)))
    head = Head("q7d3k1", 41, "b" * 64)
    return follow_kiosk(head, "K-04", _SEAT, fact, _AT, _KEY)


def _desired(event: KioskEvent) -> messages.Desired:
    team = messages.Team
    return messages.Desired(
        v=1, rev=_REV, kiosk="K-04",
        seating=messages.Seating(
            tournament="spring-2026", title="Spring tournament", round=2, rounds=5, table=4,
            teams={
                Side.NS: team(number=7, names=("Player 7a", "Player 7b")),
                Side.EW: team(number=6, names=("Player 6a", "Player 6b")),
            },
            ruleset=cast("dict[str, object]", builtin("capitol-city-bid-whist").as_json()), hands=5, minutes=25,
        ),
        tenure=messages.Tenure(number=3, kiosk="K-04", claim="c" * 64),
        resume=(event,), desk=(
            messages.DeskFact(
                id="d" * 64, kind="ruling", by="dana", hand=2, reason="Seen by both sides.",
                ruling={"code": "RENEGE_SUIT", "side": "NS", "seat": "N", "caller": "E"},
            ),
        ),
    )  # fmt: skip


def _channel(channel: Channel) -> Json:
    parameters: dict[str, Json] = {"venue": {"description": "The venue's short name, such as main-hall."}}
    if "{box}" in channel.address:
        parameters["box"] = {"description": "The box's id, such as K-04; its identity at the broker."}
    return {
        "address": channel.address,
        "description": f"{channel.sender} → {channel.delivery}. {channel.summary}",
        "parameters": parameters,
        "messages": {channel.name: {"$ref": f"#/components/messages/{channel.name}"}},
    }


def _anything(kind: type) -> dict[str, object]:
    """A free JSON value, such as a body before its type is known; any other type must describe itself."""
    if kind is not object:
        raise NotImplementedError
    return {"description": "Any JSON value of whole numbers, text, lists and objects."}


def _operation_name(channel: Channel) -> str:
    return f"{channel.sender}Sends{channel.name[0].upper()}{channel.name[1:]}"


def _operation(channel: Channel) -> Json:
    return {
        "action": "receive" if channel.sender == "kiosk" else "send",
        "channel": {"$ref": f"#/channels/{channel.name}"},
        "summary": f"As the hub sees it. {channel.summary}",
        "bindings": {
            "mqtt": {"qos": 0 if "QoS 0" in channel.delivery else 1, "retain": ", retained" in channel.delivery}
        },
    }


def _message(channel: Channel) -> Json:
    return {
        "name": channel.name,
        "summary": channel.summary,
        "payload": {"$ref": f"#/components/schemas/{channel.message.__name__}"},
        "examples": [
            {"name": channel.name, "payload": cast("Json", msgspec.to_builtins(channel.example, str_keys=True))}
        ],
    }


if __name__ == "__main__":
    print(text(), end="")
