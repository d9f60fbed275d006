"""What a screen needs of the box behind it: the table's own, one that practises, or none yet."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from kiosk.view import BoxView, Outcome, Tried
from tallybox.events.table import Body


class Box(Protocol):
    """What the screen needs of a table's box."""

    @property
    def view(self) -> BoxView:
        """The table as it is now."""

    def do(self, body: Body) -> Future[Outcome]:
        """Journal one act."""

    def check_pin(self, pin: str) -> Future[Tried]:
        """See whose personal PIN this is."""

    def identify(self) -> None:
        """Sound the buzzer and light the lamp."""

    def speak(self, language: str) -> None:
        """Remember what this box is to speak."""

    def test_readers(self, on: bool) -> None:
        """Show the cards that are laid, and take none of them as a call, or stop that."""

    def dismiss_notice(self) -> None:
        """Somebody has read the notice."""

    def try_again(self) -> None:
        """Try to reach the hub now."""

    def subscribe(self, callback: Callable[[BoxView], None]) -> Callable[[], None]:
        """Hear of every new view, from whatever thread; the answer ends it."""


Arrival = Callable[[Callable[[Box], object]], None]
"""Calls back, from whatever thread, once the table's own box is there."""
