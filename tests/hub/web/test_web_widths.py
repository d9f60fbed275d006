"""With the longest names people have, no page is wider than its window, no name in a list is cut, no title covered."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_site import site

from tallybox.seats import Side

__all__ = ["browser"]

PATHS = ("/clock", "/rounds", "/standings", "/teams/1", "/rounds/1/tables/1/hands/1/correct")
CUT = """
[...document.querySelectorAll(".ruled .names, .ruled .names span, .pairs .names")]
  .filter(it => it.offsetParent && getComputedStyle(it).display !== "inline")
  .filter(it => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 2)
  .map(it => it.textContent.trim())
"""
"""Names in lists of which a part is cut off."""
COVERED = """
(() => {
  const title = document.querySelector(".title h1"), text = document.createRange();
  if (getComputedStyle(title.parentElement).clipPath !== "none") return false;
  text.selectNodeContents(title);
  const at = text.getBoundingClientRect();
  return !title.contains(document.elementFromPoint(at.right - 2, at.top + at.height / 2));
})()
"""
"""Whether something lies over the end of the page's title."""


def test_longest_names_fit_the_pages_that_list_them_at_every_width(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=2, player="Maximiliana Featherstonehaugh-Cholmondeley") as seen:
        seen.room.seat_all().boxes[1].play_hand()
        seen.room.hub.director.mark_late("director", 1, 1, Side.NS)
        seen.room.flush()
        with opened(browser, seen, java_script_enabled=False) as (page, complaints):
            for path in PATHS:
                page.goto(seen.origin + path)
                expect(page.locator("h1")).not_to_be_empty()
                for width in (1280, 1024, 390):
                    page.set_viewport_size({"width": width, "height": 844})
                    assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
                    assert page.evaluate(CUT) == [], (path, width)
                    assert not page.evaluate(COVERED), (path, width)
            assert complaints == []


def test_seeds_and_who_goes_on_are_seen_at_once_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    with (
        site(tmp_path, tables=3, template="mso", player="Keisha Washington") as seen,
        opened(browser, seen, "/bracket", width=390, height=844) as (page, complaints),
    ):
        expect(page.locator(".seeded th").last).to_have_text("Goes on")
        assert page.locator(".seeded").evaluate("it => it.scrollWidth - it.parentElement.clientWidth") <= 0
        assert page.evaluate(CUT) == []
        assert complaints == []
