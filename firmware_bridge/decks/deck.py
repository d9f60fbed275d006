"""A bid deck: the physical cards of a table and the calls that they say.

Every seat bids with its own set of the deck, so every physical card has a uid of its own:
``<prefix of the deck>-<set>-<uid of the card>``, where the set is the seat's letter. ``MSO-N-K`` is the King in
North's set of the MSO deck. The deck file lists each card once; the four sets follow from it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from firmware_bridge.errors import DeckError
from tallybox.calls import Bid, Call, Game, call_text, call_words, parse_call
from tallybox.errors import CallError
from tallybox.said import say
from tallybox.seats import CLOCKWISE, Seat
from tallybox.toml_faults import toml_fault

DECKS: Final = ("mso", "wsos", "bid-whist")
"""The decks that come with Tallybox."""

MAX_DECK_FILE: Final = 64 * 1024
"""Bytes in the longest deck file that is read."""

MAX_CARDS: Final = 64
_WORD: Final = re.compile(r"[A-Z0-9]{1,8}")


@dataclass(frozen=True, slots=True)
class DeckCard:
    """One physical card: its uid, the face printed on it, what laying it calls, and whose set it belongs to.

    ``note`` is a sentence to show when this card is read, because people are known to mean another one (B-13).
    """

    uid: str
    face: str
    call: Call
    note: str | None
    owner: Seat

    @property
    def name(self) -> str:
        """The card's uid in its deck file, such as ``K``; the same in all four sets."""
        return self.uid.rsplit("-", 1)[-1]


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck with one set for each seat; ``cards`` has all four sets by uid, enrolled cards included.

    ``elsewhere``: the title of the deck that an enrolled card belongs to, by uid, for cards of other decks.
    """

    name: str
    title: str
    game: Game
    cards: Mapping[str, DeckCard]
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def card(self, uid: str) -> DeckCard | None:
        """The card with this uid, or None: it is of another deck or of none."""
        return self.cards.get(uid)

    def uid_for(self, call: Call, seat: Seat = Seat.N) -> str:
        """The uid of the card that says this call in a seat's set. Raises ``DeckError`` if no card says it.

        The direction of a No bid is spoken, not laid (A-18), so it is left out of account.
        """
        laid = call.stated if isinstance(call, Bid) else call
        for card in self.cards.values():
            if card.owner is seat and card.call == laid:
                return card.uid
        raise DeckError(f"The {self.title} has no card for {call_words(call)}. Type it.")

    def other_deck(self, uid: str) -> str | None:
        """The title of another deck that this card belongs to, or None for a card of no deck we know."""
        built_in = next((deck.title for deck in _known() if deck.name != self.name and uid in deck.cards), None)
        return self.elsewhere.get(uid) if built_in is None else built_in

    def set_of(self, seat: Seat) -> tuple[DeckCard, ...]:
        """The printed cards of a seat's set in the deck's order; enrolled ones, which stand for these, left out."""
        return tuple(card for uid, card in self.cards.items() if card.owner is seat and uid == card.uid)

    def sentence_for(self, uid: str) -> str | None:
        """What to say when this card is laid: its note, or why it is no card of this deck; None for a plain card."""
        card = self.card(uid)
        if card is not None:
            return card.note
        other = self.other_deck(uid)
        if other is not None:
            return say(
                "That card is from the {other}. Here the {deck} is in play. Lay the right card, or type the bid.",
                other=other,
                deck=self.title,
            )
        return say("That card is not in the {deck}. Lay another card, or type the bid.", deck=self.title)


def load_deck(name: str) -> Deck:
    """One of ``DECKS`` by its name. Raises ``DeckError`` for any other name."""
    if name not in DECKS:
        raise DeckError(f"There is no deck “{name[:40]}”. The decks are {', '.join(DECKS)}.")
    return next(deck for deck in _known() if deck.name == name)


def parse_deck(text: str, where: str) -> Deck:
    """Read a deck file. ``where`` names the file in messages. Raises ``DeckError`` naming what to mend."""
    if len(text.encode()) > MAX_DECK_FILE:
        raise DeckError(f"{where} is longer than a deck file can be ({MAX_DECK_FILE} bytes).")
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:
        raise DeckError(f"{where} is not a TOML file: {toml_fault(fault)}.") from fault
    name, title = _string(raw, "name", where), _string(raw, "title", where)
    prefix = _word(raw, "prefix", where)
    if raw.get("game") not in {game.value for game in Game}:
        raise DeckError(f"{where}: game is one of {', '.join(Game)}.")
    game = Game(raw["game"])
    entries = raw.get("cards")
    if not isinstance(entries, list) or not 1 <= len(entries) <= MAX_CARDS:
        raise DeckError(f"{where} needs 1 to {MAX_CARDS} entries [[cards]].")
    cards: dict[str, DeckCard] = {}
    for entry in entries:
        for card in _sets(entry, game, prefix, where):
            if card.uid in cards:
                raise DeckError(f"{where}: two cards have the uid {card.uid}.")
            cards[card.uid] = card
    _one_card_a_call(cards, where)
    return Deck(name, title, game, MappingProxyType(cards))


@cache
def _known() -> tuple[Deck, ...]:
    folder = resources.files("firmware_bridge.decks")
    return tuple(parse_deck((folder / f"{name}.toml").read_text("utf-8"), f"{name}.toml") for name in DECKS)


def _sets(entry: object, game: Game, prefix: str, where: str) -> list[DeckCard]:
    if not isinstance(entry, dict):
        raise DeckError(f"{where}: each card is a table [[cards]].")
    face, suffix = _string(entry, "face", where), _word(entry, "uid", where)
    note = _string(entry, "note", where) if "note" in entry else None
    try:
        call = parse_call(game, _string(entry, "call", where))
    except CallError as fault:
        raise DeckError(f"{where}, card {face}: {fault.message}") from fault
    said = None if note is None else say(note)
    return [DeckCard(f"{prefix}-{seat}-{suffix}", face, call, said, seat) for seat in CLOCKWISE]


def _one_card_a_call(cards: Mapping[str, DeckCard], where: str) -> None:
    said = [(card.owner, card.call) for card in cards.values()]
    for owner, call in said:
        if said.count((owner, call)) > 1:
            raise DeckError(f"{where}: two cards say {call_text(call)}. One card a call.")


def _string(table: Mapping[str, object], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not 1 <= len(value) <= 200:
        raise DeckError(f"{where} needs {key} with 1 to 200 characters.")
    return value


def _word(table: Mapping[str, object], key: str, where: str) -> str:
    value = _string(table, key, where)
    if not _WORD.fullmatch(value):
        raise DeckError(f"{where}: {key} “{value[:20]}” takes 1 to 8 capital letters and digits.")
    return value
