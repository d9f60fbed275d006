"""Ranking by one comparator, pairings of every round, and the templates."""

from __future__ import annotations

from itertools import permutations

import pytest

from hub.errors import HubError
from hub.tournament.rotation import pairings, rematches
from hub.tournament.standings import Row, ranked
from hub.tournament.state import Plan
from hub.tournament.templates import template, templates
from tallybox.calls import Game
from tallybox.events.hub import Pairing
from tallybox.rules.ruleset import builtin


def plan(name: str, rounds: int, seed: int = 0) -> Plan:
    chosen = template(name)
    return Plan(name, builtin(chosen.ruleset), rounds, chosen.hands, chosen.minutes_for(chosen.hands), seed)


def test_bid_whist_ranks_by_hands_then_points_then_bostons() -> None:
    p = Row(1, hands_won=14, points=70, bostons=2)
    q = Row(2, hands_won=14, points=70, bostons=3)
    r = Row(3, hands_won=14, points=75)
    s = Row(4, hands_won=15, points=40)
    for order in permutations((p, q, r, s)):
        assert [(row.team, row.rank) for row in ranked(order, Game.BID_WHIST)] == [(4, 1), (3, 2), (2, 3), (1, 4)]


def test_equal_teams_share_a_rank_and_the_next_one_skips() -> None:
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


def test_capitol_rounds_rotate_by_the_texts_formula() -> None:
    teams = tuple(range(1, 17))
    met = [next(p for p in pairings(plan("capitol-5", 5), teams, number) if p.ns == 1) for number in range(1, 6)]
    assert [(pair.table, pair.ew) for pair in met] == [(1, 2), (1, 16), (1, 14), (8, 12), (7, 10)]
    for number in range(1, 6):
        seated = [team for p in pairings(plan("capitol-5", 5), teams, number) for team in (p.ns, p.ew)]
        assert sorted(seated) == list(teams)


def test_team_numbers_may_have_gaps() -> None:
    assert pairings(plan("capitol-4", 4), (30, 10, 20, 40), 1) == (Pairing(1, 10, 20), Pairing(2, 30, 40))


def test_fewer_tables_than_rounds_are_warned_of() -> None:
    assert rematches(plan("capitol-5", 5), range(1, 17)) == ()
    assert (5, (1, 2)) in rematches(plan("capitol-5", 5), range(1, 9))
    assert rematches(plan("mso", 1), range(1, 9)) == ()


def test_single_games_are_drawn_by_the_seed_alone() -> None:
    teams = tuple(range(1, 9))
    drawn = pairings(plan("mso", 1, seed=7), teams, 1)
    assert drawn == pairings(plan("mso", 1, seed=7), tuple(reversed(teams)), 1)
    assert drawn != pairings(plan("mso", 1, seed=8), teams, 1)
    assert sorted(team for pair in drawn for team in (pair.ns, pair.ew)) == list(teams)
    assert [pair.table for pair in drawn] == [1, 2, 3, 4]


def test_every_template_says_rounds_hands_and_minutes() -> None:
    told = {
        name: (made.ruleset, made.rounds, made.hands, made.minutes_for(made.hands))
        for name, made in templates().items()
    }
    assert told == {
        "capitol-4": ("capitol-city-bid-whist", 4, 4, 20),
        "capitol-5": ("capitol-city-bid-whist", 5, 5, 25),
        "capitol-8": ("capitol-city-bid-whist", 8, 5, 25),
        "mso": ("mso-2000-spades", 1, 10, None),
        "wsos": ("wsos-2007-spades", 1, 10, None),
    }
    assert template("capitol-5").minutes_for(4) == 20
    with pytest.raises(HubError, match="Choose capitol-4, capitol-5"):
        template("capitol-6")
