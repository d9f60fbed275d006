"""Teaching a venue's physical cards to the box: one seat's set, each card laid once, in the deck's order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.decks import DeckCard, load_deck
from firmware_bridge.decks.venue import Enrolled, printed
from firmware_bridge.errors import DeckError
from firmware_bridge.reader import CardRead, CardRemoved, CardShown, ReaderEvent, Snapshot
from tallybox.seats import Seat


class Found(StrEnum):
    """What became of a card that was laid, or of an order."""

    ENROLLED = "enrolled"
    AGAIN = "again"
    """It is in the set already."""
    DUPLICATE = "duplicate"
    """It stands for a card of another set, deck or pack."""
    PRINTED = "printed"
    """Its code is a printed card's and needs no enrolling."""
    TWO_CARDS = "two_cards"
    UNDONE = "undone"
    NOTHING_TO_UNDO = "nothing_to_undo"
    COMPLETE = "complete"
    """The set was complete before this card was laid."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happened, in words, and the card to lay next; ``None`` once the set is complete."""

    found: Found
    words: str
    next: DeckCard | None


class Enrolment:
    """One seat's set of one pack. ``keep`` writes all enrolled cards; what it raises leaves everything as it was.

    ``known`` are the venue's cards so far, of every set: those of this one are not asked for again.
    """

    def __init__(
        self,
        deck: str,
        seat: Seat,
        pack: str,
        known: Iterable[Enrolled],
        keep: Callable[[tuple[Enrolled, ...]], None],
    ) -> None:
        """Begin, or go on. Raises ``DeckError`` for a deck that is none."""
        self.deck = load_deck(deck)
        self.seat = seat
        self.pack = pack
        self._keep = keep
        self._cards = list(known)
        self._lying: dict[tuple[Seat, str], None] = {}

    @property
    def cards(self) -> tuple[Enrolled, ...]:
        """The venue's cards as they stand."""
        return tuple(self._cards)

    @property
    def done(self) -> tuple[Enrolled, ...]:
        """The cards of this set, in the order they were enrolled."""
        return tuple(card for card in self._cards if self._ours(card))

    @property
    def next(self) -> DeckCard | None:
        """The card to lay next; ``None`` once the set is complete."""
        names = {card.card for card in self.done}
        return next((card for card in self.deck.set_of(self.seat) if card.name not in names), None)

    @property
    def prompt(self) -> str:
        """What to do now."""
        card = self.next
        if card is None:
            return f"{self._set} is complete: {len(self.done)} cards."
        return f"{len(self.done) + 1} of {len(self.deck.set_of(self.seat))}: lay the {card.face}."

    def take(self, event: ReaderEvent) -> Step | None:
        """Take what a reader saw; ``None`` for what needs no word, such as a card taken up."""
        match event:
            case CardRemoved():
                self._lying.pop((event.seat, event.uid), None)
                return None
            case Snapshot():
                self._lying = dict.fromkeys(event.lying)
                return self._two() if event.lying else None
            case CardRead():
                others = [card for card in self._lying if card != (event.seat, event.uid)]
                self._lying[event.seat, event.uid] = None
                return self._two() if others else self._card(event.uid)
            case CardShown():
                return self._card(event.uid)

    def undo(self) -> Step:
        """Forget the card of this set that was enrolled last. Raises what ``keep`` raises."""
        done = self.done
        if not done:
            return self._step(Found.NOTHING_TO_UNDO, f"No card of {self._set} is enrolled.")
        last = done[-1]
        self._change([card for card in self._cards if card is not last])
        return self._step(Found.UNDONE, f"{_capital(last.words)} is forgotten. Take it up.")

    def _card(self, uid: str) -> Step:
        known = next((card for card in self._cards if card.uid == uid), None)
        if known is not None:
            found = Found.AGAIN if self._ours(known) else Found.DUPLICATE
            return self._step(found, f"That card is enrolled already: it is {known.words}. Take it up.")
        deck = printed(uid)
        if deck is not None:
            return self._step(
                Found.PRINTED, f"That card's code says what it is: it is of the printed {deck.title}, and needs no "
                "enrolling. Take it up.",
            )  # fmt: skip
        card = self.next
        if card is None:
            return self._step(Found.COMPLETE, "That card is one too many. Take it up.")
        enrolled = Enrolled(uid, self.pack, self.deck.name, self.seat, card.name)
        self._change([*self._cards, enrolled])
        return self._step(Found.ENROLLED, f"That is {enrolled.words}. Take it up.")

    def _two(self) -> Step:
        many = len(self._lying)
        there = "A card lies on the reader" if many == 1 else f"{'Two' if many == 2 else many} cards lie on the reader"
        return self._step(Found.TWO_CARDS, f"{there}. Take up all cards, and lay one at a time.")

    def _change(self, cards: list[Enrolled]) -> None:
        self._keep(tuple(cards))
        self._cards = cards

    def _step(self, found: Found, words: str) -> Step:
        return Step(found, words, self.next)

    def _ours(self, card: Enrolled) -> bool:
        return (card.pack, card.deck, card.seat) == (self.pack, self.deck.name, self.seat)

    @property
    def _set(self) -> str:
        return f"{self.seat.word}'s set of pack {self.pack} ({self.deck.title})"


def check_pack(pack: str) -> str:
    """A pack's label as it may stand in the file. Raises ``DeckError``."""
    if 1 <= len(pack) <= 12 and pack.isascii() and pack.replace("-", "a").isalnum():
        return pack
    raise DeckError("A pack's label has 1 to 12 letters, digits and hyphens, such as 7 or table-7.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
