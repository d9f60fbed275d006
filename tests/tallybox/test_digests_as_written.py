"""Somebody who has docs/journal.md and ``tallybox score`` alone can make the digests that people check and sign."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from table_play import MSO, WHIST, Play

from deploy.cli import main
from tallybox.seats import Side
from tallybox.table.shown import facts_json, lines_digest, open_hand_score, sheet_digest


def sha(value: Any) -> str:
    """By the letter: members in order, no spaces. All of it is plain text here, so JSON's own writer will do."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def scored(path: Path, capsys: pytest.CaptureFixture[str], **sheet: Any) -> Any:
    path.write_text(json.dumps(sheet))
    assert main(["score", str(path)]) == 0
    return json.loads(capsys.readouterr().out)


def test_lines_and_facts_of_a_checked_hand_are_those_of_the_score_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = Play(MSO).sit().count_cards().auction("3", "3", "3", "3").lock()
    play.tricks(3, 4, 3, 3)
    facts = {"dealer": "N", "calls": ["3", "3", "3", "3"], "tricks": {"N": 3, "E": 4, "S": 3, "W": 3}}
    hand = scored(tmp_path / "sheet.json", capsys, ruleset=MSO, hands=[facts])["hands"][0]
    params = [{"bid": 6, "tricks": 6}, {"bid": 6, "tricks": 7}, {"bags": 1, "each": 1}]
    lines = [
        {**{member: line[member] for member in ("side", "kind", "points", "rule")}, "params": figures}
        for line, figures in zip(hand["lines"], params, strict=True)
    ]
    assert facts_json(play.hand) == facts
    assert lines_digest(open_hand_score(play.state)) == sha(
        {"lines": lines, **{m: hand[m] for m in ("points", "bags")}}
    )


def test_the_sheet_that_is_signed_is_the_answer_of_the_score_command_with_who_and_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = Play(WHIST, hands=1).sit().count_cards().auction("4", "pass", "pass", "pass").lock()
    play.books(3, 10)
    play.check().record()
    facts = {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 3, "EW": 10}}
    score = scored(tmp_path / "sheet.json", capsys, ruleset=WHIST, hands=[facts], hands_per_round=1)
    teams = play.state.teams
    assert sheet_digest(play.state) == sha(
        {
            "sheet": "spring/R2-T4",
            "teams": {side.value: {"number": teams[side].number, "names": list(teams[side].names)} for side in Side},
            "ruleset": score["digest"],
            "hands_per_round": 1,
            "hands": [facts],
            "score": score,
        }
    )
