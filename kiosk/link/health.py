"""What the link knows of itself, and the sentence it comes to. Pure: monotonic ms are handed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kiosk.view import LINKED, NO_HUB, LinkStatus, LinkView
from tallybox.said import Said, say

FLAPS: Final = 5
"""Connections in a row that broke at once; more likely than not, two boxes carry one name."""

FLAPPING: Final = LinkView(
    LinkStatus.NO_HUB,
    say("The link breaks again and again. Another box may carry this box's name. Play on; tell the director."),
)
NOT_TAKEN: Final = LinkView(
    LinkStatus.NO_HUB, say("The hub answers, but it does not take what this box sends. Play on; tell the director.")
)


@dataclass(slots=True)
class LinkHealth:
    """``deaf``: ms without a word from the hub that make “no hub”. ``steady``: ms a good connection lasts at least."""

    deaf: int
    steady: int
    halted: str | None = None
    began: int | None = None
    """When the present connection was made; ``None``: there is none."""
    subscribed: bool = False
    hub_away: bool = False
    heard_at: int | None = None
    unanswered_since: int | None = None
    """Since when events are under way without an ack."""
    flaps: int = 0
    distrust: Said | None = None
    """Why the last attempt ended before a word was said, if it was for want of trust."""

    def connected(self, now: int) -> None:
        """A connection was made; nothing of the last one counts."""
        self.began, self.subscribed, self.hub_away = now, False, False
        self.heard_at = self.unanswered_since = None

    def disconnected(self, now: int) -> bool:
        """The connection is gone; whether it was a good one."""
        began, self.began = self.began, None
        lasted = self.subscribed and began is not None and now - began >= self.steady
        if lasted:
            self.flaps = 0
        elif self.subscribed:
            self.flaps += 1
        self.subscribed = False
        return lasted

    def heard(self, now: int) -> None:
        """The hub itself said something."""
        self.heard_at, self.hub_away, self.distrust = now, False, None

    def acked(self, now: int, *, more: bool) -> None:
        """An ack came; ``more``: something is still under way."""
        self.unanswered_since = now if more else None

    def sent(self, now: int) -> None:
        """Events are under way."""
        if self.unanswered_since is None:
            self.unanswered_since = now

    def silent_for(self, now: int) -> int:
        """Ms since the hub was heard on this connection, or since it was made."""
        last = self.heard_at if self.heard_at is not None else self.began
        return 0 if last is None else now - last

    def view(self, now: int) -> LinkView:
        """What the screen shows."""
        if self.halted is not None:
            return LinkView(LinkStatus.STOPPED, self.halted)
        if self.flaps >= FLAPS:
            return FLAPPING
        here = self.began is not None and self.subscribed and not self.hub_away and self.heard_at is not None
        if not here or self.silent_for(now) > self.deaf:
            return NO_HUB if self.distrust is None else LinkView(LinkStatus.NO_HUB, self.distrust)
        if self.unanswered_since is not None and now - self.unanswered_since > 4 * self.deaf:
            return NOT_TAKEN
        return LINKED
