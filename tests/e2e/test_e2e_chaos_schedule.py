"""What goes wrong when: the same seed brings the same faults, and every point comes once before any comes again."""

from __future__ import annotations

from itertools import islice, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from deploy.chaos.points import AT_A_BOX, FaultPoint
from deploy.chaos.schedule import LATEST, LONGEST, SHORTEST, SOONEST, endless, schedule

BOXES = st.integers(1, 20).map(lambda many: [f"K-{number:02}" for number in range(1, many + 1)])
SEEDS = st.integers(0, 2**53 - 1)
LAW = settings(deadline=None, max_examples=40)


@LAW
@given(SEEDS, st.floats(0.1, 600), BOXES)
def test_the_same_seed_brings_the_same_faults(seed: int, seconds: float, boxes: list[str]) -> None:
    assert schedule(seed, seconds, boxes) == schedule(seed, seconds, tuple(boxes))


@LAW
@given(SEEDS, st.floats(0.1, 600), st.floats(0.1, 600), BOXES)
def test_a_longer_run_begins_like_a_shorter_one(seed: int, one: float, other: float, boxes: list[str]) -> None:
    shorter, longer = (schedule(seed, seconds, boxes) for seconds in sorted((one, other)))
    assert longer[: len(shorter)] == shorter


@LAW
@given(SEEDS, BOXES, st.integers(1, 4))
def test_every_point_comes_once_before_any_comes_again(seed: int, boxes: list[str], decks: int) -> None:
    many = len(FaultPoint)
    points = [fault.point for fault in islice(endless(seed, boxes), decks * many)]
    for deck in range(decks):
        assert sorted(points[deck * many : (deck + 1) * many]) == sorted(FaultPoint)


@LAW
@given(SEEDS, BOXES)
def test_faults_come_in_order_within_their_bounds_and_name_a_box_where_one_is_struck(
    seed: int, boxes: list[str]
) -> None:
    faults = list(islice(endless(seed, boxes), 100))
    gaps = [later.at - earlier.at for earlier, later in pairwise(faults)]
    assert all(SOONEST - 0.002 <= gap <= LATEST + 0.002 for gap in gaps)
    assert all(SHORTEST <= fault.lasts <= LONGEST for fault in faults)
    assert all((fault.box in boxes) is (fault.point in AT_A_BOX) for fault in faults)


def test_ten_minutes_are_long_enough_for_every_point_at_least_four_times() -> None:
    for seed in range(50):
        points = [fault.point for fault in schedule(seed, 600, ["K-01", "K-02", "K-03"])]
        assert min(points.count(point) for point in FaultPoint) >= 4


def test_other_seeds_bring_other_faults() -> None:
    assert len({schedule(seed, 60, ["K-01"]) for seed in range(20)}) == 20
