"""Spoilt sheets and rulesets through the command: an answer, or one error object and exit 2; never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rules_sheets import MSO, WHIST, WSOS, spades_hand, whist_hand
from test_sheet_fuzz import BASES, TREES, _changed, _places

from deploy.cli import main
from tallybox.calls import Game
from tallybox.rules import schema

Capture = pytest.CaptureFixture[str]
NORMAL = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)


def ends_well(capsys: Capture, *words: str) -> dict[str, Any] | None:
    """The error of a refusal, ``None`` for an answer; whatever else the command says or does fails the test."""
    code = main(words)
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    if code == 0:
        assert json.loads(out)
        return None
    assert (code, out) == (2, "")
    (last,) = [line for line in err.splitlines() if line.startswith('{"error"')]
    error: dict[str, Any] = json.loads(last)["error"]
    assert {"code", "message"} <= set(error) <= {"code", "message", "hand", "where"}
    assert (error["message"].isprintable(), error["message"][-1] in ".!?”)") == (True, True), error
    return error


@given(st.sampled_from(BASES), st.data())
@NORMAL
def test_a_sheet_spoilt_in_one_place(
    capsys: Capture, tmp_path: Path, base: dict[str, Any], data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(_places(base)))
    spoilt = _changed(base, place, data.draw(TREES), data.draw(st.booleans()))
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(spoilt), "utf-8")
    error = ends_well(capsys, "score", str(path))
    if error is not None and error["code"] != "not-json" and place[:1] == ("hands",) and len(place) > 2:
        assert error["hand"] >= 1


KEYS = sorted(
    {*schema.keys(Game.BID_WHIST), *schema.keys(Game.SPADES), *schema.ELSEWHERE, "kind", "extends", "name", "title"}
)
WORDS = [
    *Game,
    MSO,
    WHIST,
    WSOS,
    "house",
    "house.toml",
    "/",
    "..",
    "warn",
    "forbid",
    "none",
    "draw",
    "NESW",
    "SA",
    "é",
    "\u2028",
]
PLAIN = (
    st.integers(-20, 600)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.sampled_from(WORDS)
)
VALUES = (PLAIN | st.lists(PLAIN, max_size=4)).map(lambda value: json.dumps(value, ensure_ascii=False))
ODDITIES = st.sampled_from(
    ["nan", "-inf", "1979-05-27", "07:32:00", "{ a = 1 }", "[[]]", "'''", '"', "0x_", "1__0", "= 3", ""]
)
SETTINGS = st.builds("{} = {}".format, st.sampled_from(KEYS), VALUES | ODDITIES)
LINES = SETTINGS | st.sampled_from(["[movement]", "[[kind]]", "[a.b]", "# a remark", "kind.x = 1", "\0", "\ufeff"])


@given(st.lists(LINES, max_size=6), st.sampled_from(['kind = "spades"', f'extends = "{WHIST}"', ""]))
@NORMAL
def test_a_ruleset_of_any_lines(capsys: Capture, tmp_path: Path, lines: list[str], first: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text("\n".join([first, *lines]), "utf-8")
    error = ends_well(capsys, "rules", "check", str(path))
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps({"ruleset": "house.toml", "hands": []}))
    assert ends_well(capsys, "score", str(sheet)) == error


@given(st.binary(max_size=120) | st.text(max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass")))
@NORMAL
def test_a_ruleset_of_any_bytes(capsys: Capture, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(content)
    error = ends_well(capsys, "rules", "show", str(path))
    assert error is not None
    assert error["code"] in ("not-text", "not-toml", "setting-value", "unknown-setting")


@pytest.mark.parametrize("place", ["dealer", "calls", "tricks", "rulings", "void"])
def test_what_is_wrong_with_a_hand_names_the_hand(capsys: Capture, tmp_path: Path, place: str) -> None:
    spoilt = {**spades_hand("3+3", "4+3", dealer="E"), place: 1.5}
    content = {"ruleset": MSO, "hands": [spades_hand("3+3", "4+3"), spoilt]}
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(content))
    error = ends_well(capsys, "score", str(path))
    assert error is not None
    assert (error["code"], error["hand"], error["where"]) == ("wrong-type", 2, f"hands[1].{place}")
    whist = {"ruleset": WHIST, "hands": [{"dealer": "N", "void": "misdeal"}, {**whist_hand("4", 10), "books": []}]}
    path.write_text(json.dumps(whist))
    error = ends_well(capsys, "score", str(path))
    assert error is not None
    assert (error["code"], error["hand"], error["where"]) == ("wrong-type", 1, "hands[1].books")
