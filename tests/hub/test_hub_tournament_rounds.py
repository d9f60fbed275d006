"""From draft to draft: gates with their reasons, re-pairing by hand, byes, corrections and what they unsettle."""

from __future__ import annotations

import pytest
from hub_played_room import PlayedRoom, room, whist_hand

from hub.errors import HubError
from hub.tournament.brackets import bracket_of
from hub.tournament.next_round import rounds_in_all
from hub.tournament.results import Kind, results
from hub.tournament.stages import Override
from hub.tournament.standings import average, standings
from hub.tournament.state import Stage, TableRound
from hub.tournament.warnings import flags, warnings
from tallybox.events.hub import Pairing
from tallybox.seats import Seat, Side, calling_order


def types(made: PlayedRoom) -> list[str]:
    return [str(line.event["type"]) for line in made.lines]


def test_a_draft_is_the_desks_alone_until_it_is_posted() -> None:
    made = room("capitol-4", 6)
    made.director.draft_round("dana", hands=3, minutes=18)
    draft = made.tournament.draft
    assert draft is not None
    assert (made.tournament.rounds, draft.number, draft.hands, draft.minutes) == ((), 1, 3, 18)
    made.director.publish_round("dana")
    posted = made.current
    assert (posted.pairings, posted.hands, posted.minutes) == (draft.pairings, 3, 18)
    assert made.tournament.draft is None
    assert (posted.stage, made.tournament.clock.seconds) == (Stage.PUBLISHED, 18 * 60)


@pytest.mark.parametrize(
    ("done", "reason", "then"),
    [
        ("start", "The posted round was started instead.", "round.started"),
        ("end", "The posted round was ended.", "round.ended"),
        ("stage", "The stage was ended.", "stage.ended"),
    ],
)
def test_an_open_draft_is_laid_aside_by_an_event_before_what_outdoes_it(done: str, reason: str, then: str) -> None:
    made = room("wsos" if done == "stage" else "capitol-4", 6)
    if done == "stage":
        made.round()
    else:
        made.director.publish_round("dana")
    made.director.draft_round("dana")
    drafted = made.tournament.draft
    assert drafted is not None
    if done == "start":
        made.start()
    elif done == "end":
        made.director.end_round("dana", "Nobody came.")
    else:
        made.director.end_stage("dana", "The hall closes.")
    seen = types(made)
    at = max(place for place, kind in enumerate(seen) if kind == "draft.dropped")
    event = made.lines[at].event
    assert (event["body"], event["round"]) == ({"actor": "dana", "reason": reason}, drafted.number)
    assert (seen.count("draft.dropped"), seen[at + 1], made.tournament.draft) == (1, then, None)


def test_hands_and_minutes_belong_to_each_round_until_it_starts() -> None:
    made = room("capitol-4", 4)
    made.director.publish_round("dana")
    made.director.draft_round("dana", hands=5, minutes=0)
    made.director.publish_round("dana")
    assert [(posted.hands, posted.minutes) for posted in made.tournament.rounds] == [(5, None)]
    made.play()
    made.end()
    made.director.draft_round("dana", hands=2)
    with pytest.raises(HubError, match="1 to 99 hands"):
        made.director.draft_round("dana", hands=0)
    with pytest.raises(HubError, match="1 to 600 minutes"):
        made.director.draft_round("dana", minutes=601)
    made.post()
    with pytest.raises(HubError, match="Round 2 is not over"):
        made.director.draft_round("dana")
    with pytest.raises(HubError, match="Round 2 is not over"):
        made.director.publish_round("dana")


def test_the_pairings_are_posted_ten_minutes_ahead_or_somebody_says_why_not() -> None:
    made = room("mso", 6)
    made.director.publish_round("dana")
    made.now += 4 * 60_000
    with pytest.raises(HubError, match=r"posted 10 minutes ahead. Start in 6 minutes, or say why sooner") as refused:
        made.director.start_round("dana")
    assert refused.value.code == "notice"
    made.director.start_round("dana", "Everybody sits.")
    assert made.tournament.overrides == (Override("notice", "Everybody sits.", "dana", 1),)
    assert made.current.stage is Stage.STARTED
    with pytest.raises(HubError, match="has started already"):
        made.director.start_round("dana")
    other = room("capitol-4", 4)
    with pytest.raises(HubError, match="No round is posted yet"):
        other.director.start_round("dana")
    other.director.publish_round("dana")
    with pytest.raises(HubError, match="has a clock"):
        other.director.start_round("dana")


