"""A venue's own physical cards: which uid stands for which card of which set, kept in one TOML file.

```toml
[[sets]]
pack = "7"                 # which of the venue's decks this is; a label of your own
deck = "mso"
seat = "N"
[sets.cards]
04A1B2C3D4 = "K"           # the uid that the reader tells, and the card it stands for
```
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from firmware_bridge.decks.deck import DECKS, Deck, DeckCard, load_deck
from firmware_bridge.errors import DeckError
from firmware_bridge.limits import MAX_UID
from tallybox.seats import Seat
from tallybox.toml_faults import toml_fault

LARGEST_FILE: Final = 1_048_576
"""Bytes; sixty decks of 56 cards take about 80,000."""

Pack = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9-]{1,12}\Z")]
CardUid = Annotated[str, Meta(pattern=rf"\A[!-~]{{1,{MAX_UID}}}\Z")]
CardName = Annotated[str, Meta(pattern=r"\A[A-Z0-9]{1,8}\Z")]


@dataclass(frozen=True, slots=True)
class Enrolled:
    """One physical card: its ``uid``, and the card it stands for. ``pack`` tells the venue's decks apart."""

    uid: str
    pack: str
    deck: str
    seat: Seat
    card: str

    @property
    def words(self) -> str:
        """What it is, for a sentence: ``the King of North's set (MSO bid deck, pack 7)``."""
        deck = load_deck(self.deck)
        face = next((card.face for card in deck.set_of(self.seat) if card.name == self.card), self.card)
        return f"the {face} of {self.seat.word}'s set ({deck.title}, pack {self.pack})"


class Decks:
    """The decks in use at a venue: those that come with Tallybox, and physical cards that stand for theirs."""

    def __init__(self, enrolled: Iterable[Enrolled] = ()) -> None:
        """Take the enrolled cards; raises ``DeckError`` for one that stands for no card."""
        self.enrolled: Final = tuple(enrolled)
        self._made: dict[str, Deck] = {}
        for each in self.enrolled:
            _stands_for(each)

    def deck(self, name: str) -> Deck:
        """The deck with printed and enrolled cards. Raises ``DeckError`` for a name that is no deck's."""
        if name not in self._made:
            self._made[name] = self._make(load_deck(name))
        return self._made[name]

    def _make(self, deck: Deck) -> Deck:
        if not self.enrolled:
            return deck
        cards = dict(deck.cards)
        cards.update({each.uid: _stands_for(each) for each in self.enrolled if each.deck == deck.name})
        others = {each.uid: load_deck(each.deck).title for each in self.enrolled if each.deck != deck.name}
        return replace(deck, cards=MappingProxyType(cards), elsewhere=MappingProxyType(others))


BUILT_IN: Final = Decks()
"""Printed cards alone: a venue that has enrolled none."""


class _Set(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pack: Pack
    deck: Literal["mso", "wsos", "bid-whist"]
    seat: Seat
    cards: dict[CardUid, CardName]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    sets: list[_Set] = []


def read_decks(path: Path) -> Decks:
    """A venue's decks from its file. Raises ``DeckError`` with file, place and what to do."""
    return Decks(read_enrolled(path))


def read_enrolled(path: Path) -> tuple[Enrolled, ...]:
    """The cards in a venue's file, in its order. Raises ``DeckError``."""
    try:
        found = msgspec.convert(tomllib.loads(_limited(path).decode("utf-8")), _File)
    except msgspec.ValidationError as reason:
        raise DeckError(f"{path}: {reason}. Mend that entry; the decks are {', '.join(DECKS)}.") from None
    except (ValueError, RecursionError) as reason:
        raise DeckError(f"{path} is not a TOML file: {toml_fault(reason)}. Mend it there.") from None
    cards: dict[str, Enrolled] = {}
    for each in found.sets:
        for uid, card in each.cards.items():
            enrolled = Enrolled(uid, each.pack, each.deck, each.seat, card)
            _stands_for(enrolled)
            if uid in cards:
                raise DeckError(f"{path}: {uid} is {cards[uid].words} and {enrolled.words}. Take one of them out.")
            if printed(uid) is not None:
                raise DeckError(f"{path}: {uid} is a printed card's code, which needs no enrolling. Take it out.")
            cards[uid] = enrolled
    return tuple(cards.values())


def write_enrolled(path: Path, cards: Iterable[Enrolled]) -> None:
    """Write a venue's file, whole or not at all. Raises ``DeckError`` when it cannot be written."""
    sets: dict[tuple[str, str, Seat], list[Enrolled]] = {}
    for each in cards:
        sets.setdefault((each.pack, each.deck, each.seat), []).append(each)
    parts = ["# The venue's bid cards: “tallybox bridge enrol” writes this file.\n"]
    for (pack, deck, seat), those in sets.items():
        parts.append(f'\n[[sets]]\npack = "{pack}"\ndeck = "{deck}"\nseat = "{seat}"\n[sets.cards]\n')
        parts += [f'{_quoted(each.uid)} = "{each.card}"\n' for each in those]
    half = path.with_name(path.name + ".new")
    try:
        with half.open("wb") as file:
            file.write("".join(parts).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as reason:
        raise DeckError(f"{path} cannot be written: {reason.strerror}. Choose another file.") from None


def printed(uid: str) -> Deck | None:
    """The built-in deck that has a printed card with this uid; ``None`` for any other uid."""
    return next((deck for deck in map(load_deck, DECKS) if uid in deck.cards), None)


def _stands_for(enrolled: Enrolled) -> DeckCard:
    deck = load_deck(enrolled.deck)
    for card in deck.set_of(enrolled.seat):
        if card.name == enrolled.card:
            return card
    names = ", ".join(card.name for card in deck.set_of(enrolled.seat))
    raise DeckError(
        f"{enrolled.uid} stands for {enrolled.card[:20]}, which the {deck.title} does not have. It has {names}."
    )


def _quoted(uid: str) -> str:
    text = uid.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _limited(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise DeckError(f"{path} is not there. “tallybox bridge enrol” makes a venue's card file.") from None
    except OSError as reason:
        raise DeckError(f"{path} cannot be read: {reason.strerror}. Look at who may read it.") from None
    if len(content) > LARGEST_FILE:
        raise DeckError(f"{path} has more than {LARGEST_FILE} bytes; it is not a venue's card file.")
    return content
