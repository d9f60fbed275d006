"""The movement: worked examples AM, rematches, odd counts, and the laws behind them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallybox.errors import MovementError
from tallybox.movement import Movement, Rematch, Seating, SitOut, movement, movement_to_json


def tables_of(made: Movement, team: int) -> list[int]:
    return [seat.table for one in made.rounds for seat in one if team in (seat.ns, seat.ew)]


def opponents_of(made: Movement, team: int) -> list[int]:
    return [
        seat.ew if seat.ns == team else seat.ns for one in made.rounds for seat in one if team in (seat.ns, seat.ew)
    ]


@pytest.mark.parametrize(
    ("example", "teams", "rounds", "even", "odd", "opponents"),
    [
        ("AM1", 16, 5, [1, 2, 3, 3, 3], [1, 1, 1, 8, 7], [2, 16, 14, 12, 10]),
        ("AM2", 16, 8, [1, 2, 3, 4, 4, 4, 4, 4], [1, 1, 1, 1, 8, 7, 6, 5], [2, 16, 14, 12, 10, 8, 6, 4]),
        ("AM4", 8, 5, [1, 2, 3, 3, 3], [1, 1, 1, 4, 3], [2, 8, 6, 4, 2]),
    ],
)
def test_movement_example(
    example: str, teams: int, rounds: int, even: list[int], odd: list[int], opponents: list[int]
) -> None:
    made = movement(teams, rounds)
    assert (tables_of(made, 2), tables_of(made, 1), opponents_of(made, 1)) == (even, odd, opponents)


def test_eight_teams_meet_again_in_round_five() -> None:
    made = movement(8, 5)
    assert made.rematches == tuple(Rematch(5, pair) for pair in ((5, 6), (7, 8), (1, 2), (3, 4)))
    assert movement(16, 5).rematches == ()


def test_four_rounds_move_the_even_teams_once() -> None:
    made = movement(16, 4)
    assert (tables_of(made, 2), tables_of(made, 1)) == ([1, 2, 2, 2], [1, 1, 8, 7])


def test_even_rounds_override_which_rounds_move_the_even_teams() -> None:
    made = movement(16, 5, [4, 5])
    assert (tables_of(made, 2), tables_of(made, 1)) == ([1, 1, 1, 2, 3], [1, 8, 7, 7, 7])
    assert movement(16, 5, [2, 3]) == movement(16, 5)
    assert tables_of(movement(16, 3, []), 2) == [1, 1, 1]


def test_the_answer_in_json() -> None:
    assert movement_to_json(movement(3, 2)) == {
        "teams": 3,
        "tables": 1,
        "rounds": [[{"table": 1, "ns": 1, "ew": 2}], [{"table": 1, "ns": 3, "ew": 2}]],
        "rematches": [],
        "sit_outs": [{"round": 1, "team": 3}, {"round": 2, "team": 1}],
    }


def test_round_one_seats_odd_teams_north_south_and_even_teams_east_west() -> None:
    assert movement(4, 1).rounds == ((Seating(1, 1, 2), Seating(2, 3, 4)),)


@pytest.mark.parametrize(
    ("teams", "rounds", "even", "code", "where"),
    [
        (1, 5, None, "too-few-teams", "teams"),
        (0, 5, None, "too-few-teams", "teams"),
        (-4, 5, None, "too-few-teams", "teams"),
        (8, 0, None, "out-of-range", "rounds"),
        (8, 250_001, None, "out-of-range", "rounds"),
        (2_000_001, 1, None, "out-of-range", "rounds"),
        (8, 1, [2], "even-rounds", "even_rounds"),
        (8, 5, [1], "even-rounds", "even_rounds"),
        (8, 5, [6], "even-rounds", "even_rounds"),
        (8, 5, [2, 2], "even-rounds", "even_rounds"),
    ],
)
def test_what_cannot_be_seated_is_refused(
    teams: int, rounds: int, even: list[int] | None, code: str, where: str
) -> None:
    with pytest.raises(MovementError) as refused:
        movement(teams, rounds, even)
    assert (refused.value.code, refused.value.where) == (code, where)


def test_any_number_of_rounds_is_seated() -> None:
    made = movement(16, 300)
    assert (len(made.rounds), len(made.rematches)) == (300, 8 * (300 - 8))
    assert tables_of(made, 2)[148:152] == [5, 6, 6, 6]  # 149 moves of the even teams, then of the odd ones
    assert len(movement(2, 5_000).rounds) == 5_000


@pytest.mark.parametrize(
    ("teams", "rounds", "even", "said"),
    [
        (1, 3, None, "1 team fills no table. Register at least 2."),
        (0, 3, None, "0 teams fill no table. Register at least 2."),
        (2, 0, None, "0 rounds cannot be played. Use 1 or more."),
        (4, 600_000, None, "4 teams over 600000 rounds make more than 2000000 places. Ask for fewer rounds at a time."),
        (4, 3, [4], "Round 4 is not entered by a move. Even teams can move for rounds 2 to 3."),
        (4, 1, [2], "Round 2 is not entered by a move. Even teams can move for no round of one."),
    ],
)
def test_a_refused_movement_says_why(teams: int, rounds: int, even: list[int] | None, said: str) -> None:
    with pytest.raises(MovementError) as refused:
        movement(teams, rounds, even)
    assert refused.value.message == said


COUNTS = st.integers(2, 41)
ROUNDS = st.integers(1, 12)


@given(COUNTS, ROUNDS)
@settings(deadline=None)
def test_every_team_is_seated_once_in_every_round_or_sits_out(teams: int, rounds: int) -> None:
    made = movement(teams, rounds)
    out = Counter((each.round, each.team) for each in made.sit_outs)
    for number, one in enumerate(made.rounds, start=1):
        seated = [team for seat in one for team in (seat.ns, seat.ew)]
        assert sorted([*seated, *(team for which, team in out if which == number)]) == list(range(1, teams + 1))
        assert len(one) == made.tables == teams // 2
        assert [seat.table for seat in one] == sorted({seat.table for seat in one})
        assert all(seat.ns % 2 == 1 and seat.ew % 2 == 0 for seat in one)
    assert len(made.sit_outs) == (rounds if teams % 2 else 0)


@given(COUNTS, ROUNDS)
@settings(deadline=None)
def test_no_pair_meets_twice_while_there_are_as_many_tables_as_rounds(teams: int, rounds: int) -> None:
    made = movement(teams, rounds)
    pairs = (teams + 1) // 2
    if rounds <= pairs:
        assert made.rematches == ()
    elif rounds <= 2 * pairs and teams % 2 == 0:
        assert len(made.rematches) == pairs * (rounds - pairs)


@given(st.integers(1, 20).map(lambda half: 2 * half - 1).filter(lambda teams: teams > 1), ROUNDS)
@settings(deadline=None)
def test_sit_outs_are_shared_while_rounds_last(teams: int, rounds: int) -> None:
    made = movement(teams, rounds)
    first = [each.team for each in made.sit_outs if each.round <= (teams + 1) // 2]
    assert len(set(first)) == len(first)
    assert all(isinstance(each, SitOut) for each in made.sit_outs)


@given(COUNTS, ROUNDS, st.data())
@settings(deadline=None)
def test_after_as_many_rounds_as_tables_all_tables_repeat_whichever_teams_move(
    teams: int, rounds: int, data: st.DataObject
) -> None:
    """T·(R − T) tables repeat for T < R ≤ 2T, the phantom's among them: a repeated sit-out is no rematch."""
    pairs = (teams + 1) // 2
    even = data.draw(st.one_of(st.none(), st.sets(st.integers(2, rounds)) if rounds > 1 else st.just(set())))
    made = movement(teams, rounds, None if even is None else sorted(even))
    sat_out_again = sum(each.round > pairs for each in made.sit_outs)
    if rounds <= 2 * pairs:
        assert len(made.rematches) + sat_out_again == pairs * max(0, rounds - pairs)
