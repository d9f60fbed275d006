"""What moves shows where something went: it delays no finger, leaves no pixel behind, and costs nothing at rest."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gallery import bidding, whist
from kivy.clock import Clock
from pixels_panel import PanelUnderTest
from pixels_table import FoldingBox

from kiosk.widgets.motion import Motion
from tallybox.events import table as ev
from tallybox.seats import Seat

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def motion(shown: PanelUnderTest) -> Motion:
    found = shown.root.surface._motion
    assert found is not None
    return found


def paints_by_itself(shown: PanelUnderTest) -> bool:
    """Whether Kivy's clock has the movement run in the next frame."""
    return any(event.get_callback() == motion(shown)._step for event in Clock.get_events())


def differs(one: PanelUnderTest, other: bytes) -> bool:
    return one.picture().tobytes() != other


def test_a_call_slides_from_its_key_to_its_seat_and_the_panel_is_as_without_motion(panel: Open) -> None:
    still = panel(bidding())
    still.tap("call:2:5")
    rest = still.picture().tobytes()
    shown = panel(bidding(), motion=True)
    shown.tap("call:2:5")
    assert motion(shown).busy
    assert differs(shown, rest)
    shown.now += 75
    shown.frames(1)
    assert differs(shown, rest)
    shown.now += 75
    shown.frames(1)
    assert not motion(shown).busy
    assert not differs(shown, rest)


def test_a_finger_is_taken_while_something_moves(panel: Open) -> None:
    box = bidding()
    shown = panel(box, motion=True)
    shown.tap("call:2:5")
    assert motion(shown).busy
    shown.tap("call:3:6", pause=400)
    hand = box.view.state.hand
    assert hand is not None
    assert [called.seat for called in hand.calls] == [Seat.E, Seat.S, Seat.W, Seat.N]


def test_at_rest_nothing_is_due(panel: Open) -> None:
    shown = panel(bidding(), motion=True)
    assert not paints_by_itself(shown)
    shown.tap("call:2:5")
    assert paints_by_itself(shown)
    shown.now += 200
    shown.frames(2)
    assert not paints_by_itself(shown)


def test_a_card_falls_to_its_seat(panel: Open) -> None:
    box = whist().count()
    shown = panel(box, motion=True)
    box.read(Seat.E, "4")
    card = box.view.state.readings[Seat.E].id
    box.do(ev.CallMade(hand=3, seat=Seat.E, call="4", source="scanned", reading=card))
    shown.until(lambda: motion(shown).busy)
    found = motion(shown)._slide
    assert found is not None
    assert (found[0].dx, found[0].dy < 0) == (0, True)


def test_a_screen_that_comes_back_is_cut(panel: Open) -> None:
    shown = panel(bidding(), motion=True)
    shown.tap("irregularity")
    shown.tap("close")
    assert not motion(shown).busy


def test_the_divider_moves_to_where_it_stands_now(panel: Open) -> None:
    shown = panel(bidding().call("pass", "5").lock().play(), motion=True)
    shown.tap("forward")
    shown.tap("book:10")
    assert not motion(shown).busy
    shown.tap("plus")
    found = motion(shown)._slide
    assert found is not None
    assert (found[0].dx < 0, found[0].dy) == (True, 0)


def test_a_new_total_is_underlined_for_two_seconds(panel: Open) -> None:
    def over() -> FoldingBox:
        return bidding().call("pass", "5").lock().play()

    def enter(shown: PanelUnderTest) -> PanelUnderTest:
        for key in ("forward", "book:12", "forward"):
            shown.tap(key)
        return shown

    still = enter(panel(over()))
    rest = still.picture().tobytes()
    shown = enter(panel(over(), motion=True))
    assert motion(shown)._under, shown.words
    assert differs(shown, rest)
    shown.now += 2_000
    motion(shown)._underline_ends(0)
    assert not differs(shown, rest)
    assert not motion(shown).busy
