"""`tallybox backup` and `tallybox restore` on a room."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from deploy.cli import main
from deploy.logs import log_to_stderr
from deploy.room import make_room, open_room
from hub.accepting.keeper import RESTORED, Keeper
from hub.desk.director import Director
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger
from hub.timekeeping import HubTime
from tallybox.topics import Topics


@pytest.fixture(autouse=True)
def _logs_on_standard_error() -> None:
    log_to_stderr()


def hub_of(folder: Path) -> Keeper:
    room = open_room(folder)
    time = HubTime(lambda: 1.0, lambda: 1_790_000_000.0)
    ledger = Ledger(ledger_url(room.hub_folder))
    return Keeper(ledger, topics=Topics(room.venue), key=room.hub_key(), kiosks=room.known_kiosks(), time=time)


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return make_room(tmp_path / "room", boxes=1, random_bytes=lambda size: bytes(range(size))).folder


def test_a_backup_is_made_checked_and_restored(room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "night.sqlite"
    keeper = hub_of(room)
    Director(keeper.act, ()).announce("dana", "Welcome")
    assert main(["backup", "--data", str(room), "--to", str(copy)]) == 0
    whole = {"events": 2, "ok": True, "faults": [], "unproven_tail": 2}
    assert json.loads(capsys.readouterr().out) == {"file": str(copy), **whole}
    assert main(["verify", str(copy)]) == 0
    assert json.loads(capsys.readouterr().out) == whole
    Director(keeper.act, ()).announce("dana", "Lunch")
    keeper.ledger.close()
    assert main(["restore", "--data", str(room), "--from", str(copy)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"events": 2, "former": str(room / "hub" / "ledger-before-1.sqlite")}
    assert err.endswith("then confirm at the desk.\n")
    restored = hub_of(room)
    assert (restored.ledger.head_seq, restored.epoch, restored.doubt) == (2, 2, RESTORED)
    restored.ledger.close()


def test_a_hub_of_another_account_can_use_what_root_restored(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Needs root, to give files away."""
    keeper = hub_of(room)
    Director(keeper.act, ()).announce("dana", "Welcome")
    keeper.ledger.close()
    for path in (room / "hub", *(room / "hub").iterdir()):
        os.chown(path, 65_534, 65_534)
    assert main(["backup", "--data", str(room), "--to", str(tmp_path / "night.sqlite")]) == 0
    assert main(["restore", "--data", str(room), "--from", str(tmp_path / "night.sqlite")]) == 0
    assert main(["restore", "--data", str(room), "--from", str(tmp_path / "nowhere.sqlite")]) == 2
    owners = {path.name: path.stat().st_uid for path in (room / "hub").iterdir()}
    assert owners == dict.fromkeys(owners, 65_534)
    assert {"hub.lock", "ledger.sqlite", "ledger-before-1.sqlite"} <= owners.keys()
    capsys.readouterr()


def test_a_room_that_lost_its_ledger_gets_it_back(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "night.sqlite"
    keeper = hub_of(room)
    Director(keeper.act, ()).announce("dana", "Welcome")
    main(["backup", "--data", str(room), "--to", str(copy)])
    keeper.ledger.close()
    (room / "hub" / "ledger.sqlite").unlink()
    capsys.readouterr()
    assert main(["restore", "--data", str(room), "--from", str(copy)]) == 0
    assert json.loads(capsys.readouterr().out) == {"events": 2, "former": None}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["backup", "--to", "copy.sqlite"], "ledger-unreadable"),
        (["restore", "--from", "nowhere.sqlite"], "ledger-unreadable"),
        (["backup", "--to", "venue.toml"], "exists"),
    ],
)
def test_what_cannot_be_done_is_exit_2_with_a_sentence(
    words: list[str], code: str, room: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(room)
    assert main([words[0], "--data", str(room), *words[1:]]) == 2
    out, err = capsys.readouterr()
    assert (out, json.loads(err.splitlines()[-1])["error"]["code"]) == ("", code)
