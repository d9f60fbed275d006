"""A box without a table: what it says, the code it shows, and the table's own screen once it has one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import zxingcpp
from gallery import HERE, SCENES, unassigned
from gallery_rare import RARE
from pixels_panel import PanelUnderTest
from pixels_table import LOST, FoldingBox, sized

from kiosk.first_boot import NO_BUNDLE, FirstBoot
from kiosk.no_box import NoBox
from kiosk.theme import Panel
from kiosk.view import LINKED
from tallybox.events.table import DirectorCalled

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]
FIRST = tuple(scene for scene in (*SCENES, *RARE) if scene.name.startswith("k00"))


@pytest.mark.parametrize(("size", "dark"), sized())
def test_a_phone_reads_the_code_that_leads_to_the_desks_page(size: Panel, dark: bool, panel: Open) -> None:
    shown = panel(unassigned(), size=size, dark=dark, survey=lambda: HERE)
    read = zxingcpp.read_barcodes(shown.picture())
    assert [each.text for each in read] == ["https://hub.hall.lan:8443/devices/K-04"]


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
def test_the_longest_code_is_read_too(size: Panel, panel: Open) -> None:
    code = f"https://{'a' * 80}.lan:8443/devices/{'K' * 32}"
    shown = panel(unassigned(), size=size, survey=lambda: replace(HERE, code=code))
    assert [each.text for each in zxingcpp.read_barcodes(shown.picture())] == [code]


def test_each_lack_says_what_is_so_what_to_do_and_who_can_help(panel: Open) -> None:
    for scene in FIRST:
        shown = scene.show(panel)
        said = " ".join(shown.words)
        helped = ("Whoever set up the hub", "whoever set up the hub", "director", "by itself")
        assert any(who in said for who in helped), scene.name


def test_what_is_mended_goes_from_the_screen_by_itself(panel: Open) -> None:
    known = [replace(HERE, addresses=(), network=False)]
    box = unassigned().show(link=LOST)
    shown = panel(box, survey=lambda: known[0])
    assert shown.says("This box has no network.")
    known[0] = HERE
    shown.until(lambda: shown.says("The hub does not answer yet."))
    assert shown.says("192.168.7.104")
    box.show(link=LINKED)
    shown.until(lambda: shown.says("It has no table yet."))


def test_a_box_that_is_given_a_table_shows_it_at_once(panel: Open) -> None:
    box = unassigned()
    shown = panel(box, survey=lambda: HERE)
    assert shown.says("Waiting for a table")
    box.state(assignment=FoldingBox().view.state.assignment)
    shown.until(lambda: shown.says("This box belongs to"))
    assert shown.says("Table 4")
    assert zxingcpp.read_barcodes(shown.picture()) == []


def test_a_screen_without_a_box_speaks_spanish_and_practises(panel: Open) -> None:
    shown = panel(NoBox(), survey=lambda: FirstBoot(missing=(NO_BUNDLE,)))
    shown.tap("language")
    assert shown.says("Esta caja aún no tiene su paquete.")
    shown.tap("practice")
    shown.until(lambda: "seats:NS" in shown.keys)
    shown.tap("practice:end")
    assert shown.says("Esta caja aún no tiene su paquete.")


def test_nothing_counts_before_there_is_a_box() -> None:
    refusal = NoBox().do(DirectorCalled()).result(0).refusal
    assert refusal is not None
    assert refusal.message == "This box cannot be used yet: its screen says what is missing."


def test_a_box_with_a_table_asks_for_no_survey(panel: Open) -> None:
    asked: list[int] = []

    def survey() -> FirstBoot:
        asked.append(1)
        return HERE

    shown = panel(FoldingBox(), survey=survey)
    shown.wait(60_000)
    assert asked == []
