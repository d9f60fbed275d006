"""An official's way in, by fingers: the hold, the PIN, wrong ones, and who may what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from pixels_box import BOX, RealBox
from pixels_panel import PanelUnderTest
from pixels_table import WHIST, FoldingBox, two_hands
from test_pixels_hands import sit_down

from kiosk.officials import WAIT
from kiosk.theme import Panel
from kiosk.view import OfficialsView
from tallybox.events.rulings import MenuOpened
from tallybox.messages import Pins, Verifier

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]
HASHER = PasswordHasher(time_cost=1, memory_cost=8192, parallelism=1)
PINS = Pins(
    v=1,
    kiosk=BOX,
    officials=(
        Verifier(official="D-1", name="R. Director", role="director", verifier=HASHER.hash("246810")),
        Verifier(official="M-1", name="A. Monitor", role="monitor", verifier=HASHER.hash("135790")),
    ),
)


@pytest.fixture
def real(tmp_path: Path) -> Iterator[RealBox]:
    box = RealBox(tmp_path, WHIST, hands=2)
    yield box
    box.stop()


def dealt() -> FoldingBox:
    return two_hands(FoldingBox().sit())


def at_table(panel: Open, box: FoldingBox, **looks: object) -> PanelUnderTest:
    """The table's screen once its welcome has faded."""
    shown = panel(box, **looks)
    shown.wait(7000)
    return shown


def test_short_tap_on_the_title_says_how_officials_come_in(panel: Open) -> None:
    shown = at_table(panel, dealt())
    shown.tap("officials")
    assert shown.says("For officials: keep a finger here for two seconds.")
    assert "pin:1" not in shown.keys


def test_finger_that_leaves_too_early_or_slides_off_opens_nothing(panel: Open) -> None:
    shown = at_table(panel, dealt())
    shown.hold("officials", ms=1900)
    assert "pin:1" not in shown.keys
    shown.wait(7000)
    shown.now += 1000
    finger = shown.finger(*shown.place("officials").middle)
    finger.touch_down()
    shown.now += 2500
    finger.touch_move(700, 20)
    finger.touch_up()
    shown.frames()
    assert "pin:1" not in shown.keys


def test_figures_are_shown_to_nobody(panel: Open) -> None:
    shown = at_table(panel, dealt())
    shown.hold("officials")

    def fields() -> bytes:
        return shown.picture().crop((132, 64, 540, 396)).tobytes()

    empty = fields()
    shown.type_pin("1234")
    four = fields()
    shown.tap("pin:clear")
    assert fields() == empty
    shown.type_pin("9876")
    assert fields() == four
    assert four != empty


def test_right_pin_opens_the_menu_and_the_record_says_whose(panel: Open, real: RealBox) -> None:
    real.box.take(PINS)
    shown = panel(real.box)
    sit_down(shown, real, "S")
    shown.hold("officials")
    shown.type_pin("246810")
    shown.tap("forward")
    shown.until(lambda: shown.says("Director’s menu"))
    assert shown.says("Opened by R. Director · closes in 02:00")
    assert shown.root.look.entries.pin == ""
    shown.until(lambda: "menu.opened" in real.types)


def test_wrong_pins_count_down_and_then_the_box_waits(panel: Open, real: RealBox) -> None:
    real.box.take(PINS)
    shown = panel(real.box)
    shown.hold("officials")
    for left in ("4 tries left", "3 tries left", "2 tries left", "1 try left"):
        shown.type_pin("999999")
        shown.tap("forward")
        sentence = f"That PIN is not right. {left}, then this box waits 5 minutes."
        shown.until(partial(shown.says, sentence))
    shown.type_pin("999999")
    shown.tap("forward")
    shown.until(lambda: real.box.view.officials.waits_until is not None and not shown.root.look.checking)
    waits = real.box.view.officials.waits_until
    assert waits is not None
    shown.now = waits - WAIT
    shown.wait(61_000)
    assert shown.says("Five PINs were not right. This box takes the next one in 03:59.")
    shown.type_pin("246810")
    shown.tap("not-yet")
    assert shown.says("Wait until the five minutes are over")


def test_box_without_pins_says_that_the_menu_stays_closed(panel: Open, real: RealBox) -> None:
    shown = panel(real.box)
    shown.hold("officials")
    shown.type_pin("000000")
    shown.tap("not-yet")
    sentence = "No official has a PIN at this box yet, so the menu stays closed. The director gives PINs at the desk."
    assert shown.words.count(sentence) == 2


def test_what_a_role_does_not_cover_is_greyed_and_says_why(panel: Open) -> None:
    shown = at_table(panel, dealt())
    shown.hold("officials")
    shown.type_pin("135790")
    shown.tap("forward")
    shown.until(lambda: shown.says("Monitor’s menu"))
    shown.tap("menu:void")
    assert shown.says("Only the director does this; a monitor does not. Call the director.")


def test_menu_closes_after_two_minutes_without_a_tap(panel: Open) -> None:
    shown = at_table(panel, dealt())
    shown.hold("officials")
    shown.type_pin("246810")
    shown.tap("forward")
    shown.until(lambda: shown.says("Director’s menu"))
    shown.wait(100_000)
    shown.tap("menu:waive")
    shown.wait(119_000)
    assert shown.says("Director’s menu")
    shown.wait(2_000)
    assert not shown.says("Director’s menu")
    assert shown.root.look.official is None


def test_closed_menu_asks_for_the_pin_again(panel: Open) -> None:
    box = dealt()
    shown = at_table(panel, box)
    shown.hold("officials")
    shown.type_pin("246810")
    shown.tap("forward")
    shown.tap("close")
    assert MenuOpened(official="D-1") in box.done
    shown.hold("officials")
    assert shown.says("Personal PIN")
    assert "menu:void" not in shown.keys


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
def test_pin_and_menu_fit_their_panel(panel: Open, size: Panel, dark: bool, shots: Path | None) -> None:
    look = f"{'10in' if size is Panel.TEN else '7in'}-{'dark' if dark else 'light'}"
    box = dealt().show(officials=OfficialsView(known=3, tries_left=3))
    shown = at_table(panel, box, size=size, dark=dark)
    shown.hold("officials")
    shown.type_pin("999999")
    shown.tap("forward")
    shown.type_pin("2468")
    shown.shoot(shots, f"k17a-pin-{look}")
    assert shown.overflows == []
    shown.type_pin("10")
    shown.tap("forward")
    shown.shoot(shots, f"k17b-menu-{look}")
    least = 64 if size is Panel.TEN else 48
    small = [t.tap.key for t in shown.root.surface.targets() if min(t.rect.w, t.rect.h) < least - 1]
    assert (shown.overflows, small) == ([], [])
