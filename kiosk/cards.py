"""What a card on a reader comes to: which call it says, and why it may say none. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.decks import BUILT_IN, DECKS, Deck, Decks
from firmware_bridge.reader import CardRead, CardRemoved, CardShown, DeviceStamp, ReaderEvent, Snapshot
from kiosk.view import CardCase, Notice
from tallybox.calls import Call, Game, call_text, call_words
from tallybox.events import table as bodies
from tallybox.rules.ruleset import Ruleset
from tallybox.said import joined, say
from tallybox.seats import Seat
from tallybox.table.state import Hand, TableState

AT_ONCE: Final = 150
"""Milliseconds of the device's time: a card that follows another seat's sooner was laid without having seen it."""

_BETWEEN: Final = "\x1f"
_DECK_OF_GAME: Final = {Game.BID_WHIST: "bid-whist", Game.SPADES: "mso"}


@dataclass(frozen=True, slots=True)
class Why:
    """What is the matter with a card: the case, and the sentence to show."""

    case: CardCase
    text: str


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a deck says of a card. ``why``: what to show, when the card says nothing or needs a word."""

    call: Call | None
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class NoCall:
    """A card that makes no call. ``why`` is ``None`` when nothing is to be said: it says what is on record."""

    why: Why | None


DeckOf = Callable[[Ruleset], Deck]


def deck_of(ruleset: Ruleset, decks: Decks = BUILT_IN) -> Deck:
    """The deck that a table bids with: ``bid_card_map`` names it; the game's own for one that is not known here."""
    name = ruleset.settings.bid_card_map
    deck = decks.deck(name if name in DECKS else _DECK_OF_GAME[ruleset.game])
    return deck if deck.game is ruleset.game else decks.deck(_DECK_OF_GAME[ruleset.game])


def meaning(deck: Deck, seat: Seat, uid: str) -> Meaning:
    """What the card says when it is laid at ``seat``."""
    card = deck.card(uid)
    if card is None:
        case = CardCase.UNKNOWN_CARD if deck.other_deck(uid) is None else CardCase.OTHER_DECK
        return Meaning(None, Why(case, deck.sentence_for(uid) or ""))
    if card.owner is not seat:
        text = say("That is {owner}'s card, and it lies at {seat}. Take it up, or type the call.",
                   owner=card.owner.word, seat=seat.word)  # fmt: skip
        return Meaning(None, Why(CardCase.OTHER_SEAT, text))
    return Meaning(card.call, None if card.note is None else Why(CardCase.WORD, card.note))


def no_call(state: TableState, event: CardRead, call: Call, at_once: int = AT_ONCE) -> NoCall | None:
    """Why a known card makes no call now, beyond what the rules say; ``None`` when the rules may decide.

    ``state`` is the table before this card lay there; ``at_once`` is in the device's milliseconds.
    """
    hand, seat = state.hand, event.seat
    made = None if hand is None else hand.call_of(seat)
    if made is not None and made.call == call:
        return NoCall(None)
    if any(reading.card != event.uid for reading in state.lying(seat)):
        text = say("Two cards lie at {seat}. Take both up, and lay the one that is meant.", seat=seat.word)
        return NoCall(Why(CardCase.SECOND_CARD, text))
    if made is not None and made.source == "scanned":
        text = say(
            "{seat} has called {call} already. Take the card up, or take the call back and lay it again.",
            seat=seat.word,
            call=call_words(made.call),
        )
        return NoCall(Why(CardCase.CALLED_ALREADY, text))
    if hand is None or hand.turn is None or made is not None:
        return None
    first = _first_of_two(state, hand, event, at_once)
    if first is not None:
        again, up = say("Lay the card again, or tap the call."), say("Take the other card up.")
        text = say(
            "{first} and {seat} laid a card at once; {first} was first. {turn} bids now.",
            first=first.word,
            seat=seat.word,
            turn=hand.turn.word,
        )
        return NoCall(Why(CardCase.AT_ONCE, joined(text, again if hand.turn is seat else up)))
    return NoCall(out_of_turn(seat, hand.turn)) if hand.turn is not seat else None


def out_of_turn(seat: Seat, turn: Seat) -> Why:
    """A card of ``seat`` lies there while ``turn`` bids."""
    return Why(CardCase.OUT_OF_TURN, say("That is {seat}'s card. {turn} bids now.", seat=seat.word, turn=turn.word))


def taken_back(before: TableState, event: CardRemoved) -> Why | None:
    """Whether this removal takes back the card of the last call; the call stands until a tap takes it back (A-16)."""
    hand = before.hand
    if hand is None or hand.locked or hand.conflict is not None or not hand.calls:
        return None
    last = hand.calls[-1]
    lifted = next((reading for reading in before.lying(event.seat) if reading.card == event.uid), None)
    if lifted is None or last.seat is not event.seat or last.reading != lifted.id:
        return None
    text = say(
        "{seat} took the card back. {call} stands until it is taken back here. Lay the card again, or tap Take back.",
        seat=last.seat.word,
        call=call_words(last.call),
    )
    return Why(CardCase.TAKEN_BACK, text)


