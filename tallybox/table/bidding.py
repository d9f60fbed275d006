"""The auction: cards as they fall, calls in turn, and the two sources when they differ."""

from __future__ import annotations

from typing import Final

from tallybox.calls import Bid, Call, Direction, Strain, call_words, parse_call
from tallybox.errors import CallError
from tallybox.events.table import (
    CallMade,
    CallTakenBack,
    CardRead,
    CardRemoved,
    ContractLocked,
    DirectionStated,
    ReadingResolved,
)
from tallybox.renewed import renewed
from tallybox.rules.auction import Made, WhistContract, judge
from tallybox.rules.settings import SpadesSettings
from tallybox.rules.spades_auction import deck_in_use
from tallybox.rules.spades_auction import judge as judge_spades
from tallybox.said import say
from tallybox.seats import Seat, calling_order
from tallybox.table.entry import Entry
from tallybox.table.opening import going_on
from tallybox.table.refused import NotNow, require
from tallybox.table.state import Called, Conflict, Hand, Reading, TableState

MOST_UNDER: Final = 7
"""Cards remembered under the last one at a seat; a reader tells of no more than eight in all."""


def card_read(state: TableState, entry: Entry, body: CardRead) -> TableState:
    """A card lies on a reader. It never changes a call by itself; it may raise the question which one stands."""
    call = None if body.call is None else spoken(state, body.call)
    others = tuple(reading for reading in state.lying(body.seat) if reading.card != body.card)
    laid = Reading(entry.id, body.card, call, body.stamp)
    state = state.with_lying(body.seat, (*others[-MOST_UNDER:], laid))
    hand = state.hand
    if hand is None or hand.locked or call is None or hand.conflict is not None or not deck_lies(state):
        return state
    last = hand.calls[-1] if hand.calls else None
    if last is None or last.seat is not body.seat or last.source != "typed":
        return state
    if call in (last.call, hand.improper.get(body.seat)):
        return state
    return state.with_hand(renewed(hand, conflict=Conflict(body.seat, call, last, entry.id)))


def card_removed(state: TableState, entry: Entry, body: CardRemoved) -> TableState:
    """A card was lifted; the call it made stands, and a card under it lies there still."""
    left = tuple(reading for reading in state.lying(body.seat) if reading.card != body.card)
    return state if left == state.lying(body.seat) else state.with_lying(body.seat, left)


def call_made(state: TableState, entry: Entry, body: CallMade) -> TableState:
    """The seat on turn calls; only a legal call counts (A-12, B-10)."""
    hand = in_auction(state, body.hand)
    call = spoken(state, body.call)
    said = None if body.said is None else spoken(state, body.said)
    from_its_card(state, body.seat, body.source, body.reading, call if said is None else said)
    allowed(state, hand, body.seat, call)
    if said is not None:
        _improper(state, hand, said, call)
        hand = renewed(hand, improper={**hand.improper, body.seat: said})
    made = Called(entry.id, body.seat, call, body.source, body.reading)
    return state.with_hand(_with_call(state, hand, made))


def call_taken_back(state: TableState, entry: Entry, body: CallTakenBack) -> TableState:
    """The last call is undone; earlier ones stand. After the contract is locked the record governs (A-16)."""
    hand = going_on(state, body.hand)
    require(not hand.locked, "locked", "The contract is on record. Ask the director to change it.")
    if hand.early is not None and hand.early.seat is body.seat and hand.early.id in entry.supersedes:
        return state.with_hand(renewed(hand, early=None))
    last = hand.calls[-1] if hand.calls else None
    require(last is not None, "no-call", "Nobody has called yet.")
    assert last is not None
    require(
        last.seat is body.seat and last.id in entry.supersedes,
        "not-the-last",
        say("Only the last call can be taken back: {seat}'s {call}.", seat=last.seat.word, call=call_words(last.call)),
    )
    return state.with_hand(_without_last(hand))


def reading_resolved(state: TableState, entry: Entry, body: ReadingResolved) -> TableState:
    """The table asked the seat and says which of the two stands, or that it bids again."""
    hand = going_on(state, body.hand)
    conflict = hand.conflict
    require(
        conflict is not None and conflict.seat is body.seat,
        "no-conflict",
        "Card and typed call do not differ here; there is nothing to settle.",
    )
    assert conflict is not None
    before = _without_last(hand)
    if body.stands == "typed":
        return state.with_hand(renewed(hand, conflict=None))
    if body.stands is None:
        return state.with_hand(before)
    allowed(state, before, body.seat, conflict.read)
    made = Called(entry.id, body.seat, conflict.read, "scanned", conflict.reading)
    return state.with_hand(_with_call(state, before, made))


def contract_locked(state: TableState, entry: Entry, body: ContractLocked) -> TableState:
    """The four calls are on record (A-17, B-15)."""
    hand = going_on(state, body.hand)
    require(hand.conflict is None, "conflict", "First say which call stands: the card or the typed one.")
    require(hand.contract(state.playing.ruleset), "calls-missing", "Not everyone has called yet.")
    require(not hand.locked, "locked", "The contract is on record already.")
    return state.with_hand(renewed(hand, locked=True))


