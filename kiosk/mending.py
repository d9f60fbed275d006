"""What waits until a box's disk takes it, and how the box finds out that it does. One thread's business, like the
journal's other users.

The last taps and the hub's last words wait in memory alone, as the screen says: a box that is switched off forgets
them, and keeps everything that was on its disk before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from kiosk.disk import DISK_CODES, GOOD_AGAIN, KEPT_NOW, Disk, DiskView, words_for
from kiosk.errors import JournalError
from kiosk.journal.journal import Journal
from kiosk.link.shore import HubMessage
from kiosk.view import Outcome
from tallybox.events import type_of
from tallybox.events.table import Body
from tallybox.messages import Ack

TRY_EVERY: Final = 2_000
"""Milliseconds between two looks whether the disk takes something again."""

MOST_TAPS: Final = 8
"""Taps that may wait; who goes on tapping has read that nothing is kept."""

_TAKES: Final = frozenset({Disk.FINE, Disk.LOW})

Act = Callable[[Body, tuple[str, ...]], Outcome]
_log = structlog.get_logger("kiosk")


class Mending:
    """Holds back what the disk refused, and brings it in once the disk works; ``act`` and ``take`` are the box's."""

    def __init__(self, journal: Journal, act: Act, take: Callable[[HubMessage], None]) -> None:
        self._journal = journal
        self._act = act
        self._take = take
        self._taps: tuple[tuple[Body, tuple[str, ...]], ...] = ()
        self._words: dict[type, HubMessage] = {}
        self._try_at: int | None = None
        self._low_said = False

    @property
    def view(self) -> DiskView:
        """The disk as the screen shows it."""
        state = self._journal.disk
        return DiskView(state, words_for(state), len(self._taps))

    @property
    def due(self) -> int | None:
        """The monotonic ms of the next try; ``None`` while the disk takes everything."""
        return self._try_at

    def act(self, body: Body, supersedes: tuple[str, ...] = ()) -> Outcome:
        """Do it, after what waits; what the disk refuses waits too, unless too much does."""
        outcome = self._act(body, supersedes)
        if outcome.refusal is not None and outcome.refusal.code in DISK_CODES:
            same = _place(body)
            kept = tuple(tap for tap in self._taps if _place(tap[0]) != same)
            if len(kept) < MOST_TAPS:
                self._taps = (*kept, (body, supersedes))
        return outcome

    def take(self, message: HubMessage) -> None:
        """Take what the hub says; a word that the disk refuses waits, and a newer one takes its place.

        Acks need not wait: the hub repeats them. Raises ``JournalError``.
        """
        try:
            self._take(message)
        except JournalError as reason:
            if reason.code in DISK_CODES and not isinstance(message, Ack):
                self._words[type(message)] = message
            raise
        self._words.pop(type(message), None)

    def look(self, now: int) -> str | None:
        """Try the disk, if it is time; the sentence for the screen when something is new."""
        takes = self._journal.disk in _TAKES
        if self._try_at is None:
            if takes:
                return self._room()
            _log.error("the disk refuses", state=self._journal.disk.value)
            self._try_at = now + TRY_EVERY
        elif takes or (now >= self._try_at and self._journal.probe() in _TAKES):
            self._try_at = now + TRY_EVERY
            return self._bring_in()
        elif now >= self._try_at:
            self._try_at = now + TRY_EVERY
        return None

    def _room(self) -> str | None:
        """Say once that the room is running out, and again after it was there."""
        low = self._journal.disk is Disk.LOW
        said, self._low_said = self._low_said, low
        return words_for(Disk.LOW) if low and not said else None

    def _bring_in(self) -> str | None:
        """The hub's words, then the taps, in order; ``None`` when the disk fails again meanwhile."""
        words, taps = tuple(self._words.values()), self._taps
        _log.warning("the disk works again", words=len(words), taps=len(taps))
        try:
            for word in words:
                self.take(word)
        except JournalError:
            return None
        self._taps = ()
        done = [self.act(body, supersedes) for body, supersedes in taps]
        if self._journal.disk not in _TAKES:
            return None
        self._try_at, self._low_said = None, False
        refused = next((each.refusal.message for each in done if each.refusal is not None), None)
        return refused or (KEPT_NOW if taps else GOOD_AGAIN)


def _place(body: Body) -> tuple[object, ...]:
    """What an act is about: a later tap about the same takes the place of the one before it."""
    return type_of(body), getattr(body, "hand", None), getattr(body, "seat", None), getattr(body, "side", None)
