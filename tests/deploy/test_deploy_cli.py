"""The command: quick help, light commands, and one JSON object when the input cannot be used."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from deploy.cli import COMMANDS, main
from deploy.commands.bench import BENCHES
from deploy.commands.kiosk import PINS
from deploy.room import make_room, open_room
from firmware_bridge.gpio import PinDriver
from kiosk.config import read_box_key

ROOT = Path(__file__).parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deploy.cli", *words], check=False, capture_output=True, text=True, timeout=60
    )


def last_error(stderr: str) -> dict[str, object]:
    said: dict[str, object] = json.loads(stderr.strip().splitlines()[-1])["error"]
    return said


def test_help_names_every_command_and_what_it_does() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.split("commands:\n")[1].split("\n\n")[0].splitlines()] == list(
        COMMANDS
    )


def test_help_loads_no_room_of_the_house() -> None:
    code = (
        "import sys, deploy.cli\n"
        "try: deploy.cli.main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'kivy', 'sqlalchemy', 'starlette', 'paho', 'serial', 'gpiozero', 'cryptography', 'hub', 'kiosk'}\n"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == "[]"


def test_a_command_whose_parts_are_not_on_this_machine_says_so() -> None:
    code = "import sys, deploy.cli\nsys.modules['sqlalchemy'] = None\nsys.exit(deploy.cli.main(sys.argv[1:]))"
    for words in (["hub", "--data", "room"], ["bench", "ingest"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words], check=False, capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, last_error(done.stderr)) == (
            2,
            {
                "code": "not-installed",
                "message": f"“tallybox {words[0]}” needs sqlalchemy, which is not installed here. Do it on a machine "
                "that has it.",
            },
        )


def test_the_help_of_the_benchmarks_loads_none_of_them() -> None:
    code = (
        "import sys, deploy.cli\n"
        "try: deploy.cli.main(['bench', '--help'])\nexcept SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith(('deploy.bench', 'hub'))), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    listed = [line.split()[0] for line in done.stdout.split("benchmarks:\n")[1].split("\n\n")[0].splitlines()]
    assert (listed, done.stderr.strip()) == (list(BENCHES), "[]")


def test_a_hub_needs_no_kivy() -> None:
    code = (
        "import sys, hub.hub, hub.web.app, deploy.commands.hub\n"
        "print(sorted({'kivy', 'serial', 'gpiozero', 'kiosk'} & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0)


@pytest.mark.parametrize("words", [("nonsense",), ("score",), ("init", "--tables", "many", "--data", "x")])
def test_wrong_words_are_answered_with_usage_and_one_json_object(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout, last_error(done.stderr)["code"]) == (2, "", "usage")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("init", "--data", "x", "--tables", "many"), "argument --tables: use a whole number, not 'many'."),
        (("hub", "--data", "x", "--speed", "fast"), "argument --speed: use a number, not 'fast'."),
        (("seatmap", "--template", "zz"), "not 'zz'."),
        (("bench", "scoring", "--sheets", "x\ny"), "use whole numbers with commas between them, not 'x\\ny'."),
        (("rules", "cook"), "argument show|check: choose from 'show', 'check', not 'cook'."),
    ],
)
def test_a_value_of_another_kind_is_said_in_our_words(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    message = str(last_error(capsys.readouterr().err)["message"])
    assert said in message
    assert "invalid" not in message


def test_a_room_is_made_once_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--data", str(tmp_path / "room"), "--tables", "2", "--venue", "club"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(["init", "--data", str(tmp_path / "room"), "--tables", "3"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert (second["venue"], second["hub"]) == ("club", first["hub"])
    assert {box: second["kiosks"][box] for box in first["kiosks"]} == first["kiosks"]
    assert list(second["kiosks"]) == ["K-01", "K-02", "K-03"]
    secrets = [tmp_path / "room" / "hub" / "hub.key", tmp_path / "room" / "kiosks" / "K-01" / "box.key"]
    assert [oct(path.stat().st_mode & 0o777) for path in secrets] == ["0o600", "0o600"]


def test_a_room_that_is_missing_or_damaged_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--data", str(tmp_path / "none")]) == 2
    assert last_error(capsys.readouterr().err)["code"] == "no-room"
    room = make_room(tmp_path / "room", venue="club", boxes=1, random_bytes=lambda n: bytes(range(n)))
    assert (room, room.known_kiosks()["K-01"]) == (
        open_room(tmp_path / "room"),
        read_box_key(room.kiosk_folder("K-01") / "box.key").public,
    )
    (tmp_path / "room" / "venue.toml").write_text("venue = 3")
    assert main(["export", "--data", str(tmp_path / "room")]) == 2
    assert last_error(capsys.readouterr().err)["code"] == "bad-room"


def test_a_venue_whose_name_cannot_be_a_topic_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--data", str(tmp_path / "room"), "--venue", "a/+"]) == 2
    assert last_error(capsys.readouterr().err)["code"] == "bad-venue"
    assert not (tmp_path / "room").exists()


def test_a_folder_that_cannot_be_used_and_a_taken_port_are_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["demo", "--tables", "1", "--headless", "--data", str(tmp_path / "file")]) == 2
    assert last_error(capsys.readouterr().err) == {
        "code": "cannot-write",
        "message": f"{tmp_path / 'file'} cannot be used: File exists. Choose another folder.",
    }
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["demo", "--tables", "1", "--headless", "--data", str(tmp_path / "room"), "--port", port]) == 2
    assert last_error(capsys.readouterr().err)["code"] == "no-dashboard"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--broker-port", "0"), "bad-room"),
        (("--broker", 'a"b\nc=1'), "bad-room"),
        (("--tables", "0"), "bad-room"),
        (("--data", ""), "usage"),
    ],
)
def test_init_writes_nothing_before_every_setting_can_be_used(
    tmp_path: Path, words: tuple[str, ...], code: str
) -> None:
    done = run("init", "--data", str(tmp_path / "room"), *words)
    assert (done.returncode, last_error(done.stderr)["code"]) == (2, code)
    assert list(tmp_path.iterdir()) == []


def test_init_says_so_when_a_room_goes_by_other_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room = str(tmp_path / "room")
    assert main(["init", "--data", room, "--tables", "1", "--broker-port", "1884"]) == 0
    assert main(["init", "--data", room, "--tables", "2", "--broker-port", "1884"]) == 0
    capsys.readouterr()
    assert main(["init", "--data", room, "--broker-port", "1883"]) == 2
    assert last_error(capsys.readouterr().err) == {
        "code": "room-exists",
        "message": f"{room} is a room already, with port 1884. Change venue.toml there by hand.",
    }


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_streams_are_a_sentence(closed: str) -> None:
    command = f"{sys.executable} -m deploy.cli score - {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, last_error(done.stderr)["code"]) == (2, "no-streams")


def test_an_answer_on_a_full_disk_and_words_that_go_nowhere_end_with_the_right_code() -> None:
    answer = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m deploy.cli movement --teams 16 --rounds 5 > /dev/full"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (answer.returncode, last_error(answer.stderr)) == (
        2,
        {
            "code": "cannot-use",
            "message": "Not all could be written: No space left on device. Make room, then ask again.",
        },
    )
    words = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m deploy.cli score nowhere.json 2> /dev/full"], timeout=60, check=False
    )
    assert words.returncode == 2


def test_what_no_command_explains_is_said_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []
    for number, name in ((errno.EACCES, "room"), (errno.EEXIST, "room"), (errno.ENETDOWN, None)):

        def fails(_args: object, number: int = number, name: str | None = name) -> int:
            raise OSError(number, os.strerror(number), name)

        monkeypatch.setattr("deploy.commands.init.run", fails)
        assert main(["init", "--data", str(tmp_path)]) == 2
        said.append(last_error(capsys.readouterr().err)["message"])
    assert said == [
        "room is not open to this account. On an installed machine, type “sudo” before the command.",
        "room cannot be used: File exists. Look what stands there, or name another place.",
        "This machine: Network is down.",
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_demo_told_to_end_stops_its_broker_and_says_no_traceback(tmp_path: Path, number: signal.Signals) -> None:
    with (tmp_path / "said").open("wb") as said, ExitStack() as ended:
        demo = subprocess.Popen(
            [sys.executable, "-m", "deploy.cli", "demo", "--tables", "1", "--port", "0", "--data", "room"],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=said, stderr=said,
        )  # fmt: skip
        ended.callback(demo.kill)
        until = time.monotonic() + 60
        while b"Ctrl+C" not in (tmp_path / "said").read_bytes() and time.monotonic() < until:
            time.sleep(0.1)
        told = (tmp_path / "said").read_text()
        broker = int(told.split("127.0.0.1:")[1].split(",")[0])
        demo.send_signal(number)
        assert demo.wait(30) == 0
    assert "Traceback" not in (tmp_path / "said").read_text()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", broker)) != 0


def test_the_kiosk_offers_every_pin_driver() -> None:
    assert set(PINS) == {str(driver) for driver in PinDriver}


def test_a_refusal_is_utf_8_whatever_the_terminal_says() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "rules", "show", "no–such"],
        check=False, capture_output=True, timeout=60, env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    said = json.loads(done.stderr.decode("utf-8").splitlines()[-1])["error"]
    assert (done.returncode, "no–such" in said["message"]) == (2, True), said
