"""The topics of the public contract."""

import pytest

from tallybox.errors import MessageError
from tallybox.topics import Topics


def test_topics_of_a_venue() -> None:
    topics = Topics("main-hall")
    assert [topics.kiosk("K-04", "evt"), topics.every_kiosk("state"), topics.clock, topics.room, topics.hub_state] == [
        "tallybox/v1/main-hall/kiosk/K-04/evt",
        "tallybox/v1/main-hall/kiosk/+/state",
        "tallybox/v1/main-hall/clock",
        "tallybox/v1/main-hall/room",
        "tallybox/v1/main-hall/hub/state",
    ]


def test_the_hub_calls_to_itself_on_a_topic_that_is_no_boxs() -> None:
    topics = Topics("main-hall")
    assert (topics.hub_echo, topics.parse_kiosk(topics.hub_echo)) == ("tallybox/v1/main-hall/hub/echo", None)


@pytest.mark.parametrize(
    ("topic", "parsed"),
    [
        ("tallybox/v1/main-hall/kiosk/K-04/evt", ("K-04", "evt")),
        ("tallybox/v1/main-hall/kiosk/K-04/evt/more", None),
        ("tallybox/v1/main-hall/kiosk/K-04/other", None),
        ("tallybox/v1/main-hall/kiosk/a b/evt", None),
        ("tallybox/v1/other/kiosk/K-04/evt", None),
        (f"tallybox/v1/main-hall/kiosk/{'K' * 200}/evt", None),
        ("tallybox/v1/main-hall/clock", None),
    ],
)
def test_only_a_kiosk_topic_of_this_venue_is_one(topic: str, parsed: tuple[str, str] | None) -> None:
    assert Topics("main-hall").parse_kiosk(topic) == parsed


@pytest.mark.parametrize("venue", ["", "Main Hall", "a/b", "+", "#", "x" * 33])
def test_a_venue_with_other_letters_is_refused(venue: str) -> None:
    with pytest.raises(MessageError) as why:
        Topics(venue)
    assert why.value.code == "bad-venue"


def test_an_unknown_leaf_or_a_wild_box_is_refused() -> None:
    for box, leaf in (("K-04", "nothing"), ("+", "evt"), ("K/4", "evt")):
        with pytest.raises(MessageError) as why:
            Topics("main-hall").kiosk(box, leaf)
        assert why.value.code == "bad-topic"
