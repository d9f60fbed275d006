"""``tallybox doctor`` in a provisioned venue with its real broker and hub: every planted fault is found and named."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from venue_broker import issued, running, tls_of, venue

from deploy.cli import main
from deploy.doctor.display import display
from deploy.doctor.finding import Finding, Weight
from deploy.doctor.hub_answer import Asking, Heard, told
from deploy.doctor.hub_end import called
from deploy.doctor.machine import Machine
from deploy.doctor.service import throttled
from deploy.line import LineFiles
from deploy.provision.authority import Purpose
from deploy.room import Room, open_room
from firmware_bridge.simulator import SimulatedReader
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger
from kiosk.journal.journal import Journal
from tallybox.envelope import At, Fact, Occasion
from tallybox.messages import HubState
from tallybox.seats import CLOCKWISE
from tallybox.signing import SigningKey
from tallybox.topics import Topics

KEY = SigningKey(bytes(32))


@dataclass(frozen=True)
class Hall:
    """A venue with its hub up, and what box K-01's machine holds."""

    venue: Path
    box: Path

    @property
    def home(self) -> Path:
        return self.box / "kiosks" / "K-01"


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "deploy.cli", *words]


def _answers(room: Room) -> bool:
    """Asked as a box, for the broker takes one connection for each certificate."""
    box = room.folder / "bundles" / "K-03"
    line = LineFiles(box / "kiosks" / "K-03" / "tls").context()
    state = Asking(Topics(room.venue), "K-03").visit(room.broker_host, room.broker_port, line).state
    return state is not None and state.online


@contextmanager
def hub_of(folder: Path) -> Iterator[None]:
    """The hub as its own process, once it answers."""
    room = open_room(folder)
    with (folder / "hub.log").open("wb") as log:
        process = subprocess.Popen(command("hub", "--data", str(folder), "--port", "0"), stderr=log)
        try:
            until = time.monotonic() + 60
            while not _answers(room):
                assert process.poll() is None, (folder / "hub.log").read_text()
                assert time.monotonic() < until
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            process.wait(60)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("venue") / "v"
    port = venue(folder)
    with running(folder, port), hub_of(folder):
        yield folder


@pytest.fixture
def hall(live: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hall:
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    monkeypatch.setattr("deploy.doctor.machine.ANSWERS_WITHIN", 60.0)
    shutil.copytree(live / "bundles" / "K-01", tmp_path / "box")
    return Hall(live, tmp_path / "box")


def looked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, str]]]:
    code = main(["doctor", "--json", *words])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, [found for end in answer["ends"] for found in end["findings"] if found["weight"] != "good"]


