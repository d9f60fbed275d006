"""What the box adds and no person taps: the record of a checked hand, and the next deal. Pure."""

from __future__ import annotations

from tallybox.errors import SheetError
from tallybox.events.table import Body, HandChecked, HandOpened, HandRecorded, SheetSubmitted
from tallybox.seats import Side
from tallybox.table.entry import Entry
from tallybox.table.shown import agreed_now, facts_json, lines_digest, open_hand_score
from tallybox.table.state import Hand, Step, TableState
from tallybox.table.steps import next_dealer, next_number


def record(state: TableState, entries: tuple[Entry, ...]) -> HandRecorded | None:
    """The record of the open hand once both sides agreed; not again what was refused already."""
    hand = state.hand
    if hand is None or agreed_now(state) != frozenset(Side):
        return None
    try:
        lines = lines_digest(open_hand_score(state))
    except SheetError:
        return None
    made = HandRecorded(
        hand=hand.number, facts=dict(facts_json(hand)), ruleset=state.playing.ruleset.digest, lines=lines
    )
    return None if was_refused(state, entries, made) else made


def next_deal(state: TableState, at: Step) -> HandOpened | None:
    """The next hand, when the table is between two hands; whether it may begin now is the caller's to know."""
    dealer = next_dealer(state) if at is Step.NEXT else None
    return None if dealer is None else HandOpened(hand=next_number(state), dealer=dealer)


def was_refused(state: TableState, entries: tuple[Entry, ...], body: Body) -> bool:
    """Whether exactly this was journalled before and stands refused."""
    open_ids = {refusal.id for refusal in state.refused}
    return any(entry.id in open_ids and entry.body == body for entry in entries)


def happened(state: TableState, body: Body) -> bool:
    """Whether the act is done already, as after a second tap (INV-5): then nothing is written and nothing is wrong."""
    hand = state.hand
    match body:
        case HandOpened():
            return hand is not None and (hand.number, hand.dealer) == (body.hand, body.dealer)
        case HandChecked() | HandRecorded(official=None):
            recorded = any(done.number == body.hand and done.void is None for done in state.hands)
            return recorded and (hand is None or hand.number != body.hand)
        case SheetSubmitted():
            return state.submitted == body.digest and state.outcome.reopened is None
    return False


def just_recorded(state: TableState) -> Hand | None:
    """The hand whose check is still on the screen: recorded, and no other opened since."""
    last = state.hands[-1] if state.hands and state.hand is None else None
    return last if last is not None and last.void is None else None
