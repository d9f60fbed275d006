"""``tallybox bench bridge`` measures beside a bare line, and answers in one JSON document."""

from __future__ import annotations

import json

import pytest

from deploy.cli import main


def test_the_answer_is_one_json_document_whose_ratios_are_those_of_its_figures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "bridge", "--scans", "20", "--idle", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert sorted(answer) == [
        "bare_frames_per_second", "bare_ms", "benchmark", "frames_per_second", "idle_cpu_percent", "idle_seconds",
        "ratios", "scan_ms", "scans",
    ]  # fmt: skip
    assert (answer["benchmark"], answer["scans"], answer["idle_seconds"]) == ("bridge", 20, 1)
    assert answer["ratios"] == {
        "p50": round(answer["scan_ms"]["p50"] / answer["bare_ms"]["p50"], 2),
        "p99": round(answer["scan_ms"]["p99"] / answer["bare_ms"]["p99"], 2),
        "frames": round(answer["frames_per_second"] / answer["bare_frames_per_second"], 3),
    }
    assert 0 < answer["scan_ms"]["p50"] <= answer["scan_ms"]["p99"]


def test_people_get_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "bridge", "--scans", "20", "--idle", "1"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row[:24].strip() for row in rows] == [
        "", "scan to event, p50", "scan to event, p99", "frames read", "processor while idle",
    ]  # fmt: skip


@pytest.mark.parametrize("scans", ["9", "100001", "x", "-5"])
def test_what_cannot_be_measured_is_refused_in_words(scans: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["bench", "bridge", "--scans", scans])
    said = json.loads(capsys.readouterr().err.splitlines()[-1])["error"]
    assert said["code"] == "usage"
    assert "use a whole number from 10 to 100000" in said["message"] or "expected one argument" in said["message"]
