"""Boxes on tables whose teams change before the start: they are granted the table again and begin anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench

from hub.clock import ClockState
from hub.tournament.history import Meeting
from hub.tournament.results import history, winner, winning_side
from tallybox.events.rulings import SeatsSwapped
from tallybox.events.table import ScorekeeperChosen, SeatsConfirmed
from tallybox.seats import Seat, Side
from tallybox.table.state import Step
from tallybox.table.steps import step


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_box_goes_on_with_the_teams_that_a_director_put_at_its_table(bench: Bench) -> None:
    first, second = bench.create(template="mso", teams=4, hands=None)
    for kiosk in (first, second):
        bench.seat(kiosk)
        assert bench.ack(*kiosk.sit()).refused == ()
    one, two = bench.table(1, 1), bench.table(1, 2)
    before = one.tenure
    bench.director.change_pairing("dana", one.pairing.ns, two.pairing.ew, "Sisters do not meet in round one.")
    after = bench.table(1, 1)
    assert after.teams == (two.pairing.ew, one.pairing.ew)
    assert before is not None
    assert after.tenure is not None
    assert (after.tenure.claim, after.tenure.number > before.number) == (before.claim, True)
    assert (after.former, after.journal, after.state.seats_confirmed) == ((before,), (), frozenset())
    first.told(bench.desired(first.box))
    assert {side: team.number for side, team in first.state.playing.teams.items()} == {
        Side.NS: two.pairing.ew, Side.EW: one.pairing.ew,
    }  # fmt: skip
    bench.director.start_round("dana", "Everybody sits.")
    assert bench.ack(*first.play_round()).refused == ()
    assert bench.table(1, 1).submitted


def test_a_round_that_is_drafted_anew_and_posted_again_grants_its_boxes_their_tables(bench: Bench) -> None:
    first, second = bench.create(template="capitol-4", teams=4)
    for kiosk in (first, second):
        bench.seat(kiosk)
        bench.take(*kiosk.sit())
    bench.director.withdraw("dana", 2)
    bench.director.register_team("dana", ("Late", "Comers"))
    bench.director.draft_round("dana", hands=1, minutes=5)
    bench.director.publish_round("dana")
    assert [posted.pairings[0].ew for posted in bench.keeper.tournament.rounds] == [5]
    for kiosk in (first, second):
        kiosk.told(bench.desired(kiosk.box))
        assert kiosk.state.tenure is not None
        assert kiosk.state.seats_confirmed == frozenset()
    assert bench.keeper.tournament.clock.state is ClockState.WAITING
    bench.director.start_clock("dana")
    for kiosk in (first, second):
        kiosk.clock()
        assert bench.ack(*kiosk.play_round()).refused == ()
    before = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == before


def test_a_game_is_won_by_the_team_that_sat_where_it_was_won(bench: Bench) -> None:
    first, _ = bench.create(template="wsos", teams=4, hands=None)
    bench.seat(first)
    ns, ew = bench.table(1, 1).teams
    said = [first.say(SeatsSwapped())]
    said += [first.say(SeatsConfirmed(side=side, team=team)) for side, team in ((Side.NS, ew), (Side.EW, ns))]
    said += [first.say(ScorekeeperChosen(seat=seat)) for seat in (Seat.N, Seat.E)]
    while step(first.state) is not Step.SIGN:
        said += first.play_hand()
    assert bench.ack(*said).refused == ()
    table = bench.table(1, 1)
    assert (winning_side(table), winner(table)) == (Side.NS, ew)
    (meeting,) = history(bench.keeper.tournament, 1).rounds[0][:1]
    assert meeting == Meeting(ew, ns, Side.NS)
