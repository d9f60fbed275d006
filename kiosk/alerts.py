"""Which signal is due when the table's view or the time moves on. Pure; the box plays what is said here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from firmware_bridge.signals import SignalPattern
from kiosk.view import BoxView, ClockStatus, NoticeKind
from tallybox.table.state import Step

FIVE_MINUTES: Final = 300_000
ONE_MINUTE: Final = 60_000
START_SOUNDS: Final = 15_000
"""Ms after the start of a round in which its start is still worth a sound."""

_BEFORE: Final = frozenset({ClockStatus.NONE, ClockStatus.WAITING, ClockStatus.ENDED})


class SignalPlayer(Protocol):
    """Buzzer and lamp, as ``firmware_bridge.gpio.Signals`` has them; neither method waits or raises."""

    @property
    def fault(self) -> str | None:
        """The sentence for the screen when they do not work."""

    def play(self, pattern: SignalPattern) -> None:
        """Sound and show a pattern."""

    def end(self, pattern: SignalPattern) -> None:
        """End what the lamp shows for a pattern."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A view, and the box's monotonic ms at which it was looked at."""

    view: BoxView
    now: int


@dataclass(frozen=True, slots=True)
class Due:
    """What to play now, and which lasting lamp signals to end."""

    play: tuple[SignalPattern, ...] = ()
    end: tuple[SignalPattern, ...] = ()


def due(before: Moment, after: Moment) -> Due:
    """The signals that fall between two looks at the table. A box's first look has nothing before it: no signal."""
    play: list[SignalPattern] = [*_clock(before, after), *_people(before.view, after.view)]
    end: list[SignalPattern] = []
    if before.view.desired is not None and after.view.identify > before.view.identify:
        play.append(SignalPattern.IDENTIFY)
    called, calling = before.view.state.calling, after.view.state.calling
    if called is None and calling is not None:
        play.append(SignalPattern.DIRECTOR_CALLED)
    if called is not None and calling is None:
        end.append(SignalPattern.DIRECTOR_CALLED)
    return Due(tuple(play), tuple(end))


def next_alert(moment: Moment) -> int | None:
    """The monotonic ms of the next signal that the clock brings by itself; ``None`` when none is to come."""
    clock = moment.view.clock
    if clock.status is not ClockStatus.RUNNING or clock.deadline is None:
        return None
    marks = (clock.deadline - FIVE_MINUTES, clock.deadline - ONE_MINUTE, clock.deadline)
    return next((mark for mark in marks if mark > moment.now), None)


def _clock(before: Moment, after: Moment) -> list[SignalPattern]:
    was, now = before.view.clock, after.view.clock
    signals: list[SignalPattern] = []
    new_round = was.round != now.round or was.status is not ClockStatus.ENDED
    if now.status is ClockStatus.RUNNING and was.status in _BEFORE and new_round and _fresh(after):
        signals.append(SignalPattern.ROUND_STARTS)
    if was.status is ClockStatus.UNKNOWN or was.round != now.round:
        return signals
    if now.time_is_up(after.now):
        return signals if was.time_is_up(before.now) else [*signals, SignalPattern.TIME_UP]
    if now.status is ClockStatus.RUNNING and now.deadline is not None:
        left = now.deadline - after.now
        left_before = _left(before)
        for mark, pattern in ((ONE_MINUTE, SignalPattern.ONE_MINUTE), (FIVE_MINUTES, SignalPattern.FIVE_MINUTES)):
            if left <= mark and left_before is not None and left_before > mark:
                return [*signals, pattern]
    return signals


def _fresh(moment: Moment) -> bool:
    """Whether the round began just now; a box that was away does not sound its start late."""
    left = _left(moment)
    return left is not None and left >= moment.view.clock.seconds * 1_000 - START_SOUNDS


def _left(moment: Moment) -> int | None:
    clock = moment.view.clock
    if clock.status is ClockStatus.RUNNING and clock.deadline is not None:
        return clock.deadline - moment.now
    return clock.remaining


def _people(was: BoxView, now: BoxView) -> list[SignalPattern]:
    signals: list[SignalPattern] = []
    if _needs_a_human(was, now):
        signals.append(SignalPattern.NEEDS_A_HUMAN)
    elif _card_read(was, now):
        signals.append(SignalPattern.CARD_READ)
    same_table = was.state.assignment == now.state.assignment
    agreed = same_table and len(now.state.counting) > len(was.state.counting)
    accepted = same_table and was.state.outcome.accepted is None and now.state.outcome.accepted is not None
    if agreed or accepted:
        signals.append(SignalPattern.AGREED)
    return signals


def _card_read(was: BoxView, now: BoxView) -> bool:
    known = {reading.id for reading in was.state.readings.values()}
    return any(reading.id not in known for reading in now.state.readings.values())


def _needs_a_human(was: BoxView, now: BoxView) -> bool:
    asks = {Step.CONFLICT, Step.DISPUTED}
    if (now.step in asks and was.step is not now.step) or (was.disk.keeps and not now.disk.keeps):
        return True
    return now.notice is not None and now.notice != was.notice and now.notice.kind is NoticeKind.CARD
