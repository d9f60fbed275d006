"""The line leaves what comes at the broker while the writer has enough, but never for long."""

from __future__ import annotations

from hub.line.arrivals import QUEUE_MOST
from hub.line.brake import ENOUGH, LONGEST, Brake
from hub.line.client import AHEAD
from hub.line.loop import READS

SMALLEST_EVENT = 350
"""Bytes; the signature alone has 128."""


def test_line_reads_on_as_soon_as_the_writer_has_less_before_it() -> None:
    brake = Brake()
    asked = [(ENOUGH - 1, 0.0), (ENOUGH, 0.1), (QUEUE_MOST, 1.0), (ENOUGH - 1, 1.1), (ENOUGH, 5.0)]
    assert [brake.holds(waiting, now) for waiting, now in asked] == [False, True, True, False, True]


def test_line_reads_whatever_waits_once_it_has_left_it_for_long_enough() -> None:
    brake = Brake()
    times = [10.0, 10.0 + LONGEST - 0.01, 10.0 + LONGEST, 100.0]
    assert [brake.holds(ENOUGH, now) for now in times] == [True, True, False, False]


def test_what_one_turn_reads_fits_between_enough_and_too_much() -> None:
    assert ENOUGH + READS * AHEAD / SMALLEST_EVENT < QUEUE_MOST
