"""The bracket as people read it: who enters, who goes on, what a correction unsettled, who is champion."""

from __future__ import annotations

from pathlib import Path
from random import Random

from document_reader import flat, page_count
from hub_played_room import PlayedRoom, random_sheet, room, whist_hand
from web_site import site

from hub.documents.bracket import bracket_pdf
from hub.documents.paper import Paper
from hub.tournament.brackets import bracket_of
from hub.tournament.results import winning_side
from hub.web.picture import Picture
from hub.web.views.bracket import BracketView, PlaceView, bracket, cut_words, round_name
from hub.web.views.projector import projector
from hub.web.views.words import count_word
from tallybox.events.hub import StagePlanned
from tallybox.seats import Seat


def tied() -> PlayedRoom:
    """Four rounds after which three teams share a place, and the hands that part them are on."""
    made = room("capitol-4", 6)
    for _ in range(4):
        for table in made.post().tables.values():
            hands = [whist_hand([Seat.W, Seat.E][number % 2], 4, 10) for number in range(4)]
            made.enter(table, {"ruleset": table.state.playing.ruleset.name, "hands": hands})
        made.end()
    made.post()
    return made


def seen_by(made: PlayedRoom) -> BracketView:
    return bracket(Picture(made.now, made.tournament))


def qualified(teams: int = 16) -> PlayedRoom:
    made = room("mso", teams)
    for _ in range(4):
        made.round()
    return made


def test_before_the_play_offs_the_table_shows_who_would_enter_now() -> None:
    made = room("mso", 8)
    assert seen_by(made).cut_words == "Teams with 3 wins or more go on, seeded by the standings."
    made.round()
    view = seen_by(made)
    assert view.columns == ()
    assert view.sentence.startswith("The bracket is drawn when the qualifying rounds are over.")
    assert [row.through for row in view.cut] == [True, True, False, False, False, False, False, False]
    assert view.note.startswith("No team has at least 3 wins.")


def test_bracket_is_read_round_by_round_with_seeds_byes_and_sheets() -> None:
    made = qualified()
    made.post()
    view, stage = seen_by(made), made.tournament.stages[1]
    assert len(stage.teams) == 5
    assert [column.name for column in view.columns] == ["Quarter-finals", "Semi-finals", "Final"]
    first = view.columns[0].matches
    best = stage.teams[0]
    assert first[0].first == PlaceView(f"Team {best}", best, 1, f"North {best} · South {best}", won=True)
    assert (first[0].second, first[0].state, first[0].sheet) == (
        PlaceView("Bye", bye=True), "Goes on without playing", "",
    )  # fmt: skip
    assert (first[1].state, first[1].sheet, first[1].href) == ("Being played", "R5-T1", "/rounds/5/tables/1")
    assert view.columns[1].matches[0].second.words == "Winner of R1M2"
    assert [row.team for row in view.cut if row.through] == list(stage.teams)
    assert [row.last for row in view.cut].index(True) == 4


def test_winner_goes_on_with_points_and_the_last_one_is_champion() -> None:
    made = qualified()
    made.to_the_end()
    view = seen_by(made)
    final = view.columns[-1].matches[0]
    won = next(place for place in (final.first, final.second) if place.won)
    assert (final.name, final.state, won.team) == ("Final", "Played", view.champion)
    assert won.points
    for column, after in zip(view.columns, view.columns[1:], strict=False):
        goes_on = [place.team for match in column.matches for place in (match.first, match.second) if place.won]
        assert goes_on == [place.team for match in after.matches for place in (match.first, match.second)]


def test_correction_that_changes_the_winner_of_a_played_match_flags_the_next_one() -> None:
    made = qualified()
    made.round()
    made.post()
    made.play()
    played = made.tournament.rounds[4].tables[1]
    won = winning_side(played)
    assert won is not None
    assert seen_by(made).flags == ()
    made.director.award("dana", 5, 1, kind="forfeit", loser=won, reason="An ineligible player.")
    view = seen_by(made)
    stale = [match for column in view.columns for match in column.matches if match.stale]
    assert [(match.id, match.state, match.tone) for match in stale] == [
        ("R2M1", "A correction changed who belongs here", "caution")
    ]
    said = "Match R2M1 was played by teams that a corrected result would not put there. Let it stand, or have it "
    assert view.flags == (said + "played again.",)


