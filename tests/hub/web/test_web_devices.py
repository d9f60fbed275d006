"""Devices: what is the matter with each box, what can be done about it, and forks shown side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_room import Box, Watch
from web_site import Node, Site, read, site

from hub.accepting.items import Heartbeat
from hub.web.views.devices import Fault, devices
from tallybox.calls import call_text
from tallybox.events import table as ev
from tallybox.messages import KioskState, ReaderReport

__all__ = ["browser"]


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path, tables=3, watch=Watch()) as made:
        yield made


def beat(box: Box, **fields: object) -> None:
    said = {"v": 1, "kiosk": box.id, "online": True, "epoch": "e1", "software": "tallybox 0.1.0", **fields}
    box.room.hub._put(Heartbeat(KioskState(**said)))  # type: ignore[arg-type]
    box.room.flush()


def row(page: Node, box: str) -> list[str]:
    cells = page.one("tr", id=f"box-{box}")
    return [cell.text for cell in cells.children if isinstance(cell, Node)]


def forked(seen: Site) -> tuple[str, str]:
    """Box 1 went on, and then came back from an older copy; the heads of both journals."""
    box = seen.room.boxes[1].claim().sit()
    seen.room.hub.director.start_clock("director")
    box.hear_clock().open().deal()
    seen.room.flush()
    before, state = box.head, box.state
    first = box.call("5")
    later = box.head
    box.head, box.state = before, state
    box.call("4 special")
    second = box.call("pass")
    seen.room.flush()
    box.head = later
    return first, second


HIDDEN = """
[...document.querySelectorAll(".boxes tbody button")].filter(it => {
  const at = it.getBoundingClientRect(), room = it.closest(".scrolls").getBoundingClientRect();
  return at.left < room.left || at.right > room.right || !it.contains(document.elementFromPoint(
    at.left + at.width / 2, at.top + at.height / 2));
}).map(it => it.ariaLabel)
"""
"""Buttons in the list of boxes that are cut at its edge, or lie under something else."""


def test_button_that_finds_a_box_is_in_sight_at_every_width(seen: Site, browser: Browser) -> None:
    reader = ReaderReport(state="working", message="The card reader works.", firmware="tallybox-simulator-1")
    for box in seen.room.boxes.values():
        box.claim()
        beat(box, software="tallybox 0.1.0 and much more", offset=-12_345, unsent=1_234, reader=reader)
    seen.room.hub.director.lock_box("director", "K-01", "A drink fell on it.")
    seen.room.flush()
    with opened(browser, seen, java_script_enabled=False) as (page, complaints):
        for path in ("/devices", "/devices/K-01"):
            page.goto(seen.origin + path)
            expect(page.locator(".boxes tbody button")).to_have_count(3)
            for width in (1440, 1380, 1101, 1100, 390):
                page.set_viewport_size({"width": width, "height": 1600})
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
                assert page.evaluate(HIDDEN) == [], (path, width)
        assert complaints == []


def test_row_says_table_line_unsent_reader_versions_clock_and_tenure(seen: Site) -> None:
    box = seen.room.boxes[2].claim()
    reader = ReaderReport(state="working", message="The card reader works.", firmware="1.4.2")
    beat(box, offset=-18, unsent=2, reader=reader)
    seen.room.watch.pass_(12)
    page = seen.page("/devices")
    assert row(page, "K-02") == [
        "K-02",
        "2",
        "Linked",
        "2",
        "0:12",
        "Good",
        "0.1.0 reader 1.4.2",
        "−18 ms",
        "1",
        "Buzz",
    ]
    assert row(page, "K-03") == ["K-03", "3", "Never heard", "?", "never", "–", "–", "–", "not claimed", "Buzz"]


def test_faults_come_first_and_filters_keep_their_own(seen: Site) -> None:
    one, two, three = seen.room.boxes.values()
    beat(one)
    beat(two, software="tallybox 0.0.9", reader=ReaderReport(state="dead", message="The card reader does not answer."))
    beat(three, online=False)
    seen.room.hub.director.lock_box("director", "K-01", "A drink fell on it.")
    page = seen.page("/devices")
    assert [each.text for each in page.all("th", scope="row")] == ["K-03", "K-01", "K-02"]
    assert [chip.text for chip in page.all("a", "chip")] == [
        "All 3",
        "Silent 1",
        "Locked 1",
        "Reader 1",
        "Other version 1",
    ]
    assert [each.text for each in seen.page("/devices?show=reader").all("th", scope="row")] == ["K-02"]
    assert [each.text for each in seen.page("/devices?show=<b>").all("th", scope="row")] == ["K-03", "K-01", "K-02"]
    assert page.one("a", href="/devices").one("i").text == "1"


def test_box_that_is_far_off_the_hubs_time_or_unsent_for_long_stands_out(seen: Site) -> None:
    beat(seen.room.boxes[1], offset=2_500)
    beat(seen.room.boxes[2], unsent=4)
    reader = seen.server.app.state.desk._reader
    reader.picture()
    seen.room.watch.pass_(16)
    found = {each.box: each.faults for each in devices(reader.picture()).rows}
    assert found == {"K-01": (Fault.CLOCK,), "K-02": (Fault.UNSENT,), "K-03": (Fault.SILENT,)}


def test_replacing_says_how_far_the_hub_knows_the_table(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        box = seen.room.boxes[1].claim().sit()
        seen.room.hub.director.start_clock("director")
        box.hear_clock().play_hand().open().deal().auction("5", "pass", "pass", "pass")
        beat(box)
        seen.room.hub.director.assign_box("director", "K-02", 9)
        page = seen.page("/devices/K-01")
        assert page.one("p", "known").text == "hand 2 · 5 HIGH by South"
        assert "entries in round one" in page.one("section", "strong").text
        seen.room.hub.director.assign_box("director", "K-01", 2)
        seen.room.hub.director.assign_box("director", "K-02", 1)
        assert read(seen.post("/devices/K-02/replace", htmx=True, table="1", other="").text).text == (
            "Choose the box that takes over at this table."
        )
        assert seen.post("/devices/K-02/replace", table="1", other="K-01").headers["location"] == "/devices/K-02"
        assert seen.room.hub.tournament.boxes == {1: "K-01"}


def test_assign_lock_unlock_and_buzz(seen: Site) -> None:
    hub = seen.room.hub
    assert read(seen.post("/devices/K-03/assign", htmx=True, table="x").text).text == "Type the table as a number."
    seen.post("/devices/K-03/assign", table="7")
    assert hub.tournament.boxes == {1: "K-01", 2: "K-02", 7: "K-03"}
    assert read(seen.post("/devices/K-03/lock", htmx=True, reason=" ").text).text == "Write down why the box is locked."
    answer = seen.post("/devices/K-03/lock", htmx=True, reason="A drink fell on it.")
    assert read(answer.text).text == "Box K-03 takes no taps. Its screen says why."
    assert hub.tournament.locked == {"K-03": "A drink fell on it."}
    assert "Locked: A drink fell on it." in seen.page("/devices/K-03").one("section", "strong").text
    seen.post("/devices/K-03/unlock")
    assert hub.tournament.locked == {}
    assert read(seen.post("/devices/K-03/identify", htmx=True).text).text == "Box K-03 buzzes now."
    assert hub.tournament.identified == {"K-03": 1}
    assert read(seen.post("/devices/K-99/identify", htmx=True).text).text == (
        "Box K-99 is not known to this hub. Add its key first."
    )


def test_two_journals_stand_side_by_side_and_the_director_decides(seen: Site) -> None:
    _first, second = forked(seen)
    page = seen.page("/devices/K-01")
    pasts = page.all("div", "past")
    assert [[line.text for line in past.all("li")] for past in pasts] == [
        ["8 Hand 1: East called 5 HIGH, typed."],
        ["8 Hand 1: East called 4 SPECIAL, typed.", "9 Hand 1: South called PASS, typed."],
    ]
    assert [past.one("h3").text for past in pasts] == ["Version 1 counts now", "Version 2"]
    refused = seen.post("/devices/K-01/fork", htmx=True, head=second, reason="")
    assert read(refused.text).text == "Write down why this journal counts."
    seen.post("/devices/K-01/fork", head=second, reason="Both sides say so.")
    hand = seen.room.table(1).state.hand
    assert hand is not None
    assert [call_text(called.call) for called in hand.calls] == ["4 special", "pass"]
    page = seen.page("/devices/K-01")
    assert page.all("section", id="record-1") == []
    left = page.one("details", id="decided").one("section", id="record-d1")
    assert left.one("form", id="adopt-form-d1-hand-1").one("button").text == "Hand 1 counts as K-01 has it"


def test_what_was_set_aside_is_listed_under_its_box_with_the_reason(seen: Site) -> None:
    seen.room.send("K-02", b"{nonsense")
    seen.room.flush()
    odd = seen.page("/devices/K-02").one("section", id="odd").one("li").text
    assert "The event cannot be read" in odd
    assert "undecodable, 9 bytes, once" in odd
    assert seen.page("/devices/K-01").all("section", id="odd") == []


def test_practice_is_offered_between_rounds_only(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.post("/devices/practice")
        assert seen.room.hub.tournament.practice == 1
        seen.room.boxes[1].claim()
        answer = seen.post("/devices/practice", htmx=True)
        assert read(answer.text).text == "Round 1 is being played. Practice is for the time between."


def test_box_that_nobody_knows_has_no_page(seen: Site) -> None:
    assert seen.page("/devices/K-99", 404).one("h2").text == "No box K-99 is known here."


def test_what_came_after_another_box_took_over_is_shown_and_can_be_let_in(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        first, second = seen.room.boxes[1].claim().sit(), seen.room.boxes[2]
        seen.room.hub.director.start_clock("director")
        first.hear_clock().play_hand()
        seen.room.flush()
        seen.post("/devices/K-01/replace", table="1", other="K-02")
        second.table, second.round = 1, 1
        second.do(ev.ClaimMade())
        seen.room.flush()
        first.open().deal()
        seen.room.flush()
        panel = seen.page("/devices/K-01").one("section", id="record-1")
        assert [line.text for line in panel.all("ol", "journal")[1].all("li")][-2:] == [
            f"{first.head.seq - 1} Hand 2 began, East deals.",
            f"{first.head.seq} Hand 2: the cards were counted.",
        ]
        assert panel.one("tbody").one("tr").text == "2 not there begun, 2 entries"
        form = panel.one("form", id="adopt-form-1-hand-2")
        fields = {name: form.one("input", name=name).attrs["value"] for name in ("round", "table", "head", "hand")}
        refused = seen.post("/devices/K-01/adopt", fields, htmx=True, reason=" ")
        assert read(refused.text).text == "Write down why these count."
        answer = seen.post("/devices/K-01/adopt", fields, reason="Both sides say so.")
        assert answer.headers["location"] == "/devices/K-01"
        hand = seen.room.table(1).state.hand
        assert hand is not None
        assert (hand.number, hand.counted) == (2, True)
        assert seen.page("/devices/K-01").all("section", id="record-1") == []


@pytest.mark.parametrize("path", ["grant", "refuse"])
def test_table_that_was_opened_without_the_hub_waits_for_the_directors_word(tmp_path: Path, path: str) -> None:
    with site(tmp_path) as seen:
        seen.room.hub.director.change_official("director", "dana", "Dana", "director")
        seen.room.hub.director.change_official("director", "mona", "Mona", "monitor")
        box = seen.room.boxes[1]
        box.round = 1
        claim = box.do(ev.ClaimMade(official="mona", provisional=True))
        seen.room.flush()
        page = seen.page("/devices/K-01")
        record = page.one("section", id="record-1")
        assert record.one("h2").text == "K-01 opened table 1 without the hub"
        assert "Mona opened it with a PIN while no hub was there." in record.one("p", "why").text
        assert page.one("tr", id="box-K-01").one("span", "boxed").text == "to decide"
        silent = read(seen.post(f"/devices/K-01/claim/{path}", htmx=True, claim=claim, reason=" ").text).text
        assert silent.startswith("Write down why the ")
        seen.post(f"/devices/K-01/claim/{path}", claim=claim, reason="Nobody was there.")
        assert seen.room.hub.tournament.claims == ()
        table = seen.room.table(1)
        assert (table.tenure is not None, claim in table.dropped) == ((path == "grant"), (path == "refuse"))
