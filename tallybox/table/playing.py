"""From the first card to the recorded hand: result, the check by both sides, and the record."""

from __future__ import annotations

from dataclasses import replace

from tallybox.errors import SheetError
from tallybox.events.table import HandChecked, HandQuestioned, HandRecorded, PlayStarted, ResultEntered
from tallybox.seats import Side
from tallybox.table.entry import Entry
from tallybox.table.opening import open_hand
from tallybox.table.refused import NotNow, require
from tallybox.table.shown import facts_json, lines_digest, open_hand_score
from tallybox.table.state import Result, TableState
from tallybox.table.steps import needs_direction


def play_started(state: TableState, entry: Entry, body: PlayStarted) -> TableState:
    """The first card lies; the bids can no longer be changed at the table (A-16)."""
    hand = open_hand(state, body.hand)
    require(hand.locked, "not-locked", "First the bid goes on record.")
    require(not needs_direction(hand, state), "no-direction", "First the bidder says UP or DOWN.")
    require(not hand.started, "card-played", "Play has started already.")
    return state.with_hand(replace(hand, started=True))


def result_entered(state: TableState, entry: Entry, body: ResultEntered) -> TableState:
    """What was taken; must fit the deck (INV-1, INV-2). A later one supersedes the earlier and clears the checks."""
    hand = open_hand(state, body.hand)
    require(hand.started, "no-card-played", "No card has been played yet.")
    if hand.result is not None:
        require(
            hand.result.id in entry.supersedes,
            "result-known",
            "A result is entered already; a new one has to say that it replaces it.",
        )
    entered = replace(hand, result=Result(entry.id, body.books, body.tricks), checked=frozenset())
    changed = state.with_hand(entered)
    try:
        open_hand_score(changed)
    except SheetError as reason:
        raise NotNow(reason.code, reason.message) from None
    return changed


def hand_questioned(state: TableState, entry: Entry, body: HandQuestioned) -> TableState:
    """A side says that something is wrong: back to the result; a second time the director decides."""
    hand = open_hand(state, body.hand)
    require(hand.result is not None, "no-result", "Nothing is entered yet that could be wrong.")
    questioned = (*hand.questioned, body.side)
    result = None if len(questioned) == 1 else hand.result
    return state.with_hand(replace(hand, questioned=questioned, checked=frozenset(), result=result))


def hand_checked(state: TableState, entry: Entry, body: HandChecked) -> TableState:
    """A side agrees with exactly the lines it was shown."""
    hand = open_hand(state, body.hand)
    require(hand.result is not None, "no-result", "First the result is entered.")
    require(
        body.lines == lines_digest(open_hand_score(state)),
        "lines-changed",
        "The score changed while it was being checked. Look at it once more.",
    )
    return state.with_hand(replace(hand, checked=hand.checked | {body.side}))


def hand_recorded(state: TableState, entry: Entry, body: HandRecorded) -> TableState:
    """Both sides agreed; facts, ruleset and lines must be those of this table's own fold."""
    hand = open_hand(state, body.hand)
    require(hand.checked == frozenset(Side), "not-checked", "Both sides have to agree before the hand is recorded.")
    require(body.ruleset == state.playing.ruleset.digest, "other-ruleset", "The hand was scored by another ruleset.")
    require(
        body.facts == facts_json(hand) and body.lines == lines_digest(open_hand_score(state)),
        "other-facts",
        "The recorded hand is not the one that both sides checked.",
    )
    return replace(state, hand=None, hands=(*state.hands, replace(hand, recorded=entry.id)))