def test_a_box_and_a_hub_that_are_well_have_nothing_to_do(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    assert looked(capsys, "--data", str(hall.box)) == (0, [])
    assert looked(capsys, "--data", str(hall.venue)) == (0, [])
    assert main(["doctor", "--data", str(hall.box)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Box K-01:"
    assert all(line.startswith("  ✓ ") for line in said[1:])
    for words in ("broker: The broker at localhost", "hub: The hub answers: tallybox", "clock: This machine's clock"):
        assert any(line.removeprefix("  ✓ ").startswith(words) for line in said), (words, said)


def _expire(hall: Hall) -> None:
    issued(hall.venue, "K-01", hall.home / "tls", Purpose.CLIENT, days=-1)


def _ends_soon(hall: Hall) -> None:
    issued(hall.venue, "K-01", hall.home / "tls", Purpose.CLIENT, days=20)


def _another_boxs_certificate(hall: Hall) -> None:
    shutil.copytree(tls_of(hall.venue, "K-02"), hall.home / "tls", dirs_exist_ok=True)


def _open_key(hall: Hall) -> None:
    (hall.home / "box.key").chmod(0o644)


def _lost_key(hall: Hall) -> None:
    (hall.home / "box.key").unlink()


def _no_bundle(hall: Hall) -> None:
    hall.home.rename(hall.home.with_name("K-02"))


def _settings_misspelt(hall: Hall) -> None:
    (hall.home / "box.toml").write_text('box = "K-01"\nreadr = 3\n')


def _nobody_at_the_port(hall: Hall) -> None:
    text = (hall.box / "venue.toml").read_text()
    (hall.box / "venue.toml").write_text("\n".join("port = 9" if "port" in line else line for line in text.split("\n")))


def _damaged_journal(hall: Hall) -> None:
    _written(hall.home / "journal.sqlite", "K-01")
    content = bytearray((hall.home / "journal.sqlite").read_bytes())
    content[4096:12288] = b"\x07" * 8192
    (hall.home / "journal.sqlite").write_bytes(content)


def _another_boxs_journal(hall: Hall) -> None:
    _written(hall.home / "journal.sqlite", "K-02")


def _unsent(hall: Hall) -> None:
    _written(hall.home / "journal.sqlite", "K-01", events=3)


def _written(path: Path, box: str, events: int = 0) -> None:
    journal = Journal(path)
    journal.write_as(box, KEY)
    for number in range(events):
        journal.append(
            Occasion("spring", 1, 4, 1), Fact("hand.counted", {"hand": number}), At(wall=1, mono=1, synced=False)
        )
    journal.close()


def _somebody_elses_journal(hall: Hall) -> None:
    _written(hall.home / "journal.sqlite", "K-01")
    for path in [hall.home, *hall.home.rglob("*")]:
        os.chown(path, 65_534, 65_534)
    os.chown(hall.home / "journal.sqlite", 0, 0)
    (hall.home / "journal.sqlite").chmod(0o600)


def _lost_reader(hall: Hall) -> None:
    _add(hall, '[reader]\nport = "/dev/no-such-reader"\n')


def _no_pins(hall: Hall) -> None:
    _add(hall, '[pins]\ndriver = "mock"\n')


def _add(hall: Hall, text: str) -> None:
    with (hall.home / "box.toml").open("a") as settings:
        settings.write(text)


BOX_FAULTS: list[tuple[Callable[[Hall], None], str, str, str]] = [
    (_expire, "certificates", "expired", "The certificate of K-01 ended on "),
    (_ends_soon, "certificates", "ends-soon", "The certificate of K-01 ends on "),
    (_another_boxs_certificate, "certificates", "other-name", "is K-02's, not K-01's."),
    (_open_key, "files", "open-key", "Others on this machine can read "),
    (_lost_key, "files", "no-config", "box.key is not there."),
    (_no_bundle, "files", "no-bundle", "this machine has no bundle of box K-01."),
    (_settings_misspelt, "files", "bad-config", "readr"),
    (_nobody_at_the_port, "broker", "no-answer", "Nothing answers at localhost, port 9"),
    (_damaged_journal, "record", "damaged", "Keep the file as it is."),
    (_another_boxs_journal, "record", "other-box", "is box K-02's, and this is box K-01."),
    (_unsent, "record", "unsent", "The journal is whole: 3 events, 3 wait for the hub."),
    (_somebody_elses_journal, "files", "not-owned", "nobody, who runs this, may not write "),
    (_lost_reader, "reader", "missing", "/dev/no-such-reader"),
    (_no_pins, "pins", "mock", "no buzzer sounds"),
]


@pytest.mark.parametrize(("plant", "part", "code", "words"), BOX_FAULTS, ids=[row[2] for row in BOX_FAULTS])
def test_a_fault_planted_in_a_box_is_found_and_told_with_what_to_do(
    hall: Hall, capsys: pytest.CaptureFixture[str], plant: Callable[[Hall], None], part: str, code: str, words: str
) -> None:
    plant(hall)
    exit_code, found = looked(capsys, "--data", str(hall.box), "--box", "K-01")
    first = next(each for each in found if each["part"] == part)
    assert (first["code"], words in first["says"], first["do"] != "") == (code, True, True), found
    assert exit_code == (1 if first["weight"] == "wrong" else 0)
    beside = [each["part"] for each in found if each["part"] not in {part, "broker"}]
    assert beside == [], found


@pytest.mark.parametrize(("full", "code"), [(True, "full"), (False, "read-only")])
def test_a_disk_that_is_full_or_read_only_is_found(
    hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str], full: bool, code: str
) -> None:
    """Needs root: it mounts a small disk."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", str(disk)], check=True, timeout=20)
    try:
        shutil.copytree(hall.box, disk / "box")
        if full:
            (disk / "log").write_bytes(bytes(12 * 1_048_576))
        else:
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True, timeout=20)
        exit_code, found = looked(capsys, "--data", str(disk / "box"))
        assert [(each["part"], each["code"]) for each in found] == [("disk", code)]
        assert exit_code == 1
    finally:
        subprocess.run(["umount", str(disk)], check=True, timeout=20)


def test_a_reader_is_told_as_it_answers_is_silent_or_is_held_by_another(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    with SimulatedReader("TBR-0042", CLOCKWISE) as simulated:
        _add(hall, f'[reader]\nport = "{simulated.path}"\n')
        assert looked(capsys, "--data", str(hall.box)) == (0, [])
        holds = (
            "import serial,sys;p=serial.Serial(sys.argv[1],exclusive=True);print('held',flush=True);sys.stdin.read()"
        )
        other = subprocess.Popen(
            ["env", sys.executable, "-c", holds, simulated.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"held\n"
            code, found = looked(capsys, "--data", str(hall.box))
        finally:
            other.kill()
            other.communicate()
    assert [(each["part"], each["code"]) for each in found] == [("reader", "busy")]
    assert code == 1


def test_a_clock_that_is_wrong_by_a_day_is_told_in_hours(hall: Hall) -> None:
    ran = subprocess.run(
        ["faketime", "-f", "-25h", *command("doctor", "--json", "--data", str(hall.box))],
        check=False, capture_output=True, text=True, timeout=60, env={**os.environ, "SDL_VIDEODRIVER": "offscreen"},
    )  # fmt: skip
    found = [each for each in json.loads(ran.stdout)["ends"][0]["findings"] if each["weight"] != "good"]
    assert [(each["part"], each["code"], each["says"]) for each in found] == [
        ("clock", "apart", "This machine's clock is 25 hours behind the hub's.")
    ]
    assert ran.returncode == 0


def copied(live: Path, folder: Path) -> None:
    """A venue's folder on another machine, where no broker runs."""
    shutil.copytree(live, folder, ignore=shutil.ignore_patterns("*.lock", "kept"))
    text = (folder / "venue.toml").read_text()
    (folder / "venue.toml").write_text("\n".join("port = 9" if "port" in line else line for line in text.split("\n")))


def test_a_hub_with_a_damaged_ledger_no_boxes_and_an_open_key_is_told_all_of_it(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "v"
    copied(live, folder)
    with sqlite3.connect(folder / "hub" / "ledger.sqlite") as ledger:
        ledger.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ledger.close()
    content = bytearray((folder / "hub" / "ledger.sqlite").read_bytes())
    content[4096:] = b"\x07" * (len(content) - 4096)
    (folder / "hub" / "ledger.sqlite").write_bytes(content)
    (folder / "hub" / "kiosks.toml").write_text("[kiosks]\n")
    (folder / "hub" / "hub.key").chmod(0o640)
    code, found = looked(capsys, "--data", str(folder))
    assert [(each["part"], each["code"]) for each in found] == [
        ("files", "open-key"), ("files", "no-boxes"), ("record", "ledger-unreadable"), ("broker", "no-answer"),
    ]  # fmt: skip
    assert code == 1


def test_the_brokers_certificate_beside_the_hub_is_looked_at_too(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "v"
    copied(live, folder)
    issued(folder, "broker", tls_of(folder, "broker"), Purpose.SERVER, days=20, hosts=("localhost",))
    _, found = looked(capsys, "--data", str(folder))
    assert [(each["part"], each["code"]) for each in found] == [("certificates", "ends-soon"), ("broker", "no-answer")]
    assert found[0]["do"].endswith("--renew broker.")


def test_the_broker_of_an_installed_hub_is_looked_at_beside_it(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Needs root, to give a folder away: of a list that it cannot read, a broker keeps the version before."""
    copied(live, tmp_path / "hub")
    broker = (tmp_path / "hub" / "broker").rename(tmp_path / "broker")
    for path in (broker, *broker.rglob("*")):
        os.chown(path, 65_534, 65_534)
    (broker / "withdrawn.crl").chmod(0o600)
    os.chown(broker / "withdrawn.crl", 0, 0)
    issued(live, "broker", broker / "tls", Purpose.SERVER, days=20, hosts=("localhost",))
    _, found = looked(capsys, "--data", str(tmp_path / "hub"))
    assert [(each["part"], each["code"]) for each in found] == [
        ("files", "not-owned"), ("certificates", "ends-soon"), ("broker", "no-answer"),
    ]  # fmt: skip
    assert "nobody, who runs this, may not read" in found[0]["says"]


def test_a_hub_that_boxes_look_for_by_another_name_is_told(live: Path, tmp_path: Path) -> None:
    tls = tmp_path / "tls"
    tls.mkdir()
    issued(live, "broker", tls, Purpose.SERVER, days=900, hosts=("hub.local", "hall.test"))
    assert list(called(LineFiles(tls), "hub")) == []
    assert [(each.code, each.says) for each in called(LineFiles(tls), "debian")] == [
        ("other-host", "The boxes look for hub.local, and this machine is called debian.")
    ]


def test_a_hub_whose_clock_is_behind_its_ledger_is_told(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "v"
    copied(live, folder)
    for file in (folder / "hub").glob("ledger.sqlite*"):
        file.unlink()
    ledger = Ledger(ledger_url(folder / "hub"))
    ledger.mark(time.time_ns() // 1_000_000 + 3 * 86_400_000)
    ledger.close()
    code, found = looked(capsys, "--data", str(folder))
    assert [(each["part"], each["code"]) for each in found] == [("broker", "no-answer"), ("clock", "behind")]
    assert code == 1


def test_a_broker_without_a_hub_is_told_apart_from_one_that_does_not_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    folder = tmp_path / "v"
    port = venue(folder)
    with running(folder, port):
        code, found = looked(capsys, "--data", str(folder / "bundles" / "K-01"))
    assert [(each["part"], each["code"], each["says"]) for each in found] == [
        ("hub", "no-hub", "The broker is up, and no hub answers.")
    ]
    assert code == 1


def test_looking_at_a_journal_leaves_the_folder_as_it_was(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    _written(hall.home / "journal.sqlite", "K-01", events=2)
    before = {path.name: path.read_bytes() for path in hall.home.iterdir() if path.is_file()}
    looked(capsys, "--data", str(hall.box))
    assert {path.name: path.read_bytes() for path in hall.home.iterdir() if path.is_file()} == before


def test_a_folder_of_several_boxes_asks_which(live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(live / "bundles" / "K-01", tmp_path / "box")
    shutil.copytree(live / "bundles" / "K-02" / "kiosks" / "K-02", tmp_path / "box" / "kiosks" / "K-02")
    assert main(["doctor", "--data", str(tmp_path / "box")]) == 2
    assert json.loads(capsys.readouterr().err.splitlines()[-1])["error"]["code"] == "which-box"


def _codes(found: Iterator[Finding]) -> list[tuple[str, Weight]]:
    return [(each.code, each.weight) for each in found]


def test_another_version_at_the_hub_is_told() -> None:
    heard = Heard(connected=True, offset=20, state=HubState(v=1, online=True, epoch=3, software="tallybox 0.0.9"))
    assert _codes(told(heard, "hub, port 8883", "K-01", "tallybox 0.1.0")) == [
        ("fine", Weight.GOOD), ("fine", Weight.GOOD), ("other-version", Weight.SOON), ("fine", Weight.GOOD)
    ]  # fmt: skip
    same = replace(heard, state=HubState(v=1, online=True, epoch=3, software="tallybox 0.1.0"))
    assert [code for code, _ in _codes(told(same, "hub, port 8883", "K-01", "tallybox 0.1.0"))] == ["fine"] * 3


PANEL = """I: Bus=0018 Vendor=0000 Product=0000 Version=0000
N: Name="10-0038 generic ft5x06 (79)"
H: Handlers=mouse0 event{n}
B: PROP=2
B: EV=b
B: ABS=260800000000003

"""
KEYBOARD = 'N: Name="Keyboard"\nH: Handlers=sysrq kbd event9\nB: EV=120013\n\n'


def _machine(root: Path, panels: int, *, screen: str | None) -> Machine:
    (root / "proc" / "bus" / "input").mkdir(parents=True)
    (root / "proc" / "device-tree").mkdir(parents=True)
    (root / "proc" / "device-tree" / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    text = KEYBOARD + "".join(PANEL.format(n=n) for n in range(panels))
    (root / "proc" / "bus" / "input" / "devices").write_text(text)
    (root / "dev" / "input").mkdir(parents=True)
    for n in range(panels):
        (root / "dev" / "input" / f"event{n}").touch()
    if screen == "up":
        (root / "tmp" / ".X11-unix").mkdir(parents=True)
        (root / "tmp" / ".X11-unix" / "X0").touch()
    elif screen is not None:
        (root / "sys" / "class" / "drm" / "card1-HDMI-A-1").mkdir(parents=True)
        (root / "sys" / "class" / "drm" / "card1-HDMI-A-1" / "status").write_text("connected\n")
    return Machine(root)


@pytest.mark.parametrize(
    ("panels", "screen", "codes"),
    [
        (1, "up", ["fine", "fine"]),
        (1, "plugged", ["no-session", "fine"]),
        (1, None, ["no-display", "fine"]),
        (0, "up", ["fine", "no-touch"]),
        (2, "up", ["fine", "fine", "fine", "two-panels"]),
    ],
)
def test_screen_and_touch_panel_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, panels: int, screen: str | None, codes: list[str]
) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    machine = _machine(tmp_path, panels, screen=screen)
    assert [code for code, _ in _codes(display(machine))] == codes


@pytest.mark.parametrize(
    ("flags", "code"), [(0, "fine"), (0x50005, "under-voltage"), (0x50000, "under-voltage-seen"), (0x8, "hot")]
)
def test_the_firmwares_flags_of_the_power_supply_are_words(flags: int, code: str) -> None:
    assert throttled(flags).code == code
