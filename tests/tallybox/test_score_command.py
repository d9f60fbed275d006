"""``tallybox score``, ``movement`` and ``rules`` as scripts use them: standard output, exit codes, one error object."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rules_sheets import MSO, WHIST, spades_hand, whist_hand

from deploy.cli import main
from tallybox.movement import movement, movement_to_json
from tallybox.rules.ruleset import builtin

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *words: str) -> tuple[int, Any]:
    """Exit code and answer; for a refusal, the last line of standard error, and nothing on standard output."""
    code = main(words)
    out, err = capsys.readouterr()
    if code == 0:
        return code, json.loads(out)
    assert (code, out) == (2, "")
    last = json.loads(err.splitlines()[-1])
    assert set(last) == {"error"}
    assert {"code", "message"} <= set(last["error"]) <= {"code", "message", "hand", "where"}
    assert "Traceback" not in err
    return code, last["error"]


def sheet(tmp_path: Path, content: Any) -> str:
    path = tmp_path / "sheet.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(path)


def test_a_sheet_is_scored_from_a_file(capsys: Capture, tmp_path: Path) -> None:
    code, answer = run(capsys, "score", sheet(tmp_path, {"ruleset": MSO, "hands": [spades_hand("4+3", "4+3")]}))
    assert (code, answer["ruleset"], answer["digest"]) == (0, MSO, builtin(MSO).digest)
    assert answer["totals"]["points"] == {"NS": 70, "EW": 24}
    assert list(answer) == ["ruleset", "digest", "hands", "totals", "round", "warnings"]


def test_a_sheet_is_scored_from_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps({"ruleset": WHIST, "hands": [whist_hand("4", 10)]}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + text)))
    code, answer = run(capsys, "score", "-")
    assert (code, answer["hands"][0]["won_by"]) == (0, "NS")


def test_the_command_runs_as_its_own_process(tmp_path: Path) -> None:
    path = sheet(tmp_path, {"ruleset": WHIST, "hands": [whist_hand("4", {"NS": 9, "EW": 5})]})
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "score", path], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr.splitlines()[-1]) == {
        "error": {
            "code": "books-sum",
            "message": "9 and 5 are 14 books. A hand has 13, the kitty included. Count again.",
            "hand": 1,
            "where": "hands[0].books",
        }
    }


def test_a_house_ruleset_is_named_by_its_path(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base.toml").write_text('extends = "mso-2000-spades"\nwin = 60\n')
    (tmp_path / "friday.toml").write_text('extends = "base.toml"\novertrick_points = 0\n')
    content = {"ruleset": "friday.toml", "hands": [spades_hand("4+3", "5+4")]}
    for name in ("friday.toml", str(tmp_path / "friday.toml")):
        code, answer = run(capsys, "score", sheet(tmp_path, {**content, "ruleset": name}))
        assert (code, answer["ruleset"], answer["totals"]["points"]["NS"]) == (0, "friday", 70)
        assert answer["round"]["reason"] == "win-limit"
    elsewhere = tmp_path / "sheets"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "score", sheet(elsewhere, content))[0] == 0


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not-json"),
        (b"{", "not-json"),
        (b"[" * 200_000, "not-json"),
        (b'{"hands": NaN}', "not-json"),
        (b'{"hands": Infinity}', "not-json"),
        (b'{"hands": ' + b"9" * 9000 + b"}", "not-json"),
        (b"\xff\xfe{}", "not-text"),
        (b'{"ruleset": "x", "ruleset": "y", "hands": []}', "duplicate-key"),
        (b" " * 1_048_577, "too-large"),
        (b"null", "wrong-type"),
        (b"[]", "wrong-type"),
        (b"{}", "missing"),
        (b'{"ruleset": 3, "hands": []}', "wrong-type"),
        (b'{"ruleset": "nowhere", "hands": []}', "unknown-ruleset"),
        (b'{"ruleset": "a\\u0000b", "hands": []}', "out-of-range"),
        (b'{"ruleset": "\\ud800", "hands": []}', "out-of-range"),
        (b'{"ruleset": "/", "hands": []}', "unknown-ruleset"),
        (b'{"ruleset": "' + b"x" * 900 + b'", "hands": []}', "unknown-ruleset"),
        (b'{"ruleset": "mso-2000-spades", "hands": {}}', "wrong-type"),
        (b'{"ruleset": "mso-2000-spades", "hands": [{"dealer": "\\ud800"}]}', "wrong-type"),
        (b'{"ruleset": "mso-2000-spades", "hands": [], "x\\u0001": 1}', "unknown-key"),
    ],
)
def test_unusable_input_is_one_error_object(capsys: Capture, tmp_path: Path, content: bytes, code: str) -> None:
    exit_code, error = run(capsys, "score", sheet(tmp_path, content))
    assert (exit_code, error["code"]) == (2, code)


def test_a_hand_and_a_place_are_named(capsys: Capture, tmp_path: Path) -> None:
    content = {"ruleset": MSO, "hands": [spades_hand("4+3", "4+3"), {"dealer": "E", "calls": ["1", "2", "3", "x"]}]}
    _, error = run(capsys, "score", sheet(tmp_path, content))
    assert error == {
        "code": "not-a-call",
        "message": "“x” is not a spades bid. Bid a number of tricks, or nil.",
        "hand": 2,
        "where": "hands[1].calls[3]",
    }


def test_a_file_that_cannot_be_read(capsys: Capture, tmp_path: Path) -> None:
    for path in (str(tmp_path / "none.json"), str(tmp_path), "a\0b"):
        assert run(capsys, "score", path)[1]["code"] == "unreadable"


@pytest.mark.parametrize("verb", ["show", "check"])
def test_a_ruleset_that_extends_itself_is_refused(capsys: Capture, tmp_path: Path, verb: str) -> None:
    (tmp_path / "a.toml").write_text('extends = "b.toml"\n')
    (tmp_path / "b.toml").write_text('extends = "a.toml"\n')
    _, error = run(capsys, "rules", verb, str(tmp_path / "a.toml"))
    assert error["code"] == "ruleset-circle"


def test_rules_check_names_file_key_and_allowed_values(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "friday.toml"
    path.write_text('extends = "mso-2000-spades"\ntie_policy = "coin"\n')
    assert run(capsys, "rules", "check", str(path))[1] == {
        "code": "setting-value",
        "message": 'friday.toml: “tie_policy” cannot be "coin". Allowed: extra_hand, draw, fewer_bags.',
        "where": "friday.toml: tie_policy",
    }
    path.write_text('extends = "mso-2000-spades"\ntie_policy = "draw"\n')
    code, answer = run(capsys, "rules", "check", str(path))
    assert (code, answer["name"], answer["kind"], len(answer["digest"])) == (0, "friday", "spades", 64)


def test_a_ruleset_is_read_from_standard_input(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "club.toml").write_text(f'extends = "{MSO}"\nwin = 350\n')
    monkeypatch.chdir(tmp_path)

    def given(text: str, *words: str) -> tuple[int, Any]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return run(capsys, "rules", *words)

    code, answer = given('extends = "club.toml"\nname = "friday"\nbag_penalty = 0\n', "show", "-", "--json")
    settings = answer["settings"]
    assert (code, answer["name"], settings["win"], settings["bag_penalty"]) == (0, "friday", 350, 0)
    assert given("", "check", "-")[1] == {
        "code": "setting-value",
        "message": "The input: “kind” is missing. Say kind = one of bid_whist, spades, or extends = a ruleset.",
        "where": "The input: kind",
    }


def test_rules_show_lists_settings_and_rules_in_force(capsys: Capture) -> None:
    _, answer = run(capsys, "rules", "show", WHIST, "--json")
    assert answer["settings"] == builtin(WHIST).as_json()["settings"]
    assert set(answer["allowed"]) == set(answer["settings"])
    assert answer["in_force"][0] == {
        "rule": "Q-01",
        "setting": "kitty_is_book",
        "value": True,
        "text": "Does the kitty count as a book? Yes, as the bidder's first; only so can a 7 be made.",
    }
    assert main(["rules", "show", MSO]) == 0
    page = capsys.readouterr().out
    assert "  tie_policy             extra_hand\n" in page
    assert "  Q-24   What if the totals are equal at the end?" in page
    assert "[exposed_50_cards = SA, SK, SQ]" in page


def test_movement_answers_in_json(capsys: Capture) -> None:
    code, answer = run(capsys, "movement", "--teams", "16", "--rounds", "5", "--json")
    assert (code, answer) == (0, movement_to_json(movement(16, 5)))
    assert (answer["teams"], answer["tables"], answer["rematches"], answer["sit_outs"]) == (16, 8, [], [])
    assert answer["rounds"][0][0] == {"table": 1, "ns": 1, "ew": 2}
    _, eight = run(capsys, "movement", "--teams", "8", "--rounds", "5", "--json")
    assert {"round": 5, "teams": [1, 2]} in eight["rematches"]
    assert len(eight["rematches"]) == 4
    _, odd = run(capsys, "movement", "--teams", "5", "--rounds", "4", "--even-rounds", "2,3", "--json")
    assert odd == movement_to_json(movement(5, 4, [2, 3]))
    _, still = run(capsys, "movement", "--teams", "4", "--rounds", "2", "--even-rounds", "", "--json")
    assert still == movement_to_json(movement(4, 2, []))


def test_movement_shows_a_table_to_people(capsys: Capture) -> None:
    assert main(["movement", "--teams", "5", "--rounds", "4"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Table  Round 1  Round 2  Round 3  Round 4",
        "    1    1 – 2        –        –        –",
        "    2    3 – 4    3 – 2    5 – 2    1 – 2",
        "    3        –    5 – 4    1 – 4    3 – 4",
        "North–South sit first, East–West second.",
        "Round 4: teams 1 and 2 meet again.",
        "Round 4: teams 3 and 4 meet again.",
        "Round 1: team 5 sits out.",
        "Round 2: team 1 sits out.",
        "Round 3: team 3 sits out.",
        "Round 4: team 5 sits out.",
    ]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--teams", "1", "--rounds", "5"], "too-few-teams"),
        (["--teams", "x", "--rounds", "5"], "wrong-type"),
        (["--teams=-4", "--rounds", "5"], "too-few-teams"),
        (["--teams", "4", "--rounds", "0"], "out-of-range"),
        (["--teams", "4", "--rounds", "9999999999"], "out-of-range"),
        (["--teams", "4", "--rounds", "9" * 5000], "out-of-range"),
        (["--teams", "4", "--rounds=-" + "9" * 5000], "out-of-range"),
        (["--teams", "4", "--rounds", "3", "--even-rounds", "2,,3"], "wrong-type"),
        (["--teams", "4", "--rounds", "3", "--even-rounds", "4"], "even-rounds"),
    ],
)
def test_movement_refuses_what_cannot_be_seated(capsys: Capture, words: list[str], code: str) -> None:
    assert run(capsys, "movement", *words, "--json")[1]["code"] == code


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: json.dumps({"ruleset": text}).encode()))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_bytes_are_refused_with_one_error_object(capsys: Capture, tmp_path: Path, content: bytes) -> None:
    assert run(capsys, "score", sheet(tmp_path, content))[0] == 2


ROOT = Path(__file__).parents[2]


def test_the_codes_of_refusals_are_the_documented_ones() -> None:
    sources = [
        *ROOT.glob("tallybox/rules/*.py"),
        *ROOT.glob("tallybox/sheet/*.py"),
        ROOT / "tallybox" / "calls.py",
        ROOT / "tallybox" / "movement.py",
        *(ROOT / "deploy" / "commands" / f"{name}.py" for name in ("inputs", "rulesets", "score", "movement", "rules")),
        ROOT / "deploy" / "cli.py",
    ]
    raised = {
        code
        for path in sources
        for code in re.findall(r"""(?:Error|refuse)\(\s*"([a-z-]+)",""", path.read_text("utf-8"))
    }
    manual = (ROOT / "docs" / "commands.md").read_text("utf-8")
    table = manual.split("## Codes of score, movement and rules")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    other_tables = re.findall(r"^\| `[^|]+` \|", manual.split("## Codes of demo")[1], re.MULTILINE)
    shared = {code for row in other_tables for code in re.findall(r"`([a-z-]+)`", row)} - set(listed)
    assert listed == sorted(raised - shared)


def test_the_example_of_the_manual_is_scored_as_it_says(capsys: Capture, tmp_path: Path) -> None:
    manual = (ROOT / "docs" / "commands.md").read_text("utf-8")
    blocks = re.findall(r"```json\n(.*?)```", manual, re.DOTALL)
    refusal, given_sheet, answered = (json.loads(block) for block in blocks[:3])
    _, answer = run(capsys, "score", sheet(tmp_path, given_sheet))
    first = answered["hands"][0]
    assert {key: answer["hands"][0][key] for key in first if key != "lines"} == {
        key: value for key, value in first.items() if key != "lines"
    }
    assert answer["hands"][0]["lines"][0] == first["lines"][0]
    assert (answer["totals"], answer["round"], answer["warnings"]) == (answered["totals"], answered["round"], [])
    assert refusal["error"]["code"] == "books-sum"
