"""Which step a table is at: derived from the state, never stored."""

from __future__ import annotations

from typing import Final

from tallybox.calls import Game, Strain
from tallybox.rules.auction import WhistContract
from tallybox.rules.settings import SpadesSettings
from tallybox.seats import Seat, Side
from tallybox.table.overlay import counting, ended, laid_over, reviewed, unanswered
from tallybox.table.shown import cut_off, limit_reached, open_hand_ended
from tallybox.table.state import Hand, Step, TableState

MOST_UNEQUAL: Final = 2
"""So often two scorekeepers' entries may differ before the director is asked (C-13)."""


def step(state: TableState) -> Step:
    """The one step the table is at."""
    if state.assignment is None:
        return Step.IDLE
    if state.outcome.released:
        return Step.RELEASED
    if state.outcome.accepted is not None:
        return Step.ACCEPTED
    if state.tenure is None:
        return Step.CLAIMED if state.claimed else Step.IDLE
    if state.submitted is not None and state.outcome.reopened is None:
        return Step.SUBMITTED
    return _before_play(state) or _in_play(state)


def _before_play(state: TableState) -> Step | None:
    if state.seats_confirmed != frozenset(Side):
        return Step.SEATS
    if state.scorekeeper is None or lacks_scorekeeper(state):
        return Step.SCOREKEEPER
    if state.playing.minutes is not None and not (state.clock_started or state.clock_ended):
        return Step.CLOCK
    if round_over(state):
        return Step.SIGN
    if next_dealer(state) is None and state.hand is None:
        return Step.DRAW
    return None


def two_scorers(state: TableState) -> bool:
    """Whether each side's scorekeeper enters the result apart (C-13)."""
    settings = state.playing.ruleset.settings
    return isinstance(settings, SpadesSettings) and settings.scorers == "two"


def lacks_scorekeeper(state: TableState) -> bool:
    """Whether the second side has still to say who counts for it; a table that deals has done without (C-13)."""
    begun = state.first_dealer is not None or state.hand is not None or bool(state.hands)
    return state.other_scorekeeper is None and not begun and two_scorers(state)


def _in_play(state: TableState) -> Step:
    hand = state.hand
    if hand is None:
        return Step.NEXT
    return hand_step(hand, state)


def hand_step(hand: Hand, state: TableState) -> Step:
    """The step of the open hand: what waits for an official first, then what can be checked, then the hand's course."""
    if unanswered(state, hand):
        return Step.RULING
    if open_hand_ended(state):
        return Step.DISPUTED if disputed(hand) else Step.CHECK
    return _bidding_step(hand, state) or _result_step(hand)


def _bidding_step(hand: Hand, state: TableState) -> Step | None:
    ways = (
        (not hand.counted, Step.DEAL),
        (hand.early is not None, Step.EARLY),
        (hand.conflict is not None, Step.CONFLICT),
        (hand.turn is not None, Step.AUCTION),
        (not hand.started or needs_direction(hand, state), Step.CONTRACT),
    )
    return next((at for here, at in ways if here), None)


def _result_step(hand: Hand) -> Step:
    if len(hand.entries) == len(Side):  # equal entries are a result
        return Step.COMPARE if hand.unequal < MOST_UNEQUAL else Step.DISPUTED
    return Step.RESULT if hand.questioned or hand.entries or rest_claimed(hand) else Step.PLAY


def disputed(hand: Hand) -> bool:
    """Whether the sides have asked twice, or once about what a ruling made of the hand: then the director decides."""
    return len(hand.questioned) > (0 if hand.result is None else 1)


def rest_claimed(hand: Hand) -> bool:
    """Whether the rest of the books or tricks is one side's, so that the result is entered next (A-33)."""
    return any(known.ruling.code in ("LAYDOWN", "CLAIM") and known.ruling.proven for known in hand.rulings)


def needs_direction(hand: Hand, state: TableState) -> bool:
    """Whether the winner of a No bid has yet to say UP or DOWN (A-18)."""
    won = hand.contract(state.playing.ruleset)
    return isinstance(won, WhistContract) and won.bid.strain is Strain.NO and hand.direction is None


def round_over(state: TableState) -> bool:
    """Whether no further hand is opened: hands or limits reached, or time called with no contract locked (Q-09).

    A hand that is open stays open, unless the sheet before it was corrected and ended the round (section 3.7): it is
    kept and not counted. A sheet that the desk closed is over whatever is open (Q-44).
    """
    if state.clock_ended and (state.hand is None or cut_off(state)):
        return True
    closed = ended(state)
    if closed is not None and closed.loser is not None:
        return True
    if (state.hand is not None and not reviewed(state)) or not counting(state):
        return False
    if state.playing.ruleset.game is Game.BID_WHIST:
        return len(counting(state)) >= state.playing.hands
    return limit_reached(state)


def next_dealer(state: TableState) -> Seat | None:
    """Who deals the next hand; ``None`` while the first dealer has to be drawn (A-02, B-02, C-01, Q-46)."""
    settings = state.playing.ruleset.settings
    last = laid_over(state, state.hands[-1]) if state.hands else None
    if last is not None and last.void is not None:
        return last.dealer if settings.redeal_dealer == "same" else last.dealer.left
    if isinstance(settings, SpadesSettings) and settings.dealers:
        return settings.dealers[(next_number(state) - 1) % len(settings.dealers)]
    return last.dealer.left if last is not None else state.first_dealer


def next_number(state: TableState) -> int:
    """The number of the next hand; a void hand keeps its number (INV-4)."""
    return len(counting(state)) + 1


def draws_for_deal(state: TableState) -> bool:
    """Whether the first dealer is drawn at the table rather than printed on the sheet."""
    return state.playing.ruleset.settings.dealer_list == "draw"