def test_case_23_and_wish_11_the_end_names_missing_tables_and_a_forfeited_one_does_not_block() -> None:
    made = room("mso", 8)
    made.post()
    made.play([1])
    made.director.award("dana", 1, 2, kind="forfeit", loser=Side.EW, reason="Never came.")
    assert [table.table for table in made.current.missing] == [3, 4]
    with pytest.raises(HubError, match="No accepted sheet yet from tables 3 and 4") as refused:
        made.director.end_round("dana")
    assert refused.value.code == "sheets-missing"
    made.play([3])
    with pytest.raises(HubError, match=r"from table 4. Accept it, then end the round, or say why not"):
        made.director.end_round("dana")
    made.director.end_round("dana", "Table 4 brings its sheet later.")
    assert [(went.gate, went.reason) for went in made.tournament.overrides] == [
        ("sheets-missing", "Table 4 brings its sheet later.")
    ]
    forfeit = results(made.tournament)[1]
    assert (forfeit.kind, forfeit.winner) == (Kind.FORFEIT, made.current.tables[2].pairing.ns)
    with pytest.raises(HubError, match="Round 1 is over already"):
        made.director.end_round("dana")
    made.play([4])
    assert made.current.missing == ()


def test_a_timed_round_ends_only_after_its_clock() -> None:
    made = room("capitol-4", 4)
    made.post()
    made.play()
    with pytest.raises(HubError, match="The round clock has not ended"):
        made.director.end_round("dana")
    made.end()
    assert [table.released for table in made.current.tables.values()] == [True, True]


def test_two_teams_change_places_by_hand_before_the_start() -> None:
    made = room("mso", 7)
    made.director.draft_round("dana")
    draft = made.tournament.draft
    assert draft is not None
    (resting,) = draft.byes
    first, second = draft.pairings[0], draft.pairings[1]
    made.director.change_pairing("dana", first.ns, second.ew, "Sisters do not meet in round one.")
    made.director.change_pairing("dana", resting, first.ew, "Team asked to rest.")
    changed = made.tournament.draft
    assert changed is not None
    assert changed.pairings[:2] == (Pairing(1, second.ew, resting), Pairing(2, second.ns, first.ns))
    assert changed.byes == (first.ew,)
    made.director.publish_round("dana")
    made.director.change_pairing("dana", first.ew, resting, "Not after all.")
    assert made.current.tables[1].teams == (second.ew, first.ew)
    assert made.current.byes == (resting,)
    assert {side: team.number for side, team in made.current.tables[1].state.playing.teams.items()} == {
        Side.NS: second.ew, Side.EW: first.ew,
    }  # fmt: skip
    made.start()
    made.play()
    made.end()


def test_nonsense_pairings_are_refused() -> None:
    made = room("mso", 7)
    made.director.publish_round("dana")
    one, two = made.current.tables[1].teams
    (resting,) = made.current.byes
    made.director.register_team("dana", ("Late", "Comers"), 40)
    for first, second, said in (
        (one, one, "has its own place already"),
        (one, 99, "There is no team 99"),
        (resting, 40, "Neither team"),
    ):
        with pytest.raises(HubError, match=said):
            made.director.change_pairing("dana", first, second, "Why not.")
    with pytest.raises(HubError, match="Write down why"):
        made.director.change_pairing("dana", one, two, " ")
    made.director.withdraw("dana", two)
    with pytest.raises(HubError, match=f"Team {two} is out"):
        made.director.change_pairing("dana", one, two, "Why not.")
    made.director.change_pairing("dana", one, 40, "The late team plays.")
    made.start()
    with pytest.raises(HubError, match="Pairings change before a round starts"):
        made.director.change_pairing("dana", one, 40, "Too late.")


def test_case_32_a_rematch_by_hand_is_said_before_the_start() -> None:
    made = room("mso", 4)
    made.round()
    one, two = made.current.tables[1].teams
    made.director.draft_round("dana")
    draft = made.tournament.draft
    assert draft is not None
    table = next(pair for pair in draft.pairings if one in (pair.ns, pair.ew))
    opponent = table.ew if table.ns == one else table.ns
    made.director.change_pairing("dana", opponent, two, "They ask for it.")
    said = [warned for warned in warnings(made.tournament) if warned.code == "rematch"]
    low, high = sorted((one, two))
    assert len(said) == 2
    assert any(f"{low}" in warned.message and f"{high}" in warned.message for warned in said)
    assert all("met in round 1 already" in warned.message for warned in said)


def test_am4_fewer_tables_than_rounds_are_said_before_the_start_with_the_ways_on() -> None:
    (warned,) = warnings(room("capitol-5", 8).tournament)
    assert warned.message == (
        "4 tables are fewer than 5 rounds: 4 pairs meet again, from round 5 on. "
        "Play 4 rounds, register more teams, or play on as it is."
    )
    assert warnings(room("capitol-5", 16).tournament) == ()


