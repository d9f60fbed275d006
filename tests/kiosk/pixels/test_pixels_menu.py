"""The official's menu by fingers: correct, void, adjust, swap, waive, ask the hub, try the readers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import LOST, MSO, FoldingBox, five_spades_hands, two_hands, whole_round

from kiosk.theme import Panel
from kiosk.view import LaidCard
from tallybox.calls import Bid, Strain
from tallybox.events import table as ev
from tallybox.events.rulings import OfficialRequested, RoundClosed, RulingEntered, SeatsSwapped, SignatureWaived
from tallybox.seats import Seat, Side
from tallybox.table.shown import facts_now, score, sheet_digest

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def dealt() -> FoldingBox:
    return two_hands(FoldingBox().sit())


def spades() -> FoldingBox:
    return five_spades_hands(FoldingBox(MSO, round_number=3).sit())


def seats_open() -> FoldingBox:
    box = FoldingBox()
    box.do(ev.ClaimMade())
    return box


def signing() -> FoldingBox:
    return whole_round(FoldingBox().sit())


def let_in(panel: Open, box: FoldingBox, pin: str = "246810", **looks: object) -> PanelUnderTest:
    """The menu of an official whose PIN was right."""
    shown = panel(box, **looks)
    shown.wait(7000)
    shown.hold("officials")
    shown.type_pin(pin)
    shown.tap("forward")
    shown.until(lambda: "menu:test" in shown.keys)
    return shown


def test_director_corrects_a_recorded_hand_with_a_reason(panel: Open) -> None:
    box = dealt()
    assert dict(score(box.view.state).totals.points) == {Side.NS: 6, Side.EW: 4}
    shown = let_in(panel, box)
    for key in ("menu:correct", "hand:1", "call-of:E"):
        shown.tap(key)
    assert shown.says("Hand 2: what did East call?")
    shown.tap("back")
    shown.tap("minus")
    shown.tap("forward")
    assert shown.says("Before")
    shown.tap("forward")
    shown.tap("not-yet")
    assert shown.says("Say why first: tap a sentence, or write one.")
    shown.tap("reason:0")
    shown.tap("decide")
    shown.until(lambda: shown.says("Hand 2 is corrected. Both sides look at the sheet and sign it anew."))
    made = box.done[-1]
    assert isinstance(made, ev.HandRecorded)
    assert (made.official, made.reason) == ("D-1", "The books or tricks were entered wrong. Both sides agree.")
    assert facts_now(box.view.state, box.view.state.hands[1]).books == {Side.NS: 11, Side.EW: 2}
    assert dict(score(box.view.state).totals.points) == {Side.NS: 5, Side.EW: 4}


def test_corrected_call_changes_the_contract(panel: Open) -> None:
    box = dealt()
    shown = let_in(panel, box)
    for key in ("menu:correct", "hand:1"):
        shown.tap(key)
    bidder = facts_now(box.view.state, box.view.state.hands[1]).dealer.left
    shown.tap(f"call-of:{bidder}")
    shown.tap("choose:9")
    assert shown.says("UP")
    shown.tap("not-yet")
    shown.tap("way:up")
    for key in ("forward", "forward", "reason:1", "decide"):
        shown.tap(key)
    shown.until(lambda: shown.says("Hand 2 is corrected."))
    facts = facts_now(box.view.state, box.view.state.hands[1])
    assert (facts.calls[0], facts.direction) == (Bid(5, Strain.NO), "up")


def test_unchanged_hand_is_not_corrected(panel: Open) -> None:
    box = dealt()
    shown = let_in(panel, box)
    for key in ("menu:correct", "hand:0", "not-yet"):
        shown.tap(key)
    assert shown.says("Nothing is changed yet. Tap what was wrong.")
    shown.tap("back")
    shown.tap("to-menu")
    assert not any(isinstance(body, ev.HandRecorded) and body.official for body in box.done)


def test_director_corrects_tricks_of_spades(panel: Open) -> None:
    box = spades()
    shown = let_in(panel, box)
    for key in ("menu:correct", "hand:4", "plus:N"):
        shown.tap(key)
    assert shown.says("14 tricks. A hand has 13.")
    shown.tap("minus:S")
    for key in ("forward", "forward", "reason:0", "decide"):
        shown.tap(key)
    shown.until(lambda: shown.says("Hand 5 is corrected."))
    tricks = facts_now(box.view.state, box.view.state.hands[4]).tricks
    assert tricks == {Seat.N: 5, Seat.E: 3, Seat.S: 3, Seat.W: 2}


def test_open_hand_is_void_and_dealt_again(panel: Open) -> None:
    box = dealt()
    shown = let_in(panel, box)
    for key in ("menu:void", "hand:2"):
        shown.tap(key)
    assert shown.says("North deals again. It stays hand 3.")
    for key in ("forward", "reason:2", "decide"):
        shown.tap(key)
    assert (
        ev.HandVoided(hand=3, reason="director", official="D-1", why="The director has all four deal again.")
        in box.done
    )
    assert [hand.void for hand in box.view.state.hands] == [None, None, "director"]


def test_recorded_hand_is_taken_out_of_the_count(panel: Open) -> None:
    box = dealt()
    shown = let_in(panel, box)
    for key in ("menu:void", "hand:0"):
        shown.tap(key)
    assert shown.says("It scores for nobody.")
    for key in ("forward", "reason:0", "decide"):
        shown.tap(key)
    shown.until(lambda: shown.says("Hand 1 is void."))
    assert dict(score(box.view.state).totals.points) == {Side.NS: 6, Side.EW: 0}


def test_points_by_the_director_stand_on_the_sheet(panel: Open) -> None:
    box = spades()
    before = score(box.view.state).totals.points[Side.EW]
    shown = let_in(panel, box)
    for key in ("menu:adjust", "hand:3", "minus:EW", "minus:EW", "forward", "forward", "reason:0", "decide"):
        shown.tap(key)
    shown.until(lambda: shown.says("Hand 4 is adjusted. Both sides see it on the sheet."))
    made = next(body for body in box.done if isinstance(body, RulingEntered))
    assert made.ruling == {
        "code": "ADJUST", "official": "D-1", "points": {"EW": -20}, "why": "Conduct: a warning was given before.",
    }  # fmt: skip
    assert score(box.view.state).totals.points[Side.EW] == before - 20


def test_teams_change_sides_before_the_first_deal(panel: Open) -> None:
    box = seats_open()
    shown = let_in(panel, box)
    shown.tap("menu:swap")
    shown.tap("not-yet")
    assert shown.says("Say first who changes seats.")
    shown.tap("swap:teams")
    shown.tap("decide")
    assert box.done[-1] == SeatsSwapped(official="D-1")
    assert box.view.state.swapped


def test_monitor_waives_a_signature_in_own_words(panel: Open) -> None:
    box = signing()
    shown = let_in(panel, box, "135790")
    for key in ("menu:waive", "side:EW", "forward", "write"):
        shown.tap(key)
    for letter in "ILL":
        shown.tap(f"key:{letter}", pause=400)
    shown.tap("key:page")
    shown.tap("key:1")
    shown.tap("key:back")
    shown.tap("written")
    shown.tap("decide")
    shown.until(lambda: shown.says("East–West need not sign this sheet."))
    digest = sheet_digest(box.view.state)
    assert box.done[-1] == SignatureWaived(side=Side.EW, digest=digest, official="M-1", reason="Ill")


def test_hub_is_asked_for_more_time(panel: Open) -> None:
    box = dealt()
    shown = let_in(panel, box)
    for key in ("menu:extend", "minutes:10", "forward", "reason:0", "decide"):
        shown.tap(key)
    assert box.done[-1] == OfficialRequested(
        what="extension", official="D-1", minutes=10, reason="A ruling took that long."
    )


def test_what_only_the_hub_can_do_is_refused_in_words_without_it(panel: Open) -> None:
    shown = let_in(panel, dealt().show(link=LOST))
    for key in ("menu:lock", "menu:replace"):
        shown.tap(key)
        assert shown.says("Only the hub can do this, and it is out of reach. Ask again when this box is linked.")


def test_time_is_called_at_a_table_that_no_hub_reaches(panel: Open) -> None:
    box = dealt().show(link=LOST)
    shown = let_in(panel, box)
    shown.tap("menu:close_without_hub")
    assert shown.says("Hand 3 has no contract yet: it does not count. Both sides sign next.")
    for key in ("forward", "reason:0", "decide"):
        shown.tap(key)
    shown.until(lambda: shown.says("Time is called at this table."))
    assert RoundClosed(official="D-1", reason="The time is up and the hub is away.") in box.done


def test_cards_are_shown_while_the_readers_are_tried(panel: Open) -> None:
    box = dealt()
    shown = let_in(panel, box)
    shown.tap("menu:test")
    assert box.testing
    box.show(tested=(LaidCard(Seat.E, Bid(5, Strain.NO)), LaidCard(Seat.W, None, "No deck knows this card.")))
    shown.until(lambda: shown.says("No deck knows this card."))
    shown.tap("identify")
    assert box.sounded == 1
    shown.tap("to-menu")
    assert not box.testing


def test_refused_act_keeps_what_was_prepared_and_says_why(panel: Open) -> None:
    box = dealt()
    shown = let_in(panel, box)
    for key in ("menu:void", "hand:2", "forward", "reason:0"):
        shown.tap(key)
    number = box.number
    box.state(hand=None)
    shown.wait(0)
    assert number == 3
    assert shown.says("Which hand does not count?")


@dataclass(frozen=True)
class Sheet:
    """A guided sheet's page: the table, and the taps that lead there from the menu."""

    name: str
    box: Callable[[], FoldingBox]
    taps: tuple[str, ...]


