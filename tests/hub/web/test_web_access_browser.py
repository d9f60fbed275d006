"""Signing in and proving in a real browser: led back, signed out everywhere at once, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from web_browser import arrived, browser
from web_signed import NAMES, PASSWORDS, PINS, SignedSite, signed_site

__all__ = ["browser"]


@contextmanager
def signed_in(browser: Browser, seen: SignedSite, role: str, path: str = "/") -> Iterator[Page]:
    """Somebody who came to ``path`` and had to sign in first."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(seen.origin + path)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("Name").fill(NAMES[role])
    page.get_by_label("Password").fill(PASSWORDS[role])
    page.keyboard.press("Enter")
    arrived(page, seen.origin + path)
    try:
        yield page
    finally:
        context.close()


def test_live_page_of_somebody_who_left_goes_to_the_sign_in_by_itself(tmp_path: Path, browser: Browser) -> None:
    with signed_site(tmp_path) as seen, signed_in(browser, seen, "monitor", "/sheets") as page:
        expect(page.locator("#live-word")).to_have_text("live")
        seen.room.hub.director.change_official("dana", "mona", "Mona", None)
        expect(page).to_have_url(f"{seen.origin}/sign-in?next=%2Fsheets")


def test_wrong_pin_is_said_in_the_corner_and_what_was_typed_stays(tmp_path: Path, browser: Browser) -> None:
    with signed_site(tmp_path) as seen, signed_in(browser, seen, "director", "/officials") as page:
        page.locator("#appoint").get_by_label("Name").fill("Omar Bell")
        page.locator("#appoint").get_by_label("Your PIN").fill(PINS["monitor"])
        page.get_by_role("button", name="Appoint").click()
        expect(page.locator("#said")).to_have_text("That PIN is not right. 4 tries left, then wait 5 minutes.")
        seen.room.hub.director.announce("dana", "Coffee is here.")
        expect(page.locator(".foot")).to_contain_text(f"Ledger line {seen.room.hub.tournament.seq}")
        expect(page.locator("#appoint").get_by_label("Name")).to_have_value("Omar Bell")
        expect(page.locator("#appoint").get_by_label("Your PIN")).to_have_value("")
        page.locator("#appoint").get_by_label("Your PIN").fill(PINS["director"])
        page.get_by_role("button", name="Appoint").click()
        expect(page.locator("#official-omar-bell summary b")).to_have_text("Omar Bell")
        expect(page.locator("#appoint").get_by_label("Name")).to_have_value("")


def test_box_is_locked_from_its_page_while_the_page_keeps_itself_fresh(tmp_path: Path, browser: Browser) -> None:
    with signed_site(tmp_path) as seen, signed_in(browser, seen, "director", "/devices/K-01") as page:
        page.locator("#lock-box summary").click()
        page.get_by_label("Why, as its screen says it").fill("A drink fell on it.")
        seen.room.boxes[1].heartbeat()
        seen.room.hub.director.announce("dana", "Coffee is here.")
        expect(page.locator(".foot")).to_contain_text(f"Ledger line {seen.room.hub.tournament.seq}")
        expect(page.get_by_label("Why, as its screen says it")).to_have_value("A drink fell on it.")
        page.get_by_role("button", name="Lock K-01").click()
        expect(page.locator("#one")).to_contain_text("Locked: A drink fell on it.")
        assert seen.room.hub.tournament.locked == {"K-01": "A drink fell on it."}


def test_viewer_sees_whose_each_act_is(tmp_path: Path, browser: Browser) -> None:
    with signed_site(tmp_path) as seen, signed_in(browser, seen, "viewer", "/devices/K-01") as page:
        expect(page.locator("#one")).to_contain_text("Only the director does this; a viewer does not.")
        expect(page.locator("#one button")).to_have_count(0)
        page.get_by_role("button", name="Sign out").click()
        expect(page).to_have_url(f"{seen.origin}/sign-in")


def test_record_is_searched_by_its_form_and_an_entry_opens(tmp_path: Path, browser: Browser) -> None:
    with signed_site(tmp_path) as seen, signed_in(browser, seen, "viewer", "/record") as page:
        page.locator("select[name=kind]").select_option("officials")
        page.get_by_label("Words, box or event id").fill("helper")
        page.get_by_role("button", name="Look").click()
        expect(page.locator(".annals .words")).to_have_text(["Hank is a helper. A new PIN was set."])
        page.locator(".annals summary").click()
        expect(page.locator(".annals dd").nth(1)).to_have_text("official.changed")
