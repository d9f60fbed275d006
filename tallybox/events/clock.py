"""Acts on the round clock that undo others: bodies of the hub's own events (docs/journal.md, Clock).

Nothing is taken out of the record: what was given too much, ended too soon or started by accident is undone by these.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tallybox.envelope import Hex64, Millis
from tallybox.events.hub import Act, Seconds


class ClockShortened(Act, frozen=True, kw_only=True):
    """``seconds`` of an extension are taken back; a clock that stands keeps ``deadline`` absent.

    ``extension``: the event that gave them.
    """

    seconds: Seconds
    extension: Hex64
    deadline: Millis | None = None
    remaining: Annotated[int, Meta(ge=0)] | None = None


class ClockReopened(Act, frozen=True, kw_only=True):
    """The clock was ended too soon: it goes on towards ``deadline`` with what was left then."""

    deadline: Millis


class StartWithdrawn(Act, frozen=True, kw_only=True):
    """The round was started by accident and no hand has begun: it is posted and waits again."""
