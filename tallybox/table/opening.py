"""From the claim to four counted hands: who sits where, who keeps the sheet, who deals."""

from __future__ import annotations

from dataclasses import replace

from tallybox.events.table import (
    ClaimMade,
    DealerDrawn,
    HandCounted,
    HandOpened,
    HandVoided,
    ScorekeeperChosen,
    SeatsConfirmed,
)
from tallybox.table.entry import Entry
from tallybox.table.refused import require
from tallybox.table.state import Hand, Step, TableState
from tallybox.table.steps import draws_for_deal, next_dealer, next_number, round_over, step


def claim_made(state: TableState, entry: Entry, body: ClaimMade) -> TableState:
    """A request to speak for the table; the hub answers with a tenure."""
    return replace(state, claimed=True)


def seats_confirmed(state: TableState, entry: Entry, body: SeatsConfirmed) -> TableState:
    """One side says it is the right team, in the right seats."""
    team = state.playing.teams[body.side]
    require(
        body.team == team.number,
        "wrong-team",
        f"Team {team.number} plays {body.side} here. Team {body.team} sits at another table; look at the pairings.",
    )
    require(step(state) is Step.SEATS, "seats-known", "Both sides have confirmed their seats already.")
    return replace(state, seats_confirmed=state.seats_confirmed | {body.side})


def scorekeeper_chosen(state: TableState, entry: Entry, body: ScorekeeperChosen) -> TableState:
    """Who keeps the sheet; may be said again by consent."""
    require(state.seats_confirmed, "seats-first", "First both sides confirm their seats.")
    return replace(state, scorekeeper=body.seat)


def dealer_drawn(state: TableState, entry: Entry, body: DealerDrawn) -> TableState:
    """The seat that pulled the highest card deals the first hand (A-02, C-01)."""
    require(draws_for_deal(state), "dealer-printed", "The sheet says who deals; there is no draw.")
    require(step(state) is Step.DRAW, "dealer-known", "The first dealer is known already.")
    return replace(state, first_dealer=body.seat)


def hand_opened(state: TableState, entry: Entry, body: HandOpened) -> TableState:
    """The next deal. A hand opens once, with the number and the dealer that follow (INV-4, INV-5)."""
    require(state.hand is None, "hand-open", f"Hand {state.hand.number if state.hand else 0} is still open.")
    require(not state.clock_ended, "time-is-up", "Time is up: no new hand begins.")
    require(not round_over(state), "round-over", "The round is over: no further hand is dealt.")
    dealer = next_dealer(state)
    require(dealer is not None, "no-dealer", "First say who drew the highest card and deals.")
    require(
        body.hand == next_number(state) and body.dealer is dealer,
        "other-hand",
        f"Hand {next_number(state)}, dealt by {dealer.word if dealer else ''}, is next.",
    )
    return replace(state, hand=Hand(number=body.hand, dealer=body.dealer, opened=entry.id), readings=dict(state.readings))


def hand_counted(state: TableState, entry: Entry, body: HandCounted) -> TableState:
    """Everyone has the right number of cards (A-05); the bidding starts."""
    hand = open_hand(state, body.hand)
    require(not hand.counted, "counted", "The cards of this hand are counted already.")
    return state.with_hand(replace(hand, counted=True))


def hand_voided(state: TableState, entry: Entry, body: HandVoided) -> TableState:
    """The deal does not count: same dealer, same number, nothing scored (A-07, B-04, INV-4)."""
    hand = open_hand(state, body.hand)
    require(
        not hand.started or body.reason == "director",
        "card-played",
        "A card has been played, so this deal stands. Ask the director.",
    )
    void = replace(hand, void=body.reason, recorded=entry.id)
    return replace(state, hand=None, hands=(*state.hands, void))


def open_hand(state: TableState, number: int) -> Hand:
    """The open hand, if it is the one the event speaks of; refuses otherwise."""
    hand = state.hand
    require(hand is not None, "no-hand", f"Hand {number} is not open. The next deal opens it.")
    assert hand is not None
    require(hand.number == number, "other-hand", f"Hand {hand.number} is open, not hand {number}.")
    return hand
