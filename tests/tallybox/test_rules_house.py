"""Three clubs that play otherwise, each a TOML file and no code, over whole sheets and through the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rules_sheets import spades_hand, whist_hand

from deploy.cli import main

Capture = pytest.CaptureFixture[str]
HOUSE = Path(__file__).parent / "house_rules"


def played(capsys: Capture, tmp_path: Path, house: str, hands: list[dict[str, Any]], **rest: Any) -> Any:
    """The answer of ``tallybox score`` to a sheet under a house's file."""
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps({"ruleset": str(HOUSE / f"{house}.toml"), "hands": hands, **rest}))
    assert main(["score", str(path)]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: Capture, tmp_path: Path, house: str, hands: list[dict[str, Any]]) -> tuple[str, int, str]:
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps({"ruleset": str(HOUSE / f"{house}.toml"), "hands": hands}))
    assert main(["score", str(path)]) == 2
    error = json.loads(capsys.readouterr().err.splitlines()[-1])["error"]
    return error["message"], error["hand"], error["where"]


@pytest.mark.parametrize("house", ["short-game", "low-beats-high", "set-costs"])
def test_a_house_s_file_is_checked_and_named(capsys: Capture, house: str) -> None:
    assert main(["rules", "check", str(HOUSE / f"{house}.toml")]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == house


def test_a_short_game_ends_at_350_and_counts_no_bags(capsys: Capture, tmp_path: Path) -> None:
    hands = [
        spades_hand("5+4", "6+5", "1+1", dealer="N"),  # 9 bid and 11 taken: 90, no points and no penalty for bags
        spades_hand("5+4", "6+5", "1+1", dealer="E"),
        spades_hand("N+6", "2+6", "2+2", "3+2", dealer="S"),  # the nil is set: −100 + 60, its tricks count nothing
        spades_hand("N+7", "0+9", "2+2", "2+2", dealer="W"),  # 170
        spades_hand("4+3", "5+4", "2+2", "2+2", dealer="N"),  # 70: 380 in all
        spades_hand("4+3", "5+4", "2+2", "2+2", dealer="E"),
    ]
    answer = played(capsys, tmp_path, "short-game", hands)
    assert [hand["points"] for hand in answer["hands"]] == [
        {"NS": 90, "EW": 20},
        {"NS": 90, "EW": 20},
        {"NS": -40, "EW": 40},
        {"NS": 170, "EW": 40},
        {"NS": 70, "EW": 40},
        {"NS": 70, "EW": 40},
    ]
    assert answer["hands"][4]["bags"] == {"NS": 10, "EW": 1}
    assert answer["totals"]["points"] == {"NS": 380, "EW": 160}
    assert answer["round"] == {"over": True, "reason": "win-limit", "winner": "NS", "hands_played": 5}
    assert [(warning["code"], warning["hand"]) for warning in answer["warnings"]] == [("past-end", 6)]


def test_a_short_game_that_is_level_after_six_hands_is_a_draw(capsys: Capture, tmp_path: Path) -> None:
    hands = [spades_hand("3+3", "4+3", "3+3", "3+3", dealer=dealer) for dealer in ("N", "E", "S", "W", "N", "E")]
    answer = played(capsys, tmp_path, "short-game", hands)
    assert answer["totals"]["points"] == {"NS": 360, "EW": 360}
    assert answer["round"] == {"over": True, "reason": "win-limit", "winner": None, "hands_played": 6}


def test_low_beats_high_of_the_same_number_over_a_round(capsys: Capture, tmp_path: Path) -> None:
    hands: list[dict[str, Any]] = [
        {"dealer": "W", "calls": ["3", "3 special", "pass", "pass"], "books": {"NS": 3, "EW": 10}},  # EW: 4
        {"dealer": "N", "calls": ["5", "5 special", "5 no", "6"], "books": {"NS": 12, "EW": 1}},  # NS: 6
        {"dealer": "E", "calls": ["pass", "pass", "pass", "3 no up"], "books": {"NS": 5, "EW": 8}},  # set: NS 6
        {"dealer": "S", "calls": ["6", "pass", "6 special", "pass"], "books": {"NS": 0, "EW": 13}},  # EW: 7, no Boston
        {"dealer": "W", "calls": ["7", "7 special", "7 no down", "pass"], "books": {"NS": 13, "EW": 0}},  # 14, Boston
    ]
    answer = played(capsys, tmp_path, "low-beats-high", hands)
    assert [(*hand["points"].values(), hand["won_by"], hand["boston"]) for hand in answer["hands"]] == [
        (0, 4, "EW", None),
        (6, 0, "NS", None),
        (6, 0, "NS", None),
        (0, 7, "EW", None),
        (14, 0, "NS", "NS"),
    ]
    assert answer["totals"] == {
        "points": {"NS": 26, "EW": 11},
        "bags": {"NS": 0, "EW": 0},
        "hands_won": {"NS": 3, "EW": 2},
        "bostons": {"NS": 1, "EW": 0},
    }
    assert (answer["round"]["reason"], answer["warnings"]) == ("hand-limit", [])


def test_high_does_not_beat_low_of_the_same_number_there(capsys: Capture, tmp_path: Path) -> None:
    hands = [{"dealer": "W", "calls": ["3 special", "3", "pass", "pass"], "books": {"NS": 10, "EW": 3}}]
    said = "3 HIGH does not beat 3 SPECIAL. East must now bid 4 HIGH."
    assert refused(capsys, tmp_path, "low-beats-high", hands) == (said, 1, "hands[0].calls[1]")


def test_a_set_costs_the_bidders_over_a_round(capsys: Capture, tmp_path: Path) -> None:
    false_call = [{"code": "TALK", "side": "EW", "caller": "S", "proven": False}]
    hands = [
        whist_hand("5", 10, dealer="W"),  # set: −5 and 5
        whist_hand("6 no up", 11, dealer="N"),  # East–West set: −12 and 12
        whist_hand("4", 11, dealer="E", rulings=false_call),  # South's bid of 4 makes 5, the false call costs 2
        whist_hand("4", None, dealer="S", rulings=[{"code": "CONCEDED", "side": "EW"}]),  # −4 and 4
        {"dealer": "W", "rulings": [{"code": "LATE", "side": "EW"}]},  # 7
    ]
    answer = played(capsys, tmp_path, "set-costs", hands)
    assert [hand["points"] for hand in answer["hands"]] == [
        {"NS": -5, "EW": 5},
        {"NS": 12, "EW": -12},
        {"NS": 3, "EW": 0},
        {"NS": 4, "EW": -4},
        {"NS": 7, "EW": 0},
    ]
    assert answer["totals"]["points"] == {"NS": 21, "EW": -11}
    assert answer["totals"]["hands_won"] == {"NS": 4, "EW": 1}
