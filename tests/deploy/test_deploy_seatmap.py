"""The seat map of a template, as people read it before anybody sits."""

from __future__ import annotations

import json

import pytest

from deploy.cli import main
from deploy.commands.seatmap import seatmap


def test_a_rotation_is_printed_whole_with_what_to_know() -> None:
    assert seatmap("capitol-5", 8).splitlines() == [
        "Capitol City, 5 rounds, 8 teams",
        "Stage 1, Rounds: 5 rounds of up to 5 hands, 25 minutes.",
        "Table  Round 1  Round 2  Round 3  Round 4  Round 5",
        "    1    1 – 2    1 – 8    1 – 6    3 – 6    5 – 6",
        "    2    3 – 4    3 – 2    3 – 8    5 – 8    7 – 8",
        "    3    5 – 6    5 – 4    5 – 2    7 – 2    1 – 2",
        "    4    7 – 8    7 – 6    7 – 4    1 – 4    3 – 4",
        "North–South sit first, East–West second.",
        "Round 5: teams 5 and 6 meet again.",
        "Round 5: teams 7 and 8 meet again.",
        "Round 5: teams 1 and 2 meet again.",
        "Round 5: teams 3 and 4 meet again.",
        "Stage 2, Play-off: single hands, drawn by lot, while a place from 1 to 4 is shared.",
        (
            "Note: 4 tables are fewer than 5 rounds: 4 pairs meet again, from round 5 on. "
            "Play 4 rounds, register more teams, or play on as it is."
        ),
    ]


def test_a_swiss_stage_shows_its_drawn_first_round_by_the_seed() -> None:
    lines = seatmap("mso", 5, seed=7).splitlines()
    assert lines[1:3] == [
        "Stage 1, Qualifying: 4 rounds of up to 10 hands, untimed.",
        "Round 1 is drawn; later rounds follow from the results. Pairings are posted 10 minutes ahead.",
    ]
    seated = [int(word) for line in lines[4:6] for word in line.replace("–", " ").split()[1:]]
    resting = int(lines[6].removeprefix("Round 1: team ").removesuffix(" sits out."))
    assert sorted([*seated, resting]) == [1, 2, 3, 4, 5]
    assert seatmap("mso", 5, seed=7) == "\n".join(lines)


def test_the_organiser_of_a_world_series_sees_each_form(capsys: pytest.CaptureFixture[str]) -> None:
    told = {}
    for form in ("swiss", "round_robin", "elimination"):
        assert main(["seatmap", "--template", "wsos", "--teams", "6", "--qualifying", form]) == 0
        lines = capsys.readouterr().out.splitlines()
        told[form] = [line for line in lines if line.startswith("Stage")]
    assert told == {
        "swiss": [
            "Stage 1, Qualifying: 4 rounds of up to 10 hands, untimed.",
            "Stage 2, Play-offs: single elimination for teams with at least 3 wins, seeded by the standings.",
        ],
        "round_robin": [
            "Stage 1, Round robin: 5 rounds of up to 10 hands, untimed.",
            "Stage 2, Play-offs: single elimination for the 4 best.",
        ],
        "elimination": ["Stage 1, Elimination: 3 rounds of up to 10 hands, untimed."],
    }


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--template", "mso", "--teams", "1"], "too-few-teams"),
        (["--template", "mso", "--teams", "4", "--qualifying", "swiss"], "no-choice"),
        (["--template", "mso", "--teams", "-3"], "too-few-teams"),
        (["--template", "mso", "--teams", "9999999"], "too-many"),
    ],
)
def test_teams_that_cannot_be_seated_are_refused(
    words: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seatmap", *words]) == 2
    assert json.loads(capsys.readouterr().err.splitlines()[-1])["error"]["code"] == code
