"""In the aisle: what needs me comes first, targets are large, five tabs at the bottom and the rest behind More."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from web_browser import arrived, browser, opened
from web_site import site

from tallybox.events import table as ev
from tallybox.seats import Side

__all__ = ["browser"]

SMALL = """
[...document.querySelectorAll("main a, main button, main summary, main input:not([type=hidden]), .nav a")]
  .filter(it => it.offsetParent && !it.closest("p, .tile") && getComputedStyle(it).clipPath === "none")
  .map(it => [it.textContent.trim().slice(0, 20), Math.round(it.getBoundingClientRect().height)])
  .filter(([, height]) => height < 48)
"""
"""Controls that are lower than 48 px; links within a sentence and whole tiles aside."""


def test_phone_shows_five_tabs_and_more_leads_to_the_rest(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path) as seen, opened(browser, seen, width=390, height=844) as (page, complaints):
        tabs = page.locator(".nav li:visible")
        expect(tabs).to_have_text(["Room", "Calls", "Sheets", "Standings", "More"])
        tabs.last.click()
        arrived(page, "**/more")
        expect(page.locator(".nav [aria-current]")).to_have_text("More")
        assert "Clock" in [text.splitlines()[0] for text in page.locator(".places b").all_inner_texts()]
        page.locator(".places a[href='/clock']").click()
        arrived(page, "**/clock")
        assert complaints == []


def test_phone_lists_what_needs_me_first_and_going_claims_it(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=4) as seen:
        room = seen.room
        room.seat_all()
        room.hub.director.mark_late("director", 1, 2, Side.NS)
        room.boxes[3].heartbeat(online=False)
        call = room.boxes[4].do(ev.DirectorCalled(reason="Misdeal"))
        room.flush()
        with opened(browser, seen, width=390, height=844) as (page, complaints):
            page.get_by_role("button", name="I’m going").click()
            expect(page.locator("article.waits")).to_contain_text("director is on the way")
            assert [each.claimed for each in room.hub.tournament.open_calls] == ["director"]
            assert call
            expect(page.locator(".need b:first-of-type")).to_have_text(["Late", "Silent"])
            tops = [
                page.locator(name).first.bounding_box()["y"]  # type: ignore[index]
                for name in ("article.waits", ".need", ".tiles, .tables")
            ]
            assert tops == sorted(tops)
            assert page.evaluate("document.documentElement.scrollWidth") == 390
            assert page.evaluate(SMALL) == []
            page.goto(seen.origin + "/sheets")
            states = [state.bounding_box() for state in page.locator(".sheets .word").all()]
            assert [box for box in states if box is None or box["x"] + box["width"] > 390] == []
            assert complaints == []


def test_more_names_only_pages_that_are_there(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        links = [link.attrs["href"] for link in seen.page("/more").one("ul", cls="places").all("a")]
        assert links
        assert [seen.client.get(link, follow_redirects=True).status_code for link in links] == [200] * len(links)
