"""Lists for the wall and the bracket: every team in its place, with the words that say why."""

from __future__ import annotations

from document_reader import flat, outside, overlapping, page_count, page_size, pdf_text
from hub_played_room import PlayedRoom, room

from hub.documents.bracket import bracket_pdf
from hub.documents.lists import pairings_by_team_pdf, pairings_pdf, standings_pdf
from hub.documents.paper import Paper
from hub.tournament.standings import standings
from hub.tournament.why import why
from tallybox.events.hub import StagePlanned
from tallybox.messages import Team


def named(made: PlayedRoom, name: str) -> PlayedRoom:
    """The same room with longer names."""
    teams = [Team(number=number, names=(f"{name} {number} A", f"{name} {number} B")) for number in range(1, 9)]
    made.tournament = type(made.tournament)()
    made.lines.clear()
    made.__post_init__()
    made.director.create_tournament("dana", template="capitol-4", title=name * 20, teams=teams, seed=3)
    return made


def test_pairings_are_listed_by_table_on_the_rounds_paper() -> None:
    made = room("capitol-5", 80)
    made.round()
    posted = made.post()
    document = pairings_pdf(made.tournament, posted, Paper.A4)
    text = flat(document)
    assert "Spring Open Round two Pairings by table · Sky sheet · round two of five · 5 hands · 25 minutes" in text
    for table in posted.tables.values():
        ns, ew = table.teams
        assert f"{table.table} {ns} North {ns} · South {ns} {ew} North {ew} · South {ew}" in text
    assert (page_count(document), outside(document), overlapping(document)) == (2, [], [])
    assert flat(document, 2).count("North–South") == 1


def test_pairings_are_listed_by_team_with_table_side_and_opponents() -> None:
    made = room("mso", 43)
    posted = made.post()
    for paper in Paper:
        document = pairings_by_team_pdf(made.tournament, posted, paper)
        text = flat(document)
        for table in posted.tables.values():
            ns, ew = table.teams
            assert f"{ns} North {ns} · South {ns} against team {ew} {table.table} NS" in text
            assert f"{ew} North {ew} · South {ew} against team {ns} {table.table} EW" in text
        (rests,) = posted.byes
        assert f"{rests} North {rests} · South {rests} sits out this round" in text
        assert (outside(document), overlapping(document)) == ([], [])


def test_standings_say_why_each_team_stands_where_it_does() -> None:
    made = room("capitol-5", 12)
    made.round()
    made.round()
    rows = standings(made.tournament)
    assert made.tournament.plan is not None
    game = made.tournament.plan.ruleset.game
    document = standings_pdf(made.tournament, Paper.A4)
    text = flat(document)
    assert "Standings After two of five rounds." in text
    for row in rows:
        names = f"North {row.team} · South {row.team}"
        assert f"{row.rank} {row.team} {names} {why(rows, row.team, game)} {row.hands_won} {row.points}" in text
    assert (outside(document), overlapping(document)) == ([], [])


def test_the_final_standings_of_a_whole_tournament_name_its_lots() -> None:
    made = room("mso", 24)
    made.to_the_end()
    text = flat(standings_pdf(made.tournament, Paper.LETTER))
    assert "Final." in text
    for lot in made.tournament.lots:
        assert f"from the seed {lot.seed}." in text
    assert "place 2 in the play-offs against 1." in text


def test_the_bracket_shows_points_winners_and_the_champion() -> None:
    made = room("mso", 24)
    assert bracket_pdf(made.tournament, Paper.A4) is None
    made.to_the_end()
    document = bracket_pdf(made.tournament, Paper.A4)
    assert document is not None
    text = flat(document)
    best = next(row.team for row in standings(made.tournament) if row.rank == 1)
    assert f"Champion: team {best}, North {best} · South {best}." in text
    assert ["Quarter-finals" in text, "Semi-finals" in text, "Final" in text] == [True, True, True]
    final = made.tournament.rounds[-1].tables[1]
    assert final.score is not None
    points = sorted(str(value).replace("-", "−") for value in final.score.totals.points.values())
    assert [value in text for value in points] == [True, True]
    width, height = page_size(document)
    assert width > height
    assert (outside(document), overlapping(document)) == ([], [])


def test_a_bracket_of_fifty_goes_over_pages_and_loses_no_match() -> None:
    made = room("wsos", 50, stages=(StagePlanned(name="Knock-out", kind="elimination", hands=10),))
    made.round()
    document = bracket_pdf(made.tournament, Paper.LETTER)
    assert document is not None
    text = pdf_text(document)
    assert page_count(document) == 5
    first = [number for number in range(1, 51) if f"North {number} · South {number}" in text]
    assert first == list(range(1, 51))
    assert text.count("bye") == 14
    assert "winner of R3M1" in text
    assert (outside(document), overlapping(document)) == ([], [])


def test_long_names_stay_in_their_columns() -> None:
    made = named(room("capitol-4", 8), "Maximiliana Featherstonehaugh-Cholmondeley"[:30])
    made.round()
    posted = made.post()
    for document in (
        pairings_pdf(made.tournament, posted, Paper.A4), pairings_by_team_pdf(made.tournament, posted, Paper.A4),
        standings_pdf(made.tournament, Paper.A4),
    ):  # fmt: skip
        assert (outside(document), overlapping(document)) == ([], [])


def test_letters_that_the_font_does_not_have_are_not_left_out_silently() -> None:
    made = named(room("capitol-4", 8), "Jose\u0301 Łukasz 日本 Ж")
    text = flat(standings_pdf(made.tournament, Paper.A4))
    assert "José Łukasz ?? ? 1 A" in text
