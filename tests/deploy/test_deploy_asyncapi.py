"""The MQTT contract: one document, made from the types, whose examples are real messages."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import jsonschema
import msgspec
import pytest
import yaml

from deploy import asyncapi
from tallybox.envelope import KioskEvent, authentic, event_id
from tallybox.events import HUB_EVENTS, TABLE_EVENTS, body_of
from tallybox.messages import Ack, Desired
from tallybox.signing import SigningKey
from tallybox.topics import Topics

DOCUMENT = Path(__file__).parents[2] / "docs" / "asyncapi.yaml"
EXAMPLES = asyncapi.examples()


def test_the_committed_document_is_what_the_types_say() -> None:
    assert DOCUMENT.read_text("utf-8") == asyncapi.text()


@pytest.mark.parametrize("channel", list(EXAMPLES))
def test_every_example_decodes_to_the_message_it_shows(channel: str) -> None:
    shown = yaml.safe_load(DOCUMENT.read_text("utf-8"))["components"]["messages"][channel]["examples"][0]["payload"]
    kind, value = EXAMPLES[channel]
    assert msgspec.convert(shown, kind, str_keys=True) == value


@pytest.mark.parametrize("channel", list(EXAMPLES))
def test_every_example_fits_the_schema_that_strangers_read(channel: str) -> None:
    document = yaml.safe_load(DOCUMENT.read_text("utf-8"))
    message = document["components"]["messages"][channel]
    schema = {"$ref": message["payload"]["$ref"], "components": document["components"]}
    jsonschema.Draft202012Validator(schema).validate(message["examples"][0]["payload"])


def test_the_example_event_is_signed_and_the_example_ack_names_it() -> None:
    event = cast("KioskEvent", EXAMPLES["event"][1])
    ack = cast("Ack", EXAMPLES["ack"][1])
    desired = cast("Desired", EXAMPLES["desired"][1])
    assert authentic(event, SigningKey(bytes(range(32))).public)
    assert (ack.epoch, ack.upto, ack.id) == (event.epoch, event.seq, event_id(event))
    assert desired.resume == (event,)
    assert body_of(event.type, event.body) is not None


def test_every_topic_of_the_code_has_a_channel() -> None:
    topics = Topics("hall")
    known = {topics.kiosk("K-04", leaf) for leaf in ("evt", "ack", "state", "desired", "pins", "ping", "pong")}
    known |= {topics.clock, topics.room, topics.hub_state}
    channels = yaml.safe_load(DOCUMENT.read_text("utf-8"))["channels"].values()
    assert {c["address"].replace("{venue}", "hall").replace("{box}", "K-04") for c in channels} == known


def test_every_event_type_has_its_body_described() -> None:
    document = yaml.safe_load(DOCUMENT.read_text("utf-8"))
    assert set(document["components"]["x-event-bodies"]) == set(TABLE_EVENTS) | set(HUB_EVENTS)


def test_the_document_says_which_events_a_box_sends_and_which_are_the_hub_s_own() -> None:
    senders = yaml.safe_load(DOCUMENT.read_text("utf-8"))["components"]["x-event-senders"]
    assert senders == {"kiosk": sorted(TABLE_EVENTS), "hub": sorted(HUB_EVENTS)}
    assert not set(TABLE_EVENTS) & set(HUB_EVENTS)
