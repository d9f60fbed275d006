"""Tying a box to a table, and what an idle, locked or cut-off box shows: by fingers, on pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pixels_box import RealBox
from pixels_panel import PanelUnderTest
from pixels_table import LOST, WHIST, FoldingBox, whole_round
from test_pixels_pin import PINS

from kiosk.replay import PROVISIONAL
from kiosk.theme import Panel
from kiosk.view import ClockView
from tallybox.events.hub import Pairing
from tallybox.events.rulings import OfficialRequested
from tallybox.events.table import ClaimMade
from tallybox.messages import Room, Standing
from tallybox.seats import Side
from tallybox.table.state import Step, TableState

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]

ROOM = Room(
    v=1, rev=(1, 1), title="Spring Tournament", round=2, rounds=5,
    pairings=tuple(Pairing(table=table, ns=2 * table - 1, ew=2 * table) for table in range(1, 15)),
    standings=tuple(Standing(rank=rank, team=rank + 10, hands_won=12 - rank, points=40 - rank) for rank in range(1, 9)),
    announcement="Lunch is in the hall next door, from noon on.",
)  # fmt: skip


@pytest.fixture
def real(tmp_path: Path) -> Iterator[RealBox]:
    box = RealBox(tmp_path, WHIST, hands=2)
    yield box
    box.stop()


def test_another_number_is_asked_about_in_the_same_words(panel: Open, shots: Path | None) -> None:
    box = FoldingBox()
    shown = panel(box)
    for key in ("forward", "other-table", "not-yet"):
        shown.tap(key)
    assert shown.says("Type the number on the sign.")
    for key in ("table:1", "table:2"):
        shown.tap(key)
    shown.shoot(shots, "k02a-number-7in-light")
    assert shown.overflows == []
    shown.tap("forward")
    assert shown.says("Is this table 12?")
    assert shown.says("This box was given table 4.")
    shown.shoot(shots, "k02a-other-7in-light")
    assert shown.overflows == []
    shown.tap("yes")
    assert box.done == [ClaimMade(at_table=12)]


def test_back_from_another_number_asks_about_the_own_table(panel: Open) -> None:
    shown = panel(FoldingBox())
    for key in ("forward", "other-table", "table:9", "back"):
        shown.tap(key)
    assert shown.says("Is this table 4?")
    shown.tap("back")
    assert shown.says("This box belongs to")


def test_director_takes_a_table_over_by_pin(panel: Open) -> None:
    box = FoldingBox()
    shown = panel(box)
    for key in ("forward", "other-table", "table:7", "forward", "official-pin"):
        shown.tap(key)
    shown.type_pin("246810")
    shown.tap("forward")
    shown.until(lambda: box.done == [ClaimMade(official="D-1", at_table=7)])


def test_monitor_does_not_take_a_table_over(panel: Open) -> None:
    box = FoldingBox()
    shown = panel(box)
    for key in ("forward", "official-pin"):
        shown.tap(key)
    shown.type_pin("135790")
    shown.tap("forward")
    shown.until(lambda: shown.says("Only the director does this; a monitor does not. Call the director."))
    assert box.done == []


def test_monitor_opens_the_table_without_a_hub_and_play_goes_on(panel: Open, real: RealBox) -> None:
    real.box.take(PINS)
    shown = panel(real.box)
    shown.until(lambda: "forward" in shown.keys)
    for key in ("forward", "yes"):
        shown.tap(key)
    shown.until(lambda: shown.says("The hub is out of reach. An official can open this table with a PIN."))
    shown.tap("official-pin")
    shown.type_pin("135790")
    shown.tap("forward")
    shown.until(lambda: real.box.view.step is Step.SEATS)
    assert real.box.view.state.tenure == PROVISIONAL
    shown.tap("seats:NS")
    shown.tap("seats:EW")
    shown.until(lambda: real.box.view.step is Step.SCOREKEEPER)
    assert real.types == ["claim.made", "claim.made", "seats.confirmed", "seats.confirmed"]


def test_language_is_one_tap_and_is_remembered(panel: Open, real: RealBox) -> None:
    shown = panel(real.box)
    shown.until(lambda: "language" in shown.keys)
    assert shown.says("Español")
    shown.tap("language")
    shown.until(lambda: shown.says("English"))
    shown.until(lambda: real.box.view.language == "es")
    assert real.journal.kept("language") == b"es"
    shown.tap("language")
    shown.until(lambda: real.box.view.language == "en")
    assert shown.says("This box belongs to")


def test_untouched_box_shows_the_room_until_somebody_touches_it(panel: Open, shots: Path | None) -> None:
    shown = panel(FoldingBox().show(room=ROOM))
    shown.wait(59_000)
    assert shown.says("This box belongs to")
    pages = []
    wanted = ["Table 1", "Table 13", "Team 11", "Lunch is in the hall next door, from noon on.", "left"]
    for index, words in enumerate(wanted):
        shown.wait(2_000 if index == 0 else 12_000)
        pages.append(words if shown.says(words) else shown.words)
        shown.shoot(shots, f"k01-room-{index}-7in-light")
        assert shown.overflows == []
    assert pages == wanted
    shown.wait(12_000)
    assert shown.says("This box belongs to")
    shown.wait(12_000)
    assert not shown.says("This box belongs to")
    shown.tap("wake")
    assert shown.says("This box belongs to")


def test_last_round_shows_the_placings(panel: Open) -> None:
    box = whole_round(FoldingBox(round_number=5).sit()).sign(Side.NS).sign(Side.EW).submit().accept()
    outcome = box.view.state.outcome
    box.state(outcome=type(outcome)(accepted=outcome.accepted, released=True))
    shown = panel(box.show(room=ROOM))
    shown.wait(7_000)
    assert shown.says("The tournament is over")
    shown.wait(60_000 + 2 * 12_000)
    assert shown.says("Team 11")


def test_box_without_a_hub_since_it_was_switched_on_says_how_old_its_word_is(panel: Open) -> None:
    box = FoldingBox().show(link=LOST, heard=1_790_000_000_000)
    shown = panel(box)
    assert shown.says("No hub yet: this is what it said at")
    assert shown.says("An official can start this table with a PIN.")
    assert shown.overflows == []


def test_locked_box_says_why_and_lets_officials_in(panel: Open, shots: Path | None) -> None:
    box = FoldingBox().sit().show(locked="The table waits for a decision.")
    shown = panel(box)
    shown.wait(7_000)
    shown.shoot(shots, "k18-locked-7in-light")
    assert shown.says("The table waits for a decision.")
    assert shown.overflows == []
    shown.hold("officials")
    shown.type_pin("246810")
    shown.tap("forward")
    for key in ("menu:lock", "reason:0", "decide"):
        shown.tap(key)
    assert box.done[-1] == OfficialRequested(
        what="unlock", official="D-1", reason="The decision is made; play goes on."
    )


def test_official_lets_the_teams_go_while_the_hub_is_away(panel: Open, shots: Path | None) -> None:
    box = whole_round(FoldingBox().sit()).sign(Side.NS).sign(Side.EW).submit().show(link=LOST, unsent=3)
    shown = panel(box)
    shown.wait(7_000)
    shown.tap("official-pin")
    shown.type_pin("135790")
    shown.tap("forward")
    shown.until(lambda: box.done[-1] == OfficialRequested(what="release", official="M-1"))
    box.show(let_go="M-1")
    shown.until(lambda: shown.says("Both teams may move"))
    shown.shoot(shots, "k14-let-go-7in-light")
    assert shown.overflows == []
    box.show(let_go="M-1", link=FoldingBox().view.link)
    shown.until(lambda: not shown.says("Both teams may move"))


def test_time_for_this_table_alone_stands_beside_the_clock(panel: Open) -> None:
    shown = panel(FoldingBox().sit().show(extra=300))
    assert shown.says("+5 here")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
def test_idle_and_claim_fit_their_panel(panel: Open, size: Panel, dark: bool, shots: Path | None) -> None:
    look = f"{'10in' if size is Panel.TEN else '7in'}-{'dark' if dark else 'light'}"
    least = 64 if size is Panel.TEN else 48
    for name, box, taps in (
        ("k01-idle", FoldingBox(), ()),
        ("k00-no-table", FoldingBox().show(state=TableState(), clock=ClockView()), ()),
        ("k02a-claim", FoldingBox(), ("forward",)),
        ("k02a-number", FoldingBox(), ("forward", "other-table", "table:5")),
        ("k18-locked", FoldingBox().show(locked="The table waits."), ()),
    ):
        shown = panel(box, size=size, dark=dark)
        for key in taps:
            shown.tap(key)
        shown.shoot(shots, f"{name}-{look}")
        small = [t.tap.key for t in shown.root.surface.targets() if min(t.rect.w, t.rect.h) < least - 1]
        assert (name, shown.overflows, small) == (name, [], [])
