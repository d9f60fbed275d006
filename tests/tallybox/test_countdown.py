"""The countdown: a hub deadline on a box's own clock."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tallybox.countdown import Sample, best, clock_text, local_deadline, next_change, seconds_left

MS = st.integers(0, 10**9)


@given(deadline=MS, now=MS)
@settings(deadline=None)
def test_zero_is_shown_exactly_when_the_time_is_up(deadline: int, now: int) -> None:
    assert (seconds_left(deadline, now) == 0) is (now >= deadline)


@given(deadline=MS, now=MS)
@settings(deadline=None)
def test_the_next_change_is_the_first_moment_another_second_shows(deadline: int, now: int) -> None:
    wait = next_change(deadline, now)
    if now < deadline:
        shown = seconds_left(deadline, now)
        assert seconds_left(deadline, now + wait - 1) == shown
        assert seconds_left(deadline, now + wait) == shown - 1


def test_offset_is_taken_half_way_between_ping_and_pong() -> None:
    sample = Sample(sent=1_000, received=1_040, hub=51_020)
    assert (sample.round_trip, sample.offset, local_deadline(60_000, sample.offset)) == (40, 50_000, 10_000)


def test_the_quickest_sample_is_kept_until_it_is_old() -> None:
    quick, slow = Sample(0, 10, 5), Sample(1_000, 1_200, 1_100)
    late = Sample(700_000, 700_300, 700_100)
    assert [best(None, slow), best(quick, slow), best(slow, quick), best(quick, late)] == [slow, quick, quick, late]


def test_clock_reads_minutes_and_hours() -> None:
    assert [clock_text(seconds) for seconds in (0, 59, 61, 1_500, 3_661)] == [
        "00:00",
        "00:59",
        "01:01",
        "25:00",
        "1:01:01",
    ]
