"""Which card says which call, for every card of every deck; and what is said about cards that do not belong."""

from __future__ import annotations

import pytest

from firmware_bridge.decks import DECKS, Deck, DeckCard, load_deck
from firmware_bridge.decks.deck import MAX_DECK_FILE, parse_deck
from firmware_bridge.errors import DeckError
from firmware_bridge.limits import MAX_UID
from tallybox.calls import NIL, PASS, Bid, Call, Direction, Game, Number, Strain, call_text
from tallybox.seats import Seat

MSO = {"Ace": "1", **{str(n): str(n) for n in range(2, 11)}, "Jack": "11", "Queen": "12", "King": "nil"}
WSOS = {
    "0": "nil",
    **{str(n): str(n) for n in range(1, 10)},
    "Skip": "10",
    "Reverse": "11",
    "Draw Two": "12",
    "Wild": "13",
}
WHIST = {
    "PASS": "pass",
    **{str(n): str(n) for n in range(4, 8)},
    **{f"{n} SPECIAL": f"{n} special" for n in range(4, 8)},
    **{f"{n} NO": f"{n} no" for n in range(4, 8)},
}


def faces(deck: Deck, seat: Seat) -> dict[str, str]:
    return {card.face: call_text(card.call) for card in deck.cards.values() if card.owner is seat}


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize(("name", "map_"), [("mso", MSO), ("wsos", WSOS), ("bid-whist", WHIST)])
def test_every_seats_set_has_every_card_with_its_call(name: str, map_: dict[str, str], seat: Seat) -> None:
    assert faces(load_deck(name), seat) == map_


def test_every_physical_card_of_every_deck_has_its_own_uid() -> None:
    uids = [uid for name in DECKS for uid in load_deck(name).cards]
    assert len(uids) == len(set(uids)) == 4 * (13 + 14 + 13)
    assert all(len(uid) <= MAX_UID and uid.isascii() for uid in uids)
    assert all(uid == card.uid for name in DECKS for uid, card in load_deck(name).cards.items())


@pytest.mark.parametrize("name", DECKS)
def test_a_card_found_by_its_call_says_that_call(name: str) -> None:
    deck = load_deck(name)
    for card in deck.cards.values():
        assert deck.uid_for(card.call, card.owner) == card.uid
        assert deck.card(card.uid) == card


def test_the_uid_names_deck_set_and_card() -> None:
    assert load_deck("mso").uid_for(NIL) == "MSO-N-K"
    assert load_deck("mso").uid_for(NIL, Seat.W) == "MSO-W-K"
    assert load_deck("wsos").uid_for(NIL, Seat.E) == "WSOS-E-0"
    assert load_deck("wsos").uid_for(Number(12), Seat.S) == "WSOS-S-D2"
    assert load_deck("bid-whist").uid_for(PASS, Seat.S) == "BW-S-P"
    assert load_deck("bid-whist").uid_for(Bid(5, Strain.SPECIAL), Seat.E) == "BW-E-5S"


def test_a_no_bid_is_laid_without_its_direction() -> None:
    deck = load_deck("bid-whist")
    assert (
        deck.uid_for(Bid(4, Strain.NO, Direction.DOWN), Seat.E) == deck.uid_for(Bid(4, Strain.NO), Seat.E) == "BW-E-4N"
    )


@pytest.mark.parametrize(
    ("name", "call", "says"),
    [
        ("mso", Number(13), "The MSO bid deck has no card for 13. Type it."),
        ("mso", Number(0), "The MSO bid deck has no card for 0. Type it."),
        ("bid-whist", Bid(8, Strain.NO), "The bid whist deck has no card for 8 NO. Type it."),
    ],
)
def test_a_call_without_a_card_is_to_be_typed(name: str, call: Call, says: str) -> None:
    with pytest.raises(DeckError) as refused:
        load_deck(name).uid_for(call)
    assert str(refused.value) == says


def test_a_jack_and_a_queen_remind_that_the_king_is_nil() -> None:
    deck = load_deck("mso")
    notes = {card.face: card.note for card in deck.cards.values() if card.note and card.owner is Seat.E}
    assert notes == {
        "Jack": "A Jack is 11. Nil is the King. The card stands; the director can be called.",
        "Queen": "A Queen is 12. Nil is the King. The card stands; the director can be called.",
    }
    assert deck.sentence_for("MSO-E-Q") == notes["Queen"]
    assert deck.sentence_for("MSO-E-K") is None


def test_a_card_of_another_deck_and_a_card_of_no_deck_are_told_apart() -> None:
    deck = load_deck("mso")
    assert (deck.card("WSOS-N-W"), deck.other_deck("WSOS-N-W")) == (None, "World Series UNO deck")
    assert (deck.card("04A1B2C3"), deck.other_deck("04A1B2C3")) == (None, None)
    assert deck.other_deck("MSO-N-K") is None
    assert deck.sentence_for("WSOS-N-W") == (
        "That card is from the World Series UNO deck. Here the MSO bid deck is in play. "
        "Lay the right card, or type the bid."
    )
    assert deck.sentence_for("04A1B2C3") == "That card is not in the MSO bid deck. Lay another card, or type the bid."


def test_a_deck_that_is_not_there_is_refused_with_the_names_of_those_that_are() -> None:
    with pytest.raises(DeckError, match=r"There is no deck “tarot”\. The decks are mso, wsos, bid-whist\."):
        load_deck("tarot")


GOOD = """name = "club"
title = "club deck"
game = "spades"
prefix = "CLUB"
[[cards]]
face = "Ace"
uid = "A"
call = "1"
"""


def test_a_clubs_own_deck_is_read() -> None:
    deck = parse_deck(GOOD, "club.toml")
    assert (deck.name, deck.title, deck.game) == ("club", "club deck", Game.SPADES)
    assert deck.card("CLUB-S-A") == DeckCard("CLUB-S-A", "Ace", Number(1), None, Seat.S)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "club.toml is not a TOML file"),
        (GOOD.replace('game = "spades"', 'game = "hearts"'), "game is one of bid_whist, spades"),
        (GOOD.replace('title = "club deck"\n', ""), "needs title"),
        (GOOD.replace('prefix = "CLUB"', 'prefix = "a club"'), "takes 1 to 8 capital letters"),
        (GOOD.replace('call = "1"', 'call = "4 special"'), "card Ace: “4 special” is not a spades bid"),
        (GOOD.split("[[", maxsplit=1)[0], r"entries \[\[cards\]\]"),
        (GOOD.split("[[", maxsplit=1)[0] + "cards = [1]", "each card is a table"),
        (GOOD + '[[cards]]\nface = "One"\nuid = "A"\ncall = "2"\n', "two cards have the uid CLUB-N-A"),
        (GOOD + '[[cards]]\nface = "One"\nuid = "B"\ncall = "1"\n', "two cards say 1"),
        (GOOD + "#" * MAX_DECK_FILE, "longer than a deck file can be"),
    ],
)
def test_a_deck_file_that_cannot_be_used_says_what_to_mend(text: str, says: str) -> None:
    with pytest.raises(DeckError, match=says):
        parse_deck(text, "club.toml")
