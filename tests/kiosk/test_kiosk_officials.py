"""Personal PINs at a box: who they open the menu for, how often one may try, and what a restart remembers."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from argon2 import PasswordHasher, Type
from seated import BOX, Time, open_box, shut

from kiosk.actor import Job
from kiosk.box import Box
from kiosk.journal.journal import Journal
from kiosk.officials import WAIT, Officials
from kiosk.view import Denied, Official, OfficialsView, Tried
from tallybox.messages import Pins, Verifier
from tallybox.roles import Role

HASHER = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)
DIRECTOR = Verifier(official="D-1", name="R. Director", role="director", verifier=HASHER.hash("123456"))
MONITOR = Verifier(official="M-1", name="A. Monitor", role="monitor", verifier=HASHER.hash("654321"))
VIEWER = Verifier(official="V-1", name="A. Viewer", role="viewer", verifier=HASHER.hash("111111"))
PINS = Pins(v=1, kiosk=BOX, officials=(VIEWER, MONITOR, DIRECTOR))
WRONG = Tried(denied=Denied.WRONG)


def known(box: Box, number: int) -> None:
    """Until the box has taken what the hub said of its officials."""
    heard = threading.Event()
    forget = box.subscribe(lambda view: heard.set() if view.officials.known == number else None)
    assert box.view.officials.known == number or heard.wait(60)
    forget()


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_personal_pin_gives_its_owner_and_role(journal: Path) -> None:
    box = open_box(journal)
    box.take(PINS)
    assert box.check_pin("123456").result(60) == Tried(Official("D-1", "R. Director", Role.DIRECTOR))
    assert box.check_pin("654321").result(60) == Tried(Official("M-1", "A. Monitor", Role.MONITOR))
    assert box.view.officials == OfficialsView(known=2)
    shut(box)


def test_no_pin_opens_anything_before_officials_have_one(journal: Path) -> None:
    box = open_box(journal)
    assert box.check_pin("000000").result(60) == Tried(denied=Denied.NONE_SET)
    assert box.view.officials == OfficialsView()
    shut(box)


def test_viewer_opens_nothing_at_a_table(journal: Path) -> None:
    box = open_box(journal)
    box.take(PINS)
    assert box.check_pin("111111").result(60) == WRONG
    shut(box)


def test_restart_without_a_hub_knows_the_officials(journal: Path) -> None:
    box = open_box(journal)
    box.take(PINS)
    known(box, 2)
    shut(box)
    again = open_box(journal)
    assert again.view.officials == OfficialsView(known=2)
    assert again.check_pin("654321").result(60) == Tried(Official("M-1", "A. Monitor", Role.MONITOR))
    shut(again)


def test_officials_who_left_open_nothing(journal: Path) -> None:
    box = open_box(journal)
    box.take(PINS)
    box.take(Pins(v=1, kiosk=BOX, officials=(MONITOR,)))
    assert box.check_pin("123456").result(60) == WRONG
    shut(box)


def test_officials_of_another_box_are_not_taken(journal: Path) -> None:
    box = open_box(journal)
    box.take(Pins(v=1, kiosk="K-99", officials=(DIRECTOR,)))
    assert box.check_pin("123456").result(60) == Tried(denied=Denied.NONE_SET)
    shut(box)


@pytest.mark.parametrize(
    "verifier",
    [
        pytest.param("123456", id="the PIN itself"),
        pytest.param(PasswordHasher(type=Type.I).hash("123456"), id="argon2i"),
        pytest.param(DIRECTOR.verifier.replace("m=1024", "m=4194304"), id="four gigabytes"),
        pytest.param(DIRECTOR.verifier.replace("t=1,", "t=5000,"), id="an hour"),
    ],
)
def test_verifier_that_is_no_honest_argon2id_counts_for_nobody(journal: Path, verifier: str) -> None:
    box = open_box(journal)
    bad = Verifier(official="D-1", name="R. Director", role="director", verifier=verifier)
    box.take(Pins(v=1, kiosk=BOX, officials=(bad,)))
    assert box.check_pin("123456").result(60) == Tried(denied=Denied.NONE_SET)
    shut(box)


def test_five_wrong_pins_make_the_box_wait_five_minutes(journal: Path) -> None:
    time = Time()
    box = open_box(journal, monotonic=time)
    box.take(PINS)
    left = []
    for _try in range(5):
        assert box.check_pin("999999").result(60) == WRONG
        left.append(box.view.officials.tries_left)
    assert left == [4, 3, 2, 1, 0]
    assert box.view.officials.waits_until == time.now + WAIT
    assert box.check_pin("123456").result(60) == Tried(denied=Denied.WAIT)
    time.now += WAIT - 1
    assert box.check_pin("123456").result(60) == Tried(denied=Denied.WAIT)
    time.now += 1
    assert box.check_pin("123456").result(60).official is not None
    assert box.view.officials == OfficialsView(known=2)
    shut(box)


def test_right_pin_gives_all_tries_back(journal: Path) -> None:
    box = open_box(journal)
    box.take(PINS)
    for _try in range(4):
        box.check_pin("999999").result(60)
    assert box.check_pin("123456").result(60).official is not None
    assert box.check_pin("999999").result(60) == WRONG
    assert box.view.officials.tries_left == 4
    shut(box)


class Alone:
    """Officials whose posted jobs run when the test says so; the journal on disk is a real one."""

    def __init__(self, path: Path, time: Time, boot: str) -> None:
        self.journal = Journal(path)
        self.jobs: list[Job] = []
        self.came = threading.Event()
        self.officials = Officials(self.journal, BOX, monotonic=time, post=self._post, boot=lambda: boot)
        self.told: list[Tried] = []

    def _post(self, job: Job) -> None:
        self.jobs.append(job)
        self.came.set()

    def try_pin(self, pin: str) -> None:
        done = self.officials.check(pin, self.told.append)
        if done is not None:
            done()

    def finish(self) -> None:
        assert self.came.wait(60)
        self.came.clear()
        done = self.jobs.pop()()
        assert done is not None
        done()

    def close(self) -> None:
        self.officials.stop()
        self.journal.close()


def locked_out(path: Path, time: Time) -> None:
    alone = Alone(path, time, "boot-1")
    alone.officials.take(PINS)
    for _try in range(5):
        alone.try_pin("999999")
        alone.finish()
    alone.close()


def test_wait_goes_on_over_a_restart_of_the_program(journal: Path) -> None:
    time = Time()
    locked_out(journal, time)
    time.now += 60_000
    again = Alone(journal, time, "boot-1")
    assert again.officials.view.waits_until == time.now - 60_000 + WAIT
    again.close()


def test_wait_begins_again_with_the_machine_because_its_clock_does(journal: Path) -> None:
    locked_out(journal, Time(9_000_000))
    again = Alone(journal, Time(5_000), "boot-2")
    assert again.officials.view == OfficialsView(known=2, tries_left=0, waits_until=5_000 + WAIT)
    again.close()
    third = Alone(journal, Time(65_000), "boot-2")
    assert third.officials.view.waits_until == 5_000 + WAIT
    third.close()


def test_power_cut_while_a_pin_is_checked_gives_no_try_back(journal: Path) -> None:
    alone = Alone(journal, Time(), "boot-1")
    alone.officials.take(PINS)
    alone.try_pin("999999")
    assert alone.told == []
    alone.close()
    again = Alone(journal, Time(), "boot-2")
    assert again.officials.view == OfficialsView(known=2, tries_left=4)
    again.close()


def test_spoiled_record_of_tries_counts_as_used_up(journal: Path) -> None:
    spoiled = Journal(journal)
    spoiled.keep("tries", b"none")
    spoiled.close()
    alone = Alone(journal, Time(7), "boot-1")
    assert alone.officials.view == OfficialsView(tries_left=0, waits_until=7 + WAIT)
    alone.close()


def test_second_pin_during_a_check_is_not_taken(journal: Path) -> None:
    alone = Alone(journal, Time(), "boot-1")
    alone.officials.take(PINS)
    alone.try_pin("123456")
    assert alone.officials.view == OfficialsView(known=2, checking=True, tries_left=4)
    alone.try_pin("123456")
    assert alone.told == [Tried(denied=Denied.BUSY)]
    alone.finish()
    assert alone.told[1:] == [Tried(Official("D-1", "R. Director", Role.DIRECTOR))]
    alone.close()


def test_neither_pin_nor_verifier_is_logged(journal: Path, capfd: pytest.CaptureFixture[str]) -> None:
    box = open_box(journal)
    box.take(PINS)
    box.check_pin("123456").result(60)
    box.check_pin("222222").result(60)
    shut(box)
    said = "".join(capfd.readouterr())
    assert [word for word in ("123456", "222222", "argon2") if word in said] == []
