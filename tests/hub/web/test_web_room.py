"""The room at a glance: every state with its word, icon and shape, filters by keys, forty tables without scrolling."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from web_browser import arrived, browser, opened
from web_site import Site, site

from tallybox.envelope import encode_event
from tallybox.events import rulings as ru
from tallybox.events import table as ev
from tallybox.seats import Seat, Side

__all__ = ["browser"]


def states(seen: Site) -> dict[str, str]:
    """Each table's footer."""
    return {
        tile.attrs["id"].removeprefix("table-"): tile.one("div", cls="state").text
        for tile in seen.page("/").all("li", cls="tile")
    }


def test_states_of_a_table_have_their_words(tmp_path: Path) -> None:
    with site(tmp_path, tables=6) as seen:
        room = seen.room
        for table in (1, 2, 3, 4):
            room.boxes[table].claim().sit()
        room.hub.director.start_clock("director")
        for table in (1, 2, 3, 4):
            room.boxes[table].hear_clock()
        box = room.boxes[1].open().deal().auction("4", "pass", "pass", "pass").lock()
        box.do(ru.IrregularityRaised(hand=1, code="TALK", side=Side.NS, caller=Seat.E, seat=Seat.N))
        room.boxes[2].open()
        room.hub.director.hold("director", 1, 2, "A glass was spilled")
        room.hub.director.mark_late("director", 1, 3, Side.EW)
        room.boxes[4].play_round()
        room.boxes[5].heartbeat()
        room.flush()
        room.watch.pass_(5)
        found = states(seen)
        assert {table: text.rsplit(" ", 1)[0] if text[-1].isdigit() else text for table, text in found.items()} == {
            "1": "To rule Talking the board", "2": "Held A glass was spilled", "3": "Late EW absent",
            "4": "To sign both", "5": "Not claimed", "6": "No box",
        }  # fmt: skip


def test_a_late_table_that_deals_is_quiet_again_until_its_award_waits(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        room = seen.room
        room.seat_all()
        room.hub.director.mark_late("director", 1, 1, Side.EW)
        assert states(seen)["1"].startswith("Late EW absent")
        room.boxes[1].play_hand()
        room.flush()
        assert states(seen)["1"].startswith("Next hand")
        room.hub.director.end_clock("director")
        assert states(seen)["1"].startswith("Late award waits")
        room.hub.director.confirm_awards("director")
        assert states(seen)["1"].startswith("To sign")


def test_two_pasts_of_a_box_stand_on_its_tile(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        room = seen.room
        room.seat_all()
        box = room.boxes[1]
        before = box.head
        box.open()
        after, state = box.head, box.state
        box.head = before
        event = box.make(ev.DirectorCalled(reason="Other past"))
        room.send(box.id, encode_event(event))
        room.flush()
        box.head, box.state = after, state
        assert states(seen)["1"].startswith("Two pasts")


def test_one_figure_filters_and_a_number_with_enter_opens_a_table(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=12) as seen:
        seen.room.seat_all()
        seen.room.boxes[5].do(ev.DirectorCalled(reason="Misdeal"))
        seen.room.flush()
        with opened(browser, seen) as (page, complaints):
            expect(page.locator("#filter-calling")).to_have_attribute("data-key", "3")
            page.clock.install(time=0)
            page.clock.pause_at(1000)  # a figure alone filters after a second: here it passes when it was read
            page.keyboard.press("3")
            expect(page.locator("#goto")).to_have_text("Table 3: press Enter. Wait to see Calling")
            page.clock.run_for(1000)
            arrived(page, "**/?show=calling")
            expect(page.locator("li.tile")).to_have_count(1)
            page.keyboard.press("1")
            page.clock.run_for(1000)
            arrived(page, seen.origin + "/")
            page.keyboard.press("1")
            page.keyboard.press("2")
            expect(page.locator("#goto")).to_have_text("Table 12: press Enter")
            page.keyboard.press("Enter")
            arrived(page, "**/tables/12")
            page.keyboard.press("?")
            expect(page.locator("#keys")).to_be_visible()
            page.keyboard.press("Escape")
            expect(page.locator("#keys")).not_to_be_visible()
            assert complaints == []


def test_a_typed_table_number_opens_without_scripts(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        answer = seen.client.get("/go?table=1")
        assert (answer.status_code, answer.headers["location"]) == (303, "/tables/1")
        assert seen.page("/go?table=one", 404).one("h2").text == "That is no table's number."


def test_forty_tables_fit_without_scrolling_and_six_columns_at_1024(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=40) as seen:
        with opened(browser, seen) as (page, _complaints):
            last = page.locator("#table-40").bounding_box()
            assert last is not None
            assert last["y"] + last["height"] <= 900
            assert page.locator("#table-8").bounding_box()["y"] == page.locator("#table-1").bounding_box()["y"]  # type: ignore[index]
        with opened(browser, seen, width=1024, height=768) as (page, _complaints):
            tops = {page.locator(f"#table-{table}").bounding_box()["y"] for table in range(1, 7)}  # type: ignore[index]
            assert len(tops) == 1
            assert page.locator("#table-7").bounding_box()["y"] not in tops  # type: ignore[index]
            assert page.evaluate("document.documentElement.scrollWidth") == 1024
