"""Faults reported of other programs, each as a case of ours, where a tournament keeps its sheets and totals."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import BOXES, Bench
from hub_fake_kiosk import FakeKiosk
from hub_played_room import PlayedRoom, Sheet, room, whist_hand

from hub.errors import HubError
from hub.tournament.results import results
from hub.tournament.standings import standings
from tallybox.seats import Seat, Side


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def spades(bags: tuple[int, ...]) -> list[Sheet]:
    """Hands in which North–South bid 6 and take so many more; East–West bid low and are set or level."""
    made: list[Sheet] = []
    dealers = (Seat.N, Seat.E, Seat.S, Seat.W)
    for number, over in enumerate(bags):
        dealer = dealers[number % 4]
        order = [dealer.left, dealer.left.left, dealer.left.left.left, dealer]
        bids = {Seat.N: "3", Seat.S: "3", Seat.E: "2", Seat.W: "2"}
        tricks = {"N": 3 + over, "S": 3, "E": 3, "W": 4 - over}
        made.append({"dealer": dealer.value, "calls": [bids[seat] for seat in order], "tricks": tricks})
    return made


def enter(made: PlayedRoom, number: int, hands: list[Sheet]) -> None:
    table = made.current.tables[number]
    made.enter(table, {"ruleset": table.state.playing.ruleset.name, "hands": hands})


def test_case_14_bags_are_summed_over_hands_and_over_sheets() -> None:
    made = room("wsos", 4)
    made.post()
    enter(made, 1, spades((1, 2, 3)))
    score = made.current.tables[1].score
    assert score is not None
    assert score.totals.bags[Side.NS] == 6
    first = made.current.tables[1].pairing.ns
    made.play([2])
    made.end("The first table stopped early.")
    made.post()
    for number in made.current.tables:
        enter(made, number, spades((1, 0)))
    after = {row.team: row.bags for row in standings(made.tournament)}
    second = made.current.table_of(first)
    assert second is not None
    assert second.score is not None
    assert after[first] == 6 + second.score.totals.bags[second.side_of(first)]


def test_case_15_a_box_plays_the_rules_that_the_hub_assigned(bench: Bench) -> None:
    bench.director.create_tournament(
        "dana", template="wsos", title="Spring Open", teams=tuple(room("wsos", 4).tournament.teams.values())
    )
    bench.director.assign_box("dana", BOXES[0], 1)
    bench.director.publish_round("dana")
    seating = bench.desired(BOXES[0]).seating
    assert seating is not None
    assert seating.ruleset["name"] == "wsos-2007-spades"


def test_case_16_totals_after_a_restart_are_those_of_the_sheets(bench: Bench) -> None:
    first, second = bench.create()
    for kiosk in (first, second):
        bench.seat(kiosk)
        bench.director.start_clock("dana") if kiosk is first else None
        kiosk.clock()
        bench.take(*kiosk.play_round())
    before, rows = bench.keeper.tournament, standings(bench.keeper.tournament)
    bench.restart()
    assert bench.keeper.tournament == before
    assert standings(bench.keeper.tournament) == rows


def test_case_25_a_sheet_that_comes_again_is_one_result() -> None:
    made = room("wsos", 4)
    made.post()
    made.play([1])
    before = results(made.tournament)
    table = made.current.tables[1]
    hands = [dict(hand) for hand in made.lines[-2].event["body"]["sheet"]["hands"]]  # type: ignore[index]
    with pytest.raises(HubError, match="accepted and final"):
        made.enter(table, {"ruleset": table.state.playing.ruleset.name, "hands": hands})
    assert results(made.tournament) == before


def test_case_26_a_second_box_does_not_speak_for_a_table(bench: Bench) -> None:
    first, _ = bench.create()
    bench.seat(first)
    other = FakeKiosk(BOXES[5])
    other.occasion = first.occasion
    bench.take(other.claim())
    assert bench.desired(other.box).message == "This box has no table yet. The director assigns it at the desk."
    tenure = bench.table(1, 1).tenure
    assert tenure is not None
    assert tenure.box == first.box


def test_case_31_what_was_finished_after_the_clock_counts_by_the_rules_in_force() -> None:
    made = room("capitol-4", 4)
    made.post()
    made.director.end_clock("dana")
    enter(made, 1, [whist_hand(Seat.W, 4, 10) for _ in range(3)])
    rows = {row.team: (row.hands_won, row.points) for row in standings(made.tournament)}
    assert (rows[1], rows[2]) == ((3, 12), (0, 0))


def test_case_33_a_sheet_has_one_number_everywhere() -> None:
    made = room("mso", 8)
    made.round()
    made.post()
    table = made.current.tables[4]
    assert (table.sheet_id, table.state.playing.sheet_id) == ("R2-T4", "R2-T4")
