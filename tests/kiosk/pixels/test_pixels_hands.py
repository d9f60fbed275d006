"""People play whole hands on the screen: every act by a finger, through a real box and its journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pixels_box import RealBox
from pixels_panel import PanelUnderTest
from pixels_table import MSO, WHIST, WSOS

from tallybox.calls import Bid, Strain
from tallybox.seats import Seat, Side
from tallybox.table.shown import score
from tallybox.table.state import Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


@pytest.fixture
def real_box(tmp_path: Path) -> Iterator[Callable[..., RealBox]]:
    opened: list[RealBox] = []

    def open_box(ruleset: str, *, hands: int) -> RealBox:
        opened.append(RealBox(tmp_path, ruleset, hands=hands))
        return opened[-1]

    yield open_box
    for box in opened:
        box.stop()


def sit_down(shown: PanelUnderTest, real: RealBox, *keepers: str) -> None:
    """From the idle screen to the first deal."""
    shown.until(lambda: "forward" in shown.keys)
    shown.tap("forward")
    shown.tap("yes")
    shown.until(lambda: real.box.view.step is Step.CLAIMED)
    assert shown.says("Waiting for the table")
    real.grant()
    shown.tap("seats:NS")
    shown.tap("seats:EW")
    for seat in keepers:
        shown.tap(f"scorekeeper:{seat}")


def agree(shown: PanelUnderTest) -> None:
    shown.tap("agree:NS")
    shown.tap("agree:EW")


def test_bid_whist_round_from_claim_to_submitted_sheet(panel: Open, real_box: Callable[..., RealBox]) -> None:
    real = real_box(WHIST, hands=1)
    shown = panel(real.box)
    sit_down(shown, real, "S")
    shown.tap("draw:E")
    shown.tap("forward")
    for number, call in enumerate(("pass", "4", "5 no", "pass")):
        shown.tap(f"call:{number}:{call}")
    shown.tap("lock")
    shown.until(lambda: shown.says("The kitty may be taken now"))
    shown.tap("direction:up")
    shown.tap("forward")
    shown.until(lambda: shown.says("Play · 5 NO UP by North"))
    shown.tap("forward")
    shown.tap("book:11")
    shown.tap("plus")
    assert shown.says("12 + 1 = 13")
    shown.tap("forward")
    agree(shown)
    shown.until(lambda: shown.says("The round is complete"))
    shown.tap("forward")
    for side in ("NS", "EW"):
        shown.draw(side)
        shown.tap(f"sign:{side}")
    shown.tap("submit")
    shown.until(lambda: real.box.view.step is Step.SUBMITTED)
    state = real.box.view.state
    totals = score(state).totals
    assert (totals.points, totals.hands_won) == ({Side.NS: 12, Side.EW: 0}, {Side.NS: 1, Side.EW: 0})
    assert real.types == [
        "claim.made", "seats.confirmed", "seats.confirmed", "scorekeeper.chosen", "dealer.drawn", "hand.opened",
        "hand.counted", "call.made", "call.made", "call.made", "call.made", "contract.locked", "direction.stated",
        "play.started", "result.entered", "hand.checked", "hand.checked", "hand.recorded", "sheet.signed",
        "sheet.signed", "sheet.submitted",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ruleset", "calls", "tricks", "points", "draws"),
    [
        pytest.param(MSO, ("4", "nil", "3", "5"), (5, 3, 4, 1), {Side.NS: -46, Side.EW: -70}, False, id="mso"),
        pytest.param(WSOS, ("2", "3", "3", "nil"), (0, 4, 5, 4), {Side.NS: 132, Side.EW: 53}, True, id="wsos"),
    ],
)
def test_spades_hand_from_claim_to_record(
    ruleset: str, calls: tuple[str, ...], tricks: tuple[int, ...], points: dict[Side, int], draws: bool,
    panel: Open, real_box: Callable[..., RealBox],
) -> None:  # fmt: skip
    real = real_box(ruleset, hands=10)
    shown = panel(real.box)
    sit_down(shown, real, *("NE" if draws else "N"))
    if draws:
        shown.tap("draw:N")
    shown.tap("forward")
    for number, call in enumerate(calls):
        shown.tap(f"call:{number}:{call}")
    shown.tap("lock")
    shown.until(lambda: real.box.view.step is Step.PLAY)
    shown.tap("forward")
    for forward in ("forward:NS", "forward:EW") if draws else ("forward",):
        for seat, taken in zip(Seat, tricks, strict=True):
            for _trick in range(taken):
                shown.tap(f"plus:{seat}")
        shown.tap(forward)
        shown.until(lambda key=forward: key not in shown.keys)  # type: ignore[misc]
    agree(shown)
    shown.until(lambda: real.box.view.step is Step.DEAL)
    state = real.box.view.state
    assert [hand.number for hand in state.counting] == [1]
    assert dict(state.counting[0].result.tricks or {}) == dict(zip(Seat, tricks, strict=True))  # type: ignore[union-attr]
    assert score(state).hands[0].points == points
    assert shown.says("Hand 2 · sheet R1-T4")


def test_restarted_box_goes_on_where_it_was_left(panel: Open, real_box: Callable[..., RealBox], tmp_path: Path) -> None:
    real = real_box(WHIST, hands=1)
    shown = panel(real.box)
    sit_down(shown, real, "S")
    shown.tap("draw:E")
    shown.tap("forward")
    shown.tap("call:0:4 special")
    shown.until(lambda: "call:1:pass" in shown.keys)
    shown.close()
    real.stop()
    again = real_box(WHIST, hands=1)
    back = panel(again.box)
    assert back.says("Welcome back. You are at hand 1, West to bid, as you left it.")
    hand = again.box.view.state.hand
    assert hand is not None
    assert [(called.seat, called.call) for called in hand.calls] == [(Seat.S, Bid(4, Strain.SPECIAL))]
