"""Rounds, bracket, teams and set-up in a real browser: by keys alone, without scripts, in every width."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from web_bare import bare_site
from web_browser import browser, opened
from web_site import site

__all__ = ["browser"]
WIDTHS = (1440, 1240, 1024, 390)


def test_two_teams_change_places_and_a_round_is_posted_and_announced_by_keys_alone(
    tmp_path: Path, browser: Browser
) -> None:
    with site(tmp_path, tables=3) as seen:
        seen.post("/rounds/draft")
        with opened(browser, seen, "/rounds") as (page, said):
            page.locator("#team-4").focus()
            page.keyboard.press("Enter")
            expect(page.locator("#swap h2")).to_have_text("Team 4 is picked")
            page.locator("#team-6").focus()
            page.keyboard.press("Enter")
            expect(page.locator("#swap h2")).to_have_text("Teams 4 and 6 change places?")
            page.locator("#swap-reason").focus()
            page.keyboard.type("Step-free row.")
            seen.room.hub.director.announce("director", "Coffee is in the hall.")
            expect(page.locator(".foot")).to_contain_text(f"Ledger line {seen.room.hub.tournament.seq}")
            expect(page.locator("#swap-reason")).to_have_value("Step-free row.")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            expect(page.locator("#pair-2")).to_contain_text("6")
            expect(page.locator("#by-hand")).to_contain_text("“Step-free row.”")
            page.locator("#publish button").focus()
            page.keyboard.press("Enter")
            expect(page.locator("h1")).to_have_text("Round one, posted")
            page.locator("#in-minutes").fill("3")
            page.keyboard.press("Enter")
            expect(page.locator("#countdown b")).to_have_text("03:00")
            page.locator("#withhold button").focus()
            page.keyboard.press("Enter")
            expect(page.locator("#countdown")).to_have_count(0)
            assert said == []


def test_missing_sheet_is_gone_past_with_a_reason_and_a_refusal_keeps_what_was_typed(
    tmp_path: Path, browser: Browser
) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        seen.room.hub.director.end_clock("director")
        with opened(browser, seen, "/rounds") as (page, said):
            page.locator("#end-anyway > summary").click()
            page.locator("#end-reason").fill("   ")
            page.get_by_role("button", name="End round one with this reason").click()
            expect(page.locator("#said")).to_have_text("Write down why. The reason stands in the record.")
            page.locator("#end-reason").fill("The hall closes.")
            page.get_by_role("button", name="End round one with this reason").click()
            expect(page.locator("h1")).to_have_text("Round two is next")
            expect(page.locator("table.rounds-past")).to_contain_text("“The hall closes.”")
            assert [text for text in said if "409" not in text] == []


@pytest.mark.timeout(240)
def test_pages_can_be_read_without_scripts_in_every_width_with_the_longest_names(
    tmp_path: Path, browser: Browser
) -> None:
    with site(tmp_path, tables=5, template="wsos", player="W" * 56) as seen:
        seen.room.hub.director.note_conduct("director", 1, "w" * 280)
        paths = ("/rounds", "/rounds?table=1", "/bracket", "/teams", "/teams/1", "/teams/import", "/setup")
        with opened(browser, seen, java_script_enabled=False) as (page, _said):
            for path in paths:
                page.goto(seen.origin + path)
                expect(page.locator("h1")).not_to_be_empty()
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 844})
                    assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


def test_wizard_is_walked_without_scripts_and_enter_goes_on(tmp_path: Path, browser: Browser) -> None:
    with bare_site(tmp_path) as seen, opened(browser, seen, "/setup", java_script_enabled=False) as (page, _said):
        page.fill("#title", "Spring Classic")
        page.keyboard.press("Enter")
        expect(page.locator("ol.steps .now")).to_have_text("2 Rules")
        page.get_by_role("button", name="Teams", exact=True).click()
        page.check("#how-numbers")
        page.fill("#count", "6")
        page.keyboard.press("Enter")
        expect(page.locator("ol.steps .now")).to_have_text("4 Tables")
        page.get_by_role("button", name="Back").click()
        expect(page.locator("#count")).to_have_value("6")
        page.get_by_role("button", name="Tables", exact=True).click()
        page.get_by_role("button", name="Summary").click()
        page.get_by_role("button", name="Create the tournament").click()
        expect(page.locator("h1")).to_have_text("Round one is next")
        assert len(seen.room.hub.tournament.entrants) == 6
