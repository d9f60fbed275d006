"""The link's pure parts: when a ping goes out and which answer counts, and which topics the hub speaks on."""

from __future__ import annotations

import pytest
from broker_room import TOPICS
from seated import BOX, clock

from kiosk.link.pings import Pings
from kiosk.link.topics import HubTopics
from tallybox.errors import MessageError
from tallybox.messages import HubState, Ping, Pong, encode


def test_the_first_pings_of_a_connection_come_sooner_than_the_later_ones() -> None:
    pings = Pings(every=100, quick=10, quick_ones=3)
    assert pings.next_due() is None
    assert [now for now in range(231) if pings.due(now)] == [0, 10, 20, 120, 220]
    assert pings.next_due() == 320
    pings.again()
    assert [now for now in range(300, 331) if pings.due(now)] == [300, 310, 320]


def test_an_answer_counts_for_a_ping_of_this_connection_alone() -> None:
    pings = Pings(every=10, quick=10, quick_ones=0)
    for now in (0, 10, 20):
        pings.due(now)
    assert [pings.answered(sent) for sent in (10, 10, 15, 20, 0)] == [True, False, False, True, True]
    pings.again()
    assert not pings.answered(20)


def test_each_word_of_the_hub_is_read_as_what_its_topic_carries() -> None:
    hub = HubTopics(TOPICS, BOX)
    assert hub.wanted() == [
        *((TOPICS.kiosk(BOX, leaf), qos) for leaf, qos in (("ack", 1), ("desired", 1), ("pins", 1), ("pong", 0))),
        (TOPICS.clock, 1), (TOPICS.room, 1), (TOPICS.hub_state, 1),
    ]  # fmt: skip
    said = {
        TOPICS.clock: clock(1, "running"),
        TOPICS.hub_state: HubState(v=1, online=True, epoch=4),
        TOPICS.kiosk(BOX, "pong"): Pong(v=1, mono=3, hub=5),
    }
    assert {topic: hub.read(topic, encode(word)) for topic, word in said.items()} == said
    assert hub.read(TOPICS.kiosk(BOX, "ping"), encode(Ping(v=1, mono=3))) is None
    with pytest.raises(MessageError):
        hub.read(TOPICS.clock, b"{")
