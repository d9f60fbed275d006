"""The public page: one team's next table and its results; nothing more than everybody may see."""

from __future__ import annotations

from pathlib import Path

from hub_played_room import room
from playwright.sync_api import Browser, expect
from web_browser import arrived, browser, opened
from web_signed import signed_site
from web_site import Node, Site, site

from hub.tournament.published import published
from hub.web.picture import Picture
from hub.web.views.public import public
from tallybox.seats import Side

__all__ = ["browser"]

BOOKS: dict[str, object] = {"dealer": "E", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 5, "EW": 8}}


def played(seen: Site) -> None:
    seen.room.seat_all()
    for box in seen.room.boxes.values():
        box.play_round().sign().submit()
    seen.room.flush()


def team_page(seen: Site, team: int) -> Node:
    return seen.page(f"/public?team={team}").one(id="screen")


def test_a_team_finds_its_table_as_soon_as_the_round_is_posted(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        page = team_page(seen, 4)
        where = page.one("section", "u-next")
        assert where.text == "Round one: East–West Table 2 EW against team 3, Player 3 A · Player 3 B"
        assert page.one("option", selected="").text == "4 · Player 4 A · Player 4 B"
        assert page.attrs["data-from"] == "/public?team=4"
        everybody = seen.page("/public").one(id="screen")
        assert (everybody.all("section", "u-next"), everybody.attrs["data-from"]) == ([], "/public")


def test_results_are_shown_hand_by_hand_once_the_sheet_is_accepted(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        played(seen)
        before = team_page(seen, 2)
        assert "The sheet is with the monitor." in before.one(id="round-1").text
        assert (before.one(id="round-1").all("tbody"), before.one(cls="u-standings").all("tbody")) == ([], [])
        seen.room.hub.director.accept_sheet("director", 1, 1)
        score = seen.room.table(1).score
        assert score is not None
        page = team_page(seen, 2)
        rows = [[cell.text for cell in row.all()] for row in page.one(id="round-1").one("tbody").all("tr")]
        earned = [tuple(str(hand.points[side]) for side in (Side.EW, Side.NS)) for hand in score.hands]
        assert [(row[-2], row[-1]) for row in rows] == earned
        points = score.totals.points
        assert page.one(id="round-1").one("b").text == f"{points[Side.EW]} : {points[Side.NS]}"
        assert page.one("tr", "me").all("b")[0].text == "2"
        assert "The sheet is with the monitor." in team_page(seen, 3).one(id="round-1").text


def test_no_score_of_a_sheet_that_is_not_accepted_reaches_anybody() -> None:
    made = room("capitol-5", 8)
    made.round()
    made.post()
    accepted = made.tournament
    made.play([1, 2])
    shown = published(made.tournament)
    assert [table.score is None for table in shown.rounds[1].tables.values()] == [False, False, True, True]
    assert published(accepted).rounds[0] is accepted.rounds[0]


def test_a_correction_is_named_with_the_version_that_was_signed(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        played(seen)
        director = seen.room.hub.director
        director.accept_sheet("director", 1, 1)
        director.correct_hand("director", 1, 1, hand=2, facts=BOOKS, reason="counted again")
        note = team_page(seen, 1).one("p", "u-note").text
        assert note == "Version 2, corrected by the director; the players signed version 1."


def test_the_next_table_comes_with_the_release_and_the_end_says_thanks() -> None:
    made = room("capitol-4", 8)
    made.round()
    seat = public(Picture(made.now, made.tournament), 1, "/public").mine
    assert seat is not None
    assert (seat.next.says, seat.next.table, seat.next.now) == ("Round two: North–South", 1, False)
    made.to_the_end()
    view = public(Picture(made.now, made.tournament), 1, "/public")
    assert view.mine is not None
    assert view.mine.next.says == "The tournament is over. Thank you for playing."
    assert [outcome.word for outcome in view.mine.outcomes][-1] == "one"


def test_spades_are_told_in_their_own_words() -> None:
    made = room("mso", 9)
    made.round()
    rests = made.tournament.rounds[0].byes[0]
    view = public(Picture(made.now, made.tournament), rests, "/public")
    assert view.mine is not None
    assert [outcome.says for outcome in view.mine.outcomes] == ["You sat out."]
    table = made.tournament.rounds[0].tables[1]
    view = public(Picture(made.now, made.tournament), table.teams[0], "/public")
    assert view.mine is not None
    (outcome,) = view.mine.outcomes
    assert (outcome.says in ("Won", "Lost"), outcome.whist) == (True, False)
    assert " against " in outcome.hands[0].what


def test_a_team_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        for wrong in ("99", "00007x", "-1", "9" * 40):
            answer = seen.client.get("/public", params={"team": wrong})
            assert (answer.status_code, "Your next table" in answer.text) == (200, False)
        assert "There is no team with this number." in seen.page("/public?team=99").text


def test_everybody_may_look_and_nobody_learns_what_officials_noted(tmp_path: Path) -> None:
    with signed_site(tmp_path, tables=2) as seen:
        director = seen.room.hub.director
        seen.room.seat_all()
        director.note_conduct("director", 2, "Shouted at the monitor.")
        director.disqualify("director", 2, "Shouted again, and threw the cards.")
        seat = seen.seat()
        for path in ("/public", "/public?team=2", "/public?team=1", "/projector"):
            answer = seat.get(path)
            assert (answer.status_code, answer.headers.get("set-cookie")) == (200, None)
            assert [word for word in ("Shouted", "threw", "disqualif", 'name="token"') if word in answer.text] == []
        assert "Your team plays no further round." in seat.get("/public?team=2").text
        assert seat.client.post("/public").status_code in (403, 405)


def test_the_page_is_kept_for_all_who_ask_in_the_same_second(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        first = seen.client.get("/public?team=1")
        assert first.headers["vary"] == "HX-Request"
        assert seen.client.get("/public?team=1").text.split("data-now")[0] == first.text.split("data-now")[0]
        inside = seen.client.get("/public?team=1", headers={"HX-Request": "true"}).text
        assert ("<html" in inside, 'id="screen"' in inside) == (False, True)


def test_a_phone_chooses_its_team_and_keeps_what_it_opened(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=2) as seen:
        played(seen)
        director = seen.room.hub.director
        director.accept_sheet("director", 1, 1)
        with opened(browser, seen, "/public", width=390, height=844) as (page, said):
            page.get_by_label("Your team").select_option("1")
            arrived(page, f"{seen.origin}/public?team=1")
            page.locator("#round-1 summary").click()
            expect(page.locator("#round-1 tbody tr")).to_have_count(5)
            page.evaluate("window.opened = true; document.activeElement.blur()")
            director.announce("director", "Lunch is next door.")
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            expect(page.locator(".u-told")).to_have_text("Lunch is next door.")
            expect(page.locator("#round-1 tbody")).to_be_visible()
            assert page.evaluate("window.opened && document.documentElement.scrollWidth <= 390")
            assert said == []


def test_without_scripts_and_with_the_longest_names_it_reads_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=2, player="W" * 60) as seen:
        played(seen)
        seen.room.hub.director.accept_sheet("director", 1, 1)
        with opened(browser, seen, "/public", width=390, height=844, java_script_enabled=False) as (page, _said):
            page.get_by_label("Your team").select_option("2")
            page.get_by_role("button", name="Show").click()
            expect(page.locator(".u-table b")).to_have_text("1")
            for width in (390, 1024):
                page.set_viewport_size({"width": width, "height": 844})
                assert page.evaluate("document.documentElement.scrollWidth") <= width
