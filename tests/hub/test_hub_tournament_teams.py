"""Teams that come late, leave, send proxies, fill a place or are put out, and what it does to rounds and ranking."""

from __future__ import annotations

import pytest
from hub_played_room import PlayedRoom, room, whist_hand

from hub.desk.deeds import Deeds
from hub.errors import HubError
from hub.tournament.results import Kind, results
from hub.tournament.stages import Override
from hub.tournament.standings import standing_rows, standings
from hub.tournament.teams import Note, Proxy
from hub.tournament.templates import arranged, template
from hub.tournament.warnings import warnings
from hub.tournament.why import why
from tallybox.calls import Game
from tallybox.rules.ruleset import builtin, with_settings
from tallybox.seats import Seat, Side


def seated(made: PlayedRoom) -> set[int]:
    return {team for table in made.current.tables.values() for team in table.teams}


def test_teams_are_numbered_with_gaps_and_their_names_change_only_before_play() -> None:
    made = room("capitol-4", 2)
    made.director.register_team("dana", ("Ada  Low", " Ben Hill "), 40)
    made.director.register_team("dana", ("Cy Dunn", "Di Marsh"))
    made.director.register_team("dana", ("Ada Lowe", "Ben Hill"), 40)
    assert {number: team.names for number, team in made.tournament.teams.items()} == {
        1: ("North 1", "South 1"),
        2: ("North 2", "South 2"),
        40: ("Ada Lowe", "Ben Hill"),
        41: ("Cy Dunn", "Di Marsh"),
    }
    made.post()
    with pytest.raises(HubError, match="Number 40 is taken"):
        made.director.register_team("dana", ("Eve", "Flo"), 40)
    for names, said in ((("", "Flo"), "no name"), (("x" * 65, "Flo"), "to 64 characters")):
        with pytest.raises(HubError, match=said):
            made.director.register_team("dana", names)
    with pytest.raises(HubError, match="numbered from 1 to 9999"):
        made.director.register_team("dana", ("Eve", "Flo"), 10_000)


def test_the_first_round_waits_for_teams_that_are_not_checked_in() -> None:
    made = room("capitol-4", 4)
    for team in (1, 2, 3):
        made.director.check_in("dana", team)
    assert [warned.message for warned in warnings(made.tournament) if warned.code == "not-checked-in"] == [
        "Team 4 is not checked in. Check it in, or withdraw it."
    ]
    with pytest.raises(HubError, match="Team 4 is not checked in") as refused:
        made.director.publish_round("dana")
    assert refused.value.code == "not-checked-in"
    made.director.publish_round("dana", "They park the car.")
    assert made.tournament.overrides == (Override("not-checked-in", "They park the car.", "dana", 1),)
    other = room("capitol-4", 5)
    for team in (1, 2, 3, 4, 5):
        other.director.check_in("dana", team)
    other.director.check_in("dana", 4, here=False)
    other.director.withdraw("dana", 4)
    other.director.publish_round("dana")
    assert seated(other) == {1, 2, 3, 5}


def test_a_late_team_takes_the_place_that_somebody_left_in_a_rotation() -> None:
    made = room("capitol-4", 7)
    made.round()
    assert made.current.byes == (7,)
    made.director.register_team("dana", ("Late", "Comers"))
    assert made.tournament.stages[0].places == (1, 2, 3, 4, 5, 6, 7, 8)
    made.post()
    assert [len(posted.byes) for posted in made.tournament.rounds] == [1, 0]
    assert seated(made) == set(range(1, 9))
    made.play()
    made.end()
    made.director.withdraw("dana", 3)
    made.director.register_team("dana", ("Later", "Still"))
    assert made.tournament.stages[0].places == (1, 2, 9, 4, 5, 6, 7, 8)
    made.to_the_end()
    assert [entrant.late for entrant in made.tournament.entrants.values()] == [False] * 7 + [True, True]
    met = [frozenset(table.teams) for posted in made.tournament.rounds_of(1) for table in posted.tables.values()]
    assert len(met) == len(set(met))


