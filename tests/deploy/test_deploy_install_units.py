"""The units as systemd itself judges them, and the words that take the place of a loop."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from unit_root import SOURCE, unit_root

from deploy.systemd.trouble import WORDS, page, said_last, screen, serve, words
from deploy.venue_trial.findings import UNITS, exposure, verified

DECISION = SOURCE.parent / "docs" / "decisions" / "0012-installation.md"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unit_root(tmp_path_factory.mktemp("units") / "root")


@pytest.mark.parametrize("part", UNITS)
def test_systemd_has_nothing_to_say_of_the_units(root: Path, part: str) -> None:
    assert verified(root, UNITS[part]) == ""


def test_a_misspelt_key_is_noticed(tmp_path: Path) -> None:
    bad = unit_root(tmp_path / "root")
    unit = bad / "etc/systemd/system/tallybox-hub.service"
    unit.write_text(unit.read_text().replace("WatchdogSec=30", "WatchdogSecs=30"))
    assert "WatchdogSecs" in verified(bad, ("tallybox-hub.service",))


def test_hub_is_shut_in_under_two_and_every_figure_stands_in_the_decision(root: Path) -> None:
    stated = {
        unit: float(figure)
        for unit, figure in re.findall(r"\| `(\S+\.service)` \| ([0-9.]+) \|", DECISION.read_text(encoding="utf-8"))
    }
    measured = {unit: exposure(root, unit) for part in UNITS.values() for unit in part if unit.endswith(".service")}
    assert measured == stated
    assert measured["tallybox-hub.service"] < 2.0


@pytest.mark.parametrize("name", ["tallybox-hub", "tallybox-kiosk"])
def test_services_tell_when_they_are_up_are_watched_and_end_in_words(name: str) -> None:
    unit = (SOURCE / "systemd" / f"{name}.service").read_text()
    for line in ("Type=notify", "WatchdogSec=30", "User=tallybox", "StartLimitBurst=5", "Restart=always"):
        assert f"\n{line}\n" in unit
    assert f"\nOnFailure={name}-trouble.service\n" in unit
    assert f"\nConflicts={name}.service" in (SOURCE / "systemd" / f"{name}-trouble.service").read_text()


def test_kiosk_has_only_the_groups_of_its_devices() -> None:
    unit = (SOURCE / "systemd/tallybox-kiosk.service").read_text()
    assert re.findall(r"(?m)^SupplementaryGroups=(.*)$", unit) == ["dialout gpio video render"]
    assert sorted(re.findall(r"(?m)^DeviceAllow=(.*)$", unit)) == [
        "char-drm rw", "char-gpiochip rw", "char-ttyACM rw", "char-ttyUSB rw",
    ]  # fmt: skip


def test_broker_reads_what_was_changed_while_it_read_and_what_root_brought_is_its_own(tmp_path: Path) -> None:
    """Needs root, to give files away."""
    folder, programs, said = tmp_path / "broker", tmp_path / "programs", tmp_path / "said"
    (folder / "tls").mkdir(parents=True)
    programs.mkdir()
    for file in ("permissions.acl", "withdrawn.crl", "tls/own.crt", "tls/own.key"):
        (folder / file).write_text("first")
    (programs / "systemctl").write_text(
        f'#!/bin/sh\necho "$*" >> {said}\n[ $(wc -l < {said}) -gt 1 ] || echo second > {folder}/withdrawn.crl\n'
    )
    (programs / "systemctl").chmod(0o755)
    subprocess.run(
        ["sh", str(SOURCE / "systemd/broker-files"), str(folder), "nobody"],
        check=True, timeout=60, env={"PATH": f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin"},
    )  # fmt: skip
    assert said.read_text() == "try-reload-or-restart mosquitto.service\n" * 2
    assert {file.owner() for file in folder.rglob("*") if file.is_file()} == {"nobody"}


def test_the_last_sentence_of_a_log_is_the_one_that_is_shown() -> None:
    log = [
        json.dumps({"error": {"code": "no-room", "message": "The first."}}),
        "Traceback (most recent call last):",
        json.dumps({"error": {"code": "no-room", "message": "The\x1b[2J second."}}),
        json.dumps({"event": "something else"}),
        "[1, 2]",
    ]
    assert said_last(log) == "The [2J second."
    assert said_last(["no sentence", "{}", '{"error": {"message": 7}}']) is None


@pytest.mark.parametrize("part", WORDS)
def test_the_screen_says_what_is_so_what_to_do_and_which_machine_this_is(part: str) -> None:
    shown = words(part, "The disk is full.", "k-04", ["192.0.2.4"])
    assert shown == [
        *WORDS[part], "It said last: The disk is full.", "This machine is k-04, 192.0.2.4.",
    ]  # fmt: skip
    lines = screen(shown).split("\r\n")
    assert max(len(line) for line in lines[1:]) <= 60
    assert words(part, None, "k-04", [])[-1] == "This machine is k-04, without an address on the network."


def test_every_address_of_the_hubs_page_answers_with_the_words_and_that_it_is_not_there() -> None:
    shown = words("hub", "“<b>” is not there.", "hub", [])
    began: list[int] = []
    up = threading.Event()

    def note(port: int) -> None:
        began.append(port)
        up.set()

    threading.Thread(target=serve, args=(shown, 0, note), daemon=True).start()
    assert up.wait(30)
    line = http.client.HTTPConnection("127.0.0.1", began[0], timeout=30)
    line.request("GET", "/tables/4")
    answer = line.getresponse()
    assert (answer.status, answer.read()) == (503, page(shown))
    assert b"&lt;b&gt;" in page(shown)
    assert b"<b>" not in page(shown)


def test_words_are_written_by_the_systems_own_python_alone(tmp_path: Path) -> None:
    screen_file = tmp_path / "tty8"
    done = subprocess.run(
        [sys.executable, "-I", str(SOURCE / "systemd/trouble.py"), "kiosk", "--screen", str(screen_file)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0
    assert "This table's screen does not start." in screen_file.read_text("utf-8")
    missing = subprocess.run(
        [sys.executable, "-I", str(SOURCE / "systemd/trouble.py"), "kiosk", "--screen", str(tmp_path / "no" / "tty")],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert missing.returncode == 1
    assert "cannot be written: No such file or directory." in missing.stderr
