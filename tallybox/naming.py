"""How a log names an event: by its id and its place, never by what it says."""

from __future__ import annotations

from tallybox.envelope import Event


def named(event: Event, identity: str) -> dict[str, object]:
    """``event_id``, ``box``, ``epoch``, ``seq`` and ``type``, for every line of a log that is about this event."""
    return {
        "event_id": identity, "box": event.kiosk, "epoch": event.epoch, "seq": event.seq, "type": event.type,
    }  # fmt: skip
