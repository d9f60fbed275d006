"""Teams at the desk: found and checked in by one tap, entered from a list, played for, withdrawn, noted, on record."""

from __future__ import annotations

from pathlib import Path

import httpx
from hub_played_room import room
from web_site import Node, Site, read, site

from hub.web.guard import MOST_FIELDS
from hub.web.pages.teams import MOST
from hub.web.picture import Picture
from hub.web.views.team import next_seat, team
from hub.web.views.teams import teams
from tallybox.events import table as ev
from tallybox.seats import Side


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def roster(page: Node) -> list[str]:
    return [row.one("a", cls="tn").text for row in page.one("ol", cls="roster").all("li") if not row.classes & {"none"}]


def cases(page: Node) -> list[str]:
    return [case.one("span").text for case in page.one("ol", cls="cases").all("li")]


def test_team_is_checked_in_by_one_tap_and_back(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        assert said(seen.post("/teams/3/check-in", htmx=True).text) == "Team 3 is here."
        page = seen.page("/teams?show=absent")
        assert roster(page) == ["1", "2", "4"]
        assert page.one("p", cls="headcount").text == "1 of 4 here"
        assert said(seen.post("/teams/3/check-in", htmx=True, here="no").text) == "Team 3 is not here after all."
        assert roster(seen.page("/teams?show=here")) == []
        assert said(seen.post("/teams/9/check-in", htmx=True).text).startswith("There is no team 9.")


def test_teams_are_found_by_number_or_name_and_say_where_they_sit(tmp_path: Path) -> None:
    with site(tmp_path, tables=6) as seen:
        assert roster(seen.page("/teams?find=1")) == ["1", "10", "11", "12"]
        assert roster(seen.page("/teams?find=player+7")) == ["7"]
        page = seen.page("/teams?find=nobody")
        assert page.one("li", cls="none").text == "No team has “nobody” in its number or names."
        row = seen.page("/teams?find=7").one("ol", cls="roster").one("li")
        assert row.one("small").text == "table 4, North–South"


def test_list_is_looked_at_before_it_is_entered_and_every_fault_has_its_line(tmp_path: Path) -> None:
    with site(tmp_path, tables=1) as seen:
        before = seen.room.hub.tournament.seq
        bad = seen.post("/teams/import/preview", list="number,player 1,player 2\n7,Ines Ruiz,\nx,Ada,Bea\n")
        page = read(bad.text)
        assert [(line.one("b").text, line.one("small").text) for line in page.one(id="faults-of-list").all("li")] == [
            ("Line 2", "The second player has no name. Write down both players."),
            ("Line 3", "“x” is no team number. Write one from 1 to 9999, or leave it empty."),
        ]  # fmt: skip
        assert page.one("textarea", id="list").text == "number,player 1,player 2 7,Ines Ruiz, x,Ada,Bea"
        assert seen.room.hub.tournament.seq == before
        good = read(seen.post("/teams/import/preview", list="Ines Ruiz;Olga Marsh\nAda Bloom;Bea Cole").text)
        assert [row.text for row in good.one("tbody").all("tr")] == [
            "3 Ines Ruiz Olga Marsh", "4 Ada Bloom Bea Cole",
        ]  # fmt: skip
        assert seen.room.hub.tournament.seq == before
        kept = good.one("form", id="enter-list").one("input", name="list").attrs["value"]
        answer = seen.post("/teams/import/enter", htmx=True, list=kept)
        assert (said(answer.text), answer.headers["hx-redirect"]) == ("2 teams are entered.", "/teams")
        assert [seen.room.hub.tournament.entrants[number].names for number in (3, 4)] == [
            ("Ines Ruiz", "Olga Marsh"), ("Ada Bloom", "Bea Cole"),
        ]  # fmt: skip


def test_list_comes_as_a_file_too_and_what_is_no_form_is_refused(tmp_path: Path) -> None:
    with site(tmp_path, tables=1) as seen:
        content = "number;player 1;player 2\n7;Inés Muñoz;Zoë Brønd\n".encode("latin-1")
        page = read(_upload(seen, content).text)
        assert [row.text for row in page.one("tbody").all("tr")] == ["7 Inés Muñoz Zoë Brønd"]
        headers = {"Origin": seen.origin, "Content-Type": "multipart/form-data; boundary=x"}
        broken = seen.client.post("/teams/import/preview", content=b"nothing", headers=headers)
        assert (broken.status_code, "The form cannot be read." in broken.text) == (400, True)
        large = seen.client.post("/teams/import/preview", content=b"x" * (MOST + 1), headers=headers)
        assert large.status_code == 413
        stale = seen.client.post(
            "/teams/import/preview", files={"file": ("t.csv", content)}, data={"token": "0"},
            headers={"Origin": seen.origin},
        )  # fmt: skip
        assert stale.status_code == 403
        many = {f"f{each}": "" for each in range(MOST_FIELDS + 2)}
        crowd = seen.client.post(
            "/teams/import/preview", files={"file": ("t.csv", content)}, data=many, headers={"Origin": seen.origin}
        )
        assert crowd.status_code == 400
        too_long = read(_upload(seen, b"A,B\n" * 600).text)
        assert too_long.one(id="faults-of-list").one("small").text.startswith("The list has more than 500 ")


def test_late_team_is_entered_withdrawn_and_brought_back(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        answer = seen.post("/teams/enter", htmx=True, number="", one="Ines Ruiz", two="Olga Marsh")
        assert said(answer.text) == "Team 5 is entered."
        nameless = seen.post("/teams/enter", htmx=True, one="Ines Ruiz", two=" ")
        assert said(nameless.text) == "A player has no name. Write down both players."
        seen.post("/teams/5/withdraw", reason="")
        assert seen.page("/teams/5").one("p", cls="next-seat").text == "It plays no further round."
        seen.post("/teams/5/bring-back", reason="They stay.")
        assert seen.page("/teams/5").one("p", cls="next-seat").text == "It sits out in round one."


def test_proxy_plays_and_the_team_stays_the_team(tmp_path: Path) -> None:
    with site(tmp_path, tables=1) as seen:
        seen.post("/teams/1/substitute", player="2", name="Ada Bloom", reason="Ill.", hand="3")
        page = seen.page("/teams/1")
        assert page.one("p", cls="name").text == "Player 1 A · Ada Bloom"
        assert page.one("section", cls="identity").all("p")[1].text == "Entered as Player 1 A · Player 1 B"
        wrong = seen.post("/teams/1/substitute", htmx=True, player="3", name="Ada", reason="Ill.")
        assert said(wrong.text) == "Player cannot be “3”. Write a whole number from 1 to 2."


def test_case_record_tells_everything_about_a_team_in_order_of_time(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        box = seen.room.boxes[1]
        box.do(ev.DirectorCalled(reason="Misdeal"))
        seen.room.flush()
        director = seen.room.hub.director
        director.note_conduct("director", 2, "Discussed the bid.")
        director.mark_late("director", 1, 2, Side.EW)
        director.award("director", 1, 1, kind="forfeit", loser=Side.EW, reason="Left the room.")
        director.withdraw("director", 2, "Train home.")
        page = seen.page("/teams/2")
        assert cases(page) == [
            "Team 2 entered: Player 2 A · Player 2 B.",
            "The table called the director. “Misdeal”",
            "Conduct of team 2: “Discussed the bid.”",
            "Forfeit: East–West loses. “Left the room.”",
            "Team 2 withdrew. “Train home.”",
        ]
        assert page.one("ol", cls="cases").all("li")[1].one("a").attrs["href"] == "/rounds/1/tables/1"
        assert "marked late" not in seen.client.get("/teams/1").text
        seen.room.hub.director.draw_lot("director", (3, 4))
        assert [case for case in cases(seen.page("/teams/3")) if case.startswith("Lots were drawn")] != []
        assert [case for case in cases(seen.page("/teams/1")) if case.startswith("Lots were drawn")] == []
        assert "East–West was marked late." in cases(seen.page("/teams/4"))
        assert "East–West was marked late." not in cases(seen.page("/teams/3"))


def test_disqualified_team_is_out_and_the_list_says_so(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        silent = seen.post("/teams/4/disqualify", htmx=True, reason="")
        assert said(silent.text) == "Write down why the team is disqualified."
        seen.post("/teams/4/disqualify", reason="Played on after the second warning.")
        assert roster(seen.page("/teams?show=out")) == ["4"]
        page = seen.page("/teams/4")
        assert [tag.text for tag in page.one("section", cls="identity").all("span", cls="tag")] == ["Disqualified"]
        assert page.all("details", id="disqualify") == []


def test_page_of_a_team_lists_its_results_with_points_and_how_they_came() -> None:
    made = room("mso", 6)
    made.round()
    made.post()
    number = made.tournament.rounds[0].pairings[0].ns
    table = made.current.table_of(number)
    assert table is not None
    side = table.side_of(number)
    made.director.award("dana", 2, table.table, kind="forfeit", loser=side.other, reason="Never came.")
    view = team(Picture(made.now, made.tournament), number, ())
    assert view is not None
    assert [(row.round, row.outcome.split(",")[0]) for row in view.results][1:] == [(2, "won")]
    assert view.results[1].outcome == "won, forfeit"
    assert view.results[0].sheet == "R1-T1"
    assert team(Picture(made.now, made.tournament), 99, ()) is None


def test_next_seat_is_told_as_far_as_it_is_known() -> None:
    made = room("capitol-5", 8)
    assert next_seat(made.tournament, 1) == ("No round is posted yet.", "")
    made.post()
    assert next_seat(made.tournament, 1) == ("Round one: table 1, North–South, against team 2.", "/tables/1")
    made.play()
    made.end()
    said_next, href = next_seat(made.tournament, 1)
    assert (said_next.startswith("Round two: table "), href) == (True, "")
    swiss = room("mso", 8)
    swiss.round()
    assert next_seat(swiss.tournament, 1) == ("Round two is not posted yet.", "")
    swiss.to_the_end()
    assert next_seat(swiss.tournament, 1) == ("The tournament is over.", "")


def test_filters_show_what_there_is() -> None:
    made = room("capitol-5", 4)
    made.director.register_team("dana", ("Ines", "Olga"), filler=True)
    view = teams(Picture(made.now, made.tournament), "filler")
    assert [(pill.key, pill.count) for pill in view.filters] == [("all", 5), ("absent", 4), ("filler", 1)]
    assert [row.number for row in view.rows] == [5]
    assert teams(Picture(made.now, made.tournament), "odd").shown == "all"
    assert not teams(Picture(0)).exists


def _upload(seen: Site, content: bytes) -> httpx.Response:
    return seen.client.post(
        "/teams/import/preview", files={"file": ("teams.csv", content, "text/csv")}, data={"token": seen.token},
        headers={"Origin": seen.origin},
    )  # fmt: skip
