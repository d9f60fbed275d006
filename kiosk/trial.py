"""A trial of the readers: while it runs, cards are shown and none of them is taken as a call."""

from __future__ import annotations

from firmware_bridge.decks import Deck
from firmware_bridge.reader import CardRead, CardRemoved, CardShown, ReaderEvent
from kiosk import cards
from kiosk.view import LaidCard
from tallybox.seats import Seat
from tallybox.table.state import TableState


class Trial:
    """What lies on the readers while an official tries them. One thread's business."""

    def __init__(self) -> None:
        self.on = False
        self._lying: dict[Seat, LaidCard] = {}

    @property
    def shown(self) -> tuple[LaidCard, ...]:
        """The card at each seat where one lies."""
        return tuple(self._lying[seat] for seat in Seat if seat in self._lying)

    def turn(self, on: bool) -> None:
        """Begin or end; a trial begins with no card seen."""
        self.on = on
        self._lying = {}

    def takes(self, event: ReaderEvent, state: TableState, deck: Deck | None) -> bool:
        """Whether the trial has this event to itself. A card that was laid before it may be lifted as ever."""
        match event:
            case CardRemoved(seat=seat, uid=uid):
                known = any(reading.card == uid for reading in state.lying(seat))
                self._lying.pop(seat, None)
                return self.on and not known
            case CardRead() if self.on:
                self._lay(event.seat, event.uid, deck)
            case CardShown() if self.on:
                owner = None if deck is None or (card := deck.card(event.uid)) is None else card.owner
                seat_shown = event.seat or owner
                if seat_shown is not None:
                    self._lay(seat_shown, event.uid, deck)
        return self.on and isinstance(event, CardRead | CardShown)

    def _lay(self, seat: Seat, uid: str, deck: Deck | None) -> None:
        if deck is None:
            self._lying[seat] = LaidCard(seat)
            return
        said = cards.meaning(deck, seat, uid)
        self._lying[seat] = LaidCard(seat, said.call, "" if said.why is None else said.why.text)