def test_sit_outs_are_said_before_the_start_with_what_they_bring() -> None:
    (warned,) = warnings(room("capitol-4", 7).tournament)
    assert warned.message == (
        "A team sits out: team 7 in round 1, team 1 in round 2, team 3 in round 3, team 5 in round 4. It gets the "
        "average of the round's winning scores, unless the director enters another. A filler team fills the place."
    )
    assert [warned.code for warned in warnings(room("mso", 5).tournament)] == ["sit-outs"]
    assert [warned.code for warned in warnings(room("mso", 4).tournament)] == ["few-teams"]


def test_q_11_sitting_out_brings_the_average_of_the_winning_scores_halves_rounded_up() -> None:
    made = room("capitol-4", 5)
    made.post()
    for number, books in ((1, 11), (2, 10)):
        table = made.current.tables[number]
        hands = [whist_hand(Seat.W, 4, books if hand < 3 else 9) for hand in range(4)]
        made.enter(table, {"ruleset": table.state.playing.ruleset.name, "hands": hands})
    before = next(row for row in standings(made.tournament) if row.team == 5)
    assert (before.hands_won, before.points, before.byes) == (0, 0, 0)
    made.end()
    # The winners have 3 hands with 15 and 12 points: 3 and 13½.
    assert average(made.current) == (3, 14)
    after = next(row for row in standings(made.tournament) if row.team == 5)
    assert (after.hands_won, after.points, after.wins, after.byes) == (3, 14, 0, 1)
    made.director.score_bye("dana", 1, 5, "House rule.", hands_won=2, points=9)
    given = next(row for row in standings(made.tournament) if row.team == 5)
    assert (given.hands_won, given.points) == (2, 9)
    with pytest.raises(HubError, match="Team 4 does not sit out in round 1"):
        made.director.score_bye("dana", 1, 4, "House rule.")
    with pytest.raises(HubError, match="0 to 4 hands"):
        made.director.score_bye("dana", 1, 5, "House rule.", hands_won=5)


def test_wish_9_a_swiss_bye_is_a_win_no_game_no_points_and_never_twice() -> None:
    made = room("mso", 7)
    for _ in range(4):
        made.round()
    rests = [posted.byes for posted in made.tournament.rounds]
    assert [len(byes) for byes in rests] == [1, 1, 1, 1]
    assert len({team for byes in rests for team in byes}) == 4
    byes = [result for result in results(made.tournament) if result.kind is Kind.BYE]
    assert [(bye.table, bye.winner, bye.points) for bye in byes] == [(None, team, {}) for (team,) in rests]
    for row in standings(made.tournament):
        games = [result for result in results(made.tournament) if row.team in result.teams]
        assert row.wins == sum(result.winner == row.team for result in games)


def test_case_24_a_corrected_hand_reaches_sheet_round_and_standings() -> None:
    made = room("capitol-4", 4)
    made.post()
    table = made.current.tables[1]
    hands = [whist_hand(Seat.W, 4, 10) for _ in range(4)]
    made.enter(table, {"ruleset": table.state.playing.ruleset.name, "hands": hands})
    made.director.correct_hand(
        "dana", 1, 1, hand=2, facts=whist_hand(Seat.W, 7, 12), reason="The bid was seven."
    )  # fmt: skip
    score = made.current.tables[1].score
    assert score is not None
    assert (score.totals.hands_won, score.totals.points) == ({Side.NS: 3, Side.EW: 1}, {Side.NS: 12, Side.EW: 7})
    rows = {row.team: (row.hands_won, row.points) for row in standings(made.tournament)}
    assert (rows[1], rows[2]) == ((3, 12), (1, 7))


def turned(made: PlayedRoom, table: TableRound) -> int:
    """The game at a table is lost by the team that won it, by corrections of its hands; the new winner."""
    won = next(
        result for result in results(made.tournament) if (result.round, result.table) == (table.round, table.table)
    )
    assert won.winner is not None
    loser = table.side_of(won.winner)
    nil, nine = loser.other.seats
    bids = {nil: "nil", nine: "9"} | dict.fromkeys(loser.seats, "2")
    tricks = {nil.value: 0, nine.value: 9} | {seat.value: 2 for seat in loser.seats}
    for hand in table.state.hands:
        facts = {
            "dealer": hand.dealer.value,
            "calls": [bids[seat] for seat in calling_order(hand.dealer)],
            "tricks": tricks,
        }
        made.director.correct_hand(
            "dana", table.round, table.table, hand=hand.number, facts=facts, reason="Sides were exchanged."
        )  # fmt: skip
    now = next(
        result for result in results(made.tournament) if (result.round, result.table) == (table.round, table.table)
    )
    assert now.winner not in (None, won.winner)
    assert now.winner is not None
    return now.winner


