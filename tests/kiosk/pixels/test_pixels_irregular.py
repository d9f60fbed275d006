"""Something goes wrong at the table: it is described, waits for an official, is dropped by both or ruled, and read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pixels_box import RealBox
from pixels_panel import PanelUnderTest
from pixels_table import MSO, OFFICIALS, WSOS, FoldingBox, fits, five_spades_hands, sized, stretched, two_hands

from kiosk.theme import Panel
from tallybox.events import rulings as rl
from tallybox.events import table as ev
from tallybox.messages import DeskFact
from tallybox.seats import Seat, Side
from tallybox.table.shown import open_hand_score
from tallybox.table.state import Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def in_play(box: FoldingBox | None = None) -> FoldingBox:
    """Hand 3 of bid whist: West plays 5 NO UP."""
    table = box or FoldingBox()
    return two_hands(table.sit()).count().call("pass", "4", "5 no", "pass").play("up")


def spades_in_play(ruleset: str = MSO) -> FoldingBox:
    return five_spades_hands(FoldingBox(ruleset, round_number=3).sit()).count().call("4", "nil", "3", "5").play()


def renege(shown: PanelUnderTest) -> None:
    """South calls East's renege."""
    shown.tap("irregularity")
    shown.tap("what:RENEGE_SUIT")
    shown.tap("caller:S")
    shown.tap("seat:E")


RAISED = rl.IrregularityRaised(hand=3, code="RENEGE_SUIT", side=Side.EW, caller=Seat.S, seat=Seat.E)


