"""A table that an official opens without a hub: play goes on, and the director says later whether it counts."""

from __future__ import annotations

from pathlib import Path

import msgspec
from seated import BOX, at_step, clock, desired, did, open_box, refused, seating, settled, shut, sign, types, whist_hand

from kiosk.box import Box
from kiosk.replay import PROVISIONAL
from tallybox.events.rulings import RoundClosed
from tallybox.events.table import ClaimMade, DealerDrawn, ScorekeeperChosen, SeatsConfirmed
from tallybox.messages import Tenure
from tallybox.seats import Seat, Side
from tallybox.table.state import Step


def opened(path: Path) -> tuple[Box, str]:
    """The last known desired state gives the table; a director's PIN opens it, both sides sit down."""
    box = open_box(path)
    box.take(desired(1, seating()))
    claim = did(box, ClaimMade(official="D-1", provisional=True))
    did(box, SeatsConfirmed(side=Side.NS, team=7))
    did(box, SeatsConfirmed(side=Side.EW, team=8))
    return box, claim


def granted(claim: str, *, kiosk: str = BOX, rev: int = 2) -> object:
    said = desired(rev, seating())
    return msgspec.structs.replace(said, tenure=Tenure(number=4, kiosk=kiosk, claim=claim))


def test_play_goes_on_under_a_claim_without_a_number(tmp_path: Path) -> None:
    box, _claim = opened(tmp_path / "journal.sqlite")
    assert (box.view.state.tenure, box.view.step) == (PROVISIONAL, Step.SCOREKEEPER)
    assert [event.tenure for event in box._journal.events()] == [None, None, None]
    shut(box)


def test_restart_without_a_hub_goes_on_where_it_was(tmp_path: Path) -> None:
    box, _claim = opened(tmp_path / "journal.sqlite")
    shut(box)
    again = open_box(tmp_path / "journal.sqlite")
    assert (again.view.state.tenure, again.view.step) == (PROVISIONAL, Step.SCOREKEEPER)
    shut(again)


def test_granted_number_keeps_what_was_entered(tmp_path: Path) -> None:
    box, claim = opened(tmp_path / "journal.sqlite")
    box.take(granted(claim))  # type: ignore[arg-type]
    settled(box)
    assert (box.view.state.tenure, box.view.step) == (4, Step.SCOREKEEPER)
    did(box, ScorekeeperChosen(seat=Seat.N))
    assert box._journal.events()[-1].tenure == 4
    assert box.view.state.refused == ()
    shut(box)


def test_refused_claim_counts_no_more_and_says_so(tmp_path: Path) -> None:
    box, claim = opened(tmp_path / "journal.sqlite")
    said = desired(2, seating())
    box.take(msgspec.structs.replace(said, dropped=(claim,)))
    notices = []
    end = box.subscribe(lambda view: notices.append("" if view.notice is None else view.notice.text))
    settled(box)
    end()
    assert box.view.state.tenure is None
    assert box.view.state.seats_confirmed == frozenset()
    assert types(box) == ["claim.made", "seats.confirmed", "seats.confirmed"]
    shut(box)


def test_table_given_to_another_box_leaves_this_one_silent(tmp_path: Path) -> None:
    box, claim = opened(tmp_path / "journal.sqlite")
    box.take(granted(claim, kiosk="K-09"))  # type: ignore[arg-type]
    settled(box)
    assert box.view.state.tenure is None
    refusal = refused(box, ClaimMade()).refusal
    assert refusal is not None
    assert refusal.message == "Table 4 already has box K-09. Only the director can move it here."
    did(box, ClaimMade(official="D-1"))
    shut(box)


def test_claim_that_waits_for_a_hub_can_still_be_opened_by_an_official(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.sqlite")
    box.take(desired(1, seating()))
    did(box, ClaimMade())
    assert refused(box, ClaimMade()).refusal is not None
    did(box, ClaimMade(official="M-1", provisional=True))
    assert box.view.step is Step.SEATS
    shut(box)


def test_time_called_without_a_hub_survives_a_restart_and_gives_way_to_more_time(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.sqlite")
    box.take(desired(1, seating(minutes=25, hands=3)))
    did(box, ClaimMade())
    box.take(desired(2, seating(minutes=25, hands=3), tenure=1))
    box.take(clock(3, "running", deadline=1_790_000_600_000))
    did(box, SeatsConfirmed(side=Side.NS, team=7))
    did(box, SeatsConfirmed(side=Side.EW, team=8))
    did(box, ScorekeeperChosen(seat=Seat.N))
    did(box, DealerDrawn(seat=Seat.N))
    whist_hand(box)
    until = box.view.state.deadline
    did(box, RoundClosed(official="M-1", reason="The hub is away.", deadline=until))
    assert (until, at_step(box)) == (1_790_000_600_000, Step.SIGN)
    sign(box, Side.NS)
    shut(box)
    again = open_box(tmp_path / "journal.sqlite")
    assert (again.view.step, set(again.view.state.signatures), again.view.state.refused) == (Step.SIGN, {Side.NS}, ())
    again.take(clock(4, "running", seconds=1800, deadline=1_790_000_900_000))
    settled(again)
    assert [at_step(again)] == [Step.DEAL]
    whist_hand(again)
    shut(again)
    third = open_box(tmp_path / "journal.sqlite")
    assert (len(third.view.state.hands), third.view.state.refused) == (2, ())
    shut(third)
