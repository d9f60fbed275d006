"""Signatures of many events are checked by other processes, and whatever becomes of those, the answers are right."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hub.accepting.signature_checker import Checker
from hub.accepting.signature_process import QUESTION, answered
from hub.accepting.signatures import BACKLOG, MANY, Question, Signatures
from tallybox.signing import EVENT_TAG, SigningKey

KEYS = tuple(SigningKey(bytes([number]) * 32) for number in (1, 2, 3))
PATIENCE = 90.0


def questions(many: int, wrong: frozenset[int] = frozenset()) -> list[Question]:
    """Signatures of several boxes; those numbered ``wrong`` are by another box than they say."""
    made = []
    for number in range(many):
        key = KEYS[number % len(KEYS)]
        said = f"{number:064x}"
        signer = KEYS[(number + 1) % len(KEYS)] if number in wrong else key
        made.append(Question(key.public, said, signer.sign(EVENT_TAG, said)))
    return made


def expected(many: int, wrong: frozenset[int] = frozenset()) -> list[bool]:
    return [number not in wrong for number in range(many)]


def wait_until(what: Callable[[], bool]) -> None:
    late = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < late, "it did not come to that"
        time.sleep(0.01)


class Watched:
    """Starts checkers and remembers them."""

    def __init__(self) -> None:
        self.checkers: list[Checker] = []

    def start(self) -> Checker:
        self.checkers.append(Checker())
        return self.checkers[-1]

    @property
    def processes(self) -> list[int]:
        return [checker.process for checker in self.checkers]


@contextmanager
def asking(processes: int) -> Iterator[tuple[Signatures, Watched]]:
    """Signatures whose processes are up."""
    watched = Watched()
    with closing(Signatures(processes, watched.start)) as signatures:
        signatures.ask(questions(BACKLOG)).wait()
        wait_until(lambda: all(checker.ready for checker in watched.checkers))
        yield signatures, watched


@pytest.mark.parametrize("processes", [0, 1, 3])
@pytest.mark.parametrize("many", [0, 1, MANY - 1, MANY, 100])
def test_answers_stand_in_the_order_of_the_questions(processes: int, many: int) -> None:
    wrong = frozenset({0, 5, 11, many - 1})
    with asking(processes) as (signatures, watched):
        assert len(watched.processes) == processes
        assert list(signatures.ask(questions(many, wrong)).wait()) == expected(many, wrong)


def test_several_groups_may_be_asked_about_before_the_first_is_answered() -> None:
    wrongs = (frozenset({1}), frozenset({2, 30}), frozenset[int]())
    with asking(2) as (signatures, _):
        asked = [signatures.ask(questions(400, wrong)) for wrong in wrongs]
        assert [list(answers.wait()) for answers in asked] == [expected(400, wrong) for wrong in wrongs]


def test_key_that_is_none_signs_nothing_and_hinders_nobody() -> None:
    asked = questions(60)
    asked[7] = asked[7]._replace(public="no key")
    asked[9] = asked[9]._replace(public="ab")
    with asking(1) as (signatures, _):
        assert list(signatures.ask(asked).wait()) == expected(60, frozenset({7, 9}))
        assert list(signatures.ask(questions(60)).wait()) == expected(60)


def test_process_that_is_killed_before_it_answers_is_replaced_and_its_questions_answered_here() -> None:
    with asking(1) as (signatures, watched):
        os.kill(watched.processes[0], signal.SIGSTOP)
        asked = signatures.ask(questions(200, frozenset({3})))
        os.kill(watched.processes[0], signal.SIGKILL)
        assert list(asked.wait()) == expected(200, frozenset({3}))
        assert list(signatures.ask(questions(200, frozenset({4}))).wait()) == expected(200, frozenset({4}))
        wait_until(lambda: watched.checkers[-1].ready)
        assert len(watched.checkers) == 2
        assert list(signatures.ask(questions(200)).wait()) == expected(200)


def test_process_that_hangs_is_not_waited_for_longer_than_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with asking(1) as (signatures, watched):
        monkeypatch.setattr("hub.accepting.signature_checker.WITHIN", 0.2)
        os.kill(watched.processes[0], signal.SIGSTOP)
        assert list(signatures.ask(questions(200, frozenset({3}))).wait()) == expected(200, frozenset({3}))
        assert watched.checkers[0].ended


def test_process_that_takes_no_questions_is_not_waited_for_longer_than_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = 20_000
    asked = questions(40) * (many // 40)
    with asking(1) as (signatures, watched):
        monkeypatch.setattr("hub.accepting.signature_checker.WITHIN", 0.2)
        os.kill(watched.processes[0], signal.SIGSTOP)
        answers = signatures.ask(asked)
        assert watched.checkers[0].ended
        assert all(answers.wait())


def test_process_that_ends_at_once_is_not_started_for_ever() -> None:
    started: list[Checker] = []

    def start() -> Checker:
        started.append(Checker())
        os.kill(started[-1].process, signal.SIGKILL)
        return started[-1]

    with closing(Signatures(1, start)) as signatures:
        for _ in range(20):
            assert list(signatures.ask(questions(BACKLOG, frozenset({1}))).wait()) == expected(BACKLOG, frozenset({1}))
            wait_until(lambda: not started[-1].ready and started[-1].ended)
    assert len(started) == 5


def test_machine_that_starts_no_process_has_its_hub_check_alone() -> None:
    def start() -> Checker:
        raise OSError("too many processes")

    with closing(Signatures(2, start)) as signatures:
        assert list(signatures.ask(questions(100, frozenset({1}))).wait()) == expected(100, frozenset({1}))


def test_few_signatures_start_no_process() -> None:
    watched = Watched()
    with closing(Signatures(1, watched.start)) as signatures:
        assert list(signatures.ask(questions(BACKLOG - 1)).wait()) == expected(BACKLOG - 1)
    assert watched.checkers == []


def test_processes_of_a_hub_that_expects_a_backlog_are_up_before_it_comes() -> None:
    watched = Watched()
    with closing(Signatures(2, watched.start)) as signatures:
        assert signatures.up, "it waits for nobody whom it did not start"
        signatures.start()
        assert len(watched.checkers) == 2
        wait_until(lambda: signatures.up)
        assert list(signatures.ask(questions(MANY, frozenset({1}))).wait()) == expected(MANY, frozenset({1}))
    assert all(checker.ended for checker in watched.checkers)


def test_process_ends_with_a_hub_that_is_killed(tmp_path: Path) -> None:
    program = (
        "from hub.accepting.signature_checker import Checker\nimport sys, time\n"
        "checker = Checker()\nprint(checker.process, flush=True)\ntime.sleep(600)\n"
    )
    hub = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert hub.stdout is not None
    child = int(hub.stdout.readline())
    hub.kill()
    hub.wait(PATIENCE)
    hub.stdout.close()
    wait_until(lambda: not alive(child))


def alive(process: int) -> bool:
    """Whether a process runs; one that ended and that nobody asked about does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_process_answers_each_question_with_a_byte() -> None:
    asked = questions(3, frozenset({1}))
    written = bytes.fromhex("".join(map("".join, asked)))
    assert len(written) == 3 * QUESTION
    assert answered(written) == bytes([1, 0, 1])
