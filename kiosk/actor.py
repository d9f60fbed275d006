"""One thread that does one thing after another: every command, then what has to follow every command."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

COMMANDS: Final = 256
"""Commands that may wait; people and cards make a few a second."""

STOP_WITHIN: Final = 5.0
"""Seconds that whoever stops the thread waits for it."""

Done = Callable[[], None]
"""What is left to do once a command's outcome is shown."""
Job = Callable[[], Done | None]
_log = structlog.get_logger("kiosk")


class Actor:
    """Runs jobs in order on a thread of its own.

    ``settle`` follows every job; ``idle_for`` says in how many seconds it is due without one (``None``: never);
    ``failed`` turns whatever a job raises into a sentence, so that the thread goes on.
    """

    def __init__(
        self,
        name: str,
        *,
        settle: Callable[[], None],
        idle_for: Callable[[], float | None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._settle = settle
        self._idle_for = idle_for
        self._failed = failed
        self._jobs: queue.Queue[Job | None] = queue.Queue(COMMANDS)
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Do what waits, then end; returns within a few seconds."""
        self._stopped = True
        if self._thread.is_alive():
            with suppress(queue.Full):
                self._jobs.put(None, timeout=STOP_WITHIN)
            self._thread.join(STOP_WITHIN)

    def post(self, job: Job, within: float | None = None) -> bool:
        """Have a job done; False when too many wait already, after ``within`` seconds."""
        if self._stopped:
            return False
        try:
            self._jobs.put(job, block=within is not None, timeout=within)
        except queue.Full:
            _log.warning("the box is busy; a command was not taken")
            return False
        return True

    def post_answering(self, job: Callable[[], Done], failed: Callable[[Exception], None]) -> bool:
        """As ``post``; whoever waits for the job's outcome is told of its failure too."""

        def answered() -> Done:
            try:
                return job()
            except Exception as failure:  # noqa: BLE001 (whoever waits is told; the box goes on)
                reason = failure
                self._failed(failure)
                return lambda: failed(reason)

        return self.post(answered)

    def attempt(self, job: Job) -> Done | None:
        """One job, here and now; whatever goes wrong becomes a sentence on the screen."""
        try:
            return job()
        except Exception as failure:  # noqa: BLE001 (logged with its place; the box goes on)
            self._failed(failure)
        return None

    def _run(self) -> None:
        self._settle()
        while True:
            job: Job | None
            try:
                job = self._jobs.get(timeout=self._idle_for())
            except queue.Empty:
                job = _nothing
            if job is None:
                return
            done = self.attempt(job)
            self._settle()
            if done is not None:
                done()


def _nothing() -> None:
    """Time has passed; settling is all there is to do."""
