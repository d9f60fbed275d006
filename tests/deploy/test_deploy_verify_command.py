"""`tallybox export` and `tallybox verify` as a club runs them: files, standard input, exit codes, what is said."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest
from ledger_tampering import night, with_member

from deploy.cli import main
from deploy.commands.verify import PROGRESS
from deploy.room import make_room, open_room
from hub.accepting.keeper import Keeper
from hub.desk.director import Director
from hub.record.engine import ledger_url
from hub.record.export import export
from hub.record.ledger import Ledger
from hub.timekeeping import HubTime
from tallybox.envelope import HUB
from tallybox.proof.trust import read_trust, trust_text
from tallybox.signing import SigningKey
from tallybox.topics import Topics

KEYS_SAID = "The keys came from the file itself: "
KEYS = {box: SigningKey(box.encode().ljust(32, b".")).public for box in (HUB, "K-01", "K-02")}


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return night(tmp_path_factory.mktemp("night"))


def written(folder: Path, lines: list[bytes], end: bytes = b"\n") -> Path:
    path = folder / "ledger.ndjson"
    path.write_bytes(b"".join(line + end for line in lines))
    return path


def ended(words: list[str]) -> object:
    """The exit code, also of options that are none."""
    try:
        return main(words)
    except SystemExit as end:
        return end.code


def test_a_whole_file_is_answered_with_four_members_and_exit_0(
    lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for end in (b"\n", b"\r\n"):
        assert main(["verify", str(written(tmp_path, lines, end))]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out) == {"events": len(lines), "ok": True, "faults": [], "unproven_tail": 2}
        assert err.startswith(KEYS_SAID)
        assert f"The last 2 events stand after line {len(lines) - 2} without a checkpoint" in err


def test_a_list_of_keys_takes_the_place_of_those_in_the_file(
    lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = tmp_path / "keys.toml"
    keys.write_text(trust_text(KEYS))
    assert main(["verify", str(written(tmp_path, lines)), "--trust", str(keys)]) == 0
    assert KEYS_SAID not in capsys.readouterr().err
    keys.write_text(trust_text({**KEYS, "K-02": KEYS["K-01"]}))
    assert main(["verify", str(written(tmp_path, lines)), "--trust", str(keys)]) == 1
    [fault] = json.loads(capsys.readouterr().out)["faults"]
    assert (fault["what"], fault["where"]) == ("key", "event.sig")


def test_a_tampered_file_is_answered_with_its_faults_and_exit_1(
    lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = with_member(lines[40], ("received_at",), 7)
    path = written(tmp_path, [*lines[:40], changed, *lines[41:60], b"rubbish", b"x" * 300_000, *lines[60:]])
    assert main(["verify", str(path)]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["events", "ok", "faults", "unproven_tail"]
    assert (answer["events"], answer["ok"], answer["unproven_tail"]) == (len(lines), False, 2)
    assert [(fault["line"], fault["what"], fault["where"]) for fault in answer["faults"]] == [
        (41, "altered", "received_at"), (61, "undecodable", "line"), (62, "undecodable", "line"),
    ]  # fmt: skip
    assert answer["faults"][0] == {
        "line": 41, "id": json.loads(changed)["id"], "what": "altered", "where": "received_at",
        "message": "“received_at” was changed: everything else in the line is as it was.",
    }  # fmt: skip


def test_standard_input_is_a_file_like_any_other(
    lines: list[bytes], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines[:-1]))))
    assert main(["verify", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"events": len(lines) - 1, "ok": True, "faults": [], "unproven_tail": 1}
    assert "The last event stands after line" in err


def test_an_empty_file_is_a_ledger_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(written(tmp_path, []))]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"events": 0, "ok": True, "faults": [], "unproven_tail": 0}
    assert "No line of a ledger can be read in it. Look whether this is the right file." in err


def test_a_pipe_with_a_name_is_read_once_and_whole(
    lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"\n".join(lines) + b"\n",), daemon=True)
    writing.start()
    assert main(["verify", str(tmp_path / "pipe")]) == 0
    writing.join()
    assert json.loads(capsys.readouterr().out)["events"] == len(lines)


def test_without_a_checkpoint_all_of_it_is_the_tail(
    lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(written(tmp_path, lines[:10]))]) == 0
    assert "The last 10 events stand after the beginning without a checkpoint" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["nowhere.ndjson"], "unreadable"), (["."], "unreadable"), ([""], "unreadable"), (["a\0b"], "unreadable"),
        (["-", "--trust", "-"], "usage"), (["-", "--trust", "nowhere.toml"], "unreadable"), ([], "usage"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_exit_2_with_a_sentence(
    words: list[str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ended(["verify", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert json.loads(err.splitlines()[-1])["error"]["code"] == code


def test_a_list_without_keys_is_exit_2(lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "keys.toml").write_text("[kiosks]\n")
    assert main(["verify", str(written(tmp_path, lines)), "--trust", str(tmp_path / "keys.toml")]) == 2
    error = json.loads(capsys.readouterr().err.splitlines()[-1])["error"]
    assert (error["code"], error["message"][:45]) == ("bad-trust", f"“{str(tmp_path / 'keys.toml')[:39]}…” hol"[:45])


def test_a_long_check_says_how_far_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(written(tmp_path, [b""] * (PROGRESS + 1)))]) == 1
    assert f"{PROGRESS} lines checked\n" in capsys.readouterr().err


def room_with_a_ledger(folder: Path) -> tuple[Path, Keeper]:
    """A room whose hub has run: a few events."""
    made = make_room(folder, boxes=2, random_bytes=lambda size: bytes(range(size)))
    room = open_room(folder)
    ledger = Ledger(ledger_url(room.hub_folder))
    time = HubTime(lambda: 1.0, lambda: 1_790_000_000.0)
    keeper = Keeper(ledger, topics=Topics(room.venue), key=room.hub_key(), kiosks=room.known_kiosks(), time=time)
    return made.folder, keeper


def test_what_a_room_exports_with_its_keys_verifies(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    folder, keeper = room_with_a_ledger(tmp_path / "room")
    director = Director(keeper.act, ("K-01", "K-02"))
    director.announce("dana", "Willkommen im Saal – “Zoë” spielt")
    director.assign_box("dana", "K-01", 1)
    capfdbinary.readouterr()
    assert main(["export", "--data", str(folder)]) == 0
    ledger = capfdbinary.readouterr().out
    assert ledger == b"".join(export(keeper.ledger))
    assert main(["export", "--data", str(folder), "--keys"]) == 0
    keys = capfdbinary.readouterr().out.decode()
    room = open_room(folder)
    assert read_trust(keys, "keys").keys == {
        HUB: (room.hub_key().public,), **{box: (key,) for box, key in room.known_kiosks().items()},
    }  # fmt: skip
    (tmp_path / "ledger.ndjson").write_bytes(ledger)
    (tmp_path / "keys.toml").write_text(keys)
    assert main(["verify", str(tmp_path / "ledger.ndjson"), "--trust", str(tmp_path / "keys.toml")]) == 0
    assert json.loads(capfdbinary.readouterr().out) == {"events": 3, "ok": True, "faults": [], "unproven_tail": 3}
