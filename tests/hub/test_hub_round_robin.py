"""Everybody against everybody: each two teams once, each round whole, seats shared."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.errors import HubError
from hub.tournament.draw import Draw
from hub.tournament.round_robin import round_robin, rounds_needed

TEAMS = st.lists(st.integers(1, 9999), min_size=2, max_size=24, unique=True)


def seated(draw: Draw) -> list[int]:
    return sorted([*(team for pair in draw.pairs for team in pair.teams), *draw.byes])


@given(TEAMS, st.integers())
@settings(deadline=None)
def test_each_two_teams_meet_once_and_every_team_has_its_place_in_every_round(teams: list[int], seed: int) -> None:
    draws = round_robin(teams, seed)
    count = len(teams)
    meetings = Counter(pair.teams for draw in draws for pair in draw.pairs)
    assert (len(meetings), set(meetings.values())) == (count * (count - 1) // 2, {1})
    assert [draw.number for draw in draws] == list(range(1, rounds_needed(count) + 1))
    assert all(seated(draw) == sorted(teams) for draw in draws)
    byes = Counter(team for draw in draws for team in draw.byes)
    assert byes == (dict.fromkeys(teams, 1) if count % 2 else {})
    assert all(draw.rematches == () for draw in draws)


@given(TEAMS, st.integers())
@settings(deadline=None)
def test_nobody_sits_one_way_all_day(teams: list[int], seed: int) -> None:
    north_south = Counter(pair.ns for draw in round_robin(teams, seed) for pair in draw.pairs)
    half = (len(teams) - 1) / 2
    assert all(abs(north_south[team] - half) <= 1 for team in teams)


@pytest.mark.parametrize(("teams", "longest"), [(2, 1), (4, 2), (16, 2), (24, 2), (3, 1), (5, 3), (17, 3)])
def test_seats_change_from_round_to_round(teams: int, longest: int) -> None:
    for team in range(1, teams + 1):
        mine = [pair for draw in round_robin(range(1, teams + 1), 5) for pair in draw.pairs if team in pair.teams]
        runs = [len(list(run)) for _, run in groupby(pair.ns == team for pair in mine)]
        assert max(runs) <= longest


@given(TEAMS, st.integers(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_seed_alone_draws_the_circle(teams: list[int], seed: int, luck: object) -> None:
    assert round_robin(teams, seed) == round_robin(sorted(teams), seed) == round_robin(teams[::-1], seed)


def test_another_seed_draws_another_circle() -> None:
    assert len({round_robin(range(1, 9), seed) for seed in range(20)}) == 20


@given(st.lists(st.integers(1, 99), min_size=3, max_size=12, unique=True), st.data())
@settings(deadline=None)
def test_a_withdrawal_leaves_the_meetings_of_all_others_where_they_were(teams: list[int], data: st.DataObject) -> None:
    gone = set(data.draw(st.lists(st.sampled_from(teams), max_size=3)))
    for before, after in zip(round_robin(teams, 4), round_robin(teams, 4, gone), strict=True):
        assert after.pairs == tuple(pair for pair in before.pairs if not gone & set(pair.teams))
        rest = {team for pair in before.pairs if gone & set(pair.teams) for team in pair.teams} | set(before.byes)
        assert after.byes == tuple(sorted(rest - gone))


def test_a_withdrawn_team_that_never_entered_changes_nothing() -> None:
    assert round_robin((1, 2, 3), 1, (77,)) == round_robin((1, 2, 3), 1)


@pytest.mark.parametrize(("teams", "rounds"), [(2, 1), (3, 3), (4, 3), (5, 5), (16, 15), (17, 17)])
def test_the_rounds_that_it_takes(teams: int, rounds: int) -> None:
    assert rounds_needed(teams) == rounds == len(round_robin(range(1, teams + 1), 0))


@pytest.mark.parametrize(
    ("teams", "code", "where", "message"),
    [
        ((), "too-few-teams", "teams", "No team is registered. Register at least 2."),
        ((4,), "too-few-teams", "teams", "1 team has nobody to meet. Register at least 2."),
        ((4, 2, 4), "repeated-team", "teams[2]", "Team 4 is listed twice. List it once."),
        (tuple(range(501)), "out-of-range", "teams",
         "501 teams are too many for a round robin. Use at most 500, or Swiss rounds."),
    ],
)  # fmt: skip
def test_teams_that_make_no_round_robin_are_refused(
    teams: tuple[int, ...], code: str, where: str, message: str
) -> None:
    with pytest.raises(HubError) as refused:
        round_robin(teams, 1)
    assert (refused.value.code, refused.value.where, refused.value.message) == (code, where, message)
