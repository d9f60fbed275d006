"""A hub restored from a backup, and clocks that jump: the director sees what is so, and chooses."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from room_parts import wait_for
from split_room import SplitRoom, facts_recorded

from hub.clock import ClockState
from hub.record.backup import back_up, restore
from kiosk.times import wall_ms
from tallybox.table.state import Step

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

HOUR = 3_600
RULING = {"code": "ADJUST", "points": {"EW": 2}, "why": "spoke in the auction"}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[SplitRoom]:
    made = SplitRoom(tmp_path)
    made.hub()
    yield made
    made.close()


def backed_up_before_the_start(room: SplitRoom) -> Path:
    """A copy from before the clock started and before any box claimed; then a table plays two hands and a ruling."""
    director = room.service.hub.director
    room.begin(minutes=60)
    copy = room.folder / "afternoon.sqlite"
    director.withdraw_start("dana")
    back_up(room.parts.room.hub_folder, copy)
    director.start_clock("dana", HOUR)
    room.box("K-01")
    room.plays_hands("K-01", 1)
    room.sent("K-01")
    director.rule("dana", 1, 1, hand=1, ruling=RULING, reason="spoke in the auction")
    wait_for("the ruling is at the table", lambda: bool(room.view("K-01").state.desk))
    room.plays_hands("K-01", 2)
    room.sent("K-01")
    return copy


def restored(room: SplitRoom, copy: Path) -> list[dict[str, Any]]:
    """The hub goes on with the copy, and the box has told it everything once more; the lines of the copy."""
    room.hub_off()
    restore(room.parts.room.hub_folder, copy)
    before = room.lines()
    room.hub()
    ledger = room.service.hub.ledger
    wait_for("the box has sent everything again", lambda: ledger.head_seq > len(before) + 20)
    room.sent("K-01")
    return before


def test_a_restored_hub_takes_everything_in_shows_what_it_lacks_and_speaks_once_told(room: SplitRoom) -> None:
    copy = backed_up_before_the_start(room)
    lost, hands = room.lines(), room.view("K-01").state.hands
    before = restored(room, copy)
    hub = room.service.hub
    assert hub.in_doubt
    assert (room.table.tenure, room.table.state.hands) == (None, ())
    assert room.view("K-01").state.hands == hands
    assert "Look, then confirm" in room.page("/")
    wait_for("the box has told the hub so", lambda: "has sent what it holds" in room.page("/restored"))
    page = room.page("/restored", shot="4-restored")
    for part in (
        "The record that was here before is kept as ledger-before-1.sqlite.",
        "“spoke in the auction”",
        "Every box that stands on a table is linked and has sent what it holds.",
        "In this copy the clock has not started.",
    ):
        assert part in page
    hub.director.start_clock("dana", HOUR)
    room.press("/restored", "confirm-hub", reason="The disk broke.")
    wait_for("the hub speaks", lambda: not hub.in_doubt and room.table.tenure is not None)
    room.agrees("K-01")
    assert [hand.number for hand in room.table.state.counting] == [1, 2]
    assert room.table.state.refused == ()
    hub.director.rule("dana", 1, 1, hand=1, ruling=RULING, reason="spoke in the auction")
    wait_for("the ruling is at the table", lambda: room.view("K-01").state.desk == room.table.state.desk)
    room.plays("K-01", lambda view: view.state.submitted is not None)
    room.sent("K-01")
    assert room.table.submitted
    lines = room.nothing_overwritten(before)
    assert set(facts_recorded(lost)) < set(facts_recorded(lines))
    kept = {line["id"] for line in lines}
    assert {line["id"] for line in lost if line["event"]["kiosk"] != "hub"} <= kept
    assert "This hub is not in doubt" in room.page("/restored")


def test_what_a_table_enters_before_it_hears_its_new_number_counts_at_both(room: SplitRoom) -> None:
    copy = backed_up_before_the_start(room)
    restored(room, copy)
    hub = room.service.hub
    hub.director.start_clock("dana", HOUR)
    room.cables["K-01"].cut()
    room.press("/restored", "confirm-hub", reason="The disk broke.")
    wait_for("the hub speaks", lambda: not hub.in_doubt and room.table.tenure is not None)
    room.plays("K-01", lambda view: view.step is Step.PLAY)
    under_way = room.view("K-01").state
    assert under_way.tenure == 1
    room.cables["K-01"].mend()
    wait_for("the box has its new number", lambda: room.view("K-01").state.tenure == 2)
    assert room.view("K-01").state.hands == under_way.hands
    room.sent("K-01")
    room.agrees("K-01")
    room.plays("K-01", lambda view: view.state.submitted is not None)
    room.sent("K-01")
    assert (room.table.state.refused, room.table.submitted) == ((), True)


def test_a_box_whose_wall_clock_jumps_plays_on_and_the_desk_says_so(room: SplitRoom) -> None:
    jump = [0]
    room.box("K-01", wall=lambda: wall_ms() + jump[0])
    room.begin()
    room.plays_hands("K-01", 1)
    deadline = room.view("K-01").clock.deadline
    for jump[0] in (-26 * HOUR * 1000, 26 * HOUR * 1000):
        room.plays_hands("K-01", len(room.view("K-01").state.counting) + 1)
        room.sent("K-01")
        assert room.view("K-01").clock.deadline == deadline
    assert (room.table.state.refused, len(room.table.state.counting)) == ((), 3)
    wait_for("the desk marks the clock", lambda: "Its clock is off by" in room.page("/devices/K-01"))
    room.page("/devices/K-01", shot="5-box-clock")
    stamps = [line["event"]["at"] for line in room.lines() if line["event"]["type"] == "hand.recorded"]
    assert [at["synced"] for at in stamps] == [True, False, False]


@pytest.mark.parametrize(
    ("jump", "words", "ran", "chosen"),
    [(-HOUR, "is behind the time it last noted", "not known", "clock-resume"),
     (600, "was away for 10 minutes", "19:", "clock-ran-on")],
)  # fmt: skip
def test_a_hub_that_comes_up_at_another_time_holds_the_clock_and_the_director_chooses(
    room: SplitRoom, jump: int, words: str, ran: str, chosen: str
) -> None:
    room.begin(minutes=30)
    room.box("K-01")
    wait_for("the table's clock runs", lambda: room.view("K-01").clock.status.value == "running")
    room.hub_off()
    before = room.lines()
    room.hub(wall=lambda: time.time() + jump)
    clock = room.service.hub.tournament.clock
    assert clock.state is ClockState.HELD
    assert 29 * 60_000 < (clock.remaining or 0) <= 30 * 60_000
    wait_for("the table's clock stands", lambda: room.view("K-01").clock.status.value == "held")
    page = room.page("/clock", shot=f"5-hub-clock-{'behind' if jump < 0 else 'ahead'}")
    assert words in page
    assert f"Left if the clock ran on all the while {ran}" in page
    room.press("/clock", chosen)
    hub = room.service.hub
    assert hub.tournament.clock.state is ClockState.RUNNING
    assert (hub.tournament.clock.left(hub.time.now()) < 20 * 60_000) is (chosen == "clock-ran-on")
    wait_for("the table's clock goes on", lambda: room.view("K-01").clock.status.value == "running")
    room.plays_hands("K-01", 1)
    room.sent("K-01")
    assert [hand.number for hand in room.table.state.counting] == [1]
    room.nothing_overwritten(before)
