"""What changes under a finger: a ruling in the middle of a signature or a tap binds nobody to what was not read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import FoldingBox, two_hands, whole_round

from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side
from tallybox.table.state import Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def desk_takes_points(box: FoldingBox) -> None:
    """The desk rules on hand 1 while somebody is at the screen."""
    fact = DeskFact(
        id="e" * 64, kind="ruling", by="D-1", reason="Conduct", hand=1,
        ruling={"code": "ADJUST", "official": "D-1", "points": {"NS": -3}, "why": "Conduct"},
    )  # fmt: skip
    box.show(state=renewed(box.view.state, desk=(fact,)))


def signing(panel: Open) -> tuple[FoldingBox, PanelUnderTest]:
    box = whole_round(FoldingBox().sit())
    shown = panel(box)
    shown.tap("forward")
    return box, shown


def inked(shown: PanelUnderTest) -> int:
    return len(shown.root.look.entries.strokes.get(Side.NS, ()))


def test_ink_of_a_sheet_that_the_desk_changed_signs_nothing(panel: Open) -> None:
    box, shown = signing(panel)
    shown.draw("NS")
    assert inked(shown) == 2
    desk_takes_points(box)
    shown.frames()
    assert inked(shown) == 0
    shown.tap("sign:NS")
    assert (box.view.state.signatures, box.view.step) == ({}, Step.SIGN)
    shown.draw("NS")
    shown.tap("sign:NS")
    assert set(box.view.state.signatures) == {Side.NS}


def test_a_stroke_that_the_desk_s_ruling_falls_into_is_no_part_of_the_new_sheet(panel: Open) -> None:
    box, shown = signing(panel)
    rect = next(item.seen for item in shown.root.surface.placed() if getattr(item.node, "pad", None) == "NS")
    finger = shown.finger(*rect.middle)
    finger.touch_down()
    finger.touch_move(rect.x + 10, shown.height - rect.middle[1])
    desk_takes_points(box)
    shown.frames()
    finger.touch_up()
    shown.frames()
    assert inked(shown) == 0


def test_a_card_read_during_a_signature_leaves_the_ink(panel: Open) -> None:
    box, shown = signing(panel)
    shown.draw("NS")
    box.read(Seat.E, "4")
    shown.frames()
    assert inked(shown) == 2
    shown.tap("sign:NS")
    assert set(box.view.state.signatures) == {Side.NS}


def test_agreement_is_to_the_points_that_stood_under_the_finger(panel: Open) -> None:
    box = two_hands(FoldingBox().sit()).count().call("4", "pass", "pass", "pass").play().books(3, 10)
    shown = panel(box)
    finger = shown.finger(*shown.place("agree:NS").middle)
    finger.touch_down()
    fact = DeskFact(
        id="e" * 64, kind="ruling", by="D-1", reason="Conduct", hand=3,
        ruling={"code": "ADJUST", "official": "D-1", "points": {"NS": -3}, "why": "Conduct"},
    )  # fmt: skip
    box.show(state=renewed(box.view.state, desk=(fact,)))
    shown.frames()
    before = list(box.done)
    finger.touch_up()
    shown.frames()
    assert box.done == before
    adjusted = "The director adjusted North–South by −3. Reason: Conduct."
    assert [word for word in shown.words if word == adjusted] == [adjusted]
    shown.tap("read")
    shown.tap("agree:NS")
    assert len(box.done) == len(before) + 1


def test_a_second_tap_and_a_second_finger_submit_once(panel: Open) -> None:
    box, shown = signing(panel)
    for side in Side:
        shown.draw(side.value)
        shown.tap(f"sign:{side}")
    one = shown.finger(*shown.place("submit").middle)
    other = shown.finger(*shown.place("submit").middle)
    shown.now += 1_000
    for finger in (one, other):
        finger.touch_down()
    for finger in (other, one):
        finger.touch_up()
    shown.tap_at(*one_spot(shown), pause=100)
    assert [type(body).__name__ for body in box.done[-3:]] == ["SheetSigned", "SheetSigned", "SheetSubmitted"]


def one_spot(shown: PanelUnderTest) -> tuple[float, float]:
    """Where the forward button stood."""
    return shown.width - 100.0, shown.height - 40.0
