"""Bids before their turn in spades: the other side lets them stand or not (B-27, C-16, Q-38 to Q-40).

Bid whist has none: there a call out of turn is at most a Tech, and only if the opponents call it (A-15).
"""

from __future__ import annotations

from tallybox.events.rulings import OutOfTurnAccepted, OutOfTurnDeclined, OutOfTurnMade
from tallybox.renewed import renewed
from tallybox.rules import spades_auction
from tallybox.rules.hand import Ruling
from tallybox.rules.settings import SpadesSettings
from tallybox.said import say
from tallybox.seats import Seat
from tallybox.table.bidding import from_its_card, in_auction, scores_later, spoken
from tallybox.table.entry import Entry
from tallybox.table.opening import going_on
from tallybox.table.refused import NotNow, require
from tallybox.table.state import Called, Early, Hand, HandRuling, TableState


def may_call_out_of_turn(state: TableState, seat: Seat) -> bool:
    """Whether a bid of this seat now would be one before its turn that the other side has to answer."""
    try:
        _before_its_turn(state, 0 if state.hand is None else state.hand.number, seat)
    except NotNow:
        return False
    return True


def out_of_turn_made(state: TableState, entry: Entry, body: OutOfTurnMade) -> TableState:
    """A seat bid before its turn: nobody goes on before the other side has answered."""
    hand, settings = _before_its_turn(state, body.hand, body.seat)
    call = spoken(state, body.call)
    from_its_card(state, body.seat, body.source, body.reading, call)
    verdict = spades_auction.judge(settings, body.seat, hand.made, call, hand.locked_calls)
    require(verdict.legal, verdict.code, verdict.message)
    early = Early(entry.id, body.seat, call, body.source, body.reading)
    return state.with_hand(renewed(hand, early=early))


def out_of_turn_accepted(state: TableState, entry: Entry, body: OutOfTurnAccepted) -> TableState:
    """The early bid stands: the bidding goes on to its left, and seats that were passed over bid in order after it."""
    hand, early = _answered(state, body)
    made = Called(early.id, early.seat, early.call, early.source, early.reading)
    bid = renewed(hand, calls=(*hand.calls, made), accepted_early=(*hand.accepted_early, early.id))
    scores_later(state, bid)
    return state.with_hand(_ruled(bid, entry, early, accepted=True))


def out_of_turn_declined(state: TableState, entry: Entry, body: OutOfTurnDeclined) -> TableState:
    """The early bid is off: the proper seat bids, and some rules want the same bid repeated in its turn (C-16)."""
    hand, early = _answered(state, body)
    settings = state.playing.ruleset.settings
    locks = isinstance(settings, SpadesSettings) and settings.declined_bid_locked
    locked = {**hand.locked_calls, early.seat: early.call} if locks else hand.locked_calls
    return state.with_hand(_ruled(renewed(hand, locked_calls=locked), entry, early, accepted=False))


def _before_its_turn(state: TableState, number: int, seat: Seat) -> tuple[Hand, SpadesSettings]:
    hand = in_auction(state, number)
    settings = state.playing.ruleset.settings
    if not isinstance(settings, SpadesSettings):
        raise NotNow(
            "no-early-call",
            "A call out of turn does not count in bid whist. The opponents can call an official for a Tech.",
        )
    on_turn = hand.turn
    require(on_turn is not None, "auction-over", "All four have called. Bidding back is not allowed.")
    require(hand.call_of(seat) is None, "has-called", say("{seat} has bid already.", seat=seat.word))
    require(on_turn is not seat, "in-turn", say("It is {seat}'s turn: the bid counts as it is.", seat=seat.word))
    return hand, settings


def _answered(state: TableState, body: OutOfTurnAccepted | OutOfTurnDeclined) -> tuple[Hand, Early]:
    hand = going_on(state, body.hand)
    early = hand.early
    require(
        early is not None and early.id == body.made, "no-early-call", "No bid before its turn waits for an answer here."
    )
    assert early is not None
    require(
        body.seat.side is early.seat.side.other,
        "own-side",
        say("{side} say whether {seat}'s bid stands.", side=early.seat.side.other.word, seat=early.seat.word),
    )
    return hand, early


def _ruled(hand: Hand, entry: Entry, early: Early, *, accepted: bool) -> Hand:
    ruling = Ruling("BID_TURN", side=early.seat.side, seat=early.seat, accepted=accepted)
    return renewed(hand, early=None, rulings=(*hand.rulings, HandRuling(entry.id, ruling, by="", raised=early.id)))
