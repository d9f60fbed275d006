"""The monitor's list on a phone: what waits, how it was signed, accepted with one thumb or sent back with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_played_room import random_sheet, room
from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_site import Node, Site, read, site

from hub.web.picture import Picture
from hub.web.views.monitor import MissingSheet, monitor
from tallybox.events import rulings as ru
from tallybox.seats import Side
from tallybox.sheet import hand_facts_to_json
from tallybox.table.shown import facts_now, sheet_digest

__all__ = ["browser"]

LIST = "/sheets?show=waiting"


def cards(seen: Site) -> list[Node]:
    return seen.page(LIST).all("li", cls="waits-sheet")


def waiting(seen: Site) -> None:
    """Table 2 signed with a waiver, then table 1 signed and corrected since; table 3 plays."""
    seen.room.seat_all()
    seen.room.hub.director.change_official("director", "ames", "T. Ames", "director", None)
    box = seen.room.boxes[2].play_round().sign(Side.NS)
    box.do(ru.SignatureWaived(side=Side.EW, digest=sheet_digest(box.state), official="ames", reason="had to leave"))
    box.submit()
    seen.room.flush()
    seen.room.watch.pass_(95)
    seen.room.boxes[1].play_round().sign().submit()
    seen.room.boxes[3].play_hand()
    seen.room.flush()
    table = seen.room.table(1)
    facts = dict(hand_facts_to_json(facts_now(table.state, table.state.hands[0])))
    books = {"NS": 6, "EW": 7} if facts["books"] != {"NS": 6, "EW": 7} else {"NS": 5, "EW": 8}
    seen.room.hub.director.correct_hand("director", 1, 1, hand=1, facts={**facts, "books": books}, reason="recount")


def test_sheets_wait_oldest_first_with_totals_and_both_signatures(tmp_path: Path) -> None:
    with site(tmp_path, tables=4) as seen:
        waiting(seen)
        found = cards(seen)
        assert [card.attrs["id"] for card in found] == ["sheet-R1-T2", "sheet-R1-T1"]
        score = seen.room.table(2).score
        assert score is not None
        assert [box.text for box in found[0].all("span", cls="tallybox")] == [
            str(score.totals.points[side]) for side in Side
        ]
        north, east = found[0].all("section", cls="signature")
        assert (len(north.all("polyline")), north.one("p", cls="covers").text) == (2, "signed version 1")
        assert (len(east.all("polyline")), east.one("p", cls="covers").text) == (0, "waived for version 1")
        assert "T. Ames let the sheet go without it: had to leave" in east.text
        later = [node.one("p", cls="covers").text for node in found[1].all("section", cls="signature")]
        assert later == ["signed version 1; version 2 is the director's correction"] * 2
        assert [note.text for note in found[1].all("p", cls="caution")] == [
            "The director corrected it once since it was signed."
        ]
        assert [pill.text for pill in seen.page(LIST).one("nav", cls="filters").all("a")] == [
            "All", "To accept 2", "Missing 2",
        ]  # fmt: skip


def test_monitor_accepts_the_version_on_the_screen_and_no_other(tmp_path: Path) -> None:
    with site(tmp_path, tables=4) as seen:
        waiting(seen)
        old = seen.post("/rounds/1/tables/1/accept", htmx=True, seen="1")
        assert (old.status_code, read(old.text).text) == (
            409, "Sheet R1-T1 has another version by now. Look again.",
        )  # fmt: skip
        assert seen.room.table(1).accepted is None
        done = seen.post("/rounds/1/tables/1/accept", htmx=True, seen="2")
        assert read(done.text).text == "The sheet of table 1, round one, is accepted."
        assert [card.attrs["id"] for card in cards(seen)] == ["sheet-R1-T2"]


def test_monitor_works_the_list_with_one_thumb_at_390_pixels(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=4) as seen:
        waiting(seen)
        with opened(browser, seen, LIST, width=390, height=844) as (page, complaints):
            accept = page.locator("#accept-R1-T2 button")
            box = accept.bounding_box()
            assert box is not None
            assert (box["height"] >= 48, box["width"] >= 300) == (True, True)
            accept.click()
            expect(page.locator("#said")).to_have_text("The sheet of table 2, round one, is accepted.")
            expect(page.locator(".waits-sheet")).to_have_count(1)
            page.locator("#back-R1-T1 summary").click()
            page.locator("#back-R1-T1-reason").fill("Count hand 2 again")
            page.get_by_role("button", name="Send it back", exact=True).click()
            expect(page.locator(".waiting-list")).to_contain_text("Nothing waits")
            expect(page.locator(".waiting-list")).to_contain_text("3 are still at their tables.")
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            assert complaints == []
        assert seen.room.table(1).reopened == "Count hand 2 again"


def test_missing_sheets_name_where_their_table_is_and_who_types_them(tmp_path: Path) -> None:
    with site(tmp_path, tables=4) as seen:
        waiting(seen)
        seen.room.hub.director.assign_box("director", "K-04", 9)
        page = seen.page("/sheets?show=missing")
        rows = [row.text for row in page.one("ul", cls="missing").all("li")]
        assert rows[0] == "R1-T3 5 – 6 1 of 5 hands Playing Open table"
        assert rows[1].startswith("R1-T4 7 – 8 0 of 5 hands")
        assert page.one("li", id="missing-R1-T4").one("a", cls="button").attrs["href"] == "/rounds/1/tables/4/paper"


# Without a server, in all three rulesets


@pytest.mark.parametrize("template", ["capitol-5", "mso", "wsos"])
def test_sheets_from_paper_wait_until_they_are_accepted(template: str) -> None:
    made = room(template, 8)
    made.post()
    table = made.current.tables[2]
    sheet = random_sheet(table, made.luck)
    made.director.enter_sheet("dana", 1, 2, sheet=sheet, reason="no box")
    found = monitor(Picture(made.now + 61_000, made.tournament))
    (waits,) = found.waiting
    score = made.current.tables[2].score
    assert score is not None
    assert waits.notes[0] == "From paper: compare it with the sheet in your hand."
    assert (waits.timer, waits.totals) == (
        "1:01", {side: str(score.totals.points[side]).replace("-", "−") for side in Side},
    )  # fmt: skip
    ends = {Side.NS: "NS win", Side.EW: "EW win", None: "no winner yet"}
    won = score.totals.hands_won
    assert waits.tally == (
        f"hands {won[Side.NS]} – {won[Side.EW]}" if template == "capitol-5" else ends[score.round.winner]
    )
    assert [each.id for each in found.missing] == ["R1-T1", "R1-T3", "R1-T4"]
    assert {type(each) for each in found.missing} == {MissingSheet}
