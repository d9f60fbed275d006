"""The next Swiss round: the contract's minimum, by brute force and by a second solver, and what the seed may change."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random
from time import process_time

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from swiss_worlds import active, histories, met, pairing_of, played, rested, value, wins_of, worth

from hub.errors import HubError
from hub.tournament.draw import Draw, Pair
from hub.tournament.history import Bye, History, Meeting, tally
from hub.tournament.swiss import fewest_rematches, next_round
from hub.tournament.swiss_costs import PHANTOM, Costs
from hub.tournament.swiss_matching import best_matching, ranking, weighted
from tallybox.seats import Side

CONTRACT = History(
    (1, 2, 3, 4, 5),
    ((Meeting(1, 2, Side.NS), Meeting(3, 4, Side.EW), Bye(5)),),
    frozenset({4}),
    ((1, 5),),
)
"""The history of docs/commands.md."""

TRIANGLE = History(
    (1, 2, 3),
    (
        (Meeting(1, 2, Side.NS), Bye(3)),
        (Meeting(1, 3, Side.NS), Bye(2)),
        (Meeting(2, 3, Side.NS), Bye(1)),
    ),
)
"""Three teams have all met, and each has rested."""


def refused(history: History, *, allow_rematch: bool = False) -> HubError:
    with pytest.raises(HubError) as error:
        next_round(history, 7, allow_rematch)
    return error.value


# --- The contract's minimum -------------------------------------------------------------------------------------------


@given(histories(2, 8), st.integers())
@settings(deadline=None, max_examples=300)
def test_no_round_is_better_by_brute_force(history: History, seed: int) -> None:
    everything = worth(history)
    legal = [each for each in everything if each[0][0] == 0]
    if legal:
        drawn = next_round(history, seed)
        assert value(history, pairing_of(drawn)) == legal[0][0]
        assert pairing_of(drawn) in [tuple(sorted(each)) for _, each in legal]
        assert next_round(history, seed, allow_rematch=True) == drawn
        assert (drawn.number, drawn.rematches) == (len(history.rounds) + 1, ())
        return
    assert refused(history).code == "no-legal-round"
    if everything:
        drawn = next_round(history, seed, allow_rematch=True)
        assert value(history, pairing_of(drawn)) == everything[0][0]
        assert {frozenset(pair) for pair in drawn.rematches} == met(history) & {
            frozenset(pair.teams) for pair in drawn.pairs
        }


@given(histories(2, 8))
@settings(deadline=None, max_examples=100)
def test_the_fewest_rematches_are_counted_by_brute_force_too(history: History) -> None:
    everything = worth(history)
    if everything:
        assert fewest_rematches(history) == everything[0][0][0]
    else:
        with pytest.raises(HubError) as error:
            fewest_rematches(history)
        assert (error.value.code, error.value.where) == ("no-legal-round", "forbidden")


@given(histories(9, 40, rounds=9), st.integers())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_networkx_finds_no_better_round(history: History, seed: int) -> None:
    drawn = next_round(history, seed, allow_rematch=True)
    assert value(history, pairing_of(drawn)) == by_networkx(history)


def by_networkx(history: History) -> tuple[int, int, int, int]:
    """The least value, from a graph of its own: one number in base 100,000 for the four aims."""
    teams = sorted([*active(history), *([0] if len(active(history)) % 2 else [])])
    apart, before, had = {frozenset(pair) for pair in history.forbidden}, met(history), rested(history)
    won = {team: wins_of(history, team) for team in teams}
    base = 100_000
    graph: nx.Graph[int] = nx.Graph()
    for index, first in enumerate(teams):
        for second in teams[index + 1 :]:
            if frozenset((first, second)) in apart:
                continue
            cost = (frozenset((first, second)) in before) * base**3
            cost += (won[first] - won[second]) ** 2 if first else (second in had) * base**2 + won[second] * base
            graph.add_edge(first, second, weight=base**5 - cost)
    found = nx.max_weight_matching(graph, maxcardinality=True)
    assert 2 * len(found) == len(teams)
    return value(history, tuple((min(pair), max(pair)) for pair in found))


@pytest.mark.parametrize("seed", range(8))
def test_a_large_field_looked_at_by_neighbours_is_paired_as_well_as_if_every_pair_was(seed: int) -> None:
    luck = Random(seed)
    history = History(tuple(range(1, luck.randint(50, 80))))
    for _ in range(luck.randint(4, 30)):
        costs = Costs(tally(history))
        dense = best_matching(costs, Random(seed))
        by_neighbours = best_matching(costs, Random(seed), dense=0)
        assert dense is not None
        assert by_neighbours is not None
        assert costs.value(by_neighbours) == costs.value(dense)
        games = tuple(Bye(b) if a == PHANTOM else Meeting(a, b, luck.choice(list(Side))) for a, b in sorted(dense))
        history = History(history.teams, (*history.rounds, games))


def test_a_large_field_with_forbidden_pairs_knows_soon_that_no_round_is_left() -> None:
    teams = tuple(range(1, 401))
    alone = History(teams, (), frozenset(), tuple((1, other) for other in teams[1:]))
    assert (refused(alone).where, refused(alone, allow_rematch=True).where) == ("forbidden", "forbidden")
    rounds = tuple((Meeting(1, other, Side.NS),) for other in teams[1:])
    assert fewest_rematches(History(teams, rounds)) == 1
    drawn = next_round(History(teams, rounds), 3, allow_rematch=True)
    assert ([1 in pair for pair in drawn.rematches], len(drawn.pairs)) == ([True], 200)


@pytest.mark.parametrize(("teams", "seconds"), [(300, 15.0), (2000, 60.0)])
def test_a_round_is_paired_in_bounded_time(teams: int, seconds: float) -> None:
    history = History(tuple(range(1, teams + 1)))
    first = next_round(history, 1)
    games = tuple(Meeting(pair.ns, pair.ew, Side.NS) for pair in first.pairs)
    started = process_time()
    second = next_round(History(history.teams, (games,)), 1)
    assert process_time() - started < seconds
    assert value(History(history.teams, (games,)), pairing_of(second)) == (0, 0, 0, 0)


def test_one_rematch_fewer_outweighs_a_second_bye() -> None:
    luck = Random(2536)
    history = played(5, luck.randint(3, 6), luck)
    best, least_byes = worth(history)[0][0], min(known[1] for known, _ in worth(history))
    assert (best[:2], least_byes) == ((1, 1), 0)
    assert value(history, pairing_of(next_round(history, 7, allow_rematch=True))) == best


def kept_apart(apart: int, others: int) -> History:
    """So many teams that never meet among themselves, each with one win by a bye, and others with two by play."""
    low, high = tuple(range(1, apart + 1)), tuple(range(apart + 1, apart + others + 1))
    byes = (tuple(Bye(team) for team in low),)
    absent = 9000
    wins = tuple((Meeting(team, absent + index, Side.NS),) for index, team in enumerate(high * 2))
    left = frozenset(absent + index for index in range(2 * others))
    return History(low + high, byes + wins, left, tuple(combinations(low, 2)))


def test_more_neighbours_are_looked_at_when_the_nearest_make_no_round() -> None:
    costs = Costs(tally(kept_apart(26, 26)))
    dense, found = best_matching(costs, Random(1)), best_matching(costs, Random(1), dense=0)
    assert dense is not None
    assert found is not None
    assert costs.value(found) == costs.value(dense) == (0, 0, 0, 26)


def test_more_neighbours_are_looked_at_when_the_nearest_make_no_good_round() -> None:
    """Of 25 that never meet, 24 meet the 24 nearest others; the last would rest again if nobody looked further."""
    costs = Costs(tally(kept_apart(25, 26)))
    found = best_matching(costs, Random(1), dense=0)
    assert found is not None
    assert costs.value(found) == (0, 0, 2, 25)


@given(histories(6, 16, rounds=2), st.integers(0, 2**64))
@settings(deadline=None, max_examples=60)
def test_the_jitter_leaves_one_best_round_whichever_solver_looks(history: History, seed: int) -> None:
    costs = Costs(tally(history))
    mine = best_matching(costs, Random(seed))
    luck = Random(seed)
    ranked = ranking(costs, luck)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(reversed(weighted(costs, ranked, len(ranked), luck)))
    found = nx.max_weight_matching(graph, maxcardinality=True)
    theirs = {tuple(sorted((ranked[a], ranked[b]))) for a, b in found}
    assert mine is None or mine == theirs


# --- What the seed decides --------------------------------------------------------------------------------------------


@given(histories(2, 30, rounds=6), st.integers(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_the_same_seed_gives_the_same_round_however_the_teams_are_listed(
    history: History, seed: int, shuffled: Random
) -> None:
    teams, forbidden = list(history.teams), [pair[::-1] for pair in history.forbidden]
    shuffled.shuffle(teams)
    shuffled.shuffle(forbidden)
    rounds = tuple(tuple(shuffled.sample(posted, len(posted))) for posted in history.rounds)
    again = History(tuple(teams), rounds, history.withdrawn, tuple(forbidden))
    assert outcome(history, seed) == outcome(again, seed) == outcome(history, seed)


def outcome(history: History, seed: int) -> Draw | str:
    try:
        return next_round(history, seed, allow_rematch=True)
    except HubError as error:
        return error.message


@given(histories(2, 30, rounds=6), st.integers(), st.integers())
@settings(deadline=None, max_examples=60)
def test_another_seed_changes_only_among_equals(history: History, seed: int, other: int) -> None:
    one, two = outcome(history, seed), outcome(history, other)
    if isinstance(one, Draw) and isinstance(two, Draw):
        assert value(history, pairing_of(one)) == value(history, pairing_of(two))
    else:
        assert one == two


def test_round_one_is_a_draw_over_pairs_seats_and_their_order() -> None:
    drawn = {next_round(History((1, 2, 3, 4)), seed) for seed in range(600)}
    assert len(drawn) == 3 * 4 * 2  # who meets whom, seats of both pairs, order of the pairs
    assert {next_round(History((5, 9, 7)), seed).bye for seed in range(50)} == {5, 7, 9}


def test_the_seed_reaches_every_equally_good_round() -> None:
    history = played(7, 3, Random(5))
    best = worth(history)[0][0]
    equals = {tuple(sorted(each)) for known, each in worth(history) if known == best}
    assert len(equals) > 1
    assert {pairing_of(next_round(history, seed)) for seed in range(200)} == equals


@pytest.mark.parametrize("seed", [0, -1, 2**63, -(2**200), 10**90])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    assert pairing_of(next_round(CONTRACT, seed)) == ((1, 3), (2, 5))


def test_a_seed_draws_each_round_anew() -> None:
    teams = tuple(range(1, 17))
    first = next_round(History(teams), 7)
    games = tuple(Meeting(pair.ns, pair.ew, None) for pair in first.pairs)
    orders = [[pair.teams for pair in next_round(History(teams, (games,) * n), 7).pairs] for n in range(1, 4)]
    assert all(one != two for one, two in pairwise(orders))


# --- Byes, late entries, withdrawals, forfeits ------------------------------------------------------------------------


def test_the_example_of_the_documentation() -> None:
    drawn = next_round(CONTRACT, 7)
    assert (drawn.number, pairing_of(drawn), drawn.bye, drawn.rematches) == (2, ((1, 3), (2, 5)), None, ())


def test_a_bye_goes_to_the_fewest_wins_and_to_nobody_twice() -> None:
    rounds = ((Meeting(1, 2, Side.NS), Meeting(3, 4, Side.NS), Bye(5)),)
    assert {next_round(History((1, 2, 3, 4, 5), rounds), seed).bye for seed in range(40)} == {2, 4}
    alone = ((Bye(5), Meeting(1, 2, Side.NS), Meeting(3, 4, Side.NS)), (Bye(2), Bye(4), Meeting(1, 5, Side.NS)))
    assert {next_round(History((1, 2, 3, 4, 5), alone), seed).bye for seed in range(40)} == {3}


def test_a_second_bye_goes_to_the_fewest_wins_when_everybody_has_had_one() -> None:
    assert refused(TRIANGLE).code == "no-legal-round"
    drawn = next_round(TRIANGLE, 7, allow_rematch=True)
    assert (drawn.number, drawn.bye, drawn.rematches) == (4, 3, ((1, 2),))  # wins: 3, 2 and 1


def test_a_late_entry_meets_teams_without_a_win() -> None:
    rounds = ((Meeting(1, 2, Side.NS), Meeting(3, 4, Side.NS)),)
    drawn = next_round(History((1, 2, 3, 4, 8, 9), rounds), 7)
    assert {pair for pair in pairing_of(drawn) if not {8, 9} & set(pair)} <= {(1, 3), (2, 4)}
    assert (1, 3) in pairing_of(drawn)


def test_a_withdrawn_team_is_paired_no_more_and_may_be_unknown() -> None:
    rounds = ((Meeting(1, 2, Side.EW), Meeting(3, 77, Side.EW), Bye(4)),)
    drawn = next_round(History((1, 2, 3, 4), rounds, frozenset({4, 77, 99})), 7)
    assert pairing_of(drawn) in {((0, 1), (2, 3)), ((0, 3), (1, 2))}


def test_a_forfeit_counts_as_a_meeting_and_a_win() -> None:
    rounds = ((Meeting(1, 2, Side.NS, forfeit=True), Meeting(3, 4, None)),)
    assert {next_round(History((1, 2, 3, 4), rounds), seed).pairs[0].teams for seed in range(20)} <= {
        (1, 3), (1, 4), (2, 3), (2, 4)
    }  # fmt: skip
    assert tally(History((1, 2, 3, 4), rounds)).wins == {1: 1}


def test_two_teams_meet_once() -> None:
    assert next_round(History((4, 9)), 1).pairs in {(Pair(4, 9),), (Pair(9, 4),)}
    again = refused(History((4, 9), ((Meeting(9, 4, None),),)))
    assert (again.code, again.message) == (
        "no-legal-round",
        "No round is left in which nobody meets again. 1 rematch would do: allow rematches, or end the stage.",
    )
    drawn = next_round(History((4, 9), ((Meeting(9, 4, None),),)), 1, allow_rematch=True)
    assert (pairing_of(drawn), drawn.rematches) == (((4, 9),), ((4, 9),))


def test_forbidden_pairs_never_meet_not_even_with_rematches() -> None:
    kept = refused(History((1, 2), forbidden=((2, 1),)), allow_rematch=True)
    assert (kept.code, kept.where) == ("no-legal-round", "forbidden")
    assert kept.message == (
        "The forbidden pairs leave no round, not even with rematches. "
        "Take one off the list, or let a team of theirs withdraw."
    )
    assert refused(History((1, 2), forbidden=((2, 1),))).where == "forbidden"


# --- Histories that cannot be used ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("history", "code", "where", "message"),
    [
        (History(()), "too-few-teams", "teams",
         "No team is left to play. A round needs 2 teams: register one, or take a withdrawal back."),
        (History((1, 2), withdrawn=frozenset({1})), "too-few-teams", "teams",
         "1 team is left to play. A round needs 2 teams: register one, or take a withdrawal back."),
        (History((3, 1, 3)), "repeated-team", "teams[2]", "Team 3 is listed twice. List it once."),
        (History((1, 2), forbidden=((1, 9),)), "unknown-team", "forbidden[0][1]",
         "Team 9 is not among the teams. Add it to them, or to those withdrawn."),
        (History((1, 2), forbidden=((2, 2),)), "own-opponent", "forbidden[0]",
         "Team 2 stands against itself. Name its opponents."),
        (History((1, 2), ((Meeting(7, 2, None),),)), "unknown-team", "rounds[0][0].ns",
         "Team 7 is not among the teams. Add it to them, or to those withdrawn."),
        (History((1, 2), ((), (Bye(8),))), "unknown-team", "rounds[1][0].bye",
         "Team 8 is not among the teams. Add it to them, or to those withdrawn."),
        (History((1, 2), ((Meeting(2, 2, None),),)), "own-opponent", "rounds[0][0]",
         "Team 2 stands against itself. Name its opponents."),
        (History((1, 2, 3), ((Bye(3), Meeting(1, 2, None)), (Meeting(1, 2, None), Bye(1)))), "twice-in-round",
         "rounds[1][1]", "Team 1 stands twice in round 2. Keep the place where it was."),
        (History((1, 2), ((Meeting(1, 2, None, forfeit=True),),)), "forfeit-winner", "rounds[0][0].winner",
         "A forfeit has a winner. Name the side that was there."),
        (History(tuple(range(1, 2002))), "out-of-range", "teams", "2001 teams are too many. At most 2000 can be used."),
        (History((1, 2), ((),) * 1000), "out-of-range", "rounds", "1000 rounds are too many. At most 999 can be used."),
        (History((1, 2), forbidden=((1, 2),) * 20_001), "out-of-range", "forbidden",
         "20001 forbidden pairs are too many. At most 20000 can be used."),
    ],
)  # fmt: skip
def test_a_history_that_contradicts_itself_is_refused_in_a_sentence(
    history: History, code: str, where: str, message: str
) -> None:
    for allow_rematch in (False, True):
        error = refused(history, allow_rematch=allow_rematch)
        assert (error.code, error.where, error.message) == (code, where, message)
    with pytest.raises(HubError):
        fewest_rematches(history)
