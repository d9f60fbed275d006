"""The dashboard in a real browser: live, quiet on the console, worked by keys, honest when it is cut off."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_site import site

from hub.clock import ClockState
from tallybox.events import table as ev

__all__ = ["browser"]


CUT_OFF = """
Array.from(document.querySelectorAll(".panel table"))
  .filter(it => it.scrollWidth > it.parentElement.clientWidth + 1)
  .filter(it => getComputedStyle(it.parentElement).overflowX !== "auto")
  .map(it => it.className + " " + it.scrollWidth + ">" + it.parentElement.clientWidth)
"""
"""Tables that are wider than their panel and cannot be scrolled: somebody would not see a column."""


def test_page_follows_the_hub_and_acts_without_reloading(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=2) as seen, opened(browser, seen) as (page, said):
        page.evaluate("window.opened = true")
        page.get_by_role("button", name="Start the clock").click()
        expect(page.locator("#said")).to_have_text("The clock runs.")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        expect(page.locator(".clock b")).to_have_text(re.compile("^24:[0-5][0-9]$"))
        for box in seen.room.boxes.values():
            box.claim().sit().hear_clock()
        box = seen.room.boxes[1].open().deal().auction("4", "pass")
        expect(page.locator("#table-1 .seat").nth(0)).to_have_text("E4HIGH")
        expect(page.locator("#table-1 .seat.turn small")).to_have_text("W")
        box.auction("pass", "pass").lock().books(3).agree()
        expect(page.locator("#table-1 .pts")).to_have_text(["0", "4"])
        expect(page.locator(".place").first).to_contain_text("Player 2 A · Player 2 B")
        call = seen.room.boxes[2].do(ev.DirectorCalled(reason="Misdeal"))
        expect(page).to_have_title("(1) The room – Tallybox")
        expect(page.locator("[aria-live=assertive]")).to_have_text("Table 2 calls the director: Misdeal.")
        page.keyboard.press("c")
        expect(page.locator(f"#claim-{call[:16]} button")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("article.waits")).to_contain_text("director is on the way")
        assert page.evaluate("window.opened")
        assert said == []


def test_refresh_keeps_focus_open_sheets_and_the_chosen_hand(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].play_hand().play_hand()
        seen.room.flush()
        with opened(browser, seen, "/rounds/1/tables/1") as (page, said):
            page.locator("#hand-1").check(force=True)
            page.keyboard.press("Tab")
            page.keyboard.press("Shift+Tab")
            expect(page.locator("#hand-1")).to_be_focused()
            box.play_hand()
            expect(page.locator("table.hands tbody tr")).to_have_count(3)
            expect(page.locator("#hand-1")).to_be_checked()
            expect(page.locator("#hand-1")).to_be_focused()
            expect(page.locator("#why-1")).to_be_visible()
            page.keyboard.press("ArrowDown")
            expect(page.locator("#why-2")).to_be_visible()
            expect(page.locator("#why-1")).to_be_hidden()
            assert said == []
        with opened(browser, seen) as (page, said):
            page.get_by_text("End…").click()
            sheet = page.locator("details.ask .sheet")
            expect(sheet).to_contain_text("No table plays a hand now.")
            box.open()
            expect(sheet).to_contain_text("1 table still plays")
            expect(sheet).to_be_visible()
            page.keyboard.press("Escape")
            expect(sheet).to_be_hidden()
            page.get_by_text("End…").click()
            page.get_by_role("button", name="End the clock of this round").click()
            expect(page.locator(".clock")).to_have_class("clock end")
            assert seen.room.hub.tournament.clock.state is ClockState.ENDED
            assert said == []


def test_number_and_enter_open_a_table(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=12) as seen, opened(browser, seen) as (page, _said):
        page.clock.install(time=0)
        page.clock.pause_at(1000)  # a figure alone filters after a second, a number is forgotten after four
        page.keyboard.type("12")
        expect(page.locator("#goto")).to_have_text("Table 12: press Enter")
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{seen.origin}/tables/12")


def test_refused_act_is_told_where_the_person_looks_and_changes_nothing(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path) as seen:
        seen.room.hub.director.start_clock("director")
        with opened(browser, seen) as (page, _said):
            expect(page.locator("#live-word")).to_have_text("live")
            page.route(seen.origin + "/", lambda route: route.abort())
            seen.room.hub.director.pause("director")
            page.get_by_role("button", name="Pause").click()
            expect(page.locator("#said")).to_have_text("The clock does not run. There is nothing to pause.")
            expect(page.locator("#said")).to_have_class("said no")
            assert seen.room.hub.tournament.clock.state is ClockState.PAUSED


def test_page_that_lost_the_hub_says_as_of_and_comes_back(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path) as seen, opened(browser, seen) as (page, _said):
        expect(page.locator("#live-word")).to_have_text("live")
        page.context.set_offline(True)
        page.evaluate("window.stop()")
        seen.server.app.state.desk.notifier._hang_up()
        word = page.locator("#live-word")
        expect(word).to_contain_text("as of ")
        expect(page.locator("#cut")).to_contain_text("The hub does not answer. What you see is as of ")
        page.context.set_offline(False)
        expect(word).to_have_text("live")
        expect(page.locator("#cut")).to_be_empty()


def test_reading_works_without_javascript_in_every_width_and_with_the_longest_names(
    tmp_path: Path, browser: Browser
) -> None:
    with site(tmp_path, tables=3, player="W" * 60) as seen:
        seen.room.seat_all()
        for box in seen.room.boxes.values():
            box.play_round().sign()
        seen.room.boxes[1].submit()
        seen.room.flush()
        with opened(browser, seen, java_script_enabled=False) as (page, _said):
            for path in ("/", "/calls", "/tables/2", "/sheets", "/rounds/1/tables/1", "/standings"):
                page.goto(seen.origin + path)
                expect(page.locator("h1")).not_to_be_empty()
                for width in (1440, 1381, 1380, 1280, 1101, 1024, 390):
                    page.set_viewport_size({"width": width, "height": 844})
                    assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
                    assert page.evaluate(CUT_OFF) == [], (path, width)
            page.goto(f"{seen.origin}/rounds/1/tables/1")
            page.get_by_role("button", name="Accept the sheet").click()
            expect(page.locator(".notice").first).to_contain_text("Accepted by director.")


def test_every_control_on_the_room_can_be_reached_by_tab(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        seen.room.boxes[1].do(ev.DirectorCalled())
        seen.room.flush()
        with opened(browser, seen) as (page, _said):
            reached: set[str] = set()
            for _ in range(30):
                page.keyboard.press("Tab")
                reached.add(page.evaluate("document.activeElement.innerText.trim().replace(/\\s+/g, ' ')"))
            assert {"To the page", "Room", "Pause", "5 min", "End…", "Claim", "Open table"} <= reached
            outlines = page.evaluate(
                "[...document.querySelectorAll('a, button, summary')].filter(n => n.offsetParent)"
                ".filter(n => { n.focus({focusVisible: true}); return document.activeElement === n; })"
                ".map(n => { n.focus({focusVisible: true}); return getComputedStyle(n).outlineStyle; })"
            )
            assert set(outlines) == {"solid"}
