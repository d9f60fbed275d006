"""The hub's clock on this box's own monotonic clock (docs/journal.md, Clock). Pure: time is handed in, in ms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kiosk.view import ClockStatus, ClockView
from tallybox.countdown import Sample, best, local_deadline
from tallybox.messages import ClockMessage

QUICK: Final = 250
"""Milliseconds: a ping that came back so fast is trusted at once."""

ENOUGH: Final = 3
"""Pings after which the quickest is trusted, however slow it was."""

JITTER: Final = 50
"""Milliseconds by which two honest samples may differ beyond their round trips."""


@dataclass(frozen=True, slots=True)
class Offset:
    """What the pings say of the hub's clock; ``sample`` is the quickest so far."""

    sample: Sample | None = None
    pings: int = 0

    @property
    def known(self) -> int | None:
        """Hub's clock minus this box's monotonic clock in ms, once it can be trusted."""
        if self.sample is None or (self.sample.round_trip > QUICK and self.pings < ENOUGH):
            return None
        return self.sample.offset

    def with_ping(self, new: Sample) -> Offset:
        """After one more ping; a hub whose clock was set meanwhile is believed anew."""
        kept = self.sample
        if kept is not None:
            apart = abs(new.offset - kept.offset)
            if apart > (new.round_trip + kept.round_trip) // 2 + JITTER:
                return Offset(new, 1)
        return Offset(best(kept, new), self.pings + 1)


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The last word of the hub on the clock. ``heard``: in this run of the box; what an earlier run heard may be old.

    ``deadline``: ms of this box's monotonic clock, set once for each word: only a newer word changes it. ``last``: the
    deadline that the clock ran to before the hub ended it.
    """

    message: ClockMessage | None = None
    heard: bool = False
    deadline: int | None = None
    last: int | None = None

    def told(self, message: ClockMessage, offset: int | None) -> RoundClock:
        """After a newer word of the hub."""
        same = self.message is not None and self.message.round == message.round
        last = (self.deadline or self.last) if same and message.state == "ended" else None
        return RoundClock(message, heard=True, last=last).set_by(offset)

    def set_by(self, offset: int | None) -> RoundClock:
        """The same word with its deadline, if it was not set yet and the offset is known now."""
        word = self.message
        if word is None or word.deadline is None or not self.heard or offset is None or self.deadline is not None:
            return self
        return replace(self, deadline=local_deadline(word.deadline, offset))

    @property
    def view(self) -> ClockView:
        """What the screen shows of it."""
        word = self.message
        if word is None:
            return ClockView()
        status = ClockStatus(word.state)
        counting = status is ClockStatus.RUNNING
        if status is not ClockStatus.NONE and (not self.heard or (counting and self.deadline is None)):
            return ClockView(ClockStatus.UNKNOWN, word.round, word.seconds)
        return ClockView(
            status, word.round, word.seconds,
            deadline=self.deadline if counting else None,
            remaining=word.remaining if status in {ClockStatus.PAUSED, ClockStatus.HELD} else None,
        )  # fmt: skip

    def view_with(self, extra: int) -> ClockView:
        """What the screen shows at a table that has ``extra`` seconds beyond the round clock.

        When the hub ends the round's clock, such a table runs on to its own deadline, or to one that it does not know.
        """
        seen = self.view
        if extra == 0 or seen.status in {ClockStatus.NONE, ClockStatus.UNKNOWN}:
            return seen
        more, seconds = extra * 1_000, seen.seconds + extra
        if seen.status is ClockStatus.ENDED and self.last is None:
            return replace(seen, status=ClockStatus.UNKNOWN, seconds=seconds)
        if seen.status is ClockStatus.ENDED:
            return replace(seen, status=ClockStatus.RUNNING, seconds=seconds, deadline=(self.last or 0) + more)
        return replace(
            seen, seconds=seconds,
            deadline=None if seen.deadline is None else seen.deadline + more,
            remaining=None if seen.remaining is None else seen.remaining + more,
        )  # fmt: skip

    def started(self, round_number: int) -> bool:
        """Whether the hub started the clock of this round."""
        word = self.message
        return word is not None and word.round == round_number and word.state in {"running", "paused", "held", "ended"}

    def ends(self, round_number: int, extra: int) -> int | None:
        """When the round ends at a table with ``extra`` seconds beyond the clock: ms by the hub's clock, as it said."""
        word = self.message
        if word is None or word.round != round_number or word.deadline is None:
            return None
        return word.deadline + extra * 1_000

    def ended(self, round_number: int) -> bool:
        """Whether the hub ended this round; a box's own deadline never does."""
        word = self.message
        return word is not None and word.round == round_number and word.state == "ended"
