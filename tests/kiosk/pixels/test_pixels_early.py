"""Calls before their turn: a card laid too soon, a bid typed afterwards, and the other side's answer (B-27, C-16)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import MSO, WSOS, FoldingBox, fits, five_spades_hands, sized, two_hands

from kiosk.theme import Panel
from kiosk.view import CardCase, Notice, NoticeKind
from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.state import Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def spades(ruleset: str = MSO) -> FoldingBox:
    """Hand 6 of spades; North deals no more than the seat before it, and its left bids first."""
    return five_spades_hands(FoldingBox(ruleset, round_number=3).sit()).count()


def laid_early(box: FoldingBox, seat: Seat, call: str) -> FoldingBox:
    """A card of a seat whose turn it is not, as the box tells of it."""
    box.read(seat, call)
    turn = box.view.state.hand.turn  # type: ignore[union-attr]
    assert turn is not None
    text = f"That is {seat.word}'s card. {turn.word} bids now."
    return box.show(notice=Notice(text, NoticeKind.CARD, seat, 7, 0, CardCase.OUT_OF_TURN))


def test_a_card_before_its_turn_is_named_and_bidding_goes_on(panel: Open) -> None:
    box = laid_early(spades().call("4"), Seat.E, "3")
    shown = panel(box)
    turn = box.view.state.hand.turn  # type: ignore[union-attr]
    assert shown.says(f"That is East's card. {turn.word} bids now.")  # type: ignore[union-attr]
    assert shown.says(f"{turn.word} to bid")  # type: ignore[union-attr]
    shown.wait(60_000)
    assert shown.says("That is East's card.")
    shown.tap("call:1:5")
    assert [called.seat for called in box.view.state.hand.calls][-1] is turn  # type: ignore[union-attr]


def test_an_early_card_can_be_ignored(panel: Open) -> None:
    box = laid_early(spades().call("4"), Seat.E, "3")
    before = list(box.done)
    shown = panel(box)
    shown.tap("ignore")
    assert (shown.says("That is East's card."), box.done) == (False, before)


def test_an_early_card_counted_asks_the_other_side(panel: Open) -> None:
    box = laid_early(spades().call("4"), Seat.E, "3")
    reading = box.view.state.readings[Seat.E].id
    shown = panel(box)
    shown.tap("out-of-turn")
    assert box.done[-1] == rl.OutOfTurnMade(hand=6, seat=Seat.E, call="3", source="scanned", reading=reading)
    assert box.view.step is Step.EARLY
    assert shown.says("Does East's bid stand?")


def test_in_bid_whist_an_early_card_is_a_tech_that_somebody_has_to_call(panel: Open) -> None:
    box = laid_early(two_hands(FoldingBox().sit()).count().call("pass"), Seat.W, "5")
    shown = panel(box)
    shown.tap("out-of-turn")
    assert shown.says("Bid out of turn")
    shown.tap("caller:N")
    shown.tap("call")
    raised = rl.IrregularityRaised(hand=3, code="OUT_OF_TURN_BID", side=Side.EW, caller=Seat.N, seat=Seat.W)
    assert box.done[-2] == raised


def early_typed(shown: PanelUnderTest, seat: str, call: str) -> None:
    shown.tap("irregularity")
    shown.tap("what:BID_TURN")
    shown.tap(f"seat:{seat}")
    shown.tap(f"bid:{call}")
    shown.tap("early")


def test_an_accepted_bid_counts_and_the_bidding_goes_on_from_it(panel: Open) -> None:
    box = spades()
    shown = panel(box)
    turn = box.view.state.hand.turn  # type: ignore[union-attr]
    assert turn is not None
    seat = turn.partner
    shown.tap("irregularity")
    shown.tap("what:BID_TURN")
    shown.tap(f"seat:{turn}")
    assert shown.says(f"It is {turn.word}'s turn: that bid is tapped on the keypad.")
    shown.tap(f"seat:{seat}")
    shown.tap("bid:4")
    shown.tap("early")
    early = box.view.state.hand.early  # type: ignore[union-attr]
    assert early is not None
    shown.tap("early:stands")
    accepted = box.done[-1]
    assert isinstance(accepted, rl.OutOfTurnAccepted)
    assert (accepted.seat.side, accepted.made) == (seat.side.other, early.id)
    hand = box.view.state.hand
    assert hand is not None
    assert ([called.seat for called in hand.calls], hand.turn) == ([seat], seat.left)


def test_a_declined_bid_is_repeated_in_its_turn_in_the_world_series(panel: Open) -> None:
    box = spades(WSOS)
    shown = panel(box)
    turn = box.view.state.hand.turn  # type: ignore[union-attr]
    assert turn is not None
    early_typed(shown, turn.left, "4")
    shown.tap("early:declined")
    shown.tap("call:0:3")
    assert shown.says(f"{turn.left.word} bid 4 out of turn and must now repeat it.")
    before = list(box.done)
    shown.tap("call:1:5")
    assert shown.says(f"{turn.left.word} bid 4 out of turn and must now repeat it. Bid 4.")
    assert box.done == before
    shown.tap("call:1:4")
    assert box.done[-1] == ev.CallMade(hand=6, seat=turn.left, call="4", source="typed")


def test_an_early_bid_tapped_by_mistake_is_taken_back(panel: Open) -> None:
    box = spades()
    shown = panel(box)
    turn = box.view.state.hand.turn  # type: ignore[union-attr]
    assert turn is not None
    early_typed(shown, turn.left, "4")
    taken = next(key for key in shown.keys if key.startswith("take-back"))
    shown.tap(taken)
    assert box.done[-1] == ev.CallTakenBack(hand=6, seat=turn.left)
    assert (box.view.step, box.view.state.hand.early) == (Step.AUCTION, None)  # type: ignore[union-attr]


def test_the_question_turns_to_the_other_player_of_the_side(panel: Open) -> None:
    box = spades()
    shown = panel(box)
    turn = box.view.state.hand.turn  # type: ignore[union-attr]
    assert turn is not None
    early_typed(shown, turn.left, "4")
    turning = next(key for key in shown.keys if key.startswith("turn:"))
    before = shown.place("early:stands")
    shown.tap(turning)
    assert shown.place("early:stands") != before
    shown.tap("early:stands")
    accepted = box.done[-1]
    assert isinstance(accepted, rl.OutOfTurnAccepted)
    assert f"turn:{accepted.seat}" == turning


@pytest.mark.parametrize(("size", "dark"), sized())
@pytest.mark.parametrize("turned", [False, True], ids=["upright", "turned"])
def test_screens_of_early_bids_fit(size: Panel, dark: bool, turned: bool, panel: Open, shots: Path | None) -> None:
    box = spades(WSOS if dark else MSO)
    turn = box.view.state.hand.turn  # type: ignore[union-attr]
    assert turn is not None
    seat = next(one for one in (turn.left, turn.partner) if (one.side is Side.NS) is turned)
    shown = panel(box, size=size, dark=dark)
    shown.wait(7000)
    shown.tap("irregularity")
    shown.tap("what:BID_TURN")
    shown.tap(f"seat:{seat}")
    shown.tap("bid:6")
    fits(shown, shots, "k05b-typed")
    shown.tap("early")
    fits(shown, shots, f"k05c-early{'-turned' if turned else ''}")
    shown.tap("early:declined")
    while box.view.state.hand.turn is not seat:  # type: ignore[union-attr]
        box.call("3")
    shown.frames(3)
    fits(shown, shots, "k05d-repeat")


@pytest.mark.parametrize(("size", "dark"), sized())
@pytest.mark.parametrize("whist", [False, True], ids=["spades", "whist"])
def test_the_auction_with_an_early_card_fits(
    size: Panel, dark: bool, whist: bool, panel: Open, shots: Path | None
) -> None:
    called = two_hands(FoldingBox().sit()).count().call("pass") if whist else spades().call("4")
    box = laid_early(called, Seat.W if whist else Seat.E, "5 special" if whist else "nil")
    fits(panel(box, size=size, dark=dark), shots, "k04e-early-card" if whist else "k05e-early-card")
