"""The bracket: who meets whom, who has a bye, and what a result or its correction moves on."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.errors import HubError
from hub.tournament.bracket import (
    MOST_SEEDS,
    Bracket,
    Decided,
    Entrant,
    Match,
    NoEntrant,
    Progress,
    WinnerOf,
    bracket,
    bracket_to_json,
    progress,
    seeding,
)

COUNTS = range(2, 130)


def seed_of(slot: object) -> int | None:
    return slot.team if isinstance(slot, Entrant) else None


def first_round(made: Bracket) -> list[Match]:
    return [match for match in made.matches if match.round == 1]


def test_the_example_of_the_documentation_as_a_whole() -> None:
    assert bracket_to_json(bracket((12, 4, 9, 1, 7))) == {
        "size": 8,
        "matches": [
            {"id": "R1M1", "round": 1, "a": {"team": 12}, "b": {"bye": True}, "winner_to": "R2M1"},
            {"id": "R1M2", "round": 1, "a": {"team": 1}, "b": {"team": 7}, "winner_to": "R2M1"},
            {"id": "R1M3", "round": 1, "a": {"team": 4}, "b": {"bye": True}, "winner_to": "R2M2"},
            {"id": "R1M4", "round": 1, "a": {"team": 9}, "b": {"bye": True}, "winner_to": "R2M2"},
            {"id": "R2M1", "round": 2, "a": {"winner_of": "R1M1"}, "b": {"winner_of": "R1M2"}, "winner_to": "R3M1"},
            {"id": "R2M2", "round": 2, "a": {"winner_of": "R1M3"}, "b": {"winner_of": "R1M4"}, "winner_to": "R3M1"},
            {"id": "R3M1", "round": 3, "a": {"winner_of": "R2M1"}, "b": {"winner_of": "R2M2"}, "winner_to": None},
        ],
    }


def test_two_seeds_are_a_final() -> None:
    assert bracket((5, 3)) == Bracket(2, (Match("R1M1", 1, Entrant(5), Entrant(3), None),))


def test_the_first_round_of_eight_and_of_sixteen() -> None:
    assert [match.teams for match in first_round(bracket(range(1, 9)))] == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert [match.teams for match in first_round(bracket(range(1, 17)))] == [
        (1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11)
    ]  # fmt: skip
    assert (seeding(1), seeding(4)) == ((1,), (1, 4, 2, 3))


@pytest.mark.parametrize("count", COUNTS)
def test_the_structure_for_any_number_of_seeds(count: int) -> None:
    made = bracket(range(1, count + 1))
    rounds = (count - 1).bit_length()
    size = 2**rounds
    assert made.size == size
    assert [(match.id, match.round) for match in made.matches] == [
        (f"R{number}M{place}", number)
        for number in range(1, rounds + 1)
        for place in range(1, size // 2**number + 1)
    ]  # fmt: skip
    entered: dict[str, list[str]] = {}
    for match in made.matches:
        if match.winner_to:
            entered.setdefault(match.winner_to, []).append(match.id)
    for match in made.matches:
        if match.round > 1:
            assert [match.a, match.b] == [WinnerOf(each) for each in entered[match.id]]
    assert [match.id for match in made.matches if match.winner_to is None] == [f"R{rounds}M1"]
    placed = [seed for match in first_round(made) for seed in (seed_of(match.a), seed_of(match.b)) if seed]
    assert sorted(placed) == list(range(1, count + 1))


@pytest.mark.parametrize("count", COUNTS)
def test_byes_go_to_the_top_seeds_and_nobody_stands_against_nobody(count: int) -> None:
    made = bracket(range(1, count + 1))
    byes = [match.through for match in first_round(made) if NoEntrant() in (match.a, match.b)]
    assert sorted(seed for seed in byes if seed) == list(range(1, made.size - count + 1))
    assert len(byes) == made.size - count


@pytest.mark.parametrize("count", COUNTS)
def test_the_first_four_seeds_stand_in_separate_quarters(count: int) -> None:
    made = bracket(range(1, count + 1))
    places = {
        seed: index
        for index, match in enumerate(first_round(made))
        for seed in (seed_of(match.a), seed_of(match.b))
        if seed
    }
    quarters = [4 * places[seed] // (made.size // 2) for seed in range(1, min(count, 4) + 1)] if made.size >= 8 else []
    assert len(set(quarters)) == len(quarters)
    halves = [2 * places[seed] // (made.size // 2) for seed in (1, 2)] if made.size >= 4 else [0, 1]
    assert halves == [0, 1]


@given(st.integers(2, 129))
@settings(deadline=None, max_examples=40)
def test_the_best_seeds_meet_as_late_as_can_be(count: int) -> None:
    """If the better seed always wins, every round is left with its best half."""
    made = bracket(range(1, count + 1))
    decided: dict[str, Decided] = {}
    now = progress(made, decided)
    while now.ready:
        for match in now.matches:
            if match.id in now.ready and match.teams:
                decided[match.id] = Decided(min(match.teams), max(match.teams))
        now = progress(made, decided)
    for match in now.matches:
        if match.teams:
            assert sum(match.teams) == made.size // 2 ** (match.round - 1) + 1
    assert (now.champion, now.ranks[1], now.ranks[2]) == (1, 1, 2)
    assert sorted(now.ranks) == list(range(1, count + 1))


@given(st.integers(2, 40), st.integers(0, 2**32))
@settings(deadline=None)
def test_every_bracket_is_played_to_one_champion_and_ranks_everybody(count: int, seed: int) -> None:
    made = bracket(range(1, count + 1))
    decided, now = play(made, Random(seed))
    assert (len(decided), now.stale, now.ready) == (count - 1, (), ())
    losers = {result.loser for result in decided.values()}
    assert {now.champion} | losers == set(range(1, count + 1))
    assert now.champion not in losers
    for rank in set(now.ranks.values()):
        sharing = sum(each == rank for each in now.ranks.values())
        assert sharing <= max(1, rank - 1)
    assert now.ranks[now.champion or 0] == 1


def play(made: Bracket, luck: Random) -> tuple[dict[str, Decided], Progress]:
    decided: dict[str, Decided] = {}
    now = progress(made, decided)
    while now.ready:
        chosen = luck.choice(now.ready)
        teams = next(match.teams for match in now.matches if match.id == chosen)
        assert teams is not None
        winner, loser = luck.sample(teams, 2)
        decided[chosen] = Decided(winner, loser)
        now = progress(made, decided)
    return decided, now


EIGHT = bracket(range(1, 9))
ROUND_ONE: Mapping[str, Decided] = {
    "R1M1": Decided(1, 8), "R1M2": Decided(4, 5), "R1M3": Decided(2, 7), "R1M4": Decided(3, 6)
}  # fmt: skip


def teams_of(now: Progress) -> dict[str, tuple[int, int] | None]:
    return {match.id: match.teams for match in now.matches if match.round > 1}


def test_winners_move_on() -> None:
    now = progress(EIGHT, ROUND_ONE)
    assert teams_of(now) == {"R2M1": (1, 4), "R2M2": (2, 3), "R3M1": None}
    assert (now.ready, now.ranks) == (("R2M1", "R2M2"), {8: 5, 5: 5, 7: 5, 6: 5})
    half = progress(EIGHT, {"R1M1": Decided(8, 1)})
    assert half.matches[4] == Match("R2M1", 2, Entrant(8), WinnerOf("R1M2"), "R3M1")
    assert half.ready == ("R1M2", "R1M3", "R1M4")


def test_a_corrected_result_rewrites_matches_that_are_not_played() -> None:
    corrected = {**ROUND_ONE, "R1M2": Decided(5, 4)}
    assert teams_of(progress(EIGHT, corrected)) == {"R2M1": (1, 5), "R2M2": (2, 3), "R3M1": None}
    assert progress(EIGHT, corrected).stale == ()


def test_a_corrected_result_flags_what_was_played_on_it_and_keeps_it() -> None:
    played = {**ROUND_ONE, "R2M1": Decided(4, 1), "R2M2": Decided(2, 3)}
    assert progress(EIGHT, played).stale == ()
    now = progress(EIGHT, {**played, "R1M2": Decided(5, 4)})
    assert (now.stale, now.ready) == (("R2M1",), ("R3M1",))
    assert teams_of(now) == {"R2M1": (4, 1), "R2M2": (2, 3), "R3M1": (4, 2)}


def test_a_whole_final_is_ranked_one_two_three_three() -> None:
    done = {**ROUND_ONE, "R2M1": Decided(4, 1), "R2M2": Decided(2, 3), "R3M1": Decided(2, 4)}
    now = progress(EIGHT, done)
    assert (now.champion, now.ready) == (2, ())
    assert now.ranks == {2: 1, 4: 2, 1: 3, 3: 3, 5: 5, 6: 5, 7: 5, 8: 5}


def test_a_result_without_its_teams_in_place_is_flagged() -> None:
    assert progress(EIGHT, {"R3M1": Decided(2, 4)}).stale == ("R3M1",)


@pytest.mark.parametrize(
    ("seeds", "code", "where", "message"),
    [
        ((), "too-few-teams", "seeds", "No team is seeded. Name at least 2, best first."),
        ((5,), "too-few-teams", "seeds", "1 team makes no bracket. Name at least 2, best first."),
        ((5, 3, 5), "repeated-team", "seeds[2]", "Team 5 is seed 1 and seed 3. Keep one."),
        (
            tuple(range(MOST_SEEDS + 1)),
            "out-of-range",
            "seeds",
            "4097 seeds are too many. A bracket holds at most 4096.",
        ),
    ],
)
def test_seeds_that_make_no_bracket_are_refused(seeds: tuple[int, ...], code: str, where: str, message: str) -> None:
    with pytest.raises(HubError) as refused:
        bracket(seeds)
    assert (refused.value.code, refused.value.where, refused.value.message) == (code, where, message)


def test_the_largest_bracket_is_whole() -> None:
    made = bracket(range(1, MOST_SEEDS + 1))
    assert (made.size, len(made.matches)) == (4096, 4095)
    assert all(a < b for a, b in (match.teams for match in first_round(made) if match.teams))
