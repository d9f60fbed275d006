"""Claims by an official's PIN: tables opened without a hub wait for the director; a take-over moves the box."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk

from hub.desk.decisions_claims import waiting
from hub.errors import HubError
from tallybox.envelope import At, event_id, follow_kiosk
from tallybox.events import fact
from tallybox.events import table as bodies
from tallybox.seats import Seat, Side
from tallybox.table.state import Step
from tallybox.table.steps import step


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def opened(bench: Bench) -> tuple[FakeKiosk, str]:
    """A monitor's PIN opened table 1 while no hub was there; both sides sat down. Then the hub came back."""
    kiosk, _other = bench.create()
    claim = kiosk.say(bodies.ClaimMade(official="mona", provisional=True), tenure=None)
    seats = [kiosk.say(bodies.SeatsConfirmed(side=side, team=team), tenure=None)
             for side, team in ((Side.NS, seat(bench, Side.NS)), (Side.EW, seat(bench, Side.EW)))]  # fmt: skip
    bench.take(claim, *seats)
    return kiosk, event_id(claim)


def seat(bench: Bench, side: Side) -> int:
    assignment = bench.table(1, 1).state.assignment
    assert assignment is not None
    return assignment.teams[side].number


def test_table_opened_without_a_hub_waits_for_the_director(bench: Bench) -> None:
    kiosk, claim = opened(bench)
    tournament = bench.keeper.tournament
    assert [(asked.id, asked.box, asked.official) for asked in waiting(tournament)] == [(claim, kiosk.box, "mona")]
    assert bench.desired(kiosk.box).tenure is None
    assert bench.table(1, 1).state.seats_confirmed == frozenset()
    assert tournament.refusals == ()


def test_claim_that_brings_a_number_along_is_refused(bench: Bench) -> None:
    kiosk, _other = bench.create()
    occasion, at = replace(kiosk.occasion, tenure=5), At(wall=1, mono=1, synced=False)
    claim = follow_kiosk(kiosk.head, kiosk.box, occasion, fact(bodies.ClaimMade()), at, kiosk.key)
    assert [(no.code, no.id) for no in bench.ack(claim).refused] == [("claim-numbered", event_id(claim))]
    assert (bench.keeper.tournament.claims, bench.desired(kiosk.box).tenure) == ((), None)


def test_granted_claim_lets_everything_entered_before_count(bench: Bench) -> None:
    kiosk, claim = opened(bench)
    bench.director.grant_claim("dana", claim)
    tenure = bench.desired(kiosk.box).tenure
    assert tenure is not None
    assert (tenure.number, tenure.claim) == (1, claim)
    table = bench.table(1, 1)
    assert (table.state.seats_confirmed, len(table.journal), table.aside) == (frozenset(Side), 2, ())


def test_what_is_entered_before_the_box_hears_of_its_number_counts_too(bench: Bench) -> None:
    kiosk, claim = opened(bench)
    bench.director.grant_claim("dana", claim)
    bench.take(kiosk.say(bodies.ScorekeeperChosen(seat=Seat.S), tenure=None))
    assert bench.table(1, 1).state.scorekeeper == "S"
    assert step(bench.table(1, 1).state) is Step.CLOCK


def test_refused_claim_stays_stored_and_the_box_is_told(bench: Bench) -> None:
    kiosk, claim = opened(bench)
    bench.director.refuse_claim("dana", claim, "Another box scored this table.")
    desired = bench.desired(kiosk.box)
    assert (desired.tenure, desired.message, desired.dropped) == (None, "Another box scored this table.", (claim,))
    assert len(bench.table(1, 1).aside) == 2
    with pytest.raises(HubError, match="answered already"):
        bench.director.grant_claim("dana", claim)


def test_restarted_hub_folds_a_granted_claim_the_same_way(bench: Bench) -> None:
    kiosk, claim = opened(bench)
    bench.director.grant_claim("dana", claim)
    before = bench.table(1, 1)
    bench.restart()
    assert bench.table(1, 1).state == before.state
    assert bench.desired(kiosk.box).tenure is not None


def test_director_moves_a_box_to_another_table_by_pin(bench: Bench) -> None:
    kiosk, other = bench.create()
    bench.director.change_official("dana", "dana", "Dana", "director")
    bench.take(kiosk.say(bodies.ClaimMade(official="dana", at_table=2), tenure=None))
    tournament = bench.keeper.tournament
    assert tournament.boxes[2] == kiosk.box
    tenure = bench.table(1, 2).tenure
    assert tenure is not None
    assert tenure.box == kiosk.box
    assert bench.desired(other.box).seating is None


def test_nobody_else_moves_a_box(bench: Bench) -> None:
    kiosk, _other = bench.create()
    bench.director.change_official("dana", "dana", "Dana", "director")
    bench.director.change_official("dana", "mona", "Mona", "monitor")
    bench.take(kiosk.say(bodies.ClaimMade(official="mona", at_table=2), tenure=None))
    assert bench.keeper.tournament.boxes[1] == kiosk.box
    assert bench.desired(kiosk.box).message == (
        "This box stands on table 1, not on table 2. Only the director can move it."
    )