def test_withdrawn_team_is_named_out_and_its_opponents_go_on_without_cards() -> None:
    made = qualified()
    made.round()
    stage = made.tournament.stages[1]
    semi = next(match for match in bracket_of(made.tournament, stage).matches if match.id == "R2M2")
    assert semi.teams is not None
    made.director.withdraw("dana", semi.teams[1], "Train home.")
    match = seen_by(made).columns[1].matches[1]
    assert (match.state, match.first.won, match.second.out) == ("The other team is out", True, True)


def test_every_stage_of_the_play_offs_is_drawn_the_last_one_first() -> None:
    planned = (
        StagePlanned(name="Groups", kind="swiss", rounds=2, hands=10, bye="win"),
        StagePlanned(name="First cup", kind="elimination", hands=10, top=4),
        StagePlanned(name="Second cup", kind="elimination", hands=10, top=2),
    )
    made = room("mso", 8, stages=planned)
    made.to_the_end()
    view = seen_by(made)
    assert [(stage.name, stage.tree, [column.name for column in stage.columns]) for stage in view.stages] == [
        ("First cup", True, ["Semi-finals", "Final"]), ("Second cup", True, ["Final"]),
    ]  # fmt: skip
    assert [stage.champion for stage in view.stages if stage.champion is None] == []
    assert (view.columns, view.champion) == (view.stages[1].columns, view.stages[1].champion)
    drawn = bracket_pdf(made.tournament, Paper.A4)
    assert drawn is not None
    assert [name in flat(drawn, page) for page, name in enumerate(("First cup", "Second cup"), 1)] == [True, True]
    assert page_count(drawn) == 2
    assert [slide.title for slide in projector(Picture(made.now, made.tournament), public=False).slides][-2:] == [
        "Second cup", "First cup",
    ]  # fmt: skip


def test_hands_for_a_shared_place_are_drawn_round_by_round() -> None:
    made = tied()
    view = seen_by(made)
    posted = made.tournament.rounds[-1]
    stage = view.stages[0]
    assert (view.title, view.sentence, stage.name, stage.tree) == ("Play-off", "", "Play-off", False)
    assert [column.name for column in stage.columns] == [f"Round {count_word(posted.number)}"]
    match = stage.columns[0].matches[0]
    assert (match.first.team, match.second.team) == posted.tables[1].teams
    assert (match.state, match.sheet, match.href) == ("Being played", "R5-T1", "/rounds/5/tables/1")
    assert stage.words.startswith("Teams ")
    made.play()
    match = seen_by(made).stages[0].columns[0].matches[0]
    assert ([match.first.won, match.second.won].count(True), match.state) == (1, "Played")


def test_tournament_without_a_bracket_lists_sit_outs_and_lots() -> None:
    made = room("capitol-5", 5)
    made.post()
    made.director.draw_lot("dana", (1, 2))
    view = seen_by(made)
    assert view.sentence == "This tournament has no bracket: the standings decide."
    assert view.rests == ("Round 1: team 5",)
    lot = made.tournament.lots[0]
    assert view.lots == (f"Lot for a place: {lot.order[0]}, {lot.order[1]} (seed {lot.seed})",)
    assert bracket(Picture(0)).sentence == "There is no tournament yet."


def test_rounds_of_the_bracket_have_the_names_people_use() -> None:
    assert [round_name(number, 5) for number in range(1, 6)] == [
        "Last 32", "Last 16", "Quarter-finals", "Semi-finals", "Final",
    ]  # fmt: skip
    planned = StagePlanned(name="Play-offs", kind="elimination", hands=10, top=8)
    assert cut_words(planned, first=False) == "The best 8 go on, seeded by the standings."
    assert cut_words(planned, first=True) == "Every team enters; the seeds are drawn by lot."


def test_page_is_a_list_of_lists_with_links_to_teams_and_sheets(tmp_path: Path) -> None:
    with site(tmp_path, tables=2, template="wsos") as seen:
        hub, luck = seen.room.hub, Random(4)
        for number in range(1, 5):
            if number > 1:
                hub.director.publish_round("director")
            posted = hub.tournament.rounds[-1]
            for table in posted.tables.values():
                hub.director.enter_sheet(
                    "director", number, table.table, sheet=random_sheet(table, luck), reason="From paper."
                )
                hub.director.accept_sheet("director", number, table.table)
            hub.director.end_round("director")
        hub.director.publish_round("director")
        page = seen.page("/bracket")
        region = page.one("section", cls="bracket")
        assert [heading.text for heading in region.all("h3")][-1] == "Final"
        assert all(node.attrs["aria-label"] for node in region.all("article"))
        assert region.all("a", href="/rounds/5/tables/1")[0].text == "R5-T1"
