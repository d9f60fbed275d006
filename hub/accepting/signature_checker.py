"""One process that checks signatures, as the hub sees it: asked and heard over pipes, never waited for too long."""

from __future__ import annotations

import fcntl
import os
import select
import subprocess
import sys
from contextlib import suppress
from time import monotonic
from typing import Final, NamedTuple

import structlog

from hub.accepting.signature_process import COUNT, QUESTION, READY

log = structlog.get_logger("hub.signatures")

WITHIN: Final = 10.0
"""Seconds for a group of questions; it is some hundred at most, and each takes a tenth of a millisecond."""

END_WITHIN: Final = 2.0
PIPE_BYTES: Final = 1_048_576
"""Room for the questions of several groups, so that asking does not wait for answers."""

MOST_READ: Final = 65_536


class Part(NamedTuple):
    """Which of all the answers of a process belong to one group of questions."""

    begin: int
    end: int


class Checker:
    """Starts the process; raises ``OSError`` when this machine does not let it."""

    def __init__(self) -> None:
        self.ended = False
        # In a session of its own: who interrupts the hub at a terminal does not interrupt this one before it.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hub.accepting.signature_process"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True,
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        for pipe in (self._in, self._out):
            os.set_blocking(pipe, False)
            with suppress(OSError):  # a machine may grant less; then asking waits a little now and then
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self._ready = False
        self._asked = 0
        self._heard = 0
        """How many answers were taken out of ``_unread`` so far."""
        self._unread = b""

    @property
    def process(self) -> int:
        """Its number on this machine."""
        return self._process.pid

    @property
    def ready(self) -> bool:
        """Whether it is up, which takes it a moment."""
        if not self._ready and not self.ended:
            self._read(0.0)
            if self._unread.startswith(READY):
                self._ready, self._unread = True, self._unread.removeprefix(READY)
        return self._ready and not self.ended

    def ask(self, questions: str, many: int) -> Part | None:
        """Hand in so many questions in hexadecimal; ``None`` when it cannot be asked these."""
        try:
            written = bytes.fromhex(questions)
        except ValueError:
            return None
        if len(written) != many * QUESTION or not self._write(many.to_bytes(COUNT) + written):
            return None
        self._asked += many
        return Part(self._asked - many, self._asked)

    def answers(self, part: Part) -> bytes | None:
        """The answers of a group, each group asked for once and in order; ``None`` when they do not come."""
        late = monotonic() + WITHIN
        while not self.ended and self._heard + len(self._unread) < part.end:
            self._read(max(0.001, late - monotonic()))
        if self._heard + len(self._unread) < part.end:
            return None
        told = self._unread[part.begin - self._heard : part.end - self._heard]
        self._unread, self._heard = self._unread[part.end - self._heard :], part.end
        return told

    def close(self) -> None:
        """End it."""
        self.ended = True
        process = self._process
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            process.wait(END_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _read(self, within: float) -> None:
        """Take what came within so many seconds; the end of it when nothing does, or the process ended."""
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        if not poll.poll(max(0.0, within) * 1_000):
            if within > 0:
                self._give_up("it does not answer")
            return
        try:
            came = os.read(self._out, MOST_READ)
        except BlockingIOError:
            return
        if came:
            self._unread += came
        else:
            self._give_up("it ended")

    def _write(self, written: bytes) -> bool:
        poll = select.poll()
        poll.register(self._in, select.POLLOUT)
        late, left = monotonic() + WITHIN, memoryview(written)
        while left:
            if not poll.poll(max(0.0, late - monotonic()) * 1_000):
                self._give_up("it does not listen")
                return False
            try:
                left = left[os.write(self._in, left) :]
            except BlockingIOError:
                continue
            except OSError:
                self._give_up("it ended")
                return False
        return True

    def _give_up(self, why: str) -> None:
        log.warning("checker_given_up", why=why)
        self._process.kill()
        self.close()
