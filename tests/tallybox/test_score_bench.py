"""``tallybox bench scoring``: the measurement itself, on few sheets."""

from __future__ import annotations

import json
from itertools import islice

import pytest

from deploy.bench.scoring import Run, measure, sheets
from deploy.cli import main
from tallybox.rules.ruleset import BUILTIN_NAMES
from tallybox.sheet import score_sheet

Capture = pytest.CaptureFixture[str]


def test_the_same_seed_makes_the_same_sheets_of_all_three_rulesets() -> None:
    first = list(islice(sheets(3), 40))
    assert first == list(islice(sheets(3), 40))
    assert first != list(islice(sheets(4), 40))
    assert {facts.ruleset.name for facts in first} == set(BUILTIN_NAMES)
    assert all(score_sheet(facts).hands for facts in first)


def test_only_the_scoring_is_on_the_clock() -> None:
    """Two batches, each begun and ended on a clock that goes 0.5 s at every look."""
    looks = iter(range(1, 100))
    made = measure(101, 1, clock=lambda: next(looks) / 2)
    hands = sum(len(facts.hands) for facts in islice(sheets(1), 101))
    assert made == Run(101, hands, 1.0, float(hands))


def test_the_command_prints_the_rates_and_their_ratio(capsys: Capture) -> None:
    assert main(["bench", "scoring", "--sheets", "20,40", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["benchmark"], [run["sheets"] for run in answer["runs"]]) == ("scoring", [20, 40])
    first, last = (run["hands_per_second"] for run in answer["runs"])
    assert answer["ratio"] == round(last / first, 3)
    assert main(["bench", "scoring", "--sheets", "20"]) == 0
    page = capsys.readouterr().out.splitlines()
    assert (len(page), page[-1]) == (2, "Rate of the last run to the first: 1.000 (1 is linear)")


@pytest.mark.parametrize("sheets_asked", ["0", "x", "1,,2", "1000001"])
def test_sizes_that_cannot_be_measured_are_refused(capsys: Capture, sheets_asked: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bench", "scoring", "--sheets", sheets_asked])
    assert ended.value.code == 2
    assert json.loads(capsys.readouterr().err.splitlines()[-1])["error"]["code"] == "usage"
