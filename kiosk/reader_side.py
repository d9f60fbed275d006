"""The table's reader at its box: a card is on disk before the reader lets go of it, and the screen sees how it is."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Final

from firmware_bridge.decks import Deck
from firmware_bridge.reader import BidReader, DeviceStamp, ReaderEvent, ReaderHealth, ReaderStatistics
from kiosk.actor import Actor, Done
from kiosk.errors import KioskError, NotKeptError
from kiosk.scribe import Scribe
from kiosk.trial import Trial
from kiosk.view import LaidCard, ReaderView
from tallybox.rules.ruleset import Ruleset

KEEP_WITHIN: Final = 5.0
"""Seconds a reader waits for its card to be on disk, and for its health to be taken."""

ReaderFactory = Callable[[Callable[[ReaderEvent], None], Callable[[ReaderHealth], None], DeviceStamp | None], BidReader]
"""Makes the table's reader from where its events and its health go, and from the last event that is on disk."""


class ReaderSide:
    """The reader that ``factory`` makes; without one nobody lays cards. ``last``: its last event that is on disk.

    ``view`` and ``tested`` are for the box's thread, which runs ``actor``'s jobs.
    """

    def __init__(
        self,
        scribe: Scribe,
        actor: Actor,
        deck_of: Callable[[Ruleset], Deck],
        factory: ReaderFactory | None,
        last: DeviceStamp | None,
    ) -> None:
        self._scribe = scribe
        self._actor = actor
        self._deck_of = deck_of
        self._trial = Trial()
        self.view = ReaderView()
        self._reader: BidReader | None = None
        if factory is not None:
            self._reader = factory(self.event, self._changed, last)
            self.view = _view_of(self._reader.health)

    def start(self) -> None:
        """Begin reading."""
        if self._reader is not None:
            self._reader.start()

    def stop(self) -> None:
        """No more cards."""
        if self._reader is not None:
            self._reader.stop()

    @property
    def statistics(self) -> ReaderStatistics:
        """Its counts so far, as a copy."""
        return ReaderStatistics() if self._reader is None else self._reader.statistics

    @property
    def tested(self) -> tuple[LaidCard, ...]:
        """What lies on the readers while they are tried."""
        return self._trial.shown

    def test(self, on: bool) -> None:
        """Show the cards that are laid and take none of them as a call, or stop that."""
        self._actor.post(lambda: self._trial.turn(on))

    def event(self, event: ReaderEvent) -> None:
        """Keep what a reader saw; on disk when this returns. Raises ``NotKeptError``: the reader holds the card."""
        future: Future[None] = Future()

        def job() -> Done:
            seated = self._scribe.state.assignment
            deck = None if seated is None else self._deck_of(seated.ruleset)
            if not self._trial.takes(event, self._scribe.state, deck):
                self._scribe.card(event)
            return lambda: future.set_result(None)

        if not self._actor.post_answering(job, future.set_exception):
            raise NotKeptError("busy", "This box is still busy; the reader holds the card.")
        try:
            future.result(KEEP_WITHIN)
        except (KioskError, FutureTimeoutError) as reason:
            raise NotKeptError("not-kept", f"The card could not be kept ({reason}); the reader holds it.") from None

    def _changed(self, health: ReaderHealth) -> None:
        def job() -> None:
            self.view = _view_of(health)

        self._actor.post(job, KEEP_WITHIN)


def _view_of(health: ReaderHealth) -> ReaderView:
    return ReaderView(health.state.value, health.message)
