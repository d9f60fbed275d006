"""Sitting down: names that change places, a team that belongs elsewhere, a side that is not here yet, the bid deck."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import MSO, WSOS, FoldingBox, fits, sized, two_hands, whole_round

from kiosk.theme import Panel
from kiosk.view import ClockStatus, ClockView
from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.events.hub import Pairing
from tallybox.messages import NextSeat, Outcome, Room
from tallybox.seats import Seat, Side
from tallybox.table.state import Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]

ROOM = Room(
    v=1, rev=(1, 9), round=2,
    pairings=(Pairing(table=4, ns=7, ew=6), Pairing(table=6, ns=12, ew=9), Pairing(table=11, ns=3, ew=2)),
)  # fmt: skip


def claimed(ruleset: str | None = None) -> FoldingBox:
    box = FoldingBox(ruleset) if ruleset else FoldingBox()
    box.do(ev.ClaimMade())
    return box.show(room=ROOM)


def names(shown: PanelUnderTest, *seats: Seat) -> list[str]:
    return [shown.root.look.player(seat) for seat in seats]


def test_two_partners_who_sit_the_other_way_round_change_places_by_two_taps(panel: Open) -> None:
    box = claimed()
    shown = panel(box)
    shown.tap("seats:NS")
    shown.tap("place:N")
    assert shown.says("N. Seven changes places: tap the partner, or an opponent to change sides.")
    shown.tap("place:S")
    assert box.done[-1] == rl.SeatsSwapped(side=Side.NS)
    assert names(shown, Seat.N, Seat.S) == ["S. Seven", "N. Seven"]
    assert (box.view.state.seats_confirmed, shown.root.look.entries.swapping) == (frozenset(), None)
    shown.tap("seats:NS")
    shown.tap("seats:EW")
    assert box.view.step is Step.SCOREKEEPER


def test_a_player_and_an_opponent_tapped_have_the_teams_change_sides(panel: Open) -> None:
    box = claimed()
    shown = panel(box)
    shown.tap("place:N")
    shown.tap("place:E")
    assert box.done[-1:] == [rl.SeatsSwapped()]
    assert [shown.root.look.number(side) for side in Side] == [6, 7]
    shown.tap("seats:NS")
    assert box.done[-1] == ev.SeatsConfirmed(side=Side.NS, team=6)


def test_a_name_tapped_by_mistake_is_let_go(panel: Open) -> None:
    box = claimed()
    shown = panel(box)
    before = list(box.done)
    for leave in ("stay", "place:W"):
        shown.tap("place:W")
        shown.tap(leave)
        assert shown.root.look.entries.swapping is None
    assert box.done == before


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("9", "Team 9: table 6, East–West"), ("12", "Team 12: table 6, North–South"),
        ("7", "Team 7 sits here, North–South"), ("88", "Team 88 has no table in this round"),
    ],
)  # fmt: skip
def test_the_number_of_a_wrong_team_says_where_it_belongs(typed: str, said: str, panel: Open) -> None:
    shown = panel(claimed())
    shown.tap("wrong-team")
    assert shown.says("Type the number of the team that sits here.")
    for figure in typed:
        shown.tap(f"team:{figure}")
    assert shown.says(said)
    shown.tap("team:clear")
    assert shown.says("Type the number of the team that sits here.")


def test_pairings_of_another_round_name_no_table(panel: Open) -> None:
    shown = panel(claimed().show(room=Room(v=1, rev=(1, 10), round=1, pairings=ROOM.pairings)))
    shown.tap("wrong-team")
    shown.tap("team:9")
    assert shown.says("The pairings are not here yet")


def half_late(*, marked: bool = False) -> FoldingBox:
    box = claimed()
    box.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    return box.state(clock_started=True, late=frozenset({Side.EW}) if marked else frozenset())


@pytest.mark.parametrize("marked", [False, True], ids=["missing", "marked"])
def test_a_side_that_is_missing_when_the_clock_runs_is_named_with_the_rule(marked: bool, panel: Open) -> None:
    shown = panel(half_late(marked=marked))
    assert shown.says("marked late" if marked else "Not here yet")
    assert shown.says("each hand not completed is lost, with 5 points to the other team (A-37).")


def test_nobody_is_late_before_the_clock_runs(panel: Open) -> None:
    assert not panel(claimed()).says("Not here yet")


def test_the_bid_deck_is_put_away_only_by_both_teams(panel: Open) -> None:
    box = FoldingBox(WSOS).sit()
    shown = panel(box)
    assert shown.says("Used, unless both teams decline it.")
    shown.tap("deck:NS")
    assert box.done[-1] == rl.BidDeckWaived(side=Side.NS)
    assert shown.says("Used, unless East–West decline it too.")
    shown.tap("deck:EW")
    assert shown.says("No bid cards: both teams type their bids.")
    shown.tap("forward")
    assert box.view.state.deck_waived == frozenset(Side)
    assert box.view.step is Step.AUCTION


def test_other_rules_do_not_ask_for_the_bid_deck(panel: Open) -> None:
    assert not panel(FoldingBox(MSO).sit()).says("Bid deck?")


def test_the_next_table_names_the_opponents(panel: Open) -> None:
    box = whole_round(FoldingBox().sit()).sign(Side.NS).sign(Side.EW).submit()
    moves = {
        Side.NS: NextSeat(table=4, sits=Side.NS, against=11),
        Side.EW: NextSeat(table=5, sits=Side.EW, against=12),
    }
    box.state(outcome=Outcome(accepted=box.view.state.submitted, released=True, moves=moves))
    shown = panel(box)
    assert shown.says("Round three · against team 12")
    assert shown.says("Round three · against team 11")


def test_the_end_of_the_time_says_what_a_late_team_loses(panel: Open) -> None:
    box = two_hands(FoldingBox().sit()).count().call("pass", "4", "5 no", "pass").play("up")
    box.state(late=frozenset({Side.EW})).show(clock=ClockView(ClockStatus.RUNNING, 2, 1500, deadline=0))
    shown = panel(box)
    assert shown.says("Team 6 was late. Hands not completed go to team 7, 5 points each, once the director agrees.")


@pytest.mark.parametrize(("size", "dark"), sized())
def test_screens_of_sitting_down_fit(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    shown = panel(half_late(marked=dark), size=size, dark=dark)
    shown.wait(7000)
    fits(shown, shots, "k02b-late")
    shown.tap("place:E")
    fits(shown, shots, "k02b-changing")
    shown.tap("stay")
    shown.tap("wrong-team")
    fits(shown, shots, "k02c-wrong-team")
    shown.tap("team:9")
    fits(shown, shots, "k02c-found")


@pytest.mark.parametrize(("size", "dark"), sized())
def test_the_deal_with_its_bid_deck_fits(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    shown = panel(FoldingBox(WSOS).sit(), size=size, dark=dark)
    shown.wait(7000)
    shown.tap("deck:EW")
    fits(shown, shots, "k03e-bid-deck")


@pytest.mark.parametrize(("size", "dark"), sized())
def test_time_up_with_a_late_team_fits(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    box = two_hands(FoldingBox().sit()).count().call("pass", "4", "5 no", "pass").play("up")
    box.state(late=frozenset({Side.EW})).show(clock=ClockView(ClockStatus.RUNNING, 2, 1500, deadline=0))
    fits(panel(box, size=size, dark=dark), shots, "k15b-late")
