"""``tallybox bracket``: seeds in, all matches out, or one sentence about what cannot be used."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.cli import main

Capture = pytest.CaptureFixture[str]


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    (tmp_path / "SEEDS.json").write_text('{"seeds": [12, 4, 9, 1, 7]}')
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "bracket", str(tmp_path / "SEEDS.json")],
        check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert (answer["size"], [match["id"] for match in answer["matches"]]) == (
        8, ["R1M1", "R1M2", "R1M3", "R1M4", "R2M1", "R2M2", "R3M1"]
    )  # fmt: skip
    assert (answer["matches"][0], answer["matches"][-1]) == (
        {"id": "R1M1", "round": 1, "a": {"team": 12}, "b": {"bye": True}, "winner_to": "R2M1"},
        {"id": "R3M1", "round": 3, "a": {"winner_of": "R2M1"}, "b": {"winner_of": "R2M2"}, "winner_to": None},
    )


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "not-json", "line 1, column 1"),
        ("[1, 2]", "wrong-type", None),
        ("{}", "missing", "seeds"),
        ('{"seeds": [1, 2], "size": 2}', "unknown-key", "size"),
        ('{"seeds": "12"}', "wrong-type", "seeds"),
        ('{"seeds": [1, null]}', "wrong-type", "seeds[1]"),
        ('{"seeds": [1, -2]}', "out-of-range", "seeds[1]"),
        ('{"seeds": []}', "too-few-teams", "seeds"),
        ('{"seeds": [5]}', "too-few-teams", "seeds"),
        ('{"seeds": [5, 3, 5]}', "repeated-team", "seeds[2]"),
        (json.dumps({"seeds": list(range(1, 4098))}), "out-of-range", "seeds"),
    ],
)
def test_seeds_that_cannot_be_placed_are_one_sentence_with_their_place(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, text: str, code: str, where: str | None
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["bracket", "-"]) == 2
    said = capsys.readouterr()
    error = json.loads(said.err.strip().splitlines()[-1])["error"]
    assert (said.out, error["code"], error.get("where")) == ("", code, where)
    assert error["message"].endswith(".")