def test_a_late_team_is_paired_into_the_next_swiss_round() -> None:
    made = room("mso", 7)
    made.round()
    made.director.register_team("dana", ("Late", "Comers"), 70)
    made.post()
    assert (made.current.byes, 70 in seated(made)) == ((), True)


def test_brackets_and_begun_round_robins_take_no_late_team() -> None:
    made = room("wsos", 4, stages=arranged(template("wsos"), "round_robin"))
    made.director.draft_round("dana")
    made.director.register_team("dana", ("Just", "In time"))
    made.post()
    made.play()
    made.end()
    with pytest.raises(HubError, match="“Round robin” has begun and takes no more teams"):
        made.director.register_team("dana", ("Too", "Late"))
    other = room("wsos", 4, stages=arranged(template("wsos"), "elimination"))
    other.post()
    with pytest.raises(HubError, match="“Elimination” has begun"):
        other.director.register_team("dana", ("Too", "Late"))


def test_wishes_10_and_12_a_team_that_leaves_in_mid_round_forfeits_its_open_table_and_is_paired_no_more() -> None:
    made = room("mso", 8)
    made.post()
    table = made.current.tables[2]
    made.director.withdraw("dana", table.pairing.ew, "Unwell.")
    lost = results(made.tournament)[1]
    assert (lost.kind, lost.winner, lost.final) == (Kind.FORFEIT, table.pairing.ns, True)
    rows = {row.team: row for row in standings(made.tournament)}
    assert (rows[table.pairing.ns].wins, rows[table.pairing.ew].forfeits) == (1, 1)
    made.play()
    made.end()
    made.to_the_end()
    for posted in made.tournament.rounds[1:]:
        assert posted.table_of(table.pairing.ew) is None
        assert table.pairing.ew not in posted.byes


def test_q_44_whoever_leaves_a_round_of_bid_whist_gives_the_unfinished_hands_away() -> None:
    made = room("capitol-4", 4)
    made.post()
    made.director.withdraw("dana", 2)
    rows = {row.team: (row.hands_won, row.points, row.forfeits) for row in standings(made.tournament)}
    assert (rows[1], rows[2]) == ((4, 20, 0), (0, 0, 1))


def test_a_game_played_to_its_end_is_no_forfeit_when_its_team_leaves_before_the_sheet_is_taken() -> None:
    made = room("mso", 4)
    made.post()
    made.play([1])
    before = results(made.tournament)
    made.director.withdraw("dana", made.current.tables[1].pairing.ns)
    assert results(made.tournament) == before


def test_a_team_that_leaves_a_posted_round_forfeits_when_it_starts_unless_another_takes_its_place() -> None:
    made = room("mso", 7)
    made.director.publish_round("dana")
    one, two = made.current.tables[1], made.current.tables[2]
    (resting,) = made.current.byes
    made.director.withdraw("dana", one.pairing.ns)
    made.director.withdraw("dana", two.pairing.ns)
    assert {warned.table for warned in warnings(made.tournament) if warned.code == "team-out"} == {1, 2}
    made.director.draft_round("dana")
    with pytest.raises(HubError, match="is out"):
        made.director.change_pairing("dana", one.pairing.ns, resting, "Somebody rests already.")
    made.director.publish_round("dana")
    assert seated(made) | set(made.current.byes) == set(range(1, 8)) - {one.pairing.ns, two.pairing.ns}
    gone = made.current.tables[1]
    made.director.withdraw("dana", gone.pairing.ns)
    made.director.withdraw("dana", gone.pairing.ew)
    made.start()
    assert made.current.tables[1].lost_by == frozenset(Side)
    assert results(made.tournament)[0].winner is None
    made.play()
    made.end()


def test_a_draft_with_a_team_that_left_is_not_posted() -> None:
    made = room("mso", 6)
    made.director.draft_round("dana")
    draft = made.tournament.draft
    assert draft is not None
    made.director.withdraw("dana", draft.pairings[2].ew)
    with pytest.raises(HubError, match=r"stands in the draft at table 3. Draft the round again"):
        made.director.publish_round("dana")
    made.director.draft_round("dana")
    made.director.publish_round("dana")


