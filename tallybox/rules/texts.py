"""Every rule id in our own words; docs/rules.md carries the same words, so that an id on a screen can be looked up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallybox.rules.texts_defaults import DEFAULTS
from tallybox.said import Said, say

INVARIANTS: Final[Mapping[str, Said]] = {
    "INV-1": say("Bid whist: the books of both sides make 13, the kitty being the bidding side's first."),
    "INV-2": say("Spades: the four players' tricks are 0 to 13 each and make 13."),
    "INV-3": say("A hand is scored when all four calls and the result are there, or when a ruling ends it."),
    "INV-4": say(
        "A void hand or a redeal moves neither the hand number nor the dealer and brings no contract points; "
        "penalties already given stay."
    ),
    "INV-5": say("A table has exactly one hand open; asking twice for the next hand opens one."),
    "INV-6": say(
        "Bid whist totals are never below 0 with the club's rules; spades totals may be, and show their sign."
    ),
    "INV-7": say(
        "A ruling names caller, offending seat or side, code, official and time, and shows the lines it causes. "
        "A director's adjustment is written as lines of its own with its reason."
    ),
    "INV-8": say("Bid whist: exactly one side is credited with each hand, unless the hand is void."),
}

CAPITOL_CITY: Final[Mapping[str, Said]] = {
    "A-01": say("54 cards with a big and a little joker: 12 for each player and 6 for the kitty."),
    "A-02": say(
        "At the start of each round the players pull cards and the highest deals; then the deal goes clockwise."
    ),
    "A-03": say("Deal left to right, without tricks, and keep the kitty covered."),
    "A-04": say(
        "No two cards in a row go to the kitty, nor any of the first or last four; the dealer gets the last card."
    ),
    "A-05": say("Nobody picks up before the deal is complete; then all count: 12 each, 6 in the kitty."),
    "A-06": say(
        "A misdeal is: a card exposed in the deal, a wrong number of cards, too many or too few in the kitty, no "
        "kitty, one of the first or last four in the kitty, or an incomplete deck."
    ),
    "A-07": say("A misdeal found before a card is played: the same dealer deals again."),
    "A-08": say("A misdeal found after the first card: the side that caused it loses the hand."),
    "A-10": say("A call is PASS, a number 4 to 7 (high), a number with SPECIAL (low), or a number with NO (no trump)."),
    "A-11": say("One round of bidding, one call each, from the dealer's left; the dealer is last. Nobody bids back."),
    "A-12": say(
        "A bid must be higher than the one that stands. High and special of a number are one step, neither takes "
        "out the other; NO of that number is above both and below the next number."
    ),
    "A-13": say("If the first three pass, the dealer must bid at least 4, 4 SPECIAL or 4 NO."),
    "A-14": say("A bid that is too low is corrected to the next number in the same direction that beats the high bid."),
    "A-15": say("Saying “I pass” in place of “pass”, or bidding out of turn, is a Tech when the opponents call it."),
    "A-16": say(
        "Bids are repeated on request; the winner may announce the bid again before play. After the first card the "
        "sheet decides what was bid."
    ),
    "A-17": say("The bid is written down before the kitty is picked up."),
    "A-18": say("The winner of a NO bid states UP or DOWN, and discards any joker into the kitty."),
    "A-30": say("Bid made: the bidding side gets its books over six, doubled in a NO bid. All books are a Boston."),
    "A-31": say("Bid not made: the other side gets the points of the bid, doubled in a NO bid."),
    "A-32": say("The bidder concedes a set: it counts as a set."),
    "A-33": say(
        "The bidder lays down the winning books: all books that are left are the bidder's, then the hand counts as "
        "played."
    ),
    "A-34": say(
        "A renege, Tech or late misdeal by the bidders: the other side wins the hand and the points of the bid."
    ),
    "A-35": say(
        "A renege, Tech or late misdeal by the other side: the bidders win the hand and the points of their bid, "
        "not of the books."
    ),
    "A-36": say(
        "A Tech while the bidding is open: the other side wins the hand and the points of the high bid, or of the "
        "lowest bid if nobody had bid."
    ),
    "A-37": say(
        "A side that was not seated when the clock started loses each hand that is not completed: the other side "
        "gets the hand and 5 points."
    ),
}

MSO: Final[Mapping[str, Said]] = {
    "B-01": say("52 cards, 13 each; spades are always trump."),
    "B-02": say("The sheet prints who deals each hand."),
    "B-03": say("The deck is shuffled and offered for a cut before each hand."),
    "B-04": say(
        "A card exposed by the dealer, or a wrong count, voids the deal; it costs no points and is dealt again."
    ),
    "B-10": say("The player left of the dealer bids first, then each in turn, once. There is no pass."),
    "B-11": say("Bid cards: the Ace is 1, the Jack 11, the Queen 12, the King nil."),
    "B-12": say("13 has no bid card and cannot be bid; neither can 0, which is not nil."),
    "B-13": say("A Jack or Queen meant as nil is no nil: the card stands as 11 or 12."),
    "B-14": say("There is no blind nil. Both partners may bid nil, as two contracts."),
    "B-15": say("All four bids are written down before play; the bid cards stay face up."),
    "B-16": say("The numbers of two partners add up to one contract; a nil is a contract of its own."),
    "B-20": say("A number made counts 10 for each trick bid, and 1 for each trick over it, which is a bag."),
    "B-21": say("A number not made costs 10 for each trick bid, however short it falls."),
    "B-22": say("A nil made counts 100."),
    "B-23": say("A nil set costs 100; the tricks taken are bags, 1 point each."),
    "B-24": say("A nil bidder's tricks never help the partner's number."),
    "B-25": say("Two partners who both bid nil have no number to make or lose; all their tricks are bags."),
    "B-26": say("Ten bags cost 100 points, twenty reached at once cost 200; what is over ten stays on the counter."),
    "B-27": say(
        "An irregularity costs the offenders 50 or 25 points: a high spade exposed 50, another card 25, a bid "
        "out of turn 25, a corrected revoke or a refused lead out of turn by its card."
    ),
}

WORLD_SERIES: Final[Mapping[str, Said]] = {
    "C-01": say("The players draw; the highest card deals first, then the deal goes clockwise."),
    "C-02": say("The player on the dealer's right cuts."),
    "C-03": say("Cards are counted before play; any misdeal voids the hand, and costs no points."),
    "C-04": say("A bid is nil or 1 to 13, from the player left of the dealer. No blind nil, no 10 for 200."),
    "C-05": say("A bid deck is used unless both teams decline it."),
    "C-06": say("Bid cards: 0 is nil, 1 to 9 their number, Skip 10, Reverse 11, Draw Two 12, Wild 13."),
    "C-07": say("A number made counts 10 for each trick bid, and 1 for each bag."),
    "C-08": say("A number not made costs 10 for each trick bid."),
    "C-09": say("A nil counts 100 made, and costs 100 set."),
    "C-10": say("A nil bidder's tricks do not count for the partner's bid; they are bags."),
    "C-11": say("Ten bags cost 100 points."),
    "C-12": say("A game ends at 500 points, at minus 200, or after 10 hands."),
    "C-13": say("One player of each team keeps score; one sheet is signed by both partnerships."),
    "C-14": say("An established revoke loses the bid; the opponents get the value of theirs. Bags do not apply."),
    "C-15": say("A revoke corrected in time makes a penalty card and costs no points."),
    "C-16": say(
        "A bid out of turn may be accepted by either opponent, and the bidding goes on from there; declined, the "
        "same bid is repeated in turn. It costs no points."
    ),
    "C-17": say("A lead out of turn may be accepted by either opponent; otherwise it is a penalty card. No points."),
    "C-18": say(
        "The Ace, King or Queen of spades, or an Ace or King of another suit, exposed before or during the bidding "
        "costs 50."
    ),
    "C-19": say("Any other exposed card is played at the first chance and costs no points."),
    "C-20": say("The director decides whether an exposed card affects the bidding, and has the final say."),
    "C-21": say("Cheating goes before a committee; the team is disqualified from the tournament."),
    "C-22": say("The player left of the dealer leads. Spades are led when they are broken or nothing else is held."),
    "C-23": say("The text names no format; the organiser picks one."),
}

RULES: Final[Mapping[str, Said]] = {**INVARIANTS, **CAPITOL_CITY, **MSO, **WORLD_SERIES, **DEFAULTS}
"""All of them by id."""
