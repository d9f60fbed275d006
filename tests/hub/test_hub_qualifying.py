"""The cut after qualifying: three or four wins advance, and fewer than two are filled up (section 3.8, E15)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.errors import HubError
from hub.tournament.qualifying import Cut, reach_cut


def test_three_of_four_wins_advance_and_two_do_not() -> None:  # E15
    assert reach_cut((8, 3, 5, 1), {8: 4, 3: 3, 5: 2, 1: 2}) == Cut((8, 3))
    assert reach_cut((8, 3, 5, 1), {8: 4, 3: 3, 5: 3, 1: 3}) == Cut((8, 3, 5, 1))


def test_one_team_at_the_cut_is_joined_by_the_next_in_seed_order() -> None:
    assert reach_cut((8, 3, 5), {8: 3, 3: 2, 5: 2}) == Cut(
        (8, 3), (3,), "Only 1 team has at least 3 wins. Team 3 fills the play-off up by seed order."
    )


def test_no_team_at_the_cut_is_filled_up_to_two() -> None:
    assert reach_cut((8, 3, 5), {3: 2, 5: 2}) == Cut(
        (8, 3), (8, 3), "No team has at least 3 wins. Teams 8 and 3 fill the play-off up by seed order."
    )


def test_another_number_of_wins() -> None:
    assert reach_cut((1, 2, 3), {1: 1, 2: 1}, advance_wins=1) == Cut((1, 2))
    assert reach_cut((1, 2, 3), {1: 1}, advance_wins=1).note == (
        "Only 1 team has at least 1 win. Team 2 fills the play-off up by seed order."
    )


@given(st.lists(st.integers(1, 99), min_size=2, max_size=30, unique=True), st.data())
@settings(deadline=None)
def test_whoever_reached_the_cut_is_in_and_the_rest_only_to_make_two(teams: list[int], data: st.DataObject) -> None:
    wins = data.draw(st.fixed_dictionaries({team: st.integers(0, 4) for team in teams}))
    order = sorted(teams, key=lambda team: -wins[team])
    made = reach_cut(order, wins)
    reached = [team for team in order if wins[team] >= 3]
    assert made.teams == tuple(order[: max(2, len(reached))])
    assert made.filled == made.teams[len(reached) :]
    assert bool(made.note) == bool(made.filled)


@pytest.mark.parametrize(
    ("order", "code", "message"),
    [
        ((), "too-few-teams",
         "No team is left for the play-off. It needs 2: take a withdrawal back, or end the tournament here."),
        ((4,), "too-few-teams",
         "1 team is left for the play-off. It needs 2: take a withdrawal back, or end the tournament here."),
        ((4, 2, 4), "repeated-team", "Team 4 stands twice in the seed order. Keep one place."),
    ],
)  # fmt: skip
def test_a_seed_order_without_two_teams_is_refused(order: tuple[int, ...], code: str, message: str) -> None:
    with pytest.raises(HubError) as refused:
        reach_cut(order, {4: 4})
    assert (refused.value.code, refused.value.where, refused.value.message) == (code, "seeds", message)
