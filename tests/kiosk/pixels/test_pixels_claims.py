"""A player claims the rest, or the bidder concedes; the other side answers on a card turned to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import MSO, FoldingBox, fits, five_spades_hands, sized, two_hands

from kiosk.theme import Panel
from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.shown import open_hand_score
from tallybox.table.state import Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def in_play() -> FoldingBox:
    """Hand 3 of bid whist: West plays 5 NO UP."""
    return two_hands(FoldingBox().sit()).count().call("pass", "4", "5 no", "pass").play("up")


def spades_in_play() -> FoldingBox:
    return five_spades_hands(FoldingBox(MSO, round_number=3).sit()).count().call("4", "nil", "3", "5").play()


def test_an_agreed_claim_fills_the_result_in(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("claim")
    assert "claim:yes" not in shown.keys
    for _tap in range(3):
        shown.tap("others:plus")
    assert shown.says("All others go to East–West: 11 with the kitty.")
    shown.tap("claim:yes")
    assert box.done[-1:] == [rl.ClaimOfTricksMade(hand=3, seat=Seat.W, agreed=True)]
    assert [box.view.step] == [Step.RESULT]
    assert shown.says("11 + 2 = 13")
    shown.tap("forward")
    assert box.done[-1] == ev.ResultEntered(hand=3, books={Side.EW: 11, Side.NS: 2})
    assert box.view.step is Step.CHECK


def test_an_agreed_result_can_still_be_set_right(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("claim")
    shown.tap("others:plus")
    shown.tap("claim:yes")
    assert shown.says("13 + 0 = 13")
    shown.tap("minus")
    assert shown.says("12 + 1 = 13")


def test_a_claim_that_is_not_agreed_calls_the_director(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("claim")
    shown.tap("others:plus")
    shown.tap("claim:no")
    assert box.done[-2:] == [
        rl.ClaimOfTricksMade(hand=3, seat=Seat.W, agreed=False),
        ev.DirectorCalled(reason="West claims, not agreed"),
    ]
    assert shown.says("Waiting for the ruling")
    assert shown.says("Laid down, and not all win by West, called by North · waiting 0:00")


def test_any_seat_may_claim_in_spades(panel: Open) -> None:
    box = spades_in_play()
    shown = panel(box)
    shown.tap("claim")
    shown.tap("claims:E")
    assert shown.says("East claims: do they agree?")
    shown.tap("claim:yes")
    assert box.done[-1] == rl.ClaimOfTricksMade(hand=6, seat=Seat.E, agreed=True)
    assert shown.says("Tricks of each player")


def test_only_the_bidder_concedes_and_it_counts_as_a_set(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("concede")
    before = list(box.done)
    shown.tap("concedes:E")
    assert shown.says("Only the bidder, West, may concede the set.")
    assert box.done == before
    shown.tap("concedes:W")
    assert shown.says("+10")
    shown.tap("concede:yes")
    assert box.done[-1] == rl.SetConceded(hand=3, seat=Seat.W)
    assert box.view.step is Step.CHECK
    assert open_hand_score(box.view.state).points == {Side.NS: 10, Side.EW: 0}


def test_nobody_concedes_in_spades(panel: Open) -> None:
    assert "concede" not in panel(spades_in_play()).keys


@pytest.mark.parametrize(("size", "dark"), sized())
def test_screens_of_claims_fit(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    shown = panel(in_play(), size=size, dark=dark)
    shown.wait(7000)
    shown.tap("concede")
    fits(shown, shots, "k07d-concede")
    shown.tap("concedes:W")
    fits(shown, shots, "k07e-concedes")
    shown.tap("close")
    shown.tap("claim")
    fits(shown, shots, "k07f-claim")
    shown.tap("others:plus")
    fits(shown, shots, "k07g-claimed")
    shown.tap("claim:yes")
    fits(shown, shots, "k09-result-claimed")


@pytest.mark.parametrize(("size", "dark"), sized())
@pytest.mark.parametrize("seat", ["E", "N"], ids=["upright", "turned"])
def test_screens_of_spades_claims_fit(size: Panel, dark: bool, seat: str, panel: Open, shots: Path | None) -> None:
    shown = panel(spades_in_play(), size=size, dark=dark)
    shown.wait(7000)
    fits(shown, shots, "k07-play-spades")
    shown.tap("claim")
    shown.tap(f"claims:{seat}")
    fits(shown, shots, f"k07h-claim-spades-{seat}")
