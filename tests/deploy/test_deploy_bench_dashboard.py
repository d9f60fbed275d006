"""The dashboard's benchmark: what it adds up, and that it runs from the command line."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from asyncio.subprocess import PIPE

import pytest

from deploy.bench.dashboard import Spread, said_by, waits
from deploy.errors import DemoError


def test_an_event_is_shown_by_the_first_page_of_its_line_or_a_later_one() -> None:
    said = [10.0, 10.1, 10.2]
    assert waits(said, 7, [(8, 10.5), (10, 10.9)]) == [0.5, 10.9 - 10.1, 10.9 - 10.2]
    assert waits(said, 7, [(9, 10.5)]) == [0.5, 10.5 - 10.1]
    assert waits(said, 7, []) == []


def test_a_small_room_is_measured_beside_a_bare_stream() -> None:
    command = [sys.executable, "-m", "deploy.cli", "bench", "dashboard", "--json"]
    command += ["--tables", "4", "--browsers", "3", "--seconds", "2", "--rate", "10"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    answer = json.loads(done.stdout)
    assert (answer["browsers"], answer["tables"], answer["hub"]["events"], answer["echo"]["events"]) == (3, 4, 20, 20)
    for spread in (answer["hub"]["page_ms"], answer["hub"]["told_ms"], answer["echo"]["told_ms"]):
        assert 0 < Spread(**spread).p50 <= Spread(**spread).p99
    assert answer["hub"]["pages"] >= 3
    assert answer["ratios"]["page_p50"] > 0


def test_what_does_not_answer_in_its_time_is_said_so() -> None:
    async def asked() -> None:
        silent = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=PIPE, stdout=PIPE)
        try:
            await said_by(silent, "room", 0.2)
        finally:
            assert silent.stdin is not None
            silent.stdin.close()
            await silent.wait()

    with pytest.raises(DemoError) as reason:
        asyncio.run(asked())
    said = "The room to measure did not answer within 0 s. Measure when this machine does less."
    assert (reason.value.code, reason.value.message) == ("no-dashboard", said)
