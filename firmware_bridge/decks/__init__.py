"""Decks as data: which physical card says which call. One TOML file a deck; ``deck.py`` reads them."""

from firmware_bridge.decks.deck import DECKS, Deck, DeckCard, load_deck

__all__ = ["DECKS", "Deck", "DeckCard", "load_deck"]
