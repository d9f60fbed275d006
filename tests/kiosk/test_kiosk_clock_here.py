"""Signals of a clock that is paused, extended for all, or longer for this table alone."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.signals import SignalPattern
from kiosk.alerts import Moment, due, next_alert
from kiosk.round_clock import RoundClock
from kiosk.view import BoxView, ClockStatus, ClockView
from tallybox.messages import ClockMessage

RUNNING = ClockView(ClockStatus.RUNNING, 2, 1500, deadline=1_000_000)


def at(now: int, clock: ClockView = RUNNING) -> Moment:
    return Moment(BoxView("K-04", clock=clock), now)


def played(before: Moment, after: Moment) -> tuple[SignalPattern, ...]:
    return due(before, after).play


def test_extension_warns_of_the_last_five_minutes_once_more() -> None:
    longer = replace(RUNNING, deadline=1_300_000)
    assert played(at(699_999), at(700_000)) == (SignalPattern.FIVE_MINUTES,)
    assert played(at(800_000), at(800_000, longer)) == ()
    assert next_alert(at(800_000, longer)) == 1_000_000
    assert played(at(999_999, longer), at(1_000_000, longer)) == (SignalPattern.FIVE_MINUTES,)


def test_paused_clock_is_silent_and_warns_when_it_goes_on() -> None:
    paused = ClockView(ClockStatus.PAUSED, 2, 1500, remaining=61_000)
    again = replace(RUNNING, deadline=2_061_000)
    assert next_alert(at(1_500_000, paused)) is None
    assert played(at(939_000), at(1_500_000, paused)) == ()
    assert played(at(1_999_999, paused), at(2_000_000, again)) == ()
    assert played(at(2_000_999, again), at(2_001_000, again)) == (SignalPattern.ONE_MINUTE,)


def test_time_is_up_once_and_again_after_an_extension() -> None:
    longer = replace(RUNNING, deadline=1_060_000)
    assert played(at(999_999), at(1_000_000)) == (SignalPattern.TIME_UP,)
    assert played(at(1_000_000), at(1_000_500)) == ()
    assert played(at(1_000_500), at(1_000_500, longer)) == ()
    assert played(at(1_059_999, longer), at(1_060_000, longer)) == (SignalPattern.TIME_UP,)


def test_time_of_one_table_alone_moves_its_warnings() -> None:
    word = ClockMessage(v=1, rev=(1, 1), state="running", round=2, seconds=1500, deadline=2_500_000)
    clock = RoundClock().told(word, offset=1_500_000)
    here, others = clock.view_with(300), clock.view_with(0)
    assert (others.deadline, here.deadline) == (1_000_000, 1_300_000)
    assert played(at(699_999, others), at(700_000, others)) == (SignalPattern.FIVE_MINUTES,)
    assert played(at(699_999, here), at(700_000, here)) == ()
    assert played(at(999_999, here), at(1_000_000, here)) == (SignalPattern.FIVE_MINUTES,)
