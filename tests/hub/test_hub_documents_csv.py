"""Tables for spreadsheets, opened by another program: sqlite3's own CSV import."""

from __future__ import annotations

import csv
import subprocess
from io import StringIO
from pathlib import Path

from hub_played_room import room
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.documents.csv_files import (
    csv_bytes,
    pairings_csv,
    results_csv,
    rulings_csv,
    standings_csv,
    teams_csv,
)
from hub.tournament.standings import standings
from tallybox.messages import Team

TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)


def asked(folder: Path, name: str, data: bytes, question: str) -> list[str]:
    """What sqlite3 answers about the file, one row a line."""
    (folder / f"{name}.csv").write_bytes(data)
    commands = f".import --csv {folder}/{name}.csv {name}\n{question}\n"
    done = subprocess.run(["sqlite3", "-bail", ":memory:"], input=commands, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_sqlite_reads_every_hand_and_its_totals_are_the_hubs(tmp_path: Path) -> None:
    made = room("capitol-5", 8)
    made.round()
    made.round()
    data = results_csv(made.tournament)
    ask = 'SELECT round, "table", sum(ns_earned), sum(ew_earned), max(0 + hand) FROM results GROUP BY 1, 2;'
    expected = [
        f"{table.round}|{table.table}|{table.score.totals.points[side_ns]}.0|{table.score.totals.points[side_ew]}.0|5"
        for posted in made.tournament.rounds
        for table in posted.tables.values()
        if table.score is not None
        for side_ns, side_ew in [tuple(table.score.totals.points)]
    ]
    got = [line.replace(".0", "") for line in asked(tmp_path, "results", data, ask)]
    assert got == [line.replace(".0", "") for line in expected]
    assert asked(tmp_path, "results", results_csv(made.tournament, 2), "SELECT DISTINCT round FROM results;") == ["2"]


def test_sqlite_reads_standings_pairings_and_teams(tmp_path: Path) -> None:
    made = room("mso", 9)
    made.round()
    rows = standings(made.tournament)
    assert asked(tmp_path, "standings", standings_csv(made.tournament), "SELECT rank, team FROM standings;") == [
        f"{row.rank}|{row.team}" for row in rows
    ]
    posted = made.tournament.rounds[0]
    ask = 'SELECT "table", ns_team, ew_team FROM pairings;'
    assert asked(tmp_path, "pairings", pairings_csv(made.tournament, 1), ask) == [
        *(f"{table.table}|{table.teams[0]}|{table.teams[1]}" for table in posted.tables.values()),
        *(f"|{team}|" for team in posted.byes),
    ]
    assert asked(tmp_path, "teams", teams_csv(made.tournament), "SELECT count(*) FROM teams;") == ["9"]


def test_rulings_are_listed_with_reason_and_version(tmp_path: Path) -> None:
    made = room("capitol-4", 4)
    made.post()
    made.play()
    made.director.rule("dana", 1, 1, hand=1, ruling={"code": "ADJUST", "points": {"NS": 2}, "why": "miscounted, twice"})
    data = rulings_csv(made.tournament, {})
    ask = 'SELECT sheet, hand, what, decided, "by", made_version FROM rulings;'
    assert asked(tmp_path, "rulings", data, ask) == ["R1-T1|1|Ruling|Adjusted: NS +2. “miscounted, twice”|dana|2"]


def test_no_cell_is_a_formula_and_numbers_stay_numbers(tmp_path: Path) -> None:
    made = room("capitol-4", 2)
    evil = ("=cmd|'/c calc'!A1", "+1+1"), ("-2", "@SUM(A1)")
    made.tournament = type(made.tournament)()
    made.__post_init__()
    made.lines.clear()
    teams = [Team(number=number, names=names) for number, names in enumerate(evil, start=1)]
    made.director.create_tournament("dana", template="capitol-4", title="Spring Open", teams=teams)
    data = teams_csv(made.tournament)
    assert data.startswith(b"\xef\xbb\xbfteam,player_1,")
    assert data.count(b"\r\n") == 3
    assert asked(tmp_path, "teams", data, "SELECT player_1, player_2 FROM teams;") == [
        "'=cmd|'/c calc'!A1|'+1+1", "'-2|'@SUM(A1)",
    ]  # fmt: skip
    assert csv_bytes(("x",), [("＝1",), ("＠x",)]) == "\ufeffx\r\n'＝1\r\n'＠x\r\n".encode()
    assert csv_bytes(("points",), [(-48,), (0,), (None,)]) == b'\xef\xbb\xbfpoints\r\n-48\r\n0\r\n""\r\n'


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TEXT, st.integers(-999, 999), TEXT), max_size=6))
def test_any_text_comes_back_whole_and_never_as_a_formula(rows: list[tuple[str, int, str]]) -> None:
    data = csv_bytes(("a", "b", "c"), rows).decode("utf-8-sig")
    read = list(csv.reader(StringIO(data, newline="")))
    assert [tuple(row) for row in read[1:]] == [(guarded(a), str(b), guarded(c)) for a, b, c in rows]
    assert all(cell[:1] not in "=+@" or not cell for row in read for cell in row)


def guarded(text: str) -> str:
    return f"'{text}" if text[:1] in tuple("=+-@\t\r\n＝＋－＠") else text
