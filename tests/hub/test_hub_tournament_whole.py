"""Whole tournaments through the director's plans and the ledger's fold, from registration to the winner."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hub_played_room import PlayedRoom, Sheet, pool, room, whist_hand

from hub.summary import champion, summary
from hub.tournament.brackets import bracket_of, elimination
from hub.tournament.fold import fold_lines
from hub.tournament.results import Kind, results
from hub.tournament.standings import standings
from hub.tournament.state import Round, Stage, TableRound
from hub.tournament.templates import arranged, template
from hub.tournament.why import why
from tallybox.calls import Game
from tallybox.events.hub import StagePlanned
from tallybox.seats import Seat, Side

TEMPLATES = ("capitol-4", "capitol-5", "capitol-8", "mso", "wsos")
SIZES = (6, 7, 16, 17)


def eventful(made: PlayedRoom) -> None:
    """A late entry, withdrawals in and between rounds, a forfeit, a correction and an override on the way."""
    made.round()
    made.director.register_team("dana", ("Late", "Comers"))
    made.post()
    first, second, *_ = made.current.tables.values()
    made.director.withdraw("dana", first.pairing.ns, "Called away.")
    made.play()
    correct(made, second)
    made.end()
    made.director.withdraw("dana", _resting_or_last(made))
    made.post()
    made.director.award(
        "dana", made.current.number, min(made.current.tables), kind="forfeit", loser=Side.EW, reason="Never came back."
    )
    made.play(list(made.current.tables)[1:-1])
    made.end("The sheet is lost; the night goes on.")
    made.to_the_end()


def correct(made: PlayedRoom, table: TableRound) -> None:
    """A hand that was accepted is corrected: the other side gets it."""
    whist = table.state.playing.ruleset.game is Game.BID_WHIST
    facts: Sheet = (
        whist_hand(Seat.N, 7, 7) if whist
        else {"dealer": "N", "calls": ["4", "1", "4", "1"], "tricks": {"N": 1, "E": 7, "S": 0, "W": 5}}
    )  # fmt: skip
    made.director.correct_hand(
        "dana", table.round, table.table, hand=1, facts=facts, reason="Entered for the wrong side."
    )


def _resting_or_last(made: PlayedRoom) -> int:
    rows = [row for row in standings(made.tournament) if not made.tournament.entrants[row.team].out]
    return rows[-1].team


def lawful(made: PlayedRoom) -> None:
    """What holds in every tournament, whatever happened in it."""
    tournament = made.tournament
    for posted in tournament.rounds:
        seated = [team for table in posted.tables.values() for team in table.teams] + list(posted.byes)
        assert len(seated) == len(set(seated))
        assert posted.stage is Stage.ENDED
    rows = [row for row in standings(tournament) if row.rank]
    game = tournament.plan.ruleset.game  # type: ignore[union-attr]
    assert rows[0].rank == 1
    for place, (above, below) in enumerate(pairwise(rows), start=2):
        assert below.rank == (above.rank if above.key(game) == below.key(game) else place)
        assert above.key(game) <= below.key(game)
    assert all(why(rows, row.team, game) for row in rows)
    told = summary(tournament)
    assert told["hands_recorded"] <= told["hands_expected"]  # type: ignore[operator]


@pytest.mark.parametrize("teams", SIZES)
@pytest.mark.parametrize("template", TEMPLATES)
def test_each_template_is_played_to_its_winner_whatever_happens(template: str, teams: int) -> None:
    made = room(template, teams)
    eventful(made)
    lawful(made)
    tournament = made.tournament
    assert tournament.over
    assert [stage.ended for stage in tournament.stages] == [True, True]
    assert champion(tournament) is not None
    kinds = [result.kind for result in results(tournament)]
    assert kinds.count(Kind.FORFEIT) >= 2
    assert fold_lines(made.lines) == tournament


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_hundred_teams_play_to_their_winner(template: str) -> None:
    made = room(template, 100)
    eventful(made)
    lawful(made)
    assert champion(made.tournament) is not None
    if made.tournament.stages[1].plan.kind == "elimination":
        swiss = [table.teams for posted in made.tournament.rounds_of(1) for table in posted.tables.values()]
        assert len({frozenset(teams) for teams in swiss}) == len(swiss)


@pytest.mark.parametrize("template", ["capitol-4", "mso"])
def test_a_restart_after_every_event_changes_nothing(template: str) -> None:
    made = room(template, 6)
    seen: list[int] = []

    def restart(played: PlayedRoom) -> None:
        assert fold_lines(played.lines) == played.tournament
        seen.append(len(played.lines))

    if template == "capitol-4":
        made.watched.append(restart)
        eventful(made)
    else:
        made.round()
        made.watched.append(restart)
        made.round()
        made.watched.clear()
        made.to_the_end()
        restart(made)
    assert seen[-1] == len(made.lines)
    assert made.tournament.over


def test_the_same_seed_and_events_give_the_same_tournament_and_another_seed_another() -> None:
    def pairings(seed: int) -> list[object]:
        made = room("mso", 8, seed=seed)
        made.luck = Random("the same cards")
        made.to_the_end()
        return [posted.pairings for posted in made.tournament.rounds]

    assert pairings(3) == pairings(3)
    assert pairings(3) != pairings(4)


def least_wins(made: PlayedRoom, posted: Round, favourite: int | None = None) -> dict[int, int]:
    """Winners by table, so that wins spread evenly but for one favourite."""
    wins = {row.team: row.wins for row in standings(made.tournament)}
    return {
        number: favourite if favourite in table.teams and favourite is not None
        else min(table.teams, key=lambda team: (wins[team], team))
        for number, table in posted.tables.items()
    }  # fmt: skip


def test_nobody_reaches_the_cut_and_the_two_best_fill_it_up() -> None:
    made = room("mso", 8)
    for _ in range(4):
        made.round()
    ranking = standings(made.tournament)
    for row in ranking:
        if row.wins >= 3:
            made.director.withdraw("dana", row.team)
    best = [row.team for row in ranking if row.wins < 3][:2]
    made.director.draft_round("dana")
    stage = made.tournament.stages[1]
    assert (stage.teams, stage.note) == (
        tuple(best),
        f"No team has at least 3 wins. Teams {best[0]} and {best[1]} fill the play-off up by seed order.",
    )
    assert made.tournament.draft is not None
    assert made.tournament.draft.note == stage.note
    made.to_the_end()
    assert champion(made.tournament) in best


def test_one_team_reaches_the_cut_and_the_next_in_seed_order_joins_it() -> None:
    made = room("mso", 6)
    for _ in range(4):
        made.play(wins=least_wins(made, made.post(), favourite=4))
        made.end()
    ranking = standings(made.tournament)
    assert [row.wins for row in ranking][:2] == [4, 2]
    made.director.draft_round("dana")
    stage = made.tournament.stages[1]
    second = stage.teams[1]
    assert stage.teams == (4, ranking[1].team)
    assert stage.note == f"Only 1 team has at least 3 wins. Team {second} fills the play-off up by seed order."
    made.to_the_end()


def test_when_no_swiss_round_is_left_without_rematches_the_fewest_are_offered_with_the_reason() -> None:
    made = room("mso", 4)
    for _ in range(3):
        made.round()
    made.director.draft_round("dana")
    draft = made.tournament.draft
    assert draft is not None
    assert len(draft.pairings) == 2
    assert draft.note.startswith("No round is left in which nobody meets again. Teams that meet again: ")
    assert draft.note.endswith("No other round has fewer.")
    made.to_the_end()
    assert champion(made.tournament) is not None


def level(table: TableRound, hands: int) -> Sheet:
    """North–South win every hand of this table by the same figures."""
    dealers = [Seat.W, Seat.E]
    return {
        "ruleset": table.state.playing.ruleset.name,
        "hands": [whist_hand(dealers[number % 2], 4, 10) for number in range(hands)],
    }  # fmt: skip


def test_three_teams_share_a_place_and_play_single_hands_until_each_has_its_own() -> None:
    made = room("capitol-4", 6)
    for _ in range(4):
        for table in made.post().tables.values():
            made.enter(table, level(table, 4))
        made.end()
    assert [(row.rank, row.team) for row in standings(made.tournament)] == [
        (1, 1), (1, 3), (1, 5), (4, 2), (4, 4), (4, 6),
    ]  # fmt: skip
    assert not made.tournament.over
    made.post()
    assert [(posted.hands, posted.minutes) for posted in made.tournament.rounds_of(2)] == [(1, None)]
    assert (len(made.current.tables), len(made.current.byes)) == (2, 2)
    made.play()
    losers = {team for table in made.current.tables.values() for team in table.teams} - {
        made.current.tables[number].teams[0] if _won(made, number) is Side.NS else made.current.tables[number].teams[1]
        for number in made.current.tables
    }
    made.end()
    ranks = {row.team: row.rank for row in standings(made.tournament)}
    assert sorted(ranks[team] for team in losers) == [3, 6]
    made.to_the_end()
    rows = standings(made.tournament)
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {(row.hands_won, row.points, row.bostons) for row in rows} == {(16, 64, 0), (0, 0, 0)}
    assert why(rows, rows[0].team, Game.BID_WHIST) == (
        f"Team {rows[0].team} stands above team {rows[1].team}: hands won, points and Bostons are equal; "
        "the one-hand play-off decided."
    )


def _won(made: PlayedRoom, number: int) -> Side:
    score = made.current.tables[number].score
    assert score is not None
    return max(Side, key=lambda side: score.totals.hands_won[side])


def test_e15_three_of_four_swiss_wins_advance_and_two_do_not() -> None:
    made = room("mso", 16)
    for _ in range(4):
        made.round()
    wins = {row.team: row.wins for row in standings(made.tournament)}
    made.post()
    stage = elimination(made.tournament)
    assert stage is not None
    assert set(stage.teams) == {team for team, won in wins.items() if won >= 3}
    assert [wins[team] for team in stage.teams] == sorted((wins[team] for team in stage.teams), reverse=True)


def test_case_27_and_wish_13_seeds_follow_the_order_of_the_standings() -> None:
    made = room("wsos", 17)
    for _ in range(4):
        made.round()
    ranking = [row.team for row in standings(made.tournament) if row.wins >= 3]
    made.post()
    assert made.tournament.stages[1].teams == tuple(ranking)


def test_a_bracket_ends_with_ranks_1_2_3_3_and_everybody_else_after_them() -> None:
    made = room("mso", 16)
    made.to_the_end()
    stage = elimination(made.tournament)
    assert stage is not None
    ranks = bracket_of(made.tournament, stage).ranks
    rows = standings(made.tournament)
    assert {row.team: row.rank for row in rows if row.team in ranks} == dict(ranks)
    assert [row.rank for row in rows][:4] == [1, 2, 3, 3]
    assert all(row.rank > len(ranks) for row in rows if row.team not in ranks)


def test_a_world_series_by_round_robin_sends_its_four_best_into_play_offs() -> None:
    made = room("wsos", 6, stages=arranged(template("wsos"), "round_robin"))
    for _ in range(5):
        made.round()
    met = {frozenset(table.teams) for posted in made.tournament.rounds for table in posted.tables.values()}
    assert len(met) == 15
    best = tuple(row.team for row in standings(made.tournament))[:4]
    made.post()
    assert made.tournament.stages[1].teams == best
    made.to_the_end()
    assert champion(made.tournament) in best


def test_an_elimination_alone_seeds_by_a_lot_with_a_published_seed() -> None:
    made = room("wsos", 7, stages=arranged(template("wsos"), "elimination"))
    made.post()
    lot = made.tournament.lots[0]
    order = sorted(lot.teams)
    Random(lot.seed).shuffle(order)
    assert tuple(order) == lot.order == made.tournament.stages[0].teams
    assert (made.current.byes, len(made.current.tables)) == ((lot.order[0],), 3)
    made.to_the_end()
    assert [row.rank for row in standings(made.tournament)] == [1, 2, 3, 3, 5, 5, 5]


def test_q_45_seeds_that_nothing_else_separates_are_drawn_by_lot_with_a_published_seed() -> None:
    made = room("wsos", 16)
    for _ in range(4):
        for table in made.post().tables.values():
            hands = next(hands for side, hands in pool("wsos-2007-spades", 10) if side is Side.NS)
            made.enter(table, {"ruleset": table.state.playing.ruleset.name, "hands": hands})
        made.end()
    ranking = standings(made.tournament)
    shared = [row.team for row in ranking if row.wins == 3]
    assert len({row.rank for row in ranking if row.wins == 3}) == 1
    assert len(shared) > 1
    made.director.draft_round("dana")
    lot = made.tournament.lots[0]
    order = sorted(shared)
    Random(lot.seed).shuffle(order)
    assert (lot.teams, lot.order, lot.what) == (tuple(sorted(shared)), tuple(order), "seeds")
    seeds = made.tournament.stages[1].teams
    assert [team for team in seeds if team in shared] == order
    made.director.draft_round("dana")
    made.post()
    assert made.tournament.stages[1].teams == seeds
    kinds = [str(line.event["type"]) for line in made.lines]
    assert (kinds.count("stage.started"), kinds.count("lot.drawn")) == (2, len(made.tournament.lots))
    made.to_the_end()
    assert champion(made.tournament) in seeds
    assert fold_lines(made.lines) == made.tournament


def test_a_stage_without_a_cut_goes_on_with_everybody_and_one_for_the_best_with_so_many() -> None:
    swiss = StagePlanned(name="Swiss", kind="swiss", hands=10, rounds=1)
    again = StagePlanned(name="Again", kind="swiss", hands=10, rounds=1)
    four = StagePlanned(name="Final", kind="elimination", hands=10, top=4)
    made = room("wsos", 7, stages=(swiss, again, four))
    made.round()
    made.round()
    assert set(made.tournament.stages[1].teams) == set(range(1, 8))
    best = tuple(row.team for row in standings(made.tournament))[:4]
    made.post()
    assert made.tournament.stages[2].teams == best
    made.to_the_end()
    assert summary(made.tournament)["champion"] in best
