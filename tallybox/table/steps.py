"""Which step a table is at: derived from the state, never stored."""

from __future__ import annotations

from tallybox.calls import Game, Strain
from tallybox.rules.auction import WhistContract
from tallybox.rules.settings import SpadesSettings
from tallybox.seats import Seat, Side
from tallybox.table.overlay import counting, ended, laid_over, reviewed
from tallybox.table.shown import limit_reached
from tallybox.table.state import Hand, Step, TableState


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
    if state.scorekeeper is None:
        return Step.SCOREKEEPER
    if state.playing.minutes is not None and not (state.clock_started or state.clock_ended):
        return Step.CLOCK
    if round_over(state):
        return Step.SIGN
    if next_dealer(state) is None and state.hand is None:
        return Step.DRAW
    return None


def _in_play(state: TableState) -> Step:
    hand = state.hand
    if hand is None:
        return Step.NEXT
    return hand_step(hand, state)


def hand_step(hand: Hand, state: TableState) -> Step:
    """The step of the open hand."""
    if not hand.counted:
        return Step.DEAL
    if hand.conflict is not None:
        return Step.CONFLICT
    if hand.turn is not None:
        return Step.AUCTION
    if not hand.started or needs_direction(hand, state):
        return Step.CONTRACT
    if hand.result is None:
        return Step.RESULT if hand.questioned else Step.PLAY
    return Step.DISPUTED if len(hand.questioned) > 1 else Step.CHECK


def needs_direction(hand: Hand, state: TableState) -> bool:
    """Whether the winner of a No bid has yet to say UP or DOWN (A-18)."""
    won = hand.contract(state.playing.ruleset)
    return isinstance(won, WhistContract) and won.bid.strain is Strain.NO and hand.direction is None


def round_over(state: TableState) -> bool:
    """Whether no further hand is opened: hands or limits reached, or time called with no contract locked (Q-09).

    A hand that is open stays open, unless the sheet before it was corrected and ended the round (section 3.7): it is
    kept and not counted. A sheet that the desk closed is over whatever is open (Q-44).
    """
    if state.clock_ended and (state.hand is None or not state.hand.locked):
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
