"""What the doctor says of a port, on real terminals, with real programs holding them and a real user who may not."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import until

from firmware_bridge import doctor
from firmware_bridge.doctor import Machine, examine, examine_all
from firmware_bridge.findings import Finding, Kind, Trouble
from firmware_bridge.holders import Holder
from firmware_bridge.port import SerialPort
from firmware_bridge.simulator import SimulatedReader
from tallybox.seats import Seat

QUICK = 0.5
NOBODY = 65_534


class Terminal:
    """A device's end of a terminal that says what it is told to say whenever it hears anything."""

    def __init__(self, answer: bytes = b"", *, echo: bool = False) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._answer = answer
        self._echo = echo
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def says(self, data: bytes) -> None:
        os.write(self._master, data)

    def _run(self) -> None:
        while True:
            try:
                heard = os.read(self._master, 4096)
                os.write(self._master, heard if self._echo else self._answer)
            except OSError:
                return

    def close(self) -> None:
        os.close(self._slave)
        os.close(self._master)


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    made = Terminal(**getattr(request, "param", {}))
    yield made
    made.close()


def found(path: str, kind: Kind = Kind.DECK, listen: float = QUICK) -> Finding:
    findings = examine(path, kind, listen=listen).findings
    assert len(findings) == 1
    return findings[0]


def test_a_reader_that_answers_is_fine_and_loses_no_card() -> None:
    with SimulatedReader("R-07", (Seat.N, Seat.E)) as device:
        device.lay(Seat.E, "MSO-E-4")
        report = examine(device.path)
        assert report.fine
        assert report.findings == (
            Finding(
                Trouble.FINE,
                f"Reader R-07 answers at {device.path}: firmware tallybox-simulator-1, North, East.",
            ),
        )
        assert device.cards == ((Seat.E, "MSO-E-4"),)
        assert not device.greeted
        assert not device.wait_idle(0)


def test_a_reader_of_another_protocol_is_named() -> None:
    with SimulatedReader("R-07", protocol=9) as device:
        finding = found(device.path)
    assert (finding.trouble, finding.says) == (
        Trouble.WRONG_PROTOCOL, f"Reader R-07 at {device.path} speaks protocol 9; this program speaks 1.",
    )  # fmt: skip
    assert finding.do.startswith("Bring the older of the two up to date")


def test_a_port_that_is_not_there_is_told_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ports", lambda: ["/dev/ttyACM0", "/dev/ttyACM1"])
    assert found("/dev/no-such-port") == Finding(
        Trouble.MISSING,
        "Nothing is plugged in at /dev/no-such-port. Ports of this machine: /dev/ttyACM0, /dev/ttyACM1.",
        "Check the cable, and the path in box.toml.",
    )


def test_an_unplugged_reader_is_missing() -> None:
    with SimulatedReader("R-07") as device:
        device.unplug()
        assert found(device.path).trouble is Trouble.MISSING


def test_a_file_is_no_port(tmp_path: Path) -> None:
    path = tmp_path / "port"
    path.write_bytes(b"")
    assert found(str(path)).says == f"{path} is no serial port."


def test_a_machine_without_ports_says_so_and_one_with_ports_looks_at_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ports", list)
    (nothing,) = examine_all()
    assert (nothing.port, nothing.fine, nothing.findings[0].trouble) == (None, False, Trouble.NO_PORTS)
    with SimulatedReader("R-07") as device:
        monkeypatch.setattr(doctor, "ports", lambda: [device.path, "/dev/no-such-port"])
        assert [report.fine for report in examine_all()] == [True, False]


HOLD = """
import sys, time
from firmware_bridge.port import SerialPort
port = SerialPort(sys.argv[1])
print("held", flush=True)
time.sleep(60)
"""


def test_another_program_that_holds_the_port_is_named(terminal: Terminal) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, terminal.path], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        finding = found(terminal.path)
        other.kill()
    name = Path(sys.executable).resolve().name[:15]
    assert finding == Finding(
        Trouble.BUSY,
        f"{finding.who and finding.who.name} (process {other.pid}) holds {terminal.path}.",
        f"If that is the box, all is well: stop it to look at the port. If not, end it (“kill {other.pid}”).",
        Holder(other.pid, finding.who.name if finding.who else ""),
    )
    assert finding.who is not None
    assert name.startswith(finding.who.name[:6])


