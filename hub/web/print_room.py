"""Where documents are drawn: one at a time, so that a printer never holds the room up, and everything in a thread."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, Final

import structlog

from hub.documents.bundle import Progress, sheet_tables, write_bundle
from hub.documents.history import Stamps, history_ids, stamped
from hub.documents.paper import Paper
from hub.errors import HubError
from hub.hub import Hub
from hub.record.export import export
from hub.tournament.state import TableRound, Tournament
from hub.web.errors import WebError

log = structlog.get_logger("hub.web")

WAIT: Final = 20.0
"""Seconds for which a document waits for those before it."""
QUEUE: Final = 6
"""Documents that wait at once; more would take the threads that serve the pages."""
KEPT_BYTES: Final = 24 * 1024 * 1024
"""Drawn documents that are kept until something changes."""
PAGE_LASTS: Final = 1.1
"""Seconds after which no page is kept any more that was made before the bundle was."""
_NO_ROOM: Final = "Make room on the hub's disk, then try again."
_STUMBLED: Final = "The file could not be made. The hub's log says why; every document can be had by itself."
PIECE: Final = 256 * 1024
"""Bytes of the bundle read at a time."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A bundle that can be fetched: of which ledger line, how large, for which paper."""

    seq: int
    size: int
    paper: Paper
    file: IO[bytes]

    def pieces(self) -> Iterator[bytes]:
        """Its bytes; several people may read at once."""
        at = 0
        while piece := os.pread(self.file.fileno(), PIECE, at):
            yield piece
            at += len(piece)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The file of everything: how far one is that is being made, the last that was made, why another was not."""

    progress: Progress | None = None
    finished: Finished | None = None
    failed: str = ""


class _Stopped(Exception):  # noqa: N818 (nothing went wrong: the dashboard closes)
    """The dashboard closes while a bundle is being made."""


class PrintRoom:
    """Draws documents for the pages. ``nudge`` tells them to look again, from any thread."""

    def __init__(self, hub: Hub, nudge: Callable[[], None]) -> None:
        self._hub = hub
        self._nudge = nudge
        self._queue = threading.BoundedSemaphore(QUEUE)
        self._drawing = threading.Lock()
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._beginning = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._told = 0.0
        self.bundle = Bundle()
        """The file of everything, as it is now; replaced whole."""

    def stamps(self, *tables: TableRound) -> Stamps:
        """When the ledger heard what is told of these sheets."""
        ids = {identity for table in tables for identity in history_ids(table)}
        return stamped(self._hub.ledger.lines_of(ids).values())

    def draw(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The document, drawn now or kept from before; ``key`` names it with the ledger line it was made from.

        Raises ``WebError`` (503) when too many wait, or others are in front of it for too long.
        """
        if not self._queue.acquire(blocking=False):
            raise _busy()
        try:
            if not self._drawing.acquire(timeout=WAIT):
                raise _busy()
            try:
                return self._drawn(key, make)
            finally:
                self._drawing.release()
        finally:
            self._queue.release()

    def _drawn(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        if key not in self._kept:
            self._kept[key] = make()
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > KEPT_BYTES:
            self._kept.popitem(last=False)
        return self._kept[key]

    # --- everything in one file

    def begin(self, paper: Paper) -> None:
        """Make the bundle of the tournament as it stands now, in a thread; raises ``HubError`` if it cannot be."""
        tournament = self._hub.tournament
        sheet_tables(tournament)
        if tournament.plan is None:
            raise HubError("no-tournament", "There is no tournament yet. Set one up, then there is something to keep.")
        with self._beginning:
            if self.bundle.progress is not None:
                raise HubError("bundling", "The file is being made already. Wait for it, then ask for another.")
            self.bundle = Bundle(Progress(0, 1, "The lists are drawn."), self.bundle.finished)
            self._thread = threading.Thread(target=self._make, args=(tournament, paper), name="bundle", daemon=True)
            self._thread.start()

    def _make(self, tournament: Tournament, paper: Paper) -> None:
        before = self.bundle.finished
        file: IO[bytes] = TemporaryFile(prefix="tallybox-")  # noqa: SIM115 (it lives until the next one is made)
        try:
            write_bundle(file, tournament, self.stamps(*sheet_tables(tournament)), self._ledger(tournament.seq), paper,
                         self._tell)  # fmt: skip
            file.flush()
            after = Bundle(finished=Finished(tournament.seq, file.tell(), paper, file))
        except _Stopped:
            after = Bundle(finished=before)
        except HubError as no:
            after = Bundle(finished=before, failed=no.message)
        except OSError as reason:
            after = Bundle(finished=before, failed=f"The file cannot be written: {reason.strerror}. {_NO_ROOM}")
        except Exception:
            log.exception("bundle_stumbled")
            after = Bundle(finished=before, failed=_STUMBLED)
        self.bundle = after
        self._nudge()
        self._closing.wait(PAGE_LASTS)
        self._nudge()

    def _ledger(self, seq: int) -> Iterator[bytes]:
        """The ledger's lines up to one, as they are exported; the hub goes on writing meanwhile."""
        return islice(export(self._hub.ledger), seq)

    def _tell(self, progress: Progress) -> None:
        if self._closing.is_set():
            raise _Stopped
        self.bundle = replace(self.bundle, progress=progress)
        now = self._hub.time.seconds()
        if now - self._told >= 1:
            self._told = now
            self._nudge()

    def close(self) -> None:
        """Leave off what is being made."""
        self._closing.set()
        thread = self._thread
        if thread is not None:
            thread.join(WAIT)


def _busy() -> WebError:
    return WebError(
        503, "printing", "Other documents are being drawn.", "Ask for this one again in a moment.",
        headers={"Retry-After": "10"},
    )  # fmt: skip
