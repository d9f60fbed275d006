"""A log's line about an event names it, and says nothing of what it holds."""

from __future__ import annotations

from tallybox.envelope import At, Fact, Head, Occasion, event_id, follow_kiosk
from tallybox.naming import named
from tallybox.signing import SigningKey


def test_an_event_is_named_by_its_id_and_its_place_without_its_body() -> None:
    here = Occasion("spring", 1, 4, 1)
    fact = Fact("director.called", {"reason": "somebody said something private"})
    event = follow_kiosk(
        Head("e1", 2, "0" * 64), "K-04", here, fact, At(wall=1, mono=1, synced=False), SigningKey(bytes(32))
    )
    name = event_id(event)
    assert named(event, name) == {
        "event_id": name, "box": "K-04", "epoch": "e1", "seq": 3, "type": "director.called"
    }  # fmt: skip