def over(notice: Notice, before: TableState, state: TableState) -> bool:
    """Whether what a notice says of a card is no longer so, after something happened at its seat."""
    seat, hand = notice.seat, state.hand
    if seat is None or hand is None:
        return False
    match notice.case:
        case CardCase.TAKEN_BACK:
            stands = bool(hand.calls) and hand.calls[-1].seat is seat
            return not stands or hand.calls[-1].call == _lying_call(state, seat)
        case CardCase.SECOND_CARD:
            return len(before.lying(seat)) > 1 >= len(state.lying(seat))
        case CardCase.OUT_OF_TURN | CardCase.AT_ONCE | CardCase.OTHER_DECK | CardCase.UNKNOWN_CARD:
            return bool(before.lying(seat)) and not state.lying(seat)
        case _:
            return False


def waits_its_turn(notice: Notice | None, state: TableState) -> tuple[Seat, Why] | None:
    """What is still to be said of a card out of turn after another seat has called; ``None`` when nothing is."""
    hand = state.hand
    if notice is None or notice.seat is None or hand is None or hand.turn is None:
        return None
    if notice.case is not CardCase.OUT_OF_TURN or not state.lying(notice.seat) or hand.call_of(notice.seat):
        return None
    if hand.turn is not notice.seat:
        return notice.seat, out_of_turn(notice.seat, hand.turn)
    text = say(
        "{seat}'s card lies there already. {seat} bids now: lay it again, or tap the call.", seat=notice.seat.word
    )
    return notice.seat, Why(CardCase.OUT_OF_TURN, text)


def body_of_card(event: CardRead | CardRemoved, call: Call | None) -> bodies.CardRead | bodies.CardRemoved:
    """The reading as it is journalled."""
    stamp = bodies.DeviceStamp(id=event.stamp.id, boot=event.stamp.boot, seq=event.stamp.seq, ms=event.stamp.ms)
    if isinstance(event, CardRemoved):
        return bodies.CardRemoved(seat=event.seat, card=event.uid, stamp=stamp)
    said = None if call is None else call_text(call)
    return bodies.CardRead(seat=event.seat, card=event.uid, stamp=stamp, call=said)


def single_events(state: TableState, event: ReaderEvent, deck: Deck) -> tuple[CardRead | CardRemoved, ...]:
    """The readings in an event: one, or in a snapshot what changed while nobody was listening.

    Cards that lie where the journal knows them are nothing new. Under a scanner a seat has one card at a time: the
    next takes the place of the one before. Nothing comes of a scan that is nobody's.
    """
    match event:
        case Snapshot():
            return _changed(state, event)
        case CardShown():
            seat = whose(state, event, deck)
            if seat is None:
                return ()
            before = [reading.card for reading in state.lying(seat) if reading.card != event.uid]
            gone = tuple(CardRemoved(seat, card, event.stamp) for card in before)
            return (*gone, CardRead(seat, event.uid, event.stamp))
        case _:
            return (event,)


def whose(state: TableState, event: CardShown, deck: Deck) -> Seat | None:
    """The seat of a scan: the scanner's, else the owner of the card, else whose turn it is; ``None``: nobody's."""
    if event.seat is not None:
        return event.seat
    card = deck.card(event.uid)
    if card is not None:
        return card.owner
    return None if state.hand is None or state.hand.locked else state.hand.turn


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


def _changed(state: TableState, event: Snapshot) -> tuple[CardRead | CardRemoved, ...]:
    known = [(seat, reading.card) for seat in Seat for reading in state.lying(seat)]
    gone = tuple(CardRemoved(seat, card, event.stamp) for seat, card in known if (seat, card) not in event.lying)
    laid = tuple(CardRead(seat, uid, event.stamp) for seat, uid in event.lying if (seat, uid) not in known)
    return (*gone, *laid)


def _first_of_two(state: TableState, hand: Hand, event: CardRead, at_once: int) -> Seat | None:
    """The seat whose card was laid less than ``at_once`` ms before this one, if it made the last call."""
    last = hand.calls[-1] if hand.calls else None
    if last is None or last.seat is event.seat:
        return None
    # One boot is one clock, also of the four scanners at a table, which share theirs.
    stamp = next((reading.stamp for reading in state.lying(last.seat) if reading.id == last.reading), None)
    if stamp is None or stamp.boot != event.stamp.boot or not 0 <= event.stamp.ms - stamp.ms < at_once:
        return None
    return last.seat


def _lying_call(state: TableState, seat: Seat) -> Call | None:
    top = state.readings.get(seat)
    return None if top is None else top.call
