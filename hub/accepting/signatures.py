"""Whether signatures are their boxes' own: a few at once are checked here, many by processes of the hub's own.

To check one takes longer than all else a hub does for an event. So while it writes and folds one group, the signatures
of the next are checked on another core. Whoever does not answer is not waited for: then they are checked here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import structlog

from hub.accepting.signature_checker import Checker, Part
from tallybox.signing import EVENT_TAG, verify

log = structlog.get_logger("hub.signatures")

MANY: Final = 8
"""Signatures for which it is worth to ask another process."""

BACKLOG: Final = 32
"""Signatures at once that show that a room sends what it held back: only then are processes started at all."""

MOST_STARTS: Final = 5
"""A process that ends again and again is not started for ever."""


class Question(NamedTuple):
    """Whether the holder of ``public`` signed the event with this ``id``; all three in hexadecimal."""

    public: str
    id: str
    signature: str


class Answers:
    """What is being found out about a group of questions."""

    def __init__(self, questions: Sequence[Question], parts: Sequence[tuple[int, int, Checker, Part]]) -> None:
        self._questions = questions
        self._parts = parts

    def wait(self) -> Sequence[bool]:
        """One answer for each question, in their order; what another process did not answer is found out here."""
        found: list[bool] = []
        for begin, end, checker, part in self._parts:
            told = checker.answers(part)
            found += map(bool, told) if told is not None else map(_holds, self._questions[begin:end])
        found += map(_holds, self._questions[len(found) :])
        return found


class Signatures:
    """Asks ``processes`` others, by default one for every second core; ``close`` it once it asks no more."""

    def __init__(self, processes: int | None = None, start: Callable[[], Checker] = Checker) -> None:
        self._processes = (os.cpu_count() or 1) // 2 if processes is None else processes
        self._start = start
        self._checkers: list[Checker] = []
        self._starts = 0

    def start(self) -> None:
        """Start the processes now and not at the first backlog: who expects one need not wait for them then."""
        self._look_after()

    @property
    def up(self) -> bool:
        """Whether every process that was started is ready to answer."""
        return all(checker.ready for checker in self._checkers)

    def ask(self, questions: Sequence[Question]) -> Answers:
        """Begin to find out; returns at once."""
        if len(questions) >= BACKLOG:
            self._look_after()
        ready = [checker for checker in self._checkers if checker.ready] if len(questions) >= MANY else []
        parts: list[tuple[int, int, Checker, Part]] = []
        for place, checker in enumerate(ready):
            begin, end = (len(questions) * at // len(ready) for at in (place, place + 1))
            part = checker.ask("".join(map("".join, questions[begin:end])), end - begin)
            if part is None:
                break
            parts.append((begin, end, checker, part))
        return Answers(questions, parts)

    def close(self) -> None:
        """End the processes."""
        for checker in self._checkers:
            checker.close()
        self._checkers.clear()

    def _look_after(self) -> None:
        """Start what is missing."""
        self._checkers = [checker for checker in self._checkers if not checker.ended]
        while len(self._checkers) < self._processes and self._starts < MOST_STARTS * self._processes:
            self._starts += 1
            try:
                self._checkers.append(self._start())
            except OSError as reason:
                log.warning("checker_not_started", reason=str(reason))
                return


def _holds(question: Question) -> bool:
    return verify(question.public, EVENT_TAG, question.id, question.signature)
