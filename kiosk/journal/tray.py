"""The outbox as screen and link are told of it, from any thread, also while the journal's file cannot be read."""

from __future__ import annotations

from collections.abc import Callable

from kiosk.errors import JournalError
from kiosk.journal.journal import Journal, Parcel


class Tray:
    """``since`` and ``parcels`` read the journal; ``complain`` is called with the sentence when that fails.

    ``monotonic`` gives the box's ms; what an earlier run wrote waits since this one began.
    """

    def __init__(self, journal: Journal, monotonic: Callable[[], int], complain: Callable[[str], None]) -> None:
        self._journal = journal
        self._monotonic = monotonic
        self._complain = complain
        self._began = monotonic()
        self._unsent = 0
        self._oldest: tuple[str, int] = ("", self._began)

    @property
    def unsent(self) -> int:
        """How many events no ack covers yet; what was known last while the file cannot be read."""
        try:
            self._unsent = self._journal.unsent
        except JournalError as reason:
            self._complain(reason.message)
        return self._unsent

    def parcels(self, limit: int) -> list[Parcel]:
        """The oldest events that no ack covers, in order, as they travel; none while the file cannot be read."""
        try:
            return self._journal.parcels(limit)
        except JournalError as reason:
            self._complain(reason.message)
            return []

    def since(self) -> int | None:
        """The monotonic ms since which the oldest event waits; ``None``: none does."""
        for parcel in self.parcels(1):
            if parcel.id != self._oldest[0]:
                written = self._journal.outbox(1)[0].at.mono
                since = written if self._began <= written <= self._monotonic() else self._began
                self._oldest = (parcel.id, since)
            return self._oldest[1]
        return None