def test_a_renege_is_called_and_waits_for_the_director(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    renege(shown)
    assert shown.says("wins the hand")
    assert shown.says("+10")
    shown.tap("call")
    reason = "Renege – suit not followed by East, called by South"
    assert box.done[-2:] == [RAISED, ev.DirectorCalled(reason=reason)]
    assert box.view.step is Step.RULING
    shown.wait(42_000)
    assert shown.says("The director is called")
    assert shown.says("Renege – suit not followed by East, called by South · waiting 0:42")


def test_only_the_other_team_may_call_a_renege(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("irregularity")
    shown.tap("what:RENEGE_SUIT")
    shown.tap("caller:N")
    before = list(box.done)
    shown.tap("seat:S")
    assert shown.says("North calls it, and South is on the same side. Only the other team may call it.")
    assert shown.root.look.entries.raising.seat is None
    shown.tap("seat:W")
    shown.tap("caller:E")
    assert shown.says("East and West are on the same side. Only the other team may call it.")
    assert (shown.root.look.entries.raising.caller, box.done) == (Seat.N, before)


def test_what_is_missing_is_said_by_the_dashed_way_on(panel: Open) -> None:
    shown = panel(in_play())
    shown.tap("irregularity")
    shown.tap("what:TALK")
    assert shown.says("Say who calls it")
    shown.tap("caller:E")
    assert shown.says("Say against which seat")
    shown.tap("not-yet")
    assert shown.says("Tap the seat that calls it, and the seat it is against.")


def test_an_exposed_card_in_spades_needs_its_name(panel: Open) -> None:
    box = spades_in_play()
    shown = panel(box)
    shown.tap("irregularity")
    shown.tap("what:EXPOSED")
    shown.tap("caller:N")
    shown.tap("seat:E")
    assert shown.says("Name the card")
    shown.tap("card")
    shown.tap("suit:S")
    shown.tap("rank:K")
    shown.tap("card-chosen")
    assert shown.says("King of spades")
    assert shown.says("−50")
    shown.tap("call")
    raised = rl.IrregularityRaised(hand=6, code="EXPOSED", side=Side.EW, caller=Seat.N, seat=Seat.E, card="SK")
    assert box.done[-2] == raised


@pytest.mark.parametrize(("answer", "points"), [("stands:yes", "0"), ("stands:no", "−25")])
def test_a_lead_out_of_turn_is_answered_by_the_other_side_first(panel: Open, answer: str, points: str) -> None:
    box = spades_in_play()
    shown = panel(box)
    shown.tap("irregularity")
    shown.tap("what:LEAD_TURN")
    shown.tap("caller:N")
    shown.tap("seat:E")
    assert shown.says("North–South decide first")
    shown.tap("stands")
    shown.tap(answer)
    if answer == "stands:no":
        shown.tap("card")
        shown.tap("suit:H")
        shown.tap("rank:4")
        shown.tap("card-chosen")
    assert points in shown.words
    shown.tap("call")
    raised = box.done[-2]
    assert isinstance(raised, rl.IrregularityRaised)
    assert (raised.code, raised.accepted) == ("LEAD_TURN", answer == "stands:yes")


def test_both_sides_together_drop_what_was_called(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    renege(shown)
    shown.tap("call")
    raised = box.view.state.hand.irregularities[0].id  # type: ignore[union-attr]
    shown.tap("withdraw")
    shown.tap("drop:NS")
    assert box.view.step is Step.RULING
    shown.tap("drop:EW")
    assert box.done[-2:] == [rl.IrregularityWithdrawn(hand=3, raised=raised), ev.DirectorCancelled()]
    assert shown.says("Play · 5 NO UP by West")


def test_dropping_can_be_left_again(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    renege(shown)
    shown.tap("call")
    shown.tap("withdraw")
    shown.tap("drop:EW")
    shown.tap("keep")
    assert shown.says("Waiting for the ruling")
    shown.tap("withdraw")
    assert {"drop:NS", "drop:EW"} <= shown.keys


DIRECTOR = OFFICIALS["246810"]


def let_in(shown: PanelUnderTest) -> None:
    """The director's PIN, typed on this box."""
    shown.tap("pin")
    for figure in "246810":
        shown.tap(f"pin:{figure}", pause=400)
    shown.tap("forward")


@pytest.mark.parametrize("proven", [True, False], ids=["proven", "not-proven"])
def test_an_official_rules_on_this_box(panel: Open, proven: bool) -> None:
    box = in_play()
    shown = panel(box)
    renege(shown)
    shown.tap("call")
    raised = box.view.state.hand.irregularities[0].id  # type: ignore[union-attr]
    let_in(shown)
    assert shown.says(f"{DIRECTOR.name} rules · hand 3")
    if not proven:
        shown.tap("proven:no")
    shown.tap("reason")
    shown.tap("reason:0" if proven else "reason:1")
    shown.tap("reason:done")
    shown.tap("rule")
    entered = box.done[-2]
    assert isinstance(entered, rl.RulingEntered)
    assert (entered.hand, entered.official, entered.raised) == (3, DIRECTOR.id, raised)
    assert entered.ruling.get("proven", True) is proven
    assert entered.reason.startswith("The books were looked through")
    assert box.done[-1] == ev.DirectorCancelled()
    assert shown.says("It stands as called." if proven else "Not proven. Play on; nothing changes.")
    assert shown.says(f"Ruled by {DIRECTOR.name}")
    shown.tap("read")
    if proven:
        assert box.view.step is Step.CHECK
        assert open_hand_score(box.view.state).points == {Side.NS: 10, Side.EW: 0}
        assert shown.says("Both teams check hand 3")
    else:
        assert shown.says("Play · 5 NO UP by West")


def test_the_desk_s_ruling_is_shown_for_both_to_read(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    renege(shown)
    shown.tap("call")
    raised = box.view.state.hand.irregularities[0].id  # type: ignore[union-attr]
    ruling: dict[str, object] = {"code": "RENEGE_SUIT", "side": "EW", "seat": "E", "caller": "S", "official": "rafa"}
    fact = DeskFact(id="d" * 64, kind="ruling", by="Rafa Rules", reason="Seen by both.", hand=3, raised=raised,
                    ruling=ruling)  # fmt: skip
    box.state(desk=(fact,), calling=None)
    shown.frames(3)
    assert shown.says("Ruled by Rafa Rules, at the desk")
    assert shown.says("Reason: Seen by both.")
    shown.tap("read")
    assert shown.says("Both teams check hand 3")


def test_what_was_described_survives_a_look_at_the_status(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    renege(shown)
    shown.tap("spine:status")
    shown.tap("close")
    shown.tap("irregularity")
    assert shown.root.look.entries.raising.seat is Seat.E
    assert shown.says("Call the director to rule")


def test_a_late_misdeal_is_called_against_a_side(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    shown.tap("irregularity")
    shown.tap("what:MISDEAL_LATE")
    shown.tap("caller:W")
    shown.tap("side:NS")
    shown.tap("call")
    assert box.done[-2] == rl.IrregularityRaised(hand=3, code="MISDEAL_LATE", side=Side.NS, caller=Seat.W)


LOOKS = sized()


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_screens_of_a_renege_fit(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    box = in_play()
    shown = panel(box, size=size, dark=dark)
    shown.wait(7000)
    fits(shown, shots, "k07-play")
    shown.tap("irregularity")
    fits(shown, shots, "k08-what")
    shown.tap("what:RENEGE_SUIT")
    fits(shown, shots, "k08-empty")
    shown.tap("caller:S")
    shown.tap("seat:E")
    fits(shown, shots, "k08-irregularity")
    shown.tap("call")
    fits(shown, shots, "k08b-waiting")
    shown.tap("withdraw")
    shown.tap("drop:NS")
    fits(shown, shots, "k08c-withdraw")
    shown.tap("keep")
    let_in(shown)
    fits(shown, shots, "k08d-ruling")
    shown.tap("reason")
    fits(shown, shots, "k08e-reason")
    shown.tap("reason:0")
    shown.tap("reason:done")
    shown.tap("rule")
    fits(shown, shots, "k08f-ruled")


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_screens_of_spades_irregularities_fit(size: Panel, dark: bool, panel: Open, shots: Path | None) -> None:
    shown = panel(spades_in_play(WSOS if dark else MSO), size=size, dark=dark)
    shown.wait(7000)
    shown.tap("irregularity")
    fits(shown, shots, "k08-spades-what")
    shown.tap("what:LEAD_TURN")
    shown.tap("caller:N")
    shown.tap("seat:W")
    fits(shown, shots, "k08-spades-lead")
    shown.tap("stands")
    fits(shown, shots, "k08-spades-stands")
    shown.tap("stands:no")
    shown.tap("card")
    shown.tap("suit:H")
    shown.tap("rank:9")
    fits(shown, shots, "k08-card")
    shown.tap("card-chosen")
    fits(shown, shots, "k08-spades-refused")
    shown.tap("what")
    shown.tap("what:REVOKE")
    shown.tap("seat:W")
    fits(shown, shots, "k08-spades-revoke")


def test_long_names_and_large_numbers_fit(panel: Open) -> None:
    box = stretched(in_play())
    shown = panel(box)
    shown.wait(7000)
    renege(shown)
    fits(shown, None, "k08")
    shown.tap("call")
    fits(shown, None, "k08b")
    shown.tap("withdraw")
    fits(shown, None, "k08c")
    shown.tap("keep")
    let_in(shown)
    fits(shown, None, "k08d")
    shown.tap("proven:no")
    shown.tap("rule")
    fits(shown, None, "k08f")


def test_a_real_box_keeps_what_was_called_dropped_and_claimed(panel: Open, tmp_path: Path) -> None:
    real = RealBox(tmp_path, MSO, hands=10)
    real.box.do(ev.ClaimMade()).result(60)
    real.grant()
    for body in (
        ev.SeatsConfirmed(side=Side.NS, team=7), ev.SeatsConfirmed(side=Side.EW, team=6),
        ev.ScorekeeperChosen(seat=Seat.N), ev.HandCounted(hand=1),
    ):  # fmt: skip
        assert real.box.do(body).result(60).refusal is None
    shown = panel(real.box)
    shown.tap("irregularity")
    for key in ("what:BID_TURN", "seat:W", "bid:3", "early"):
        shown.tap(key)
    shown.until(lambda: real.box.view.step is Step.EARLY)
    shown.tap(next(key for key in shown.keys if key.startswith("take-back")))
    shown.until(lambda: real.box.view.step is Step.AUCTION)
    for number, call in enumerate(("4", "3", "4", "2")):
        shown.tap(f"call:{number}:{call}")
    shown.tap("lock")
    shown.until(lambda: real.box.view.step is Step.PLAY)
    shown.tap("irregularity")
    for key in ("what:REVOKE", "caller:N", "seat:E", "call"):
        shown.tap(key)
    shown.until(lambda: real.box.view.step is Step.RULING)
    for key in ("withdraw", "drop:EW", "drop:NS"):
        shown.tap(key)
    shown.until(lambda: real.box.view.step is Step.PLAY)
    shown.tap("claim")
    shown.tap("claims:N")
    shown.tap("claim:yes")
    shown.until(lambda: real.box.view.step is Step.RESULT)
    written = real.types
    real.stop()
    assert written[-13:] == [
        "out_of_turn.made", "call.taken_back", "call.made", "call.made", "call.made", "call.made", "contract.locked",
        "play.started", "irregularity.raised", "director.called", "irregularity.withdrawn", "director.cancelled",
        "claim_of_tricks.made",
    ]  # fmt: skip


def test_a_ruling_is_waited_for_and_read_before_the_end_of_the_time(panel: Open) -> None:
    box = in_play()
    shown = panel(box)
    renege(shown)
    shown.tap("call")
    shown.wait(800_000)
    assert shown.says("Waiting for the ruling")
    let_in(shown)
    shown.tap("rule")
    assert shown.says("It stands as called.")
    shown.tap("read")
    assert shown.says("Time is up")
