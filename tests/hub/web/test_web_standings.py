"""The standings: who stands where and by which number, provisional while sheets are missing, stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hub_played_room import PlayedRoom, room
from playwright.sync_api import Browser, expect
from web_browser import browser, opened
from web_site import Node, site

from hub.tournament.standings import Row, ranked
from hub.tournament.standings import standings as rows_of
from hub.tournament.why import why
from hub.web.picture import Picture
from hub.web.views.standings import SPADES, WHIST, Criterion, StandingsView, _compared, _whys, standings
from tallybox.calls import Game

__all__ = ["browser"]


def view(made: PlayedRoom, stage: int | None = None, team: int | None = None) -> StandingsView:
    return standings(Picture(made.now, made.tournament), stage, team)


def words(rows: Sequence[Row], game: Game = Game.BID_WHIST) -> list[tuple[int, int, str]]:
    said = _whys(tuple(rows), WHIST if game is Game.BID_WHIST else SPADES)
    return [(row.rank, row.team, text) for row, (text, _) in zip(rows, said, strict=True)]


def test_shared_ranks_skip_and_every_place_names_its_rival_and_the_number() -> None:
    rows = ranked(
        [
            Row(23, hands_won=9, points=47), Row(7, hands_won=8, points=45, bostons=3),
            Row(40, hands_won=8, points=43, bostons=1), Row(12, hands_won=8, points=41, bostons=2),
            Row(61, hands_won=8, points=41, bostons=1), Row(18, hands_won=7, points=44, bostons=2),
            Row(52, hands_won=7, points=44, bostons=2), Row(33, hands_won=6, points=40),
        ],
        Game.BID_WHIST,
    )  # fmt: skip
    assert words(rows) == [
        (1, 23, ""),
        (2, 7, "beats 40 on points, 45 to 43"),
        (3, 40, "behind 7 on points"),
        (4, 12, "behind 40 on points"),
        (5, 61, "behind 12 on Bostons"),
        (6, 18, "equal to 52 in everything: shared"),
        (6, 52, "equal to 18 in everything: shared"),
        (8, 33, ""),
    ]


def test_comparison_goes_tie_break_by_tie_break_until_one_decides() -> None:
    rows = ranked(
        [
            Row(7, hands_won=8, points=45, bostons=3), Row(40, hands_won=8, points=43, bostons=1),
            Row(3, hands_won=8, points=43, bostons=1),
        ],
        Game.BID_WHIST,
    )  # fmt: skip
    seventh = _compared(rows, rows[0], WHIST, Game.BID_WHIST)
    assert (seventh.title, seventh.rival) == ("Why is team 7 at place 1?", 3)
    assert seventh.steps == (
        Criterion("Hands won", "8", "8", "equal"), Criterion("Points", "45", "43", "decides"),
        Criterion("Bostons", "3", "1", "not needed"),
    )  # fmt: skip
    shared = _compared(rows, rows[2], WHIST, Game.BID_WHIST)
    assert (shared.rival, [step.verdict for step in shared.steps]) == (3, ["equal"] * 3)
    assert shared.sentence == why(rows, 40, Game.BID_WHIST)


def test_play_off_and_lot_are_steps_of_the_comparison_where_they_were_needed() -> None:
    rows = ranked(
        [
            Row(1, hands_won=5, play_off=(1,)), Row(2, hands_won=5, play_off=(0,)),
            Row(3, hands_won=5, play_off=(0,), lot=2), Row(4, hands_won=5, play_off=(0,), lot=1),
        ],
        Game.BID_WHIST,
    )  # fmt: skip
    assert words(rows)[-1] == (4, 1, "behind 3 by the one-hand play-off")
    last = _compared(rows, rows[-1], WHIST, Game.BID_WHIST)
    assert last.steps[3:] == (
        Criterion("One-hand play-off", "lost", "won", "decides"), Criterion("Lot", "none", "2", "not needed"),
    )  # fmt: skip


def test_spades_count_fewer_bags_as_better() -> None:
    rows = ranked([Row(1, wins=3, net_points=40, bags=9), Row(2, wins=3, net_points=40, bags=4)], Game.SPADES)
    assert words(rows, Game.SPADES) == [(1, 2, "beats 1 on fewer bags, 4 to 9"), (2, 1, "behind 2 on bags")]


def test_standings_are_provisional_while_sheets_are_missing() -> None:
    made = room("capitol-5", 8)
    made.post()
    assert view(made).provisional == "Provisional: 4 sheets of round one are not accepted yet."
    made.play([1, 2, 3])
    assert view(made).provisional == "Provisional: 1 sheet of round one is not accepted yet."
    made.play()
    assert view(made).provisional == ""


@pytest.mark.parametrize("template", ["capitol-5", "mso", "wsos"])
def test_every_ruleset_ranks_with_its_own_figures_and_draws_the_line_of_its_play_offs(template: str) -> None:
    made = room(template, 12)
    for _ in range(2):
        made.round()
    seen = view(made)
    rows = rows_of(made.tournament)
    columns = WHIST if template == "capitol-5" else SPADES
    assert [(row.rank, row.team) for row in seen.rows] == [(row.rank, row.team) for row in rows]
    assert [[cell.text.replace("−", "-") for cell in row.cells] for row in seen.rows] == [
        [str(column.value(row)) for column in columns] for row in rows
    ]
    above = [place for place, row in enumerate(seen.rows, 1) if row.cut]
    if template == "capitol-5":
        assert above == [4]
    else:
        assert above == ([count] if (count := sum(row.wins >= 3 for row in rows)) else [])
    assert seen.compared is not None
    assert seen.compared.sentence == why(rows, seen.compared.team, Game.BID_WHIST if columns is WHIST else Game.SPADES)


@pytest.mark.parametrize("template", ["mso", "wsos"])
def test_play_offs_rank_by_the_bracket_and_the_qualifying_stays_to_be_seen(template: str) -> None:
    made = room(template, 12)
    made.to_the_end()
    end = view(made)
    assert [stage.name for stage in end.stages] == ["Qualifying", "Play-offs"]
    assert [stage.chosen for stage in end.stages] == [False, True]
    assert (end.placed, end.provisional, end.cut) == (True, "", "")
    assert end.rows[1].why == f"behind {end.rows[0].team} in the play-offs"
    before = view(made, stage=1)
    assert ([stage.chosen for stage in before.stages], before.placed) == ([True, False], False)
    games = sum(int(row.cells[0].text) for row in before.rows)
    assert games == sum(len(posted.tables) + len(posted.byes) for posted in made.tournament.rounds_of(1))
    assert before.cut == "Above the line: 3 wins or more, enough for “Play-offs”."


def test_disqualified_team_stands_at_the_end_without_a_rank() -> None:
    made = room("capitol-5", 8)
    made.round()
    first = view(made).rows[0].team
    made.director.disqualify("dana", first, "left the room with the bid deck")
    seen = view(made, team=first)
    assert (seen.rows[-1].rank, seen.rows[-1].team, seen.rows[-1].why) == (0, first, "does not rank")
    assert seen.rows[0].rank == 1
    assert seen.compared is not None
    assert (seen.compared.title, seen.compared.rival, seen.compared.steps) == (
        f"Why does team {first} not rank?", None, (),
    )  # fmt: skip


def cells(row: Node) -> list[str]:
    return [cell.text for cell in row.children if not isinstance(cell, str)]


def test_row_opens_its_comparison_in_place(tmp_path: Path, browser: Browser) -> None:
    with site(tmp_path, tables=2) as seen:
        seen.room.seat_all()
        for box, books in zip(seen.room.boxes.values(), (3, 2), strict=True):
            box.open().deal().auction("4", "pass", "pass", "pass").lock().books(books).agree()
        seen.room.flush()
        page = seen.page("/standings?team=4")
        assert page.one("section", id="compared").one("h2").text == "Why is team 4 at place 1?"
        assert [cells(row) for row in page.one("table", cls="compared").one("tbody").all("tr")] == [
            ["Hands won", "1", "1", "equal"], ["Points", "5", "4", "decides"], ["Bostons", "0", "0", "not needed"],
        ]  # fmt: skip
        assert page.one("p", id="provisional").text == (
            "Provisional: 2 sheets of round one are not accepted yet. Which they are"
        )
        assert seen.page("/standings?team=x&stage=9").one("section", id="compared").one("h2").text == (
            "Why is team 2 at place 2?"
        )
        with opened(browser, seen, "/standings") as (shown, complaints):
            shown.evaluate("window.opened = true")
            shown.locator("#team-3 .row-link").click()
            expect(shown.locator("#compared h2")).to_have_text("Why is team 3 at place 3?")
            expect(shown.locator("#by-round h2")).to_have_text("Team 3, round by round")
            assert shown.evaluate("window.opened")
            assert shown.evaluate("location.search") == "?team=3"
            assert complaints == []
