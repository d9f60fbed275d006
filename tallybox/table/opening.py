"""From the claim to four counted hands: who sits where, who keeps the sheet, who deals."""

from __future__ import annotations

from tallybox.calls import Game
from tallybox.events.rulings import BidDeckWaived, SeatsSwapped
from tallybox.events.table import (
    ClaimMade,
    DealerDrawn,
    HandCounted,
    HandOpened,
    HandVoided,
    ScorekeeperChosen,
    SeatsConfirmed,
)
from tallybox.renewed import renewed
from tallybox.rules.settings import SpadesSettings
from tallybox.said import say
from tallybox.seats import Side
from tallybox.table.entry import Entry
from tallybox.table.overlay import counting, unanswered
from tallybox.table.refused import NotNow, require
from tallybox.table.shown import ended_here
from tallybox.table.state import Hand, Step, TableState
from tallybox.table.steps import draws_for_deal, next_dealer, next_number, round_over, step, two_scorers


def claim_made(state: TableState, entry: Entry, body: ClaimMade) -> TableState:
    """A request to speak for the table; the hub answers with a tenure."""
    return renewed(state, claimed=True)


def seats_confirmed(state: TableState, entry: Entry, body: SeatsConfirmed) -> TableState:
    """One side says it is the right team, in the right seats."""
    team = state.teams[body.side]
    require(
        body.team == team.number,
        "wrong-team",
        say(
            "Team {number} plays {side} here. Team {other} sits at another table; look at the pairings.",
            number=team.number,
            side=body.side,
            other=body.team,
        ),
    )
    require(step(state) is Step.SEATS, "seats-known", "Both sides have confirmed their seats already.")
    return renewed(state, seats_confirmed=state.seats_confirmed | {body.side})


def seats_swapped(state: TableState, entry: Entry, body: SeatsSwapped) -> TableState:
    """Sides or partners change seats before the first deal, and say again that they sit right.

    An official may change the sides until a hand is recorded, and needs nobody's word for it.
    """
    if body.official is None:
        require(state.hand is None and not state.hands, "dealt", "Cards have been dealt. Only an official swaps seats.")
    require(not counting(state), "recorded", "A hand is recorded: the teams stay where they sit.")
    if body.side is not None:
        require(state.hand is None, "dealt", "Cards have been dealt: partners keep their seats for this hand.")
        swapped = renewed(state, turned=state.turned ^ {body.side})
        again = frozenset({body.side})
    else:
        swapped = renewed(state, swapped=not state.swapped, turned=frozenset())
        again = frozenset(Side)
    if body.official is not None:
        return swapped
    return renewed(swapped, seats_confirmed=state.seats_confirmed - again, first_dealer=None)


def bid_deck_waived(state: TableState, entry: Entry, body: BidDeckWaived) -> TableState:
    """One side declines the bid deck; only when both do are bids typed and no card read for them (C-05)."""
    settings = state.playing.ruleset.settings
    require(
        isinstance(settings, SpadesSettings) and settings.bid_deck == "waive_by_both",
        "no-waiver",
        "These rules do not let a table decline the bid cards.",
    )
    begun = state.hands or (state.hand is not None and state.hand.counted)
    require(not begun, "bidding-begun", "The bidding has begun: the bid deck stays as it was agreed.")
    require(state.seats_confirmed == frozenset(Side), "seats-first", "First both sides confirm their seats.")
    require(
        body.side not in state.deck_waived,
        "waived",
        say("{side} have declined the bid deck already.", side=body.side.word),
    )
    return renewed(state, deck_waived=state.deck_waived | {body.side})


def scorekeeper_chosen(state: TableState, entry: Entry, body: ScorekeeperChosen) -> TableState:
    """Who keeps the sheet, or, where two enter apart, who does for this side (C-13); may be said again by consent."""
    require(state.seats_confirmed, "seats-first", "First both sides confirm their seats.")
    first = state.scorekeeper
    if first is None or first.side is body.seat.side or not two_scorers(state):
        return renewed(state, scorekeeper=body.seat)
    return renewed(state, other_scorekeeper=body.seat)


def dealer_drawn(state: TableState, entry: Entry, body: DealerDrawn) -> TableState:
    """The seat that pulled the highest card deals the first hand (A-02, C-01)."""
    require(draws_for_deal(state), "dealer-printed", "The sheet says who deals; there is no draw.")
    require(step(_seated(state)) is Step.DRAW, "dealer-known", "The first dealer is known already.")
    return renewed(state, first_dealer=body.seat)


def _seated(state: TableState) -> TableState:
    """The table as a journal from before two scorekeepers were chosen has it: one was enough to draw (C-13)."""
    return state if state.other_scorekeeper is not None else renewed(state, other_scorekeeper=state.scorekeeper)


def hand_opened(state: TableState, entry: Entry, body: HandOpened) -> TableState:
    """The next deal. A hand opens once, with the number and the dealer that follow (INV-4, INV-5)."""
    require(
        state.hand is None, "hand-open", say("Hand {hand} is still open.", hand=state.hand.number if state.hand else 0)
    )
    require(not state.clock_ended, "time-is-up", "Time is up: no new hand begins.")
    require(not round_over(state), "round-over", "The round is over: no further hand is dealt.")
    dealer = next_dealer(state)
    require(dealer is not None, "no-dealer", "First say who drew the highest card and deals.")
    require(
        body.hand == next_number(state) and body.dealer is dealer,
        "other-hand",
        say("Hand {hand}, dealt by {seat}, is next.", hand=next_number(state), seat=dealer.word if dealer else ""),
    )
    return renewed(
        state, hand=Hand(number=body.hand, dealer=body.dealer, opened=entry.id), readings=dict(state.readings)
    )


def hand_counted(state: TableState, entry: Entry, body: HandCounted) -> TableState:
    """Everyone has the right number of cards (A-05); the bidding starts."""
    hand = going_on(state, body.hand)
    require(not hand.counted, "counted", "The cards of this hand are counted already.")
    return state.with_hand(renewed(hand, counted=True))


def hand_voided(state: TableState, entry: Entry, body: HandVoided) -> TableState:
    """The deal does not count: same dealer, same number, nothing scored (A-07, B-04, INV-4)."""
    hand = open_hand(state, body.hand) if body.official is not None else going_on(state, body.hand)
    if hand.started and state.playing.ruleset.game is Game.BID_WHIST:
        late = say("A card has been played: a misdeal found now costs a side the hand. Call it under Irregularity.")
    else:
        late = say("A card has been played, so this deal stands. Ask the director.")
    require(body.official is not None or not hand.started, "card-played", late)
    void = renewed(hand, void=body.reason, recorded=entry.id)
    return renewed(state, hand=None, hands=(*state.hands, void))


def going_on(state: TableState, number: int) -> Hand:
    """The open hand while play can go on; refuses while an official is waited for, or once a ruling ended it here."""
    hand = open_hand(state, number)
    require(
        not unanswered(state, hand),
        "waiting",
        "An irregularity waits for an official. Keep your cards; both sides together can withdraw it.",
    )
    require(not ended_here(state, hand), "hand-ended", "A ruling ended this hand. Both sides check its score.")
    return hand


def open_hand(state: TableState, number: int) -> Hand:
    """The open hand, if it is the one the event speaks of; refuses otherwise."""
    hand = state.hand
    if hand is None:
        raise NotNow("no-hand", say("Hand {hand} is not open. The next deal opens it.", hand=number))
    if hand.number != number:
        said = say("Hand {hand} is open, not hand {other}.", hand=hand.number, other=number)
        raise NotNow("other-hand", said)
    return hand