def test_a_program_that_cannot_be_seen_holds_the_port(terminal: Terminal, tmp_path: Path) -> None:
    port = SerialPort(terminal.path)
    report = examine(terminal.path, machine=Machine(proc=tmp_path))
    port.close()
    assert report.findings == (
        Finding(
            Trouble.BUSY,
            f"Another program holds {terminal.path}; which one cannot be seen.",
            "Stop the box on this machine, or run this as root to see which program it is.",
        ),
    )


def as_nobody(path: str) -> tuple[Finding, ...]:
    """What the doctor says to a user who may open nothing; in a child, since nobody can come back from that."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        os.write(write, pickle.dumps(examine(path, listen=QUICK).findings))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    findings = pickle.loads(told)
    assert isinstance(findings, tuple)
    return findings


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_user_who_may_not_open_the_port_is_told_which_group_may(terminal: Terminal) -> None:
    port = Path(terminal.path)
    port.chmod(0)
    (finding,) = as_nobody(terminal.path)
    group = port.group()
    user = "nobody" if os.geteuid() == 0 else port.owner()
    assert finding == Finding(
        Trouble.PERMISSION,
        f"User {user} may not open {port}; it belongs to group {group}.",
        f"Run “sudo usermod -aG {group} {user}”, then sign in again or restart the box.",
    )


@pytest.mark.parametrize(
    ("terminal", "trouble", "says"),
    [
        ({}, Trouble.SILENT, "The port {} is free, and nothing is heard from it."),
        (
            {"answer": b"MSO-N-K\r\n"}, Trouble.SCANNER,
            "What is at {} is a barcode scanner, not a card reader; it read MSO-N-K.",
        ),
        (
            {"answer": b"\r\nMicroPython v1.28 on Pico\r\n>>> "}, Trouble.NO_FIRMWARE,
            "The board at {} waits at MicroPython's own prompt: its program does not run.",
        ),
        (
            {"answer": b"\xff\x00\xfe\x80\x81"}, Trouble.NOT_OURS,
            "Something speaks at {}, and not as a card reader does (5 bytes).",
        ),
        (
            {"echo": True}, Trouble.NOT_OURS,
            "What is at {} sends lines of this kind, and never says who it is.",
        ),
        (
            {"answer": b"$1 HELLO proto=1 id=R-07*00000000\n"}, Trouble.NOT_OURS,
            "Something speaks at {}, and not as a card reader does (34 bytes).",
        ),
    ],
    indirect=["terminal"],
)  # fmt: skip
def test_what_is_on_a_port_is_told_by_what_it_says(terminal: Terminal, trouble: Trouble, says: str) -> None:
    finding = found(terminal.path)
    assert (finding.trouble, finding.says) == (trouble, says.format(terminal.path))
    assert finding.do


def test_a_scanner_is_fine_where_one_is_expected_and_a_reader_is_not(terminal: Terminal) -> None:
    scans = threading.Timer(0.3, terminal.says, [b"MSO-N-K\r"])
    scans.start()
    assert found(terminal.path, Kind.BARCODE, 20) == Finding(
        Trouble.FINE, f"The scanner at {terminal.path} works; it read MSO-N-K."
    )
    assert found(terminal.path, Kind.BARCODE).trouble is Trouble.SILENT
    with SimulatedReader("R-07") as device:
        finding = found(device.path, Kind.BARCODE, 3)
    assert (finding.trouble, finding.do) == (Trouble.READER, 'Set kind = "deck" under [reader] in box.toml.')


def test_a_reader_that_hangs_is_silent_and_the_doctor_comes_back() -> None:
    with SimulatedReader("R-07") as device:
        device.freeze()
        began = time.monotonic()
        finding = found(device.path)
        assert time.monotonic() - began < 15
    assert finding.trouble is Trouble.SILENT


def openings(path: str) -> int:
    """How often this process has a file open."""
    return sum(os.path.realpath(each) == path for each in Path("/proc/self/fd").iterdir())


def test_a_device_that_goes_away_while_it_is_listened_to_is_lost(terminal: Terminal) -> None:
    before = openings(terminal.path)

    def gone() -> None:
        until(lambda: openings(terminal.path) > before)
        time.sleep(0.3)
        terminal.close()
        terminal._master, terminal._slave = os.openpty()

    pulled = threading.Thread(target=gone)
    pulled.start()
    finding = found(terminal.path, listen=10)
    pulled.join()
    assert finding.trouble is Trouble.LOST


def machine_with_modem_manager(folder: Path, port: str | None = None) -> Machine:
    """The files that Linux shows of a running ModemManager, which may have the port open."""
    process = folder / "proc" / "812"
    (process / "fd").mkdir(parents=True)
    (process / "comm").write_text("ModemManager\n")
    (process / "fd" / "0").symlink_to("/dev/null")
    if port is not None:
        (process / "fd" / "7").symlink_to(os.path.realpath(port))
    (folder / "udev").mkdir()
    return Machine(folder / "proc", folder / "udev")


def test_modem_manager_on_the_port_is_named_with_the_rule_that_keeps_it_away(tmp_path: Path) -> None:
    with SimulatedReader("R-07") as device:
        report = examine(device.path, machine=machine_with_modem_manager(tmp_path, device.path))
    (finding,) = report.findings
    assert (finding.trouble, finding.who) == (Trouble.MODEM_MANAGER, Holder(812, "ModemManager"))
    assert finding.says == f"ModemManager has {device.path} open: it takes the reader for a modem."
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in finding.do
    assert "/etc/udev/rules.d" in finding.do


def test_modem_manager_that_may_probe_a_port_is_a_warning_until_udev_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = machine_with_modem_manager(tmp_path)
    with SimulatedReader("R-07") as device:
        assert len(examine(device.path, machine=machine).findings) == 1
        monkeypatch.setattr(doctor, "_PROBED", (Path(device.terminal).name,))
        report = examine(device.path, machine=machine)
        assert report.fine
        assert [finding.trouble for finding in report.findings] == [Trouble.FINE, Trouble.MODEM_MANAGER]
        assert report.findings[1].says == (
            f"ModemManager runs here and may probe {device.path} when the reader is plugged in."
        )
        number = Path(device.path).stat().st_rdev
        known = machine.udev / f"c{os.major(number)}:{os.minor(number)}"
        known.write_text("N:ttyACM0\nE:ID_VENDOR=Raspberry_Pi\n")
        assert examine(device.path, machine=machine) == report
        known.write_text("E:ID_MM_DEVICE_IGNORE=1\n")
        assert examine(device.path, machine=machine).findings == report.findings[:1]
        assert examine(device.path, machine=Machine(tmp_path / "none", tmp_path)).findings == report.findings[:1]


def test_the_command_tells_people_and_programs(terminal: Terminal) -> None:
    command = [sys.executable, "-m", "deploy.cli", "bridge", "doctor"]
    silent = subprocess.run(
        [*command, "--port", terminal.path, "--seconds", "0.3"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (silent.returncode, silent.stderr) == (1, "")
    assert silent.stdout.splitlines()[0] == f"The port {terminal.path} is free, and nothing is heard from it."
    assert silent.stdout.splitlines()[1].startswith("  → Unplug the reader")
    with SimulatedReader("R-07") as device:
        fine = subprocess.run(
            [*command, "--port", device.path, "--json"], capture_output=True, text=True, check=False, timeout=60
        )
        says = f"Reader R-07 answers at {device.path}: firmware tallybox-simulator-1, North, East, South, West."
        assert fine.returncode == 0
        assert json.loads(fine.stdout) == {
            "fine": True,
            "ports": [
                {
                    "port": device.path, "fine": True,
                    "findings": [{"code": "fine", "says": says, "do": "", "who": None}],
                }
            ],
        }  # fmt: skip
