"""An official at a table's screen: let in by a personal PIN, gone after two minutes without a tap. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kiosk.view import Denied, Official
from tallybox.countdown import seconds_left

STAYS: Final = 120_000
"""Milliseconds without a tap after which the menu closes by itself."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Who stands at the screen, until when (monotonic ms), and why the last PIN opened nothing."""

    official: Official | None = None
    until: int = 0
    denied: Denied | None = None
    checking: bool = False

    def at(self, now: int) -> Visit:
        """The visit as it is at ``now``: over, once nobody has tapped for too long."""
        return Visit() if self.official is not None and now >= self.until else self

    def tapped(self, now: int) -> Visit:
        """After one more tap."""
        return self if self.official is None else replace(self, until=now + STAYS)

    def asks(self) -> Visit:
        """While a PIN is checked."""
        return replace(self, denied=None, checking=True)

    def let_in(self, official: Official, now: int) -> Visit:
        """Once the PIN was right."""
        return Visit(official, now + STAYS)

    def refused(self, denied: Denied) -> Visit:
        """Once it was not."""
        return replace(self, denied=denied, checking=False)

    def left(self, now: int) -> int:
        """Whole seconds until the menu closes by itself."""
        return 0 if self.official is None else seconds_left(self.until, now)


NOBODY: Final = Visit()
"""No official is here."""
