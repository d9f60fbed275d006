"""The projector: readable across a hall, live, turning by itself, and nothing can be done at it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import zxingcpp
from hub_played_room import room
from PIL import Image
from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_signed import signed_site
from web_site import Node, Site, site

from hub.web.desk import MOST_SCREENS
from hub.web.picture import Picture
from hub.web.views.projector import PairRow, projector
from hub.web.views.screen import Phase
from tallybox.events.rulings import SeatsSwapped
from tallybox.events.table import SeatsConfirmed
from tallybox.seats import Side

__all__ = ["browser"]

ROOM_ADDRESS = frozenset({"127.0.0.1", "localhost", "hub.club.example"})


def open_to_the_room(seen: Site) -> None:
    """The hub answers to a name that phones know."""
    seen.server.app.state.hosts = ROOM_ADDRESS


def slides(page: Node) -> list[tuple[str, bool]]:
    return [(slide.attrs["aria-label"], "hidden" not in slide.attrs) for slide in page.all("section", "p-slide")]


def test_pairings_stand_in_three_columns_of_fourteen_and_go_on_beyond_forty_two_tables() -> None:
    for teams, shape in ((80, [[14, 14, 12]]), (84, [[14, 14, 14]]), (88, [[14, 14, 14], [2]])):
        made = room("capitol-5", teams)
        made.director.publish_round("dana")
        view = projector(Picture(made.now, made.tournament), public=False)
        pairs = [slide for slide in view.slides if slide.kind == "pairs"]
        assert [[len(column) for column in slide.pairs] for slide in pairs] == shape
        told = [row for slide in view.slides for column in slide.pairs for row in column]
        seats = [len(slide.tables) for slide in view.slides if slide.kind == "seats"]
        assert seats == [20] * (teams // 2 // 20) + [teams // 2 % 20] * (teams // 2 % 20 > 0)
        assert told == [PairRow(table.table, *table.teams) for table in made.current.tables.values()]
        assert [slide.part for slide in pairs] == (["1 of 2", "2 of 2"] if len(shape) > 1 else [""])
        assert view.hint == "Odd sit North–South, even East–West."


def test_the_clock_takes_the_whole_screen_during_play_and_says_what_to_do_at_the_end(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        director = seen.room.hub.director
        page = seen.page("/projector")
        assert (page.one("h1").text, page.one(id="clock-says").text) == ("Round one", "The round lasts")
        assert slides(page) == [("Pairings", True), ("Seats", False)]
        seen.room.seat_all()
        page = seen.page("/projector")
        main = page.one("main")
        assert ("whole" in main.classes, slides(page)) == (True, [])
        assert (page.one(id="clock-says").text, page.one("b").text) == ("Time left", "25:00")
        assert page.one("b").attrs["data-until"] == str(seen.room.hub.tournament.clock.deadline)
        director.pause("director")
        assert seen.client.get("/projector").text.count("Paused") == 1
        director.end_clock("director")
        page = seen.page("/projector")
        assert page.one("p", "p-note").text == "Play out the hand that has begun, then sign the sheet."
        assert "end" in page.one(cls="p-clock").classes


def test_seats_are_drawn_as_they_stand_and_a_table_where_somebody_is_missing_is_dashed(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        box = seen.room.boxes[1].claim().sit()
        box.do(SeatsSwapped(side=Side.NS))
        box.do(SeatsConfirmed(side=Side.NS, team=1))
        seen.room.flush()
        page = seen.page("/projector?at=1")
        first, second = page.one("ol", cls="p-seats").all("li")
        assert [(at.attrs["class"], at.text) for at in first.all("span", cls="at")] == [
            ("at N", "1 Player 1 B"), ("at E", "2 Player 2 A"), ("at S", "1 Player 1 A"), ("at W", "2 Player 2 B"),
        ]  # fmt: skip
        assert (first.one("strong").text, first.classes, second.classes) == ("1", {"seated"}, {"empty"})
        assert page.one("p", cls="p-key").text == "North is at the top. A dashed table waits for somebody to sit down."


def test_standings_count_accepted_sheets_alone(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        for box in seen.room.boxes.values():
            box.play_round().sign().submit()
        seen.room.flush()
        director = seen.room.hub.director
        director.accept_sheet("director", 1, 1)
        director.end_clock("director")
        director.end_round("director", "table 2 left")
        page = seen.page("/projector")
        rows = [[cell.text for cell in row.all()] for row in page.one("tbody").all("tr")]
        score = seen.room.table(1).score
        assert score is not None
        won = {str(team): score.totals.hands_won[side] for side, team in zip(score.totals.points, (1, 2), strict=True)}
        assert {row[1]: int(row[4]) for row in rows} == {**won, "3": 0, "4": 0}


def test_an_untimed_round_shows_its_tables_and_the_end_its_first_three() -> None:
    made = room("mso", 12)
    made.round()
    made.post()
    view = projector(Picture(made.now, made.tournament), public=False)
    assert (view.phase, view.whole, view.said) == (Phase.PLAY, False, "0 of 6 sheets in")
    assert [slide.kind for slide in view.slides] == ["pairs", "seats", "places"]
    made.to_the_end()
    view = projector(Picture(made.now, made.tournament), public=False)
    assert (view.heading, view.podium[0].rank, len(view.podium)) == ("Final standings", "1", 3)
    assert [slide.kind for slide in view.slides] == ["places", "bracket"]
    assert [column.name for column in view.slides[-1].bracket][-1] == "Final"


def test_teams_that_sit_out_are_told() -> None:
    made = room("mso", 9)
    made.director.publish_round("dana")
    view = projector(Picture(made.now, made.tournament), public=False)
    told = [slide.text for slide in view.slides if slide.kind == "told"]
    assert told == [f"Team {made.current.byes[0]}: you sit out this round."]


def test_a_projector_needs_no_signing_in_and_offers_nothing_to_do(tmp_path: Path) -> None:
    with signed_site(tmp_path, tables=2) as seen:
        seat = seen.seat()
        answer = seat.get("/projector")
        assert (answer.status_code, answer.headers.get("set-cookie")) == (200, None)
        assert [tag for tag in ("<form", "<button", "<nav", "<a ") if tag in answer.text] == []
        assert seat.get("/projector/events").status_code == 200
        assert seat.get("/events").status_code == 401


def test_projectors_take_no_place_of_the_desk_and_are_bounded(tmp_path: Path) -> None:
    with site(tmp_path, most_listeners=1) as seen:
        desk = seen.server.app.state.desk
        for _ in range(MOST_SCREENS):
            assert desk.screens.listen() is not None
        refused = seen.client.get("/projector/events")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "10")
        with seen.client.stream("GET", "/events") as stream:
            assert stream.status_code == 200


def test_the_code_on_the_wall_leads_to_the_public_page(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path) as seen:
        assert "code.svg" not in seen.client.get("/projector").text
        assert "phones cannot open its public page" in seen.page("/public/code.svg", 404).text
        open_to_the_room(seen)
        with opened(browser, seen, "/projector?at=0", width=1920, height=1080) as (page, said):
            expect(page.locator(".p-code img")).to_be_visible()
            picture = Image.open(BytesIO(page.screenshot()))
            assert [code.text for code in zxingcpp.read_barcodes(picture)] == [
                f"http://hub.club.example:{seen.server.port}/public"
            ]
            assert said == []


def test_the_projector_follows_the_hub_and_turns_its_slides(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=3) as seen:
        director = seen.room.hub.director
        director.announce("director", "Lunch is next door.")
        with opened(browser, seen, "/projector", width=1920, height=1080) as (page, said):
            page.evaluate("window.opened = true")
            page.clock.install()
            shown = page.locator(".p-slide:not([hidden])")
            expect(shown).to_have_attribute("aria-label", "Pairings")
            page.keyboard.press("ArrowRight")
            expect(shown).to_have_attribute("aria-label", "Seats")
            page.keyboard.press("ArrowRight")
            expect(shown).to_have_attribute("aria-label", "Announcement")
            page.keyboard.press(" ")
            expect(page.locator("#held")).to_be_visible()
            director.announce("director", "Lunch is over.")
            expect(shown).to_have_text("Announcement Lunch is over.")
            expect(page.locator("#held")).to_be_visible()
            page.keyboard.press("ArrowLeft")
            expect(shown).to_have_attribute("aria-label", "Seats")
            seen.room.seat_all()
            expect(page.locator("main.whole .p-clock b")).to_have_text("25:00")
            assert page.evaluate("window.opened")
            assert said == []


def test_slides_turn_every_twelve_seconds_by_themselves(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=3) as seen:
        seen.room.hub.director.announce("director", "Lunch is next door.")
        context = browser.new_context(reduced_motion="reduce")
        page = context.new_page()
        page.clock.install(time=0)
        page.goto(f"{seen.origin}/projector")
        page.clock.pause_at(100)
        shown = page.locator(".p-slide:not([hidden])")
        first = shown.get_attribute("aria-label")
        while shown.get_attribute("aria-label") == first:
            page.clock.run_for(500)
        names = []
        for milliseconds in (11_000, 1_000, 11_000, 1_000):
            names.append(shown.get_attribute("aria-label"))
            page.clock.run_for(milliseconds)
        turn = ["Pairings", "Seats", "Announcement", "Pairings"]
        place = turn.index(names[0] or "")
        assert names == [turn[place]] * 2 + [turn[place + 1]] * 2
        assert page.evaluate("document.getAnimations().length") == 0
        context.close()


LOOK = """
() => [...document.querySelectorAll("main *")].filter(node => node.childElementCount === 0 && node.textContent.trim()
  && !node.closest(".unseen") && node.getClientRects().length)
  .map(node => { const box = node.getBoundingClientRect(); return {
    words: node.textContent.trim().slice(0, 30), size: parseFloat(getComputedStyle(node).fontSize),
    out: box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1 }; })
"""


def test_nothing_is_small_or_cut_off_in_any_state_and_size(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=42, player="Maximiliana Featherstonehaugh") as seen:
        open_to_the_room(seen)
        director = seen.room.hub.director
        director.announce("director", "The hall next door has lunch from noon until one, and cake for everybody. " * 3)

        def looked(at: int) -> None:
            for width, height in ((1920, 1080), (1280, 720)):
                with opened(browser, seen, f"/projector?at={at}", width=width, height=height) as (page, said):
                    found = page.evaluate(LOOK)
                    least = 25.9 * width / 1920 if page.locator(".side").count() else 29.9 * width / 1920
                    assert [one["words"] for one in found if one["out"]] == []
                    assert [one for one in found if one["size"] < least] == []
                    assert said == []

        looked(0)
        looked(1)
        looked(2)
        director.start_clock("director")
        looked(0)
        director.end_clock("director")
        looked(0)
        director.end_round("director", "a fire alarm")
        looked(0)
