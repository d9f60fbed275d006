"""What a refusal says and where it points: values as JSON writes them, one form of place, no Python words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rules_sheets import MSO, WHIST, scored, spades_hand, whist_hand

from deploy.cli import main
from tallybox.errors import TallyboxError
from tallybox.rules.ruleset import builtin
from tallybox.seats import Side
from tallybox.why import sentence

Capture = pytest.CaptureFixture[str]


def refused(ruleset: str, hands: Any, **rest: Any) -> tuple[str, str | None, str]:
    with pytest.raises(TallyboxError) as fault:
        scored(ruleset, hands, **rest)
    return fault.value.code, fault.value.where, fault.value.message


def command(capsys: Capture, *words: str) -> dict[str, Any]:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    error: dict[str, Any] = json.loads(err.splitlines()[-1])["error"]
    return error


def adjusted(**rest: Any) -> list[dict[str, Any]]:
    return [whist_hand("4", 10, rulings=[{"code": "ADJUST", "why": "x", **rest}])]


WHY = "hands[0].rulings[0].why"


@pytest.mark.parametrize(
    ("hands", "code", "where", "said"),
    [
        (adjusted(why=""), "wrong-type", WHY, f"“{WHY}” is empty. Write a line of text."),
        (adjusted(why=" "), "wrong-type", WHY, f"“{WHY}” is empty. Write a line of text."),
        (adjusted(why=["XX"]), "wrong-type", WHY, f'“{WHY}” is text, not ["XX"].'),
        (adjusted(why=True), "wrong-type", WHY, f"“{WHY}” is text, not true."),
        (adjusted(why={"x": 1}), "wrong-type", WHY, f'“{WHY}” is text, not {{"x": 1}}.'),
        (
            adjusted(points={"NS": "5"}),
            "wrong-type",
            "hands[0].rulings[0].points.NS",
            '“hands[0].rulings[0].points.NS” is a whole number, not "5".',
        ),
        (
            [whist_hand("4", {"NS": -4, "EW": 3})],
            "out-of-range",
            "hands[0].books.NS",
            "“hands[0].books.NS”: -4 is too small. It must be 0 to 13.",
        ),
        (
            adjusted(points={"NS": 2_000_000}),
            "out-of-range",
            "hands[0].rulings[0].points.NS",
            "“hands[0].rulings[0].points.NS”: 2000000 is too large. It must be −1000000 to 1000000.",
        ),
        (
            [{"dealer": "N", "calls": [" "]}],
            "not-a-call",
            "hands[0].calls[0]",
            '“hands[0].calls[0]” is empty. Write a call as text, such as "4".',
        ),
        (
            [{"dealer": "N", "": 1}],
            "unknown-key",
            'hands[0].""',
            '“""” is not known here. Use dealer, calls, books, tricks, direction, rulings, void.',
        ),
        (
            [whist_hand("4", {"NS": 1, "EW": 0})],
            "books-sum",
            "hands[0].books",
            "1 and 0 make 1 book. A hand has 13, the kitty included. Count again.",
        ),
        ([{"dealer": None}], "missing", "hands[0].dealer", "“dealer” is missing. Add it."),
        (
            [{"dealer": "N", "calls": [None]}],
            "wrong-type",
            "hands[0].calls[0]",
            '“hands[0].calls[0]” is a call as text, such as "4", not null.',
        ),
        (
            [{"dealer": "N", "calls": ["4"] * 5}],
            "out-of-range",
            "hands[0].calls",
            "“hands[0].calls” has 5 entries. Give at most 4.",
        ),
        (
            ["hand"],
            "wrong-type",
            "hands[0]",
            '“hands[0]” is an object with dealer, calls, books, tricks, direction, rulings, void, not "hand".',
        ),
    ],
)
def test_a_refused_value_is_told_as_json_writes_it(hands: Any, code: str, where: str, said: str) -> None:
    assert refused(WHIST, hands) == (code, where, said)


def test_settings_that_are_null_count_as_left_out_and_others_name_their_path() -> None:
    assert scored(MSO, [spades_hand("4+3", "4+3")], settings={"win": None}).round.over is False
    assert refused(MSO, [], settings={"win": "12"}) == (
        "setting-value",
        "settings.win",
        'settings: “win” cannot be "12". Allowed: whole numbers 0 to 100000.',
    )
    said = "“settings” is an object of single settings, not [null]."
    assert refused(MSO, [], settings=[None]) == ("wrong-type", "settings", said)


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (
            {"by": "time", "loser": "NS"},
            "A round that time ended has no loser: what was scored decides. Leave “loser” out.",
        ),
        ({"by": "forfeit"}, "A forfeit has a loser. Add “loser”, the side that gave up: NS or EW."),
        ({"by": "dq"}, "A disqualification has a loser. Add “loser”, the side that was disqualified: NS or EW."),
    ],
)
def test_each_end_says_what_it_needs(ended: dict[str, str], said: str) -> None:
    assert refused(MSO, [], ended=ended) == ("ended-loser", "ended.loser", said)


HEAD = b'{"ruleset": "mso-2000-spades", "opening": {"hand": 4}, "hands": [{"dealer": "N", "void": "misdeal"}, '


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (
            HEAD + b'{"dealer": "N", "calls": [], "calls": []}]}',
            {
                "code": "duplicate-key",
                "message": "“calls” stands twice in one object. Keep one.",
                "hand": 4,
                "where": "hands[1].calls",
            },
        ),
        (
            b'{"ruleset": "mso-2000-spades", "hands": [], "settings": {"win": 1, "win": 2}}',
            {
                "code": "duplicate-key",
                "message": "“win” stands twice in one object. Keep one.",
                "where": "settings.win",
            },
        ),
        (
            b'{"a": "\\"NaN[",\n "hands": NaN}',
            {
                "code": "not-json",
                "message": "NaN is no number of JSON. Look at line 2, column 11.",
                "where": "line 2, column 11",
            },
        ),
        (
            b'{"hands": [-Infinity]}',
            {
                "code": "not-json",
                "message": "-Infinity is no number of JSON. Look at line 1, column 12.",
                "where": "line 1, column 12",
            },
        ),
        (
            b'{"hands": [1, 1e999]}',
            {
                "code": "not-json",
                "message": "A number is larger than can be read. Look at line 1, column 15.",
                "where": "line 1, column 15",
            },
        ),
        (
            b"9" * 9000,
            {
                "code": "not-json",
                "message": "A number is larger than can be read. Look at line 1, column 1.",
                "where": "line 1, column 1",
            },
        ),
        (
            b'{"a": [1.5], "b": ' + b"[" * 5000 + b"]" * 5000 + b"}",
            {
                "code": "not-json",
                "message": "Lists and objects stand more than 100 deep in each other. Look at line 1, column 118.",
                "where": "line 1, column 118",
            },
        ),
    ],
)
def test_json_that_cannot_be_taken_is_told_with_its_place(
    capsys: Capture, tmp_path: Path, content: bytes, error: dict[str, Any]
) -> None:
    path = tmp_path / "sheet.json"
    path.write_bytes(content)
    assert command(capsys, "score", str(path)) == error


def test_one_trick_is_one_trick() -> None:
    said = "North 1, East 0, South 0, West 0: that makes 1 trick. A hand has 13. Count again."
    assert refused(MSO, [spades_hand("4+3", "1+0", "1+1", "0+0")]) == ("tricks-sum", "hands[0].tricks", said)


def test_an_input_that_cannot_be_read_is_named(capsys: Capture, tmp_path: Path) -> None:
    assert command(capsys, "score", "") == {
        "code": "unreadable",
        "message": "The file's name is empty. Give a path, or - for standard input.",
    }
    path = tmp_path / "x"
    path.write_bytes(b"\xff")
    assert command(capsys, "score", str(path))["message"].endswith("” is not UTF-8 text. Save it as UTF-8.")


def test_a_ruleset_that_extends_nothing_names_file_and_key(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('extends = "b.toml"\n')
    (tmp_path / "b.toml").write_text('extends = "zzz"\n')
    known = "capitol-city-bid-whist, mso-2000-spades, wsos-2007-spades"
    for name in ("a.toml", "b.toml"):
        assert command(capsys, "rules", "check", str(tmp_path / name)) == {
            "code": "unknown-ruleset",
            "message": (
                f"b.toml: “extends” does not fit. There is no ruleset “zzz” and no such file. Use {known}, or a path."
            ),
            "where": "b.toml: extends",
        }


@pytest.mark.parametrize(("files", "said"), [(1, "by way of 1 file."), (2, "by way of 2 files.")])
def test_a_ruleset_s_circle_is_counted(capsys: Capture, tmp_path: Path, files: int, said: str) -> None:
    for number in range(files):
        (tmp_path / f"{number}.toml").write_text(f'extends = "{(number + 1) % files}.toml"\n')
    assert said in command(capsys, "rules", "check", str(tmp_path / "0.toml"))["message"]


def test_rulesets_that_extend_one_another_without_end_are_refused(capsys: Capture, tmp_path: Path) -> None:
    for number in range(21):
        (tmp_path / f"{number}.toml").write_text(f'extends = "{number + 1}.toml"\n')
    (tmp_path / "21.toml").write_text(f'extends = "{MSO}"\n')
    assert command(capsys, "rules", "check", str(tmp_path / "1.toml")) == {
        "code": "ruleset-circle",
        "message": "1.toml extends more than 20 files, one after the other. Write them as one file.",
        "where": "21.toml: extends",
    }
    assert main(["rules", "check", str(tmp_path / "2.toml")]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == builtin(MSO).digest


@pytest.mark.parametrize("odd", ["two\nlines", "\ud800", "turned \u202e round", "x" * 401])
def test_a_reason_that_cannot_be_printed_is_told(odd: str) -> None:
    said = "“hands[0].rulings[0].why” is one line of at most 400 characters that can be printed."
    hand = spades_hand("4+3", "4+3", rulings=[{"code": "ADJUST", "why": odd}])
    assert refused(MSO, [hand]) == ("out-of-range", "hands[0].rulings[0].why", said)


def test_a_revoke_that_costs_no_points_says_so() -> None:
    revoke = {"code": "REVOKE", "side": "NS"}
    hand = spades_hand("N+4", "0+4", rulings=[revoke])
    score = scored(MSO, [hand], settings={"revoke_offender": "zero"})
    assert score.hands[0].points == {Side.NS: -100, Side.EW: 20}
    assert [sentence(line) for line in score.hands[0].lines][:2] == [
        "North–South revoked. In this club's rules their lost bid of 4 costs no points.",
        "North–South revoked and lose North's nil: −100.",
    ]
