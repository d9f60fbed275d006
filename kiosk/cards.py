"""What a card on a reader comes to: which call it says, and why it may say none. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.decks import DECKS, Deck, load_deck
from firmware_bridge.reader import CardRead, CardRemoved, DeviceStamp, ReaderEvent, Snapshot
from tallybox.calls import Call, Game, call_text, call_words
from tallybox.events import table as bodies
from tallybox.rules.ruleset import Ruleset
from tallybox.seats import Seat
from tallybox.table.state import TableState

_BETWEEN: Final = "\x1f"
_DECK_OF_GAME: Final = {Game.BID_WHIST: "bid-whist", Game.SPADES: "mso"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a deck says of a card. ``why``: the sentence to show, when the card says nothing or needs a word."""

    call: Call | None
    why: str | None = None


DeckOf = Callable[[Ruleset], Deck]


def deck_of(ruleset: Ruleset) -> Deck:
    """The deck that a table bids with: ``bid_card_map`` names it; the game's own for one that is not known here."""
    name = ruleset.settings.bid_card_map
    deck = load_deck(name if name in DECKS else _DECK_OF_GAME[ruleset.game])
    return deck if deck.game is ruleset.game else load_deck(_DECK_OF_GAME[ruleset.game])


def meaning(deck: Deck, seat: Seat, uid: str) -> Meaning:
    """What the card says when it is laid at ``seat``."""
    card = deck.card(uid)
    if card is None:
        return Meaning(None, deck.sentence_for(uid))
    if card.owner is not seat:
        return Meaning(
            None, f"That is {card.owner.word}'s card, and it lies at {seat.word}. Take it up, or type the call."
        )
    return Meaning(card.call, card.note)


def no_call_because(state: TableState, seat: Seat, uid: str, call: Call) -> str | None:
    """Why a known card makes no call now, beyond what the rules say; ``None`` when the rules may decide.

    An empty sentence: the card says again what is on record, so nothing is to be said at all.
    """
    hand = state.hand
    made = None if hand is None else hand.call_of(seat)
    if made is not None and made.call == call:
        return ""
    lying = state.readings.get(seat)
    if lying is not None and lying.card != uid:
        return f"Two cards lie at {seat.word}. Take both up, and lay the one that is meant."
    if made is not None and made.source == "scanned":
        return (
            f"{seat.word} has called {call_words(made.call)} already. Take the card up, or take the call back "
            "and lay it again."
        )
    if hand is not None and hand.turn is not None and hand.turn is not seat and made is None:
        return f"That is {seat.word}'s card. {hand.turn.word} bids now."
    return None


def body_of_card(event: CardRead | CardRemoved, call: Call | None) -> bodies.CardRead | bodies.CardRemoved:
    """The reading as it is journalled."""
    stamp = bodies.DeviceStamp(id=event.stamp.id, boot=event.stamp.boot, seq=event.stamp.seq, ms=event.stamp.ms)
    if isinstance(event, CardRemoved):
        return bodies.CardRemoved(seat=event.seat, card=event.uid, stamp=stamp)
    said = None if call is None else call_text(call)
    return bodies.CardRead(seat=event.seat, card=event.uid, stamp=stamp, call=said)


def single_events(state: TableState, event: ReaderEvent) -> tuple[CardRead | CardRemoved, ...]:
    """The readings in an event: one, or in a snapshot what changed while nobody was listening.

    Cards that lie where the journal knows them are nothing new.
    """
    if not isinstance(event, Snapshot):
        return (event,)
    gone = tuple(
        CardRemoved(seat, reading.card, event.stamp)
        for seat, reading in state.readings.items()
        if (seat, reading.card) not in event.lying
    )
    laid = tuple(
        CardRead(seat, uid, event.stamp)
        for seat, uid in event.lying
        if seat not in state.readings or state.readings[seat].card != uid
    )
    return (*gone, *laid)


def stamp_text(event: CardRead | CardRemoved) -> str:
    """The name of a reading, once and for all: who saw what, where."""
    what = "read" if isinstance(event, CardRead) else "removed"
    return _BETWEEN.join((event.stamp.id, event.stamp.boot, str(event.stamp.seq), what, event.seat.value, event.uid))


def remembered(stamp: str | None) -> DeviceStamp | None:
    """The device's stamp in a reading's name, for a link that is started again."""
    parts = [] if stamp is None else stamp.split(_BETWEEN)
    if len(parts) < 6 or not parts[2].isdecimal():
        return None
    return DeviceStamp(id=parts[0], boot=parts[1], seq=int(parts[2]), ms=0)