SHEETS = (
    Sheet("correct-which", dealt, ("menu:correct",)),
    Sheet("correct-which-spades", spades, ("menu:correct",)),
    Sheet("correct-what", dealt, ("menu:correct", "hand:1", "minus")),
    Sheet("correct-no", dealt, ("menu:correct", "hand:1", "call-of:W", "choose:9")),
    Sheet("correct-call", dealt, ("menu:correct", "hand:1", "call-of:E")),
    Sheet("correct-lines", dealt, ("menu:correct", "hand:1", "minus", "forward")),
    Sheet("correct-what-spades", spades, ("menu:correct", "hand:4", "plus:N")),
    Sheet("correct-call-spades", spades, ("menu:correct", "hand:4", "call-of:E")),
    Sheet("correct-lines-spades", spades, ("menu:correct", "hand:4", "plus:N", "minus:S", "forward")),
    Sheet("correct-why", dealt, ("menu:correct", "hand:1", "minus", "forward", "forward", "reason:0")),
    Sheet(
        "correct-writing", dealt, ("menu:correct", "hand:1", "minus", "forward", "forward", "write", "key:T", "key:E")
    ),
    Sheet("void-open", dealt, ("menu:void", "hand:2")),
    Sheet("void-recorded", dealt, ("menu:void", "hand:0")),
    Sheet("adjust", dealt, ("menu:adjust", "hand:0", "plus:NS", "won:NS")),
    Sheet("adjust-lines", spades, ("menu:adjust", "hand:3", "minus:EW", "forward")),
    Sheet("swap", seats_open, ("menu:swap", "swap:teams")),
    Sheet("waive", signing, ("menu:waive", "side:EW")),
    Sheet("extend", dealt, ("menu:extend",)),
    Sheet("lock", dealt, ("menu:lock",)),
    Sheet("test", lambda: dealt().show(tested=(LaidCard(Seat.E, Bid(5, Strain.NO)), LaidCard(Seat.W))), ("menu:test",)),
)


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_guided_sheet_fits_its_panel(sheet: Sheet, size: Panel, panel: Open, shots: Path | None) -> None:
    shown = let_in(panel, sheet.box(), size=size)
    for key in sheet.taps:
        shown.tap(key)
    shown.shoot(shots, f"k17-{sheet.name}-{'10in' if size is Panel.TEN else '7in'}")
    least = 64 if size is Panel.TEN else 48
    small = [t.tap.key for t in shown.root.surface.targets() if min(t.rect.w, t.rect.h) < least - 1]
    assert (shown.overflows, small) == ([], [])
