"""Bounds on the hub's side of the line: how much may wait for its writer, and how many officials one box hears of."""

from __future__ import annotations

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from hub.accepting.writer import Item
from hub.line.ingest import QUEUE_MOST, TOO_MUCH, TROUBLED_SECONDS, Ingest
from hub.line.pins import MOST, letter
from hub.timekeeping import HubTime
from hub.tournament.officials import Official
from hub.tournament.state import Tournament
from tallybox.messages import Pins, decode
from tallybox.roles import Role
from tallybox.topics import Topics

TOPICS = Topics("hall")


def test_what_comes_while_too_much_waits_is_put_off_and_the_director_is_told_for_a_minute() -> None:
    now, waits = [100.0], [QUEUE_MOST - 1]
    taken: list[Item] = []
    ingest = Ingest(
        topics=TOPICS, host="127.0.0.1", port=1, client_id="hub", software="test", kiosks={"K-01": "0" * 64},
        time=HubTime(lambda: now[0], lambda: now[0]), put=taken.append, waiting=lambda: waits[0],
    )  # fmt: skip
    client = mqtt.Client(CallbackAPIVersion.VERSION2)

    def arrives() -> None:
        message = mqtt.MQTTMessage(1, TOPICS.kiosk("K-01", "evt").encode())
        message.payload, message.qos = b"{}", 1
        ingest._on_message(client, None, message)

    arrives()
    assert (len(taken), ingest.put_off, ingest.trouble) == (1, 0, None)
    waits[0] = QUEUE_MOST
    arrives()
    assert (len(taken), ingest.put_off, ingest.trouble) == (1, 1, TOO_MUCH)
    waits[0] = 0
    now[0] += TROUBLED_SECONDS + 1
    arrives()
    assert (len(taken), ingest.put_off, ingest.trouble) == (2, 1, None)


def test_a_box_hears_of_two_hundred_officials_at_most() -> None:
    many = {f"o-{number}": Official(f"o-{number}", "Dana", Role.HELPER, "argon") for number in range(MOST + 50)}
    heard = decode(letter(TOPICS, Tournament(officials=many), "K-01").payload, Pins)
    assert [each.official for each in heard.officials] == list(many)[:200]
