"""Calls: one official goes, others see who; what tables asked for is done or refused; a call is heard and seen."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_site import Site, read, site

from tallybox.events import rulings as ru
from tallybox.events import table as ev
from tallybox.seats import Seat, Side

__all__ = ["browser"]


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def calling(seen: Site, table: int = 1, reason: str = "Misdeal") -> str:
    call = seen.room.boxes[table].do(ev.DirectorCalled(reason=reason))
    seen.room.flush()
    return call


def test_second_official_sees_who_is_on_the_way_and_may_take_over(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        director = seen.room.hub.director
        director.change_official("director", "ames", "T. Ames", "director")
        call = calling(seen)
        director.claim_call("ames", call)
        waits = seen.page("/").one("article", cls="waits")
        assert waits.one("span", cls="going").text == "T. Ames is on the way"
        assert [button.text for button in waits.all("button")] == ["Settled", "Take over"]
        twice = seen.post("/calls/claim", htmx=True, call=call)
        assert (twice.status_code, said(twice.text)) == (
            409, "T. Ames is on the way to table 1 already. Leave it there, or take the call over.",
        )  # fmt: skip
        assert said(seen.post("/calls/claim", htmx=True, call=call, over="yes").text) == (
            "The table sees that you are on the way."
        )
        assert [each.claimed for each in seen.room.hub.tournament.open_calls] == ["director"]


def test_claiming_ones_own_call_again_changes_nothing(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        call = calling(seen)
        seen.post("/calls/claim", call=call)
        before = seen.room.hub.tournament.seq
        assert seen.post("/calls/claim", htmx=True, call=call).status_code == 200
        assert seen.room.hub.tournament.seq == before


def test_call_says_what_the_table_raised_and_leads_to_the_ruling(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1].open().deal().auction("4", "pass", "pass", "pass").lock()
        raised = box.do(ru.IrregularityRaised(hand=1, code="TALK", side=Side.NS, caller=Seat.E, seat=Seat.N))
        seen.room.flush()
        waits = seen.page("/calls").one("article", cls="waits")
        assert (waits.all("b")[0].text, waits.one("p").text) == (
            "Talking the board", "East calls North · hand 1 · 4 HIGH by East · waits for a ruling",
        )  # fmt: skip
        assert waits.one("a", cls="forward").attrs["href"] == f"/rounds/1/tables/1/rule?raised={raised}"
        calling(seen, reason="Talk")
        waits = seen.page("/calls").one("article", cls="waits")
        assert [node.text for node in waits.all(cls="button")] == ["Claim I’m going", "Rule…", "Open table"]


def test_what_an_official_asked_for_is_done_or_refused_with_a_reason(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        for table in (1, 2):
            asked = ru.OfficialRequested(what="extension", official="mona", minutes=5, reason="A long ruling")
            seen.room.boxes[table].do(asked)
        seen.room.flush()
        first, second = seen.page("/").one("section", id="asked").all("article")
        assert first.one("p").text == "mona asks for it at table 1: A long ruling"
        requests = [node.all("form")[0].all("input")[1].attrs["value"] for node in (first, second)]
        assert said(seen.post("/requests/do", htmx=True, request=requests[0]).text) == "It is done. The table sees it."
        bare = seen.post("/requests/refuse", htmx=True, request=requests[1], reason=" ")
        assert (bare.status_code, said(bare.text)) == (409, "Write down why it is not done.")
        no = seen.post("/requests/refuse", htmx=True, request=requests[1], reason="The room has time")
        assert said(no.text) == "It is not done. The reason stands in the record."
        assert [seen.room.table(table).extra for table in (1, 2)] == [300, 0]
        assert seen.page("/calls").all("section", id="asked") == []


def test_a_call_rings_once_after_a_touch_and_the_title_flashes(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path) as seen:
        seen.room.seat_all()
        with opened(browser, seen, "/clock") as (page, complaints):
            page.locator("#sound").click()
            expect(page.locator("#sound")).to_have_text("Sound off")
            page.locator("#sound").click()
            expect(page.locator("#sound")).to_have_text("Sound on")
            call = calling(seen)
            expect(page.locator("html")).to_have_attribute("data-rang", "1")
            expect(page).to_have_title("Table 1 calls – Tallybox")
            expect(page).to_have_title("(1) The clock – Tallybox")
            seen.room.hub.director.claim_call("director", call)
            expect(page.locator("#calls-now")).to_have_attribute("data-calls", "")
            expect(page.locator("html")).to_have_attribute("data-rang", "1")
            page.keyboard.press("s")
            expect(page.locator("#sound")).to_have_text("Sound off")
            seen.room.boxes[1].do(ev.DirectorCancelled())
            calling(seen)
            expect(page.locator("#calls-now")).not_to_have_attribute("data-calls", "")
            page.wait_for_timeout(300)
            expect(page.locator("html")).to_have_attribute("data-rang", "1")
            assert complaints == []