def direction_stated(state: TableState, entry: Entry, body: DirectionStated) -> TableState:
    """UP or DOWN, by the winner of a No bid, until the first card is played (A-18)."""
    hand = going_on(state, body.hand)
    won = hand.contract(state.playing.ruleset)
    require(
        hand.locked and isinstance(won, WhistContract) and won.bid.strain is Strain.NO,
        "no-direction",
        "Only the winner of a No bid says UP or DOWN, once the bid is on record.",
    )
    require(not hand.started, "card-played", "A card has been played: the direction stands.")
    return state.with_hand(renewed(hand, direction=Direction(body.direction)))


def spoken(state: TableState, text: str) -> Call:
    """The call an event spells; refuses what is none, and a direction, which is stated later."""
    try:
        call = parse_call(state.playing.ruleset.game, text)
    except CallError as reason:
        raise NotNow(reason.code, reason.message) from None
    return call.stated if isinstance(call, Bid) else call


def in_auction(state: TableState, number: int) -> Hand:
    """The open hand while it is being bid; refuses otherwise."""
    hand = going_on(state, number)
    require(hand.counted, "not-counted", "First everyone counts their cards.")
    require(not hand.locked, "locked", "The contract is on record: the bidding is over.")
    if hand.early is not None:
        early = hand.early.seat.word
        raise NotNow(
            "early-call",
            say("{seat} bid before the turn. First the other side says whether that stands.", seat=early),
        )
    require(hand.conflict is None, "conflict", "First say which call stands: the card or the typed one.")
    return hand


def allowed(state: TableState, hand: Hand, seat: Seat, call: Call) -> None:
    """Refuse a call out of turn or one that the rules do not allow, in the rule's words."""
    on_turn = hand.turn
    require(on_turn is not None, "auction-over", "All four have called. Bidding back is not allowed.")
    assert on_turn is not None
    if on_turn is not seat:
        raise NotNow("out-of-turn", say("{turn} bids now, not {seat}.", turn=on_turn.word, seat=seat.word))
    verdict = judge(state.playing.ruleset, hand.dealer, hand.made, call, hand.locked_calls)
    require(verdict.legal, verdict.code, verdict.message)


def from_its_card(state: TableState, seat: Seat, source: str, reading: str | None, call: Call) -> None:
    """Refuse a call that names a card which does not lie there, or lies there and says something else."""
    if source == "typed":
        require(reading is None, "typed-card", "A typed call names no card.")
        return
    require(deck_lies(state), "no-deck", "Both sides declined the bid deck. Type the call.")
    lying = state.readings.get(seat)
    if lying is None or lying.id != reading or lying.call != call:
        said = say(
            "No card that says {call} lies at {seat}. Lay it again, or type the call.", call=call_words(call),
            seat=seat.word,
        )  # fmt: skip
        raise NotNow("reading-differs", said)


def deck_lies(state: TableState) -> bool:
    """Whether bids are laid as cards at this table: always, unless both sides declined the deck (C-05)."""
    settings = state.playing.ruleset.settings
    return not isinstance(settings, SpadesSettings) or deck_in_use(settings, state.deck_waived)


def scores_later(state: TableState, hand: Hand) -> None:
    """Refuse a call that is legal as it was made and not in the sheet's order, from the dealer's left on.

    The two differ only after a bid out of turn was accepted, in rules with a lowest bid of a team (Q-32).
    """
    settings = state.playing.ruleset.settings
    if not hand.accepted_early or not isinstance(settings, SpadesSettings):
        return
    made: tuple[Made, ...] = ()
    for seat in calling_order(hand.dealer):
        called = hand.call_of(seat)
        if called is not None:
            verdict = judge_spades(settings, seat, made, called.call, {})
            require(verdict.legal, verdict.code, verdict.message)
            made = (*made, called.made)


def _with_call(state: TableState, hand: Hand, made: Called) -> Hand:
    after = renewed(hand, calls=(*hand.calls, made))
    scores_later(state, after)
    return after


def _without_last(hand: Hand) -> Hand:
    """The hand before its last call, with what hangs on that call: its correction, its bid out of turn."""
    gone = hand.calls[-1]
    return renewed(
        hand,
        calls=hand.calls[:-1],
        conflict=None,
        improper={seat: said for seat, said in hand.improper.items() if seat is not gone.seat},
        accepted_early=tuple(name for name in hand.accepted_early if name != gone.id),
        rulings=tuple(ruling for ruling in hand.rulings if ruling.raised != gone.id),
    )


def _improper(state: TableState, hand: Hand, said: Call, call: Call) -> None:
    """Refuse a correction that the rules do not demand: the next number in the same direction (A-14, Q-15e)."""
    verdict = judge(state.playing.ruleset, hand.dealer, hand.made, said)
    require(
        not verdict.legal,
        "not-improper",
        say("{call} is a call that counts. Record it as it was said.", call=call_words(said)),
    )
    require(
        verdict.correction == call,
        "other-correction",
        verdict.message,
    )