def test_a_team_comes_back_from_the_next_round_on() -> None:
    made = room("capitol-4", 6)
    made.round()
    made.director.withdraw("dana", 4)
    with pytest.raises(HubError, match="Team 4 is out already"):
        made.director.withdraw("dana", 4)
    made.round()
    assert made.current.table_of(4) is None
    made.director.bring_back("dana", 4)
    with pytest.raises(HubError, match="Team 4 has not withdrawn"):
        made.director.bring_back("dana", 4)
    made.round()
    assert made.current.table_of(4) is not None


def test_a_bracket_goes_on_without_a_team_that_left_it() -> None:
    made = room("wsos", 5, stages=arranged(template("wsos"), "elimination"))
    made.round()
    seeds = made.tournament.stages[0].teams
    made.director.withdraw("dana", seeds[0])
    made.director.draft_round("dana")
    draft = made.tournament.draft
    assert draft is not None
    assert all(seeds[0] not in (pair.ns, pair.ew) for pair in draft.pairings)
    made.to_the_end()
    ranks = {row.team: row.rank for row in standings(made.tournament)}
    assert ranks[seeds[0]] == 3


def test_when_all_but_one_leave_a_bracket_the_last_one_has_won_it() -> None:
    made = room("wsos", 4, stages=arranged(template("wsos"), "elimination"))
    made.post()
    made.play()
    winners = [result.winner for result in results(made.tournament)]
    made.director.withdraw("dana", winners[0] or 0)
    made.end()
    assert made.tournament.over
    assert [row.rank for row in standings(made.tournament) if row.team in winners] == [1, 2]
    assert standings(made.tournament)[0].team == winners[1]


def test_a_filler_team_makes_the_number_even_and_has_no_rank() -> None:
    made = room("capitol-4", 3)
    made.director.register_team("dana", ("Staff", "Staff too"), filler=True)
    made.to_the_end()
    rows = standings(made.tournament)
    assert [row.team for row in rows if row.rank == 0] == [4]
    assert sorted(row.rank for row in rows) == [0, 1, 2, 3]
    assert {row.team for row in standing_rows(made.tournament)} == {1, 2, 3}
    assert why(rows, 4, Game.BID_WHIST) == "Team 4 plays without a rank: it is a filler team, or it is disqualified."
    assert all(not posted.byes for posted in made.tournament.rounds_of(1))


def test_a_proxy_plays_and_the_team_stays_the_team() -> None:
    made = room("capitol-4", 4)
    made.round()
    made.director.substitute("dana", 3, 2, "Gus Penn", "South 3 fell ill.", hand=1)
    made.post()
    table = made.current.table_of(3)
    assert table is not None
    assert table.state.playing.teams[table.side_of(3)].names == ("North 3", "Gus Penn")
    entrant = made.tournament.entrants[3]
    assert (entrant.names, entrant.proxies) == (
        ("North 3", "South 3"), (Proxy(2, "Gus Penn", "South 3 fell ill.", 1, 1),),
    )  # fmt: skip
    for player, name, said in ((3, "Gus", "players 1 and 2"), (1, " ", "no name")):
        with pytest.raises(HubError, match=said):
            made.director.substitute("dana", 3, player, name, "Ill.")


def test_c_21_a_disqualified_team_loses_its_open_table_keeps_its_results_and_does_not_rank() -> None:
    made = room("wsos", 8)
    made.round()
    table = made.tournament.rounds[0].tables[1]
    won = results(made.tournament)[0].winner
    assert won is not None
    made.post()
    made.director.disqualify("dana", won, "Signals between partners.")
    lost = next(result for result in results(made.tournament) if result.round == 2 and won in result.teams)
    assert lost.kind is Kind.DISQUALIFIED
    assert lost.winner not in (None, won)
    assert results(made.tournament)[0].winner == won
    assert [row.team for row in standings(made.tournament) if row.rank == 0] == [won]
    made.play()
    made.end()
    made.to_the_end()
    assert all(posted.table_of(won) is None for posted in made.tournament.rounds[2:])
    assert made.tournament.rounds[0].tables[1].score == table.score
    for act in (made.director.disqualify, made.director.withdraw):
        with pytest.raises(HubError, match="already"):
            act("dana", won, "Again.")
    with pytest.raises(HubError, match="has not withdrawn"):
        made.director.bring_back("dana", won)


