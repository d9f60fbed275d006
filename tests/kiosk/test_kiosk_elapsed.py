"""An untimed game counts its time from its first hand on, in one run of the box (docs/journal.md, Clock)."""

from __future__ import annotations

from pathlib import Path

from seated import MSO, Time, desired, did, open_box, seating, shut, sit_down

from tallybox.events import table as ev
from tallybox.seats import Seat, Side


def test_the_time_of_a_game_counts_from_its_first_hand(tmp_path: Path) -> None:
    time = Time()
    box = open_box(tmp_path / "journal.sqlite", monotonic=time)
    assert [box.view.began] == [None]
    time.now = 1_234_000
    sit_down(box, MSO)
    assert box.view.began == 1_234_000
    time.now = 2_000_000
    did(box, ev.HandVoided(hand=1, reason="misdeal", code="count"))
    assert box.view.state.hand is not None
    assert (box.view.state.hand.number, box.view.began) == (1, 1_234_000)
    shut(box)


def test_a_box_that_starts_anew_has_no_clock(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.sqlite", monotonic=Time())
    sit_down(box, MSO)
    shut(box)
    again = open_box(tmp_path / "journal.sqlite", monotonic=Time(5_000))
    assert again.view.state.hand is not None
    assert again.view.began is None
    shut(again)


def test_the_next_round_counts_its_own_time(tmp_path: Path) -> None:
    time = Time()
    box = open_box(tmp_path / "journal.sqlite", monotonic=time)
    sit_down(box, MSO)
    box.take(desired(3, seating(MSO, round_number=2)))
    did(box, ev.ClaimMade())
    assert [box.view.began] == [None]
    time.now = 9_000_000
    box.take(desired(4, seating(MSO, round_number=2), tenure=2))
    did(box, ev.SeatsConfirmed(side=Side.NS, team=7))
    did(box, ev.SeatsConfirmed(side=Side.EW, team=8))
    did(box, ev.ScorekeeperChosen(seat=Seat.N))
    assert box.view.began == 9_000_000
    shut(box)
