"""``tallybox pair``: a history in, the next round out, or one sentence about what cannot be used."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.bench.pairing import Beside, Run, measure
from deploy.cli import main
from deploy.commands.pair import history_from_json
from hub.tournament.history import Bye, History, Meeting
from tallybox.seats import Side

Capture = pytest.CaptureFixture[str]

CONTRACT = """
{"teams": [1, 2, 3, 4, 5], "withdrawn": [4], "forbidden": [[1, 5]],
 "rounds": [[{"ns": 1, "ew": 2, "winner": "NS"}, {"ns": 3, "ew": 4, "winner": "EW"}, {"bye": 5}]]}
"""


def pair(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return main(["pair", "-", "--seed", "7", *words])


def error_of(capsys: Capture) -> dict[str, object]:
    said = capsys.readouterr()
    assert said.out == ""
    error: dict[str, object] = json.loads(said.err.strip().splitlines()[-1])["error"]
    return error


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    """From a shell, as a person uses it; the pairs are the only ones there are, their seats are drawn."""
    (tmp_path / "HISTORY.json").write_text(CONTRACT)
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "pair", str(tmp_path / "HISTORY.json"), "--seed", "7"],
        check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "round": 2,
        "pairs": [{"ns": 5, "ew": 2}, {"ns": 3, "ew": 1}],
        "bye": None,
        "rematches": [],
    }


def test_a_history_is_read_into_facts() -> None:
    read = history_from_json(json.loads(CONTRACT))
    games = (Meeting(1, 2, Side.NS), Meeting(3, 4, Side.EW), Bye(5))
    assert read == History((1, 2, 3, 4, 5), (games,), frozenset({4}), ((1, 5),))
    played = [[{"ns": 1, "ew": 2, "winner": None}, {"ns": 3, "ew": 4, "winner": "EW", "forfeit": True}]]
    assert history_from_json({"teams": [1, 2, 3, 4], "rounds": played, "withdrawn": None}) == History(
        (1, 2, 3, 4), ((Meeting(1, 2, None), Meeting(3, 4, Side.EW, forfeit=True)),)
    )


def test_an_odd_count_leaves_one_team_out(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert pair(monkeypatch, '{"teams": [4, 11, 30]}') == 0
    answer = json.loads(capsys.readouterr().out)
    assert sorted([answer["bye"], *answer["pairs"][0].values()]) == [4, 11, 30]
    assert (answer["round"], len(answer["pairs"])) == (1, 1)


def test_no_legal_round_names_the_fewest_rematches_and_they_can_be_allowed(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    history = '{"teams": [1, 2], "rounds": [[{"ns": 2, "ew": 1, "winner": "EW"}]]}'
    assert pair(monkeypatch, history) == 2
    assert error_of(capsys) == {
        "code": "no-legal-round",
        "message": (
            "No round is left in which nobody meets again. 1 rematch would do: allow rematches, or end the stage."
        ),
    }
    assert pair(monkeypatch, history, "--allow-rematch") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["round"], answer["rematches"]) == (2, [{"round": 2, "teams": [1, 2]}])


def entry(**members: object) -> str:
    return json.dumps({"teams": [1, 2], "rounds": [[members]]})


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "not-json", "line 1, column 1"),
        ("[1, 2]", "wrong-type", None),
        ("{}", "missing", "teams"),
        ('{"teams": [1, 2], "round": []}', "unknown-key", "round"),
        ('{"teams": [1, 2], "teams": [1, 3]}', "duplicate-key", "teams"),
        ('{"teams": 5}', "wrong-type", "teams"),
        ('{"teams": [1, "2"]}', "wrong-type", "teams[1]"),
        ('{"teams": [1, true]}', "wrong-type", "teams[1]"),
        ('{"teams": [1, 2.0]}', "wrong-type", "teams[1]"),
        ('{"teams": [0, 1]}', "out-of-range", "teams[0]"),
        ('{"teams": [1, 10000]}', "out-of-range", "teams[1]"),
        (json.dumps({"teams": list(range(1, 2002))}), "out-of-range", "teams"),
        ('{"teams": [1, 1]}', "repeated-team", "teams[1]"),
        ('{"teams": []}', "too-few-teams", "teams"),
        ('{"teams": [1]}', "too-few-teams", "teams"),
        ('{"teams": [1, 2], "withdrawn": [2, 7]}', "too-few-teams", "teams"),
        ('{"teams": [1, 2], "withdrawn": ["x"]}', "wrong-type", "withdrawn[0]"),
        ('{"teams": [1, 2], "forbidden": [[1]]}', "wrong-type", "forbidden[0]"),
        ('{"teams": [1, 2], "forbidden": [1, 2]}', "wrong-type", "forbidden[0]"),
        ('{"teams": [1, 2], "forbidden": [[1, 9]]}', "unknown-team", "forbidden[0][1]"),
        ('{"teams": [1, 2], "forbidden": [[1, 2]]}', "no-legal-round", "forbidden"),
        ('{"teams": [1, 2], "rounds": [{}]}', "wrong-type", "rounds[0]"),
        ('{"teams": [1, 2], "rounds": [[5]]}', "wrong-type", "rounds[0][0]"),
        (entry(ns=1, ew=2), "missing", "rounds[0][0].winner"),
        (entry(ns=1, ew=2, winner="ns"), "wrong-type", "rounds[0][0].winner"),
        (entry(ns=1, ew=2, winner=["NS"]), "wrong-type", "rounds[0][0].winner"),
        (entry(ns=1, winner="NS"), "missing", "rounds[0][0].ew"),
        (entry(ns=1, ew=2, winner="NS", forfeit=1), "wrong-type", "rounds[0][0].forfeit"),
        (entry(ns=1, ew=2, winner=None, forfeit=True), "forfeit-winner", "rounds[0][0].winner"),
        (entry(ns=1, ew=1, winner="NS"), "own-opponent", "rounds[0][0]"),
        (entry(ns=1, ew=9, winner="NS"), "unknown-team", "rounds[0][0].ew"),
        (entry(bye=1, ns=2), "unknown-key", "rounds[0][0].ns"),
        (entry(bye=True), "wrong-type", "rounds[0][0].bye"),
        ('{"teams": [1, 2], "rounds": [[{"bye": 1}, {"bye": 1}]]}', "twice-in-round", "rounds[0][1]"),
    ],
)
def test_a_history_that_cannot_be_used_is_one_sentence_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, text: str, code: str, where: str | None
) -> None:
    assert pair(monkeypatch, text) == 2
    error = error_of(capsys)
    assert (error["code"], error.get("where")) == (code, where)
    assert str(error["message"]).endswith(".")


@pytest.mark.parametrize(
    ("seed", "code"),
    [("x", "wrong-type"), ("", "wrong-type"), ("1.5", "wrong-type"), ("٣", "wrong-type"), ("9" * 101, "out-of-range")],
)
def test_a_seed_is_a_whole_number(capsys: Capture, seed: str, code: str) -> None:
    assert main(["pair", "-", f"--seed={seed}"]) == 2
    error = error_of(capsys)
    assert (error["code"], error["where"]) == (code, "seed")


@pytest.mark.parametrize("seed", ["-5", "+5", "0", "9" * 100])
def test_any_whole_number_of_a_hundred_digits_is_a_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, seed: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"teams": [1, 2]}')))
    assert main(["pair", "-", "--seed", seed]) == 0
    assert sorted(json.loads(capsys.readouterr().out)["pairs"][0].values()) == [1, 2]


def test_a_draw_without_a_seed_is_refused(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["pair", "-"])
    assert (ended.value.code, error_of(capsys)["code"]) == (2, "usage")


# --- tallybox bench pairing -------------------------------------------------------------------------------------------


def test_only_the_pairing_is_on_the_clock() -> None:
    looks = iter(range(1, 100))
    assert measure(7, 3, seed=1, clock=lambda: next(looks) / 2) == Run(7, 3, 1.5, 0.5)


def test_networkx_stands_beside_and_weighs_the_same(capsys: Capture) -> None:
    assert main(["bench", "pairing", "--teams", "6,9", "--rounds", "3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["benchmark"], [run["teams"] for run in answer["runs"]]) == ("pairing", [6, 9])
    assert [(run["beside"]["edges"], run["beside"]["alike"]) for run in answer["runs"]] == [(15, True), (45, True)]
    assert main(["bench", "pairing", "--teams", "6", "--rounds", "3"]) == 0
    page = capsys.readouterr().out.splitlines()
    assert (len(page), page[-1]) == (3, "Time of the last tournament to the first: 1.0")
    assert page[1].endswith("both weigh the same")


def test_networkx_is_not_waited_for_longer_than_asked(capsys: Capture) -> None:
    slow = measure(60, 2, seed=1, patience=0.001).beside
    assert isinstance(slow, Beside)
    assert (slow.edges, slow.networkx_seconds, slow.ratio, slow.alike) == (60 * 59 // 2, None, None, None)
    assert main(["bench", "pairing", "--teams", "6", "--rounds", "2", "--patience", "0"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("words", [("--teams", "1"), ("--teams", "2001"), ("--rounds", "0"), ("--patience", "-1")])
def test_what_cannot_be_measured_is_refused(capsys: Capture, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bench", "pairing", *words])
    assert (ended.value.code, error_of(capsys)["code"]) == (2, "usage")
