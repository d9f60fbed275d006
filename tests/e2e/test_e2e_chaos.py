"""A short run of the real command on each broker; and what is left when it is told to end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from room_parts import wait_for

from deploy.chaos.errors import ChaosError
from deploy.chaos.evening import Count
from deploy.chaos.points import FaultPoint
from deploy.chaos.room import Play
from deploy.chaos.run import Plan, answer, judged
from deploy.cli import main

ROOM = ("--tables", "1", "--template", "capitol-4", "--hands", "2", "--speed", "300")


def chaos(*words: str) -> list[str]:
    return [sys.executable, "-m", "deploy.cli", "chaos", *words]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("broker", "seed"), [("mosquitto", 13148), ("embedded", 17538)])
def test_a_short_run_loses_nothing_and_says_what_it_had_no_time_for(broker: str, seed: int, tmp_path: Path) -> None:
    words = ["--seed", str(seed), "--broker", broker, *ROOM]
    for minutes in ("0.08", "0.8"):  # the longer one for a machine on which nothing happens in five seconds
        run = chaos("--minutes", minutes, "--data", str(tmp_path / minutes), *words)
        done = subprocess.run(run, capture_output=True, timeout=400, check=False)
        assert done.returncode == 0, done.stderr.decode()
        said: dict[str, Any] = json.loads(done.stdout)
        if sum(said["struck"].values()):
            break
    assert (said["ok"], said["findings"], said["broker"]) == (True, [], broker)
    assert said["struck"].keys() == set(FaultPoint)
    assert sorted(said["no_time_for"]) == sorted(point for point, many in said["struck"].items() if not many)
    assert sum(said["struck"].values()) >= 1


@pytest.mark.timeout(400)
def test_a_run_that_is_told_to_end_leaves_no_process_behind(tmp_path: Path) -> None:
    room = tmp_path / "room"
    with (tmp_path / "said").open("wb") as said:
        running = subprocess.Popen(
            chaos("--minutes", "5", "--data", str(room), *ROOM),
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        try:
            wait_for("boxes that are up", lambda: len(list(room.glob("evening-1/chaos/K-*.told.json"))) == 1, 120)
            wait_for("broker, hub and box beside the command", lambda: len(processes(room)) == 4)
            running.send_signal(signal.SIGTERM)
            wait_for("its word that it ends", lambda: "is being ended" in (tmp_path / "said").read_text())
            running.send_signal(signal.SIGINT)
            assert running.wait(120) == 130
        finally:
            running.kill()
            running.wait(10)
    assert processes(room) == []
    assert "every process was ended" in (tmp_path / "said").read_text()


def processes(room: Path) -> list[str]:
    """The commands of this machine that name a room's folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = process.read_bytes().split(b"\0")
        except OSError:
            continue
        if int(process.parent.name) != os.getpid() and any(str(room).encode() in word for word in words):
            found.append(b" ".join(words).decode())
    return found


def plan(minutes: float, *, tables: int = 3, hands: int | None = None, speed: float = 60, seed: int = 1) -> Plan:
    return Plan(minutes, Play(tables, "capitol-5", hands, speed, seed, "mosquitto"))


def test_a_long_run_that_never_struck_a_point_fails_and_a_short_one_says_so() -> None:
    count = Count()
    for point in FaultPoint:
        count.struck[point] = 2
    count.struck[FaultPoint.ACKS_LOST] = 0
    judged(plan(9.9), count)
    assert count.findings == []
    assert answer(plan(9.9), count, None)["no_time_for"] == ["acks-lost"]
    judged(plan(10), count)
    assert count.findings == ["A run of 10 minutes never struck acks-lost."]
    assert answer(plan(10), count, None)["ok"] is False


@pytest.mark.parametrize(
    ("unfit", "sentence"),
    [
        (plan(0), "A run has more than 0 and at most 1440 minutes."),
        (plan(float("nan")), "A run has more than 0 and at most 1440 minutes."),
        (plan(1, tables=21), "A room under chaos has 1 to 20 tables."),
        (plan(1, speed=0.5), "Robots play at a speed between 1 and 1000."),
        (plan(1, hands=0), "A round has 1 to 20 hands."),
        (plan(1, seed=-1), "A seed is a whole number from 0 on."),
    ],
)
def test_figures_that_make_no_run_are_refused_in_words(unfit: Plan, sentence: str) -> None:
    with pytest.raises(ChaosError) as refused:
        unfit.checked()
    assert refused.value.message == sentence


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").write_text("kept")
    assert main(["chaos", "--minutes", "1", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert json.loads(said.err.splitlines()[-1])["error"]["code"] == "in-the-way"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_the_documents_name_every_point() -> None:
    documents = Path(__file__).parents[2] / "docs"
    named = set(re.findall(r"`([a-z-]+)`", (documents / "decisions" / "0009-chaos.md").read_text("utf-8")))
    assert set(FaultPoint) - named == set()