def test_a_draft_that_rests_on_a_corrected_result_is_flagged_and_needs_a_reason() -> None:
    made = room("mso", 8)
    made.round()
    made.director.draft_round("dana")
    assert flags(made.tournament) == ()
    turned(made, made.current.tables[1])
    assert [(flag.code, flag.message) for flag in flags(made.tournament)] == [(
        "draft-stale",
        "The draft of round 2 rests on R1-T1, which changed since. Draft it again, or post it with a reason.",
    )]  # fmt: skip
    with pytest.raises(HubError, match="Results under the draft of round 2 have changed"):
        made.director.publish_round("dana")
    made.director.draft_round("dana")
    assert flags(made.tournament) == ()
    made.post()
    made.play()
    turned(made, made.tournament.rounds[0].tables[2])
    assert [flag.code for flag in flags(made.tournament)] == ["round-stale"]
    made.end()
    assert flags(made.tournament) == ()


def test_wish_14_a_correction_rewrites_a_match_nobody_has_begun_and_flags_a_played_one() -> None:
    made = room("mso", 16)
    for _ in range(4):
        made.round()
    made.round()
    first = made.current
    stage = made.tournament.stages[1]
    number = first.number
    lost_to = made.director.publish_round("dana").rounds[-1]
    assert lost_to.number == number + 1
    table = first.tables[1]
    loser = table.pairing.ns + table.pairing.ew - turned(made, table)
    winner = table.pairing.ns + table.pairing.ew - loser
    posted = made.current
    assert posted.table_of(loser) is None
    found = posted.table_of(winner)
    assert found is not None
    assert {team.number for team in found.state.playing.teams.values()} == set(found.teams)
    assert types(made).count("pairing.changed") == 1
    assert [flag.code for flag in flags(made.tournament)] == []
    made.start()
    made.play()
    made.end()
    turned(made, first.tables[1])
    after = bracket_of(made.tournament, stage)
    assert len(after.stale) == 1
    assert [flag.code for flag in flags(made.tournament)] == ["match-stale"]
    made.to_the_end()


def test_seeds_that_rest_on_corrected_results_are_flagged_and_drawn_up_again() -> None:
    made = room("mso", 16)
    for _ in range(4):
        made.round()
    made.director.draft_round("dana")
    before = made.tournament.stages[1].teams
    round_four = made.tournament.rounds[3]
    table = next(each for each in round_four.tables.values() if set(each.teams) & set(before))
    turned(made, table)
    assert "seeds-stale" in [flag.code for flag in flags(made.tournament)]
    made.director.draft_round("dana")
    after = made.tournament.stages[1].teams
    wins = {row.team: row.wins for row in standings(made.tournament)}
    assert set(after) == {team for team, won in wins.items() if won >= 3}
    assert after != before
    assert flags(made.tournament) == ()
    made.to_the_end()


def test_a_stage_ends_early_with_a_reason_and_the_next_may_be_left_out() -> None:
    made = room("wsos", 6)
    with pytest.raises(HubError, match="No stage has begun"):
        made.director.end_stage("dana", "Too late at night.")
    made.round()
    made.director.end_stage("dana", "The hall closes.")
    assert [(stage.ended, stage.plan.kind) for stage in made.tournament.stages] == [(True, "swiss")]
    for team in range(2, 7):
        made.director.withdraw("dana", team)
    with pytest.raises(HubError, match="1 team is left for the play-off"):
        made.director.publish_round("dana")
    made.director.end_stage("dana", "Nobody is left to play.")
    assert made.tournament.over
    with pytest.raises(HubError, match="The tournament is over"):
        made.director.end_stage("dana", "Once more.")
    with pytest.raises(HubError, match="The standings are final"):
        made.director.publish_round("dana")


def test_rounds_are_counted_on_from_stage_to_stage() -> None:
    made = room("mso", 16)
    seen = []
    while not made.tournament.over:
        made.post()
        seen.append((made.current.number, rounds_in_all(made.tournament)))
        made.play()
        made.end()
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4), (5, 7), (6, 7), (7, 7)]


def test_the_table_of_the_team_that_sits_out_is_left_out_of_the_round() -> None:
    made = room("capitol-4", 7)
    tables = []
    for _ in range(4):
        made.round()
        tables.append(list(made.current.tables))
    assert tables == [[1, 2, 3], [2, 3, 4], [2, 3, 4], [2, 3, 4]]
