"""What the desk and officials decided, as the table sees it: on the sheet, on the pads, and in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from pixels_box import BOX, RealBox
from pixels_panel import PanelUnderTest
from pixels_table import WHIST, FoldingBox, two_hands, whole_round

from kiosk.tidings import tidings
from tallybox.events.rulings import SignatureWaived
from tallybox.events.table import SheetSubmitted
from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.seats import Side
from tallybox.sheet import hand_facts_to_json
from tallybox.table.shown import facts_now, sheet_digest
from tallybox.table.state import Step

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]


def corrected(box: FoldingBox) -> DeskFact:
    """The desk found that North–South took eleven books in hand 2."""
    hand = box.view.state.hands[1]
    facts = replace(facts_now(box.view.state, hand), books={Side.NS: 11, Side.EW: 2})
    return DeskFact(
        id="d" * 64, kind="correction", by="D-1", reason="The paper sheet has eleven books.", hand=2,
        supersedes=(hand.recorded or "",), facts=dict(hand_facts_to_json(facts)),
    )  # fmt: skip


def test_corrected_hand_says_its_version_on_the_sheet(panel: Open, shots: Path | None) -> None:
    box = two_hands(FoldingBox().sit())
    box.state(desk=(corrected(box),))
    shown = panel(box)
    shown.wait(7000)
    shown.tap("spine:sheet")
    shown.shoot(shots, "k12-sheet-v2-7in-light")
    assert shown.says("v2")
    assert shown.says("11 – 2")
    shown.tap("row:1")
    assert shown.says("corrected by the desk · The paper sheet has eleven books.")
    assert shown.overflows == []


def test_table_is_told_what_the_desk_changed_from_what_to_what() -> None:
    box = two_hands(FoldingBox().sit())
    before = box.view.state
    after = renewed(before, desk=(corrected(box),))
    assert tidings(before, after) == (
        "The desk corrected hand 2. The paper sheet has eleven books. NS 6 → 5 · EW 0 → 0"
    )
    assert tidings(after, after) is None


def test_ruling_and_award_of_the_desk_are_told_too() -> None:
    box = two_hands(FoldingBox().sit())
    before = box.view.state
    ruling = DeskFact(
        id="e" * 64, kind="ruling", by="D-1", reason="Conduct", hand=1,
        ruling={"code": "ADJUST", "official": "D-1", "points": {"NS": -3}, "why": "Conduct"},
    )  # fmt: skip
    late = DeskFact(id="f" * 64, kind="award", by="D-1", loser=Side.EW, hands=2)
    ended = DeskFact(id="a" * 64, kind="ended", by="D-1", loser=Side.EW, ended="forfeit", hands=0, reason="They left.")
    told = [tidings(before, renewed(before, desk=(fact,))) for fact in (ruling, late, ended)]
    assert told == [
        "The desk ruled on hand 1. Conduct. NS 0 → −3 · EW 4 → 4",
        "Of the hands not played, the desk gave the other side 2. NS 6 → 16 · EW 4 → 4",
        "The desk closed this sheet. They left.",
    ]


def test_box_and_hub_differ_about_the_table_and_the_hub_counts() -> None:
    before = two_hands(FoldingBox().sit()).view.state
    assert before.assignment is not None
    moved = renewed(before, assignment=replace(before.assignment, table=9, round=3))
    other_teams = renewed(before, assignment=replace(before.assignment, hands=3))
    none = renewed(before, assignment=None)
    released = renewed(before, outcome=type(before.outcome)(released=True))
    assert [tidings(before, after) for after in (moved, other_teams, none)] == [
        (
            "The hub gives this box table 9 of round 3 now. What was entered at table 4 is kept. "
            "Ask the director if in doubt."
        ),
        "The hub changed what is played at table 4. Look at teams, hands and score once more.",
        "The hub gives this box no table now. What was entered at table 4 is kept. Ask the director.",
    ]
    assert tidings(released, moved) is None


def test_sheet_goes_to_the_hub_with_one_signature_and_one_waiver(panel: Open, shots: Path | None) -> None:
    box = whole_round(FoldingBox().sit())
    digest = sheet_digest(box.view.state)
    box.do(SignatureWaived(side=Side.EW, digest=digest, official="M-1", reason="The team left before the end."))
    shown = panel(box)
    shown.wait(7000)
    shown.tap("forward")
    assert shown.says("Signature waived")
    assert shown.says("The team left before the end.")
    shown.draw("NS")
    shown.tap("sign:NS")
    shown.shoot(shots, "k13-waived-7in-light")
    shown.tap("submit")
    assert box.done[-1] == SheetSubmitted(digest=digest)
    assert box.view.step is Step.SUBMITTED


def test_desk_decision_reaches_a_real_box_as_a_notice(panel: Open, tmp_path: Path) -> None:
    real = RealBox(tmp_path, WHIST, hands=2)
    real.grant()
    shown = panel(real.box)
    shown.until(lambda: real.box.view.step is Step.SEATS)
    award = DeskFact(id="f" * 64, kind="award", by="D-1", loser=Side.EW, hands=1, reason="Team 6 was late.")
    desired = real.box.view.desired
    assert desired is not None
    real.box.take(msgspec.structs.replace(desired, rev=(1, 9), kiosk=BOX, desk=(award,)))
    shown.until(lambda: shown.says("Of the hands not played, the desk gave the other side 1. Team 6 was late."))
    real.stop()
