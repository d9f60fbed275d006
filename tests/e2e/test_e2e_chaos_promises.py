"""The count at the end of chaos notices what it is there to notice: each breakage is planted in a room that is well."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import msgspec
import pytest
from room_parts import wait_for

from deploy.chaos.exporting import exported
from deploy.chaos.hearing import unheard
from deploy.chaos.promises import Told, broken, confirmed, held, journals, occasion, read_told, recomputed
from deploy.demo import Plan, demo_room, run_until_over
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger
from tallybox.ledger_line import LedgerLine


@dataclass(frozen=True)
class Played:
    """A room in which one table played four hands of bid whist, and nothing went wrong."""

    folder: Path
    lines: list[LedgerLine]
    told: Told


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("played") / "room"
    plan = Plan(
        tables=1, template="capitol-4", hands=1, speed=500, seed=3, until_done=True, data=folder, port=0, screen=False
    )
    with demo_room(plan, lambda _said: None) as running:
        summary = run_until_over(running, lambda _said: None)
        wait_for("the hub's last word at the box", lambda: not unheard(folder))
    ledger = Ledger(ledger_url(folder / "hub"))
    lines = list(ledger.lines())
    ledger.close()
    return Played(folder, lines, read_told(msgspec.json.encode(summary)))


def record_of(lines: Sequence[LedgerLine], nth: int = 0) -> LedgerLine:
    return [line for line in lines if line.event["type"] == "hand.recorded"][nth]


def test_a_room_that_is_well_keeps_every_promise(played: Played) -> None:
    assert broken(played.folder, played.lines, played.told) == []
    assert len(confirmed(journals(played.folder))) == played.told.hands_recorded >= 4


def test_a_hand_that_is_not_in_the_ledger_is_missed(played: Played) -> None:
    lost = record_of(played.lines)
    lines = [line for line in played.lines if line is not lost]
    assert broken(played.folder, lines, played.told) == [
        "Hand 1 of round 1, table 1, was confirmed at its table and is not in the ledger."
    ]


def test_a_hand_that_is_in_the_ledger_twice_is_noticed(played: Played) -> None:
    lines = [*played.lines, record_of(played.lines, 1)]
    assert broken(played.folder, lines, played.told) == ["Hand 1 of round 2, table 1, is in the ledger 2 times."]


def test_a_hand_that_is_only_on_a_branch_is_missed(played: Played) -> None:
    lost = record_of(played.lines)
    lines = [msgspec.structs.replace(line, branch=True) if line is lost else line for line in played.lines]
    assert broken(played.folder, lines, played.told) == [
        "Hand 1 of round 1, table 1, was confirmed at its table and is not in the ledger."
    ]


def test_facts_that_changed_on_the_way_are_noticed(played: Played) -> None:
    was = record_of(played.lines)
    body = dict(was.event["body"])  # type: ignore[call-overload]
    body["facts"] = {**body["facts"], "books": {"NS": 13, "EW": 0}}
    forged = msgspec.structs.replace(was, event={**was.event, "body": body})
    lines = [forged if line is was else line for line in played.lines]
    assert broken(played.folder, lines, played.told) == [
        "Hand 1 of round 1, table 1, is in the ledger with other facts than its table confirmed."
    ]


def test_a_hand_that_no_table_confirmed_is_noticed(played: Played, tmp_path: Path) -> None:
    room = copytree(played.folder, tmp_path / "room")
    for journal in journals(room):
        with closing(sqlite3.connect(journal)) as db:
            db.execute("DROP TRIGGER events_kept")
            db.execute("DELETE FROM events WHERE CAST(payload AS TEXT) LIKE '%\"hand.recorded\"%' AND round = 1")
            db.commit()
    assert "Hand 1 of round 1, table 1, is in the ledger, and no table confirmed it." in broken(
        room, played.lines, played.told
    )


@pytest.mark.parametrize("figure", ["hands_won", "points", "bostons"])
def test_a_changed_total_is_noticed(played: Played, figure: str) -> None:
    first = played.told.standings[0]
    changed = msgspec.structs.replace(first, **{figure: getattr(first, figure) + 1})
    told = msgspec.structs.replace(played.told, standings=(changed, *played.told.standings[1:]))
    found = broken(played.folder, played.lines, told)
    assert [sentence.startswith(f"Team {first.team} stands at ") for sentence in found] == [True]


def test_a_team_that_is_left_out_and_a_wrong_count_of_hands_are_noticed(played: Played) -> None:
    told = Told(played.told.hands_recorded + 1, played.told.standings[1:])
    missing = played.told.standings[0].team
    found = broken(played.folder, played.lines, told)
    assert found[0].startswith(f"Team {missing} stands at no place; from the facts of its tables follows ")
    assert found[1:] == [
        f"The hub counts {told.hands_recorded} hands; the tables confirmed {played.told.hands_recorded}."
    ]


def test_standings_follow_from_the_journals_alone(played: Played) -> None:
    known = occasion(played.lines)
    assert known is not None
    tables = confirmed(journals(played.folder))
    assert tables == held(played.lines)
    assert recomputed(known, tables) == {
        row.team: (row.hands_won, row.points, row.bostons) for row in played.told.standings
    }


def test_a_damaged_file_is_named(played: Played, tmp_path: Path) -> None:
    room = copytree(played.folder, tmp_path / "room")
    ledger = room / "hub" / "ledger.sqlite"
    content = bytearray(ledger.read_bytes())
    for at in range(4_096 * 3, len(content), 4_096):
        content[at : at + 64] = b"\xff" * 64
    ledger.write_bytes(content)
    assert any(sentence.startswith("hub/ledger.sqlite is damaged: ") for sentence in broken(room, [], played.told))


def test_what_the_hub_set_aside_is_named(played: Played, tmp_path: Path) -> None:
    room = copytree(played.folder, tmp_path / "room")
    with closing(sqlite3.connect(room / "hub" / "ledger.sqlite")) as db:
        db.execute(
            "INSERT INTO quarantine (payload, topic, code, message, size, first_bytes, received_at, times) "
            "VALUES ('x', 'a/b/evt', 'undecodable', 'It is no event.', 3, x'00', 1, 2)"
        )
        db.commit()
    assert broken(room, played.lines, played.told) == [
        "The hub set aside 3 bytes on a/b/evt (2 times): It is no event."
    ]


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("desired", "Box K-01 does not know what the hub wants it to show."),
        ("clock", "Box K-01 does not know the hub's clock, which is ended."),
    ],
)
def test_a_box_that_missed_the_hubs_last_word_is_named(
    played: Played, tmp_path: Path, kind: str, sentence: str
) -> None:
    room = copytree(played.folder, tmp_path / "room")
    (journal,) = journals(room)
    with closing(sqlite3.connect(journal)) as db:
        db.execute("DELETE FROM desired WHERE kind = ?", (kind,))
        db.commit()
    assert unheard(played.folder) == []
    assert unheard(room) == [sentence]


def test_what_verify_finds_is_a_finding(played: Played, tmp_path: Path) -> None:
    room = copytree(played.folder, tmp_path / "room")
    with closing(sqlite3.connect(room / "hub" / "ledger.sqlite")) as db:
        db.execute("DROP TRIGGER ledger_no_update")
        db.execute(
            'UPDATE ledger SET line = CAST(replace(CAST(line AS TEXT), \'"seat":"N"\', \'"seat":"S"\') AS BLOB) '
            "WHERE CAST(line AS TEXT) LIKE '%\"dealer.drawn\"%' OR CAST(line AS TEXT) LIKE '%\"scorekeeper.chosen\"%'"
        )
        db.commit()
    lines, unproven = exported(room)
    assert len(lines) == len(played.lines)
    assert [sentence.startswith("“tallybox verify” finds: ") for sentence in unproven] == [True]
