"""Fingers as people use them: twice, two at a time, slid off, and on a screen that changes under them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import MSO, FoldingBox, five_spades_hands, two_hands, whole_round

from kiosk.theme import Panel
from kiosk.view import LINKED, NO_HUB
from tallybox.events import table as ev
from tallybox.seats import Seat, Side
from tallybox.table.state import Refusal, Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def dealt() -> FoldingBox:
    return two_hands(FoldingBox().sit())


def bidding() -> FoldingBox:
    return dealt().count()


def in_play() -> FoldingBox:
    return bidding().call("pass", "4", "5 no", "pass").play("up")


def test_second_tap_within_a_moment_counts_once(panel: Open) -> None:
    box = bidding()
    shown = panel(box)
    rect = shown.place("call:0:4")
    shown.tap_at(*rect.middle)
    shown.tap_at(*rect.middle, pause=200)
    assert [body for body in box.done if isinstance(body, ev.CallMade)][-1] == ev.CallMade(
        hand=3, seat=Seat.E, call="4", source="typed"
    )
    assert box.view.state.hand is not None
    assert len(box.view.state.hand.calls) == 1


def test_double_tap_on_the_forward_button_does_not_reach_the_next_screen(panel: Open) -> None:
    box = dealt()
    shown = panel(box)
    middle = shown.place("forward").middle
    shown.tap_at(*middle)
    assert box.view.step is Step.AUCTION
    before = len(box.done)
    shown.tap_at(*middle, pause=150)
    assert len(box.done) == before


def test_plus_may_be_tapped_quickly(panel: Open) -> None:
    shown = panel(in_play())
    shown.tap("forward")
    shown.tap("book:9")
    for _tap in range(3):
        shown.tap("plus", pause=130)
    assert shown.says("12 + 1 = 13")


def test_bounce_on_plus_counts_once(panel: Open) -> None:
    shown = panel(in_play())
    shown.tap("forward")
    shown.tap("book:9")
    shown.tap("plus")
    shown.tap("plus", pause=60)
    assert shown.says("10 + 3 = 13")


def test_second_finger_is_ignored(panel: Open) -> None:
    box = bidding()
    shown = panel(box)
    shown.now += 1000
    one = shown.finger(*shown.place("call:0:4").middle)
    two = shown.finger(*shown.place("call:0:6 no").middle)
    one.touch_down()
    two.touch_down()
    two.touch_up()
    one.touch_up()
    hand = box.view.state.hand
    assert hand is not None
    assert [ev.CallMade(hand=3, seat=Seat.E, call="4", source="typed")] == box.done[-1:]
    assert len(hand.calls) == 1


def test_sliding_off_a_target_cancels(panel: Open) -> None:
    box = bidding()
    shown = panel(box)
    before = list(box.done)
    shown.now += 1000
    finger = shown.finger(*shown.place("call:0:7").middle)
    finger.touch_down()
    x, y = shown.place("call:0:4 special").middle
    finger.touch_move(x, shown.height - y)
    finger.touch_up()
    shown.frames()
    assert box.done == before


def test_target_shows_that_it_is_touched(panel: Open) -> None:
    shown = panel(bidding())
    rect = shown.place("call:0:7")
    corner = (rect.x + 12, rect.y + 12)
    at_rest = shown.pixel(*corner)
    shown.now += 1000
    finger = shown.finger(*rect.middle)
    finger.touch_down()
    touched = shown.pixel(*corner)
    finger.touch_move(rect.x, shown.height - 5)
    finger.touch_up()
    after = shown.pixel(*corner)
    assert at_rest == after
    assert sum(touched) < sum(at_rest) - 40


def test_tap_survives_a_new_view_under_the_finger(panel: Open) -> None:
    box = dealt()
    shown = panel(box)
    shown.now += 1000
    finger = shown.finger(*shown.place("forward").middle)
    finger.touch_down()
    box.show(link=NO_HUB, unsent=2)
    shown.frames(3)
    finger.touch_up()
    assert box.view.step is Step.AUCTION


def test_entries_survive_a_new_view(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("forward")
    shown.tap("book:12")
    box.show(link=NO_HUB, unsent=2)
    box.read(Seat.N, "4")
    shown.frames(3)
    assert shown.says("12 + 1 = 13")


def test_entries_of_a_hand_do_not_reach_the_next_one(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("forward")
    shown.tap("book:12")
    shown.tap("forward")
    box.agree()
    box.count().call("4", "pass", "pass", "pass").play()
    shown.frames(3)
    shown.tap("forward")
    assert shown.says("Not set yet")


def test_refused_act_says_why_and_keeps_what_was_drawn(panel: Open) -> None:
    box = whole_round(FoldingBox().sit())
    shown = panel(box)
    shown.tap("forward")
    shown.draw("NS")
    open_refusal = Refusal("f" * 64, 9, "hand.counted", "no-hand", "Hand 9 is not open.")
    box.state(refused=(open_refusal,))
    shown.frames(3)
    assert shown.says("Hand 9 is not open. Ask the director before signing.")
    strokes = shown.root.look.entries.strokes[Side.NS]
    shown.tap("sign:NS")
    assert shown.says("Something on this table's record does not count yet. Ask the director before signing.")
    assert shown.root.look.entries.strokes.get(Side.NS) == strokes


def test_greyed_pass_answers_with_the_rule_under_the_title(panel: Open) -> None:
    box = bidding().call("pass", "pass", "pass")
    before = list(box.done)
    shown = panel(box)
    shown.tap("call:3:pass")
    assert shown.says("Three have passed. The dealer must bid at least 4, 4 SPECIAL or 4 NO.")
    assert shown.says("North to bid")
    shown.wait(7000)
    assert shown.words.count("Three have passed. The dealer must bid at least 4, 4 SPECIAL or 4 NO.") == 1, "the hint"
    assert box.done == before


def test_take_back_removes_the_last_call(panel: Open) -> None:
    box = bidding().call("pass", "4")
    shown = panel(box)
    shown.tap("take-back:2")
    hand = box.view.state.hand
    assert hand is not None
    assert (len(hand.calls), hand.turn) == (1, Seat.S)


def test_conflict_waits_for_the_table_and_keeps_both_readings(panel: Open) -> None:
    box = bidding().call("pass", "4", "5 no").read(Seat.W, "5 special")
    shown = panel(box)
    assert not {key for key in shown.keys if key.startswith("call:")}
    shown.tap("stands:read")
    assert box.done[-1] == ev.ReadingResolved(hand=3, seat=Seat.W, read="5 special", typed="5 no", stands="read")
    assert box.view.step is Step.AUCTION


def test_misdeal_deals_the_same_hand_again(panel: Open) -> None:
    box = dealt()
    dealer = box.view.state.hand.dealer  # type: ignore[union-attr]
    shown = panel(box)
    shown.tap("misdeal")
    shown.tap("misdeal:kitty-count")
    hand = box.view.state.hand
    assert hand is not None
    assert (hand.number, hand.dealer, hand.counted) == (3, dealer, False)
    assert box.done[-1] == ev.HandVoided(hand=3, reason="misdeal", code="kitty-count")


def test_legal_call_with_a_question_is_asked_first(panel: Open) -> None:
    box = five_spades_hands(FoldingBox(MSO).sit()).count().call("nil", "3")
    shown = panel(box)
    before = list(box.done)
    shown.tap("call:2:nil")
    assert (shown.says("Both partners nil"), box.done) == (True, before)
    shown.tap("again")
    assert "call:2:4" in shown.keys
    shown.tap("call:2:nil")
    shown.tap("record")
    assert box.done[-1] == ev.CallMade(hand=6, seat=Seat.N, call="nil", source="typed")


def test_wrong_hand_goes_back_to_the_entry_and_the_second_time_to_the_director(panel: Open) -> None:
    box = in_play().books(1, 12)
    shown = panel(box)
    for expected in (Step.RESULT, Step.DISPUTED):
        shown.tap("wrong")
        shown.tap("what:result")
        assert shown.says("First tap the team that says so.")
        shown.tap("who:EW")
        shown.tap("what:result")
        assert box.view.step is expected
        if expected is Step.RESULT:
            shown.tap("book:10")
            shown.tap("forward")
    assert shown.says("The sides do not agree. The director decides; nothing is scored before.")


def test_director_is_called_only_after_the_question(panel: Open) -> None:
    box = dealt()
    shown = panel(box)
    shown.tap("spine:director")
    assert shown.says("Call the director?")
    shown.tap("director:no")
    assert (shown.says("Call the director?"), box.view.state.calling) == (False, None)
    shown.tap("spine:director")
    shown.tap("director:yes")
    assert box.view.state.calling is not None
    shown.wait(42_000)
    assert shown.says("Called 0:42")
    shown.tap("spine:director")
    assert shown.says("Cancel the call?")
    shown.tap("director:yes")
    assert box.view.state.calling is None


def test_time_is_up_is_said_once_and_loses_nothing(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("forward")
    shown.tap("book:12")
    before = list(box.done)
    shown.wait(800_000)
    assert shown.says("Time is up")
    assert box.done == before
    shown.tap("forward")
    assert shown.says("12 + 1 = 13")
    assert shown.says("time is up")


def test_status_opens_by_tap_and_tries_again(panel: Open) -> None:
    box = in_play().show(link=NO_HUB, unsent=3)
    shown = panel(box)
    shown.tap("spine:status")
    assert shown.says("Play on. Your scores are safe in this box.")
    shown.tap("resend")
    assert box.tried == 1
    box.show(link=LINKED, unsent=0)
    shown.frames(3)
    assert shown.says("The hub is there, and has it all.")
    shown.tap("close")
    assert shown.says("Play · 5 NO UP by West")


def test_map_turns_and_stays_turned(panel: Open) -> None:
    box = FoldingBox()
    box.do(ev.ClaimMade())
    shown = panel(box)
    shown.tap("turn")
    assert shown.root.look.bottom is Seat.W
    box.do(ev.SeatsConfirmed(side=Side.NS, team=7))
    shown.frames(3)
    assert shown.root.look.bottom is Seat.W


@pytest.mark.parametrize("size", list(Panel), ids=["7in", "10in"])
def test_turned_pad_takes_strokes_as_the_signer_sees_them(panel: Open, size: Panel) -> None:
    """With South at the bottom, East reads from the right: up for East is left on the panel."""
    box = whole_round(FoldingBox().sit()).sign(Side.NS)
    shown = panel(box, size=size)
    shown.tap("forward")
    shown.tap("turn")
    pad = next(item for item in shown.root.surface.placed() if getattr(item.node, "pad", None) == "EW")
    seen = pad.seen
    shown.now += 1000
    finger = shown.finger(seen.x + seen.w * 0.5, seen.y + seen.h * 0.9)
    finger.touch_down()
    finger.touch_move(seen.x + seen.w * 0.5, shown.height - (seen.y + seen.h * 0.1))
    finger.touch_up()
    shown.frames()
    stroke = shown.root.look.entries.strokes[Side.EW][0]
    (first_x, first_y), (last_x, last_y) = stroke[0], stroke[-1]
    assert abs(first_y - last_y) < 40
    assert (first_x < 200, last_x > 800) == (True, True)
