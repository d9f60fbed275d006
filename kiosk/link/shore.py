"""What passes between a box and its link to the hub: each side as the other sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from kiosk.journal.journal import Parcel
from kiosk.view import LinkView
from tallybox.countdown import Sample
from tallybox.messages import Ack, ClockMessage, Desired, KioskState, Pins, Room

HubMessage = Ack | Desired | ClockMessage | Room | Pins


class Shore(Protocol):
    """The box, as its link sees it. Every method may be called from the link's thread."""

    def now(self) -> int:
        """The box's monotonic clock in ms."""

    def parcels(self, limit: int) -> list[Parcel]:
        """The oldest events that no ack covers, in order, as they travel."""

    def birth(self) -> KioskState:
        """What the box says of itself."""

    def take(self, message: HubMessage) -> None:
        """Something the hub said; waits briefly when the box is busy."""

    def take_sample(self, sample: Sample) -> None:
        """A ping came back."""

    def show_link(self, link: LinkView) -> None:
        """How the link is now."""

    def show_strange(self, sentence: str) -> None:
        """Something came that cannot be read; ``sentence`` says what."""


class Link(Protocol):
    """The way to the hub, as the box sees it. No method waits for the network."""

    def start(self) -> None:
        """Begin; returns at once."""

    def stop(self) -> None:
        """End, within a few seconds."""

    def wake(self) -> None:
        """There is something new to send."""

    def halt(self, sentence: str) -> None:
        """Send nothing more, and say why, until ``try_again``."""

    def try_again(self) -> None:
        """Somebody asks to try at once."""


LinkFactory = Callable[[Shore], Link]
