"""Decks as data: which physical card says which call. One TOML file a deck; ``deck.py`` reads them."""

from firmware_bridge.decks.deck import DECKS, Deck, DeckCard, load_deck
from firmware_bridge.decks.venue import BUILT_IN, Decks, read_decks

__all__ = ["BUILT_IN", "DECKS", "Deck", "DeckCard", "Decks", "load_deck", "read_decks"]
