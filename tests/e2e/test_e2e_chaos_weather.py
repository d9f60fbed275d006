"""What a part of the room feels of its disk and its clock, and what it writes down of that."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.chaos.weather import CLOCK, Barometer, Disk, Weather, WeatherFiles
from hub.errors import LedgerError
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger
from kiosk.errors import JournalError
from kiosk.journal.journal import Journal

HOUR = 3_600_000


@pytest.fixture
def files(tmp_path: Path) -> WeatherFiles:
    return WeatherFiles(tmp_path, "hub")


def test_a_full_disk_refuses_every_commit_of_the_ledger_until_it_is_well_again(
    files: WeatherFiles, tmp_path: Path
) -> None:
    ledger = Ledger(ledger_url(tmp_path), before_commit=Barometer(files).before_commit)
    files.tell(Weather(disk=Disk.FULL))
    with pytest.raises(LedgerError):
        ledger.mark(7)
    before: int | None = ledger.last_mark
    assert before is None
    files.tell(Weather())
    ledger.mark(7)
    after: int | None = ledger.last_mark
    assert (after, files.count(Disk.FULL)) == (7, 1)
    ledger.close()


def test_a_failing_disk_refuses_every_second_commit_of_a_journal_and_keeps_the_others(
    files: WeatherFiles, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "journal.sqlite", before_commit=Barometer(files).before_commit)
    files.tell(Weather(disk=Disk.FAILING))
    refusals = []
    for number in range(4):
        try:
            journal.keep(f"n{number}", b"here")
        except JournalError:
            refusals.append(number)
    kept = [number for number in range(4) if journal.kept(f"n{number}") == b"here"]
    assert kept in ([0, 2], [1, 3])
    assert refusals == [number for number in range(4) if number not in kept]
    assert files.count(Disk.FAILING) == 2
    journal.close()


def test_a_slow_disk_takes_its_time(files: WeatherFiles) -> None:
    barometer = Barometer(files)
    files.tell(Weather(disk=Disk.SLOW, slow_ms=120))
    began = time.monotonic()
    barometer.before_commit()
    assert time.monotonic() - began >= 0.12
    assert files.count(Disk.SLOW) == 1


def test_a_deadly_disk_kills_the_process_before_its_commit(files: WeatherFiles, tmp_path: Path) -> None:
    keep = (
        "from pathlib import Path; from deploy.chaos.weather import *; from kiosk.journal.journal import Journal; "
        f"files = WeatherFiles(Path({str(tmp_path)!r}), 'hub'); "
        "journal = Journal(files.folder / 'journal.sqlite', before_commit=Barometer(files).before_commit); "
        "files.tell(Weather(disk=Disk.DEADLY)); journal.keep('name', b'here')"
    )
    done = subprocess.run([sys.executable, "-c", keep], check=False, timeout=60)
    assert (done.returncode, files.count(Disk.DEADLY)) == (-signal.SIGKILL, 1)
    journal = Journal(tmp_path / "journal.sqlite")
    assert journal.kept("name") is None
    journal.close()


def test_the_wall_clock_is_as_far_off_as_it_is_told_and_says_so_once(files: WeatherFiles) -> None:
    barometer = Barometer(files)
    assert abs(barometer.wall_ms() - time.time() * 1000) < 5_000
    files.tell(Weather(wall_ms=-6 * HOUR))
    for _ in range(3):
        assert abs(barometer.wall_ms() - (time.time() * 1000 - 6 * HOUR)) < 5_000
    assert files.count(CLOCK) == 1


def test_without_any_word_the_weather_is_fine(files: WeatherFiles) -> None:
    barometer = Barometer(files)
    barometer.before_commit()
    assert (barometer.weather, files.count(Disk.FULL)) == (Weather(), 0)


def test_only_a_disks_own_words_are_raised(files: WeatherFiles) -> None:
    files.tell(Weather(disk=Disk.FULL))
    with pytest.raises(sqlite3.OperationalError, match=r"^database or disk is full$"):
        Barometer(files).before_commit()
