"""Ranking by one comparator, pairings of every round, and the templates."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec.structs import replace

from hub.errors import HubError
from hub.tournament.draw import Draw, Pair
from hub.tournament.rotation import NOBODY, entered, places_of, rotated, seat_map
from hub.tournament.stages import Lot
from hub.tournament.standings import UNPLACED, Row, ranked
from hub.tournament.templates import arranged, template, templates
from tallybox.calls import Game


def test_ar1_bid_whist_ranks_by_hands_then_points_then_bostons() -> None:
    p = Row(1, hands_won=14, points=70, bostons=2)
    q = Row(2, hands_won=14, points=70, bostons=3)
    r = Row(3, hands_won=14, points=75)
    s = Row(4, hands_won=15, points=40)
    for order in permutations((p, q, r, s)):
        assert [(row.team, row.rank) for row in ranked(order, Game.BID_WHIST)] == [(4, 1), (3, 2), (2, 3), (1, 4)]


def test_case_28_equal_teams_share_a_rank_and_the_next_one_skips() -> None:
    rows = (
        Row(5, hands_won=1),
        Row(2, hands_won=3, points=9, bostons=1),
        Row(9, hands_won=3, points=9, bostons=1),
        Row(1, hands_won=2),
    )
    assert [(row.team, row.rank) for row in ranked(rows, Game.BID_WHIST)] == [(2, 1), (9, 1), (1, 3), (5, 4)]


def test_spades_ranks_by_wins_then_net_points_then_fewer_bags() -> None:
    rows = (
        Row(1, wins=3, net_points=100, bags=4),
        Row(2, wins=3, net_points=100, bags=2),
        Row(3, wins=3, net_points=-10),
        Row(4, wins=4, net_points=-300, bags=9),
        Row(5, wins=3, net_points=100, bags=2),
    )
    assert [(row.team, row.rank) for row in ranked(rows, Game.SPADES)] == [(4, 1), (2, 2), (5, 2), (1, 4), (3, 5)]


def test_ar2_a_shared_place_is_played_off_and_the_loser_of_the_first_hand_stands_last() -> None:
    """Three tied teams: the one that rested meets the winner; losers rank by when they lost."""
    tied = [Row(team, hands_won=14, points=70, bostons=2) for team in (3, 5, 8)]
    assert [(row.team, row.rank) for row in ranked(tied, Game.BID_WHIST)] == [(3, 1), (5, 1), (8, 1)]
    after_one = [replace(row, play_off=made) for row, made in zip(tied, ((0,), (1,), (0,)), strict=True)]
    assert [(row.team, row.rank) for row in ranked(after_one, Game.BID_WHIST)] == [(3, 1), (8, 1), (5, 3)]
    after_two = [replace(row, play_off=made) for row, made in zip(tied, ((0, 1), (1,), (0, 0)), strict=True)]
    assert [(row.team, row.rank) for row in ranked(after_two, Game.BID_WHIST)] == [(8, 1), (3, 2), (5, 3)]


def test_ar3_hands_won_by_lateness_count_as_hands_and_points_decide() -> None:
    rows = (Row(1, hands_won=12, points=50), Row(2, hands_won=12, points=55))
    assert [row.team for row in ranked(rows, Game.BID_WHIST)] == [2, 1]


def test_a_lot_separates_equals_only_if_it_was_drawn_among_all_of_them() -> None:
    equals = [Row(team, wins=2, net_points=10) for team in (4, 6, 9)]
    among_two = Lot((4, 6), (6, 4), 1, "seeds")
    among_all = Lot((4, 6, 9), (9, 4, 6), 2, "seeds")
    assert [row.rank for row in ranked(equals, Game.SPADES, (among_two,))] == [1, 1, 1]
    drawn = ranked(equals, Game.SPADES, (among_all, among_two))
    assert [(row.team, row.rank, row.lot) for row in drawn] == [(9, 1, 1), (4, 2, 2), (6, 3, 3)]
    ahead = [*equals[:2], replace(equals[2], wins=3)]
    assert [(row.team, row.rank) for row in ranked(ahead, Game.SPADES, (among_all, among_two))] == [
        (9, 1),
        (6, 2),
        (4, 3),
    ]


def test_places_in_the_bracket_stand_before_everything_and_are_shared() -> None:
    rows = (
        Row(1, wins=4, place=3),
        Row(2, wins=3, place=1),
        Row(3, wins=3, net_points=9, place=2),
        Row(4, wins=3, place=3),
        Row(5, wins=2, net_points=500),
        Row(6, wins=2, net_points=300, place=UNPLACED),
    )
    made = [(row.team, row.rank) for row in ranked(rows, Game.SPADES)]
    assert made == [(2, 1), (3, 2), (1, 3), (4, 3), (5, 5), (6, 6)]


def test_am1_and_am2_rotate_by_the_texts_formula() -> None:
    places = tuple(range(1, 17))
    for rounds, two, one, opponents in (
        (5, [1, 2, 3, 3, 3], [1, 1, 1, 8, 7], [2, 16, 14, 12, 10]),
        (8, [1, 2, 3, 4, 4, 4, 4, 4], [1, 1, 1, 1, 8, 7, 6, 5], [2, 16, 14, 12, 10, 8, 6, 4]),
    ):
        draws = [rotated(places, (), rounds, number) for number in range(1, rounds + 1)]
        assert [_seat(draw, 2)[0] for draw in draws] == two
        assert [_seat(draw, 1) for draw in draws] == list(zip(one, opponents, strict=True))
        for draw in draws:
            assert sorted(team for pair in draw.pairs for team in pair.teams) == list(places)


def test_am4_four_tables_over_five_rounds_meet_again() -> None:
    draws = seat_map(tuple(range(1, 9)), 5)
    assert [_seat(draw, 1) for draw in draws] == [(1, 2), (1, 8), (1, 6), (4, 4), (3, 2)]
    assert [draw.rematches for draw in draws] == [(), (), (), (), ((1, 2), (3, 4), (5, 6), (7, 8))]


def test_team_numbers_may_have_gaps() -> None:
    assert rotated(places_of((30, 10, 20, 40)), (), 4, 1).pairs == (Pair(10, 20), Pair(30, 40))


def test_an_odd_team_sits_out_and_a_late_one_takes_the_empty_place() -> None:
    places = places_of((1, 2, 3, 4, 5))
    assert [rotated(places, (), 4, number).byes for number in range(1, 5)] == [(5,), (1,), (3,), (5,)]
    assert entered(places, 9, ()) == (1, 2, 3, 4, 5, 9)
    assert entered((1, 2, 3, 4), 9, {3}) == (1, 2, 9, 4)
    assert entered((1, 2, 3, 4), 9, ()) == (1, 2, 3, 4, 9, NOBODY)


def test_whoever_would_meet_a_team_that_left_sits_out() -> None:
    made = rotated((1, 2, 3, 4, 5, 6), {4}, 4, 1)
    assert (made.pairs, made.tables, made.byes) == ((Pair(1, 2), Pair(5, 6)), (1, 3), (3,))


def _seat(draw: Draw, team: int) -> tuple[int, int]:
    """The table of a team, and its opponents."""
    for table, pair in enumerate(draw.pairs, 1):
        if team in pair.teams:
            return table, pair.ew if pair.ns == team else pair.ns
    raise AssertionError(team)


def test_every_template_says_stages_rounds_hands_and_minutes() -> None:
    told = {
        name: (
            made.ruleset,
            [(stage.kind, stage.rounds, stage.hands, stage.minutes, stage.notice) for stage in made.planned()],
        )
        for name, made in templates().items()
    }
    whist = "capitol-city-bid-whist"
    assert told == {
        "capitol-4": (whist, [("rotation", 4, 4, 20, 0), ("play_off", None, 1, None, 0)]),
        "capitol-5": (whist, [("rotation", 5, 5, 25, 0), ("play_off", None, 1, None, 0)]),
        "capitol-8": (whist, [("rotation", 8, 5, 25, 0), ("play_off", None, 1, None, 0)]),
        "mso": ("mso-2000-spades", [("swiss", 4, 10, None, 10), ("elimination", None, 10, None, 10)]),
        "wsos": ("wsos-2007-spades", [("swiss", 4, 10, None, 0), ("elimination", None, 10, None, 0)]),
    }
    assert [stage.minutes for stage in template("capitol-5").planned(4)] == [20, None]
    assert {stage.intermission for made in templates().values() for stage in made.stages} == {0, 5}
    with pytest.raises(HubError, match="Choose capitol-4, capitol-5"):
        template("capitol-6")


def test_the_organiser_of_a_world_series_chooses_qualifying_and_play_offs() -> None:
    chosen = template("wsos")
    forms = {
        (qualifying, play_offs): [
            (stage.kind, stage.wins, stage.top) for stage in arranged(chosen, qualifying, play_offs)
        ]
        for qualifying in (None, "swiss", "round_robin", "elimination")
        for play_offs in (None, "none")
    }
    swiss, best = ("swiss", None, None), ("elimination", 3, None)
    circle, four = ("round_robin", None, None), ("elimination", None, 4)
    alone = ("elimination", None, None)
    assert forms == {
        (None, None): [swiss, best],
        (None, "none"): [swiss],
        ("swiss", None): [swiss, best],
        ("swiss", "none"): [swiss],
        ("round_robin", None): [circle, four],
        ("round_robin", "none"): [circle],
        ("elimination", None): [alone],
        ("elimination", "none"): [alone],
    }
    with pytest.raises(HubError, match="is played as its text says"):
        arranged(template("mso"), "round_robin")
