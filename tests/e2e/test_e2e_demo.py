"""The demo room as its command: it ends by itself, counts add up, and the exported ledger tells the same story."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from room_parts import (
    exported,
    play_off_tables,
    recorded_in_journals,
    recorded_in_ledger,
    standings_recomputed,
    standings_told,
)

from deploy.demo import Plan, demo_room, run_until_over
from hub.broker import start_broker
from tallybox.ledger_line import decode_line, line_hash
from tallybox.rules.ruleset import builtin
from tallybox.sheet import sheet_from_json


def demo(folder: Path, *words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "demo", "--headless", "--until-done", "--data", str(folder), *words],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.timeout(300)
def test_a_capitol_tournament_ends_by_itself_and_every_count_agrees(tmp_path: Path) -> None:
    words = ("--tables", "5", "--template", "capitol-5", "--speed", "500", "--seed", "3", "--hands", "2")
    told = demo(tmp_path, *words)
    lines = exported(tmp_path)
    hands = 50 + play_off_tables(lines)
    assert (told["template"], told["hands_expected"], told["hands_recorded"]) == ("capitol-5", hands, hands)
    assert sum(row["hands_won"] for row in told["standings"]) == 50
    assert recorded_in_journals(tmp_path) == recorded_in_ledger(lines)
    assert set(recorded_in_ledger(lines).values()) == {1}
    assert standings_recomputed(lines) == standings_told(told)


def test_the_exported_ledger_is_one_unbroken_chain(tmp_path: Path) -> None:
    demo(tmp_path, "--tables", "1", "--template", "capitol-4", "--hands", "1", "--speed", "500")
    lines = [decode_line(json.dumps(line).encode()) for line in exported(tmp_path)]
    assert [line.ledger_seq for line in lines] == list(range(1, len(lines) + 1))
    assert [line.prev_hash for line in lines] == ["0" * 64, *(line.hash for line in lines[:-1])]
    assert [line_hash(line) for line in lines] == [line.hash for line in lines]


@pytest.mark.timeout(240)
@pytest.mark.evening
@pytest.mark.parametrize("template", ["mso", "wsos"])
def test_spades_are_played_to_a_champion_and_every_game_to_its_limit(tmp_path: Path, template: str) -> None:
    told = demo(tmp_path, "--tables", "2", "--template", template, "--speed", "500", "--seed", "5")
    assert told["hands_recorded"] == told["hands_expected"]
    assert sum(row["wins"] for row in told["standings"]) == 8
    assert sum(row["net_points"] for row in told["standings"]) == 0
    assert told["champion"] == told["standings"][0]["team"]
    assert recorded_in_journals(tmp_path) == recorded_in_ledger(exported(tmp_path))


@pytest.mark.timeout(240)
@pytest.mark.evening
def test_the_same_seed_plays_the_same_tournament(tmp_path: Path) -> None:
    words = ("--tables", "2", "--template", "capitol-4", "--hands", "2", "--speed", "500", "--seed", "11")
    assert demo(tmp_path / "a", *words) == demo(tmp_path / "b", *words)


@pytest.mark.timeout(240)
def test_the_room_runs_on_the_embedded_broker_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deploy.demo.start_broker", lambda data: start_broker(data, kind="amqtt"))
    plan = Plan(
        tables=2,
        template="capitol-4",
        hands=1,
        speed=500.0,
        seed=2,
        until_done=True,
        data=tmp_path,
        port=0,
        screen=False,
    )
    said: list[str] = []
    with demo_room(plan, said.append) as running:
        told = run_until_over(running, said.append)
    assert said[0].startswith("Broker: amqtt on 127.0.0.1:")
    assert (told["hands_recorded"], told["hands_expected"]) == (8, 8)
    assert recorded_in_journals(tmp_path) == recorded_in_ledger(exported(tmp_path))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--tables", "0"), "A demo room has 1 to 100 tables."),
        (("--speed", "0"), "A demo runs at a speed between 0.1 and 10000."),
        (("--hands", "99"), "A round has 1 to 20 hands."),
    ],
)
def test_figures_that_make_no_room_are_refused_before_anything_starts(words: tuple[str, ...], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "demo", *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, json.loads(done.stderr.splitlines()[-1])["error"]) == (
        2,
        {"code": "bad-plan", "message": sentence},
    )


def test_a_recorded_hand_scores_alone_as_a_sheet_file(tmp_path: Path) -> None:
    demo(tmp_path, "--tables", "1", "--template", "capitol-4", "--hands", "1", "--speed", "500")
    events = [line["event"] for line in exported(tmp_path)]
    hand = next(event["body"]["facts"] for event in events if event["type"] == "hand.recorded")
    sheet = {"ruleset": "capitol-city-bid-whist", "hands_per_round": 1, "hands": [hand]}
    (tmp_path / "sheet.json").write_text(json.dumps(sheet))
    assert sheet_from_json(sheet, builtin).hands[0].dealer == hand["dealer"]
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "score", str(tmp_path / "sheet.json")],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    answer = json.loads(done.stdout)
    assert (answer["round"]["over"], answer["round"]["hands_played"]) == (True, 1)