def test_q_50_strip_gives_the_games_of_a_disqualified_team_to_its_opponents() -> None:
    ruleset = with_settings(builtin("wsos-2007-spades"), {"dq_policy": "strip"})
    made = PlayedRoom(room("wsos", 4).luck)
    made.director.create_tournament(
        "dana",
        template="wsos",
        title="Spring Open",
        teams=list(room("wsos", 4).tournament.teams.values()),
        ruleset=ruleset,
    )
    made.round()
    first = results(made.tournament)[0]
    assert first.winner is not None
    made.director.disqualify("dana", first.winner, "Signals between partners.")
    after = results(made.tournament)[0]
    assert (after.kind, after.winner) == (Kind.DISQUALIFIED, next(team for team in first.teams if team != first.winner))


def test_case_22_a_late_award_has_an_explicit_winner_and_counts_hands_and_points() -> None:
    made = room("capitol-5", 4)
    made.post()
    table = made.current.tables[1]
    hands = [whist_hand(Seat.W, 4, 10) for _ in range(3)]
    made.director.mark_late("dana", 1, 1, Side.EW)
    made.director.end_clock("dana")
    made.enter(table, {"ruleset": table.state.playing.ruleset.name, "hands": hands})
    made.director.award("dana", 1, 1, kind="late", loser=Side.EW, hands=2)
    result = results(made.tournament)[0]
    assert (result.kind, result.winner, result.points) == (Kind.LATE, 1, {1: 22, 2: 0})
    rows = {row.team: (row.hands_won, row.points) for row in standings(made.tournament)}
    assert (rows[1], rows[2]) == ((5, 22), (0, 0))


def test_conduct_is_noted_and_changes_no_score() -> None:
    made = room("capitol-4", 4)
    made.round()
    before = standings(made.tournament)
    made.director.note_conduct("mona", 2, "Argued at table 1; warned.")
    assert made.tournament.entrants[2].notes == (Note("Argued at table 1; warned.", "mona", 1),)
    assert standings(made.tournament) == before
    with pytest.raises(HubError, match="There is no team 9"):
        made.director.note_conduct("mona", 9, "Who?")
    with pytest.raises(HubError, match="Write down what happened"):
        made.director.note_conduct("mona", 2, "")


def test_a_lot_may_be_drawn_for_a_shared_place() -> None:
    made = room("wsos", 4)
    made.director.draw_lot("dana", (4, 2))
    assert made.tournament.lots[0].teams == (2, 4)
    assert made.tournament.lots[0].what == "place"
    with pytest.raises(HubError, match="two or more registered teams"):
        made.director.draw_lot("dana", (4, 9))


def test_a_late_team_and_the_draft_with_it_are_one_act_or_none() -> None:
    made = room("capitol-5", 4)
    made.director.draft_round("dana", hands=3, minutes=0)
    acts: list[int] = []
    journal = made._journal

    def counted(deeds: Deeds) -> None:
        acts.append(len(deeds))
        journal(deeds)

    made._journal = counted  # type: ignore[method-assign]
    made.director.enter_late("dana", ("Late", "Comers"))
    draft = made.tournament.draft
    assert draft is not None
    assert ([many for many in acts if many], draft.byes, draft.hands, draft.minutes) == ([2], (5,), 3, None)
    with pytest.raises(HubError) as no:
        made.director.enter_late("dana", ("late", "COMERS"))
    assert (no.value.code, made.tournament.draft, max(made.tournament.entrants)) == ("team-known", draft, 5)
