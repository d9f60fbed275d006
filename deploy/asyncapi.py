"""The MQTT contract as an AsyncAPI 3 document, made from the very types that decode the messages.

``python -m deploy.asyncapi`` prints it; ``docs/asyncapi.yaml`` is that print, and a test keeps the two equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec
import yaml

from deploy.channels import Channel, channels
from tallybox.canonical import Json
from tallybox.events import HUB_EVENTS, TABLE_EVENTS


def document() -> dict[str, Json]:
    """The whole AsyncAPI 3 document."""
    told = channels()
    bodies = {**TABLE_EVENTS, **HUB_EVENTS}
    kinds = [*{channel.message for channel in told}, *bodies.values()]
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
            "channels": {channel.name: _channel(channel) for channel in told},
            "operations": {_operation_name(channel): _operation(channel) for channel in told},
            "components": {
                "schemas": schemas,
                "messages": {channel.name: _message(channel) for channel in told},
                "x-event-bodies": {
                    name: {"$ref": f"#/components/schemas/{kind.__name__}"} for name, kind in sorted(bodies.items())
                },
                "x-event-senders": {"kiosk": sorted(TABLE_EVENTS), "hub": sorted(HUB_EVENTS)},
            },
        },
    )


def examples() -> Mapping[str, tuple[type[msgspec.Struct], msgspec.Struct]]:
    """By channel: the type that decodes its messages, and the example that the document shows."""
    return {channel.name: (channel.message, channel.example) for channel in channels()}


def text() -> str:
    """The document as YAML, as ``docs/asyncapi.yaml`` holds it."""
    head = "# Made by `make contract` from the types that decode the messages; do not edit by hand.\n"
    return head + yaml.safe_dump(document(), sort_keys=False, allow_unicode=True, width=110)


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
