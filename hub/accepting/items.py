"""What the hub's writer deals with, one thing after another: payloads of boxes, and what else there is to do."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from hub.accepting.known_boxes import Known
from hub.accepting.looking import Looks
from hub.accepting.received import Received
from hub.desk.acts import Planner
from hub.tournament.state import Tournament
from tallybox.messages import KioskState


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A box said how it is."""

    state: KioskState


@dataclass(frozen=True, slots=True)
class Odd:
    """Something that is no event and cannot be read."""

    topic: str
    payload: bytes
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Connected:
    """The line to the broker is up, for the first time or again."""


@dataclass(frozen=True, slots=True)
class Request:
    """The director asks for something; ``done`` gets the tournament after it."""

    planner: Planner
    done: Future[Tournament]


Other = Heartbeat | Odd | Connected | Request | Known
Item = Received | Other
Group = Sequence[Looks | Other]
"""What is dealt with together."""
