"""From the first card to the recorded hand: result, the check by both sides, and the record."""

from __future__ import annotations

from tallybox.errors import SheetError
from tallybox.events.table import HandChecked, HandQuestioned, HandRecorded, PlayStarted, ResultEntered
from tallybox.renewed import renewed
from tallybox.seats import Side
from tallybox.table.entry import Entry
from tallybox.table.opening import going_on, open_hand
from tallybox.table.overlay import unanswered
from tallybox.table.refused import NotNow, require
from tallybox.table.shown import facts_json, lines_digest, open_hand_ended, open_hand_score
from tallybox.table.state import Hand, Result, TableState
from tallybox.table.steps import needs_direction, two_scorers


def play_started(state: TableState, entry: Entry, body: PlayStarted) -> TableState:
    """The first card lies; the bids can no longer be changed at the table (A-16)."""
    hand = going_on(state, body.hand)
    require(hand.locked, "not-locked", "First the bid goes on record.")
    require(not needs_direction(hand, state), "no-direction", "First the bidder says UP or DOWN.")
    require(not hand.started, "card-played", "Play has started already.")
    return state.with_hand(renewed(hand, started=True))


def result_entered(state: TableState, entry: Entry, body: ResultEntered) -> TableState:
    """What was taken; must fit the deck (INV-1, INV-2). A later one supersedes the earlier and clears the checks.

    Where two scorekeepers enter apart, their entries are compared: equal ones are the result (C-13).
    """
    hand = going_on(state, body.hand)
    require(hand.started, "no-card-played", "No card has been played yet.")
    entered = Result(entry.id, body.books, body.tricks)
    _fits(state, renewed(hand, result=entered))
    before = hand.result if body.scorer is None else hand.entries.get(body.scorer)
    if before is not None:
        require(
            before.id in entry.supersedes,
            "result-known",
            "A result is entered already; a new one has to say that it replaces it.",
        )
    if body.scorer is None:
        return state.with_hand(renewed(hand, result=entered, entries={}, checked=frozenset()))
    require(two_scorers(state), "one-scorer", "One scorekeeper enters the result at this table.")
    return state.with_hand(_compared(renewed(hand, entries={**hand.entries, body.scorer: entered}), entered))


def _compared(hand: Hand, last: Result) -> Hand:
    """The hand with the last entry as its result if the other side entered the same; without a result if not."""
    hand = renewed(hand, result=None, checked=frozenset())
    if len(hand.entries) < len(Side):
        return hand
    if hand.entries[Side.NS].tricks == hand.entries[Side.EW].tricks:
        return renewed(hand, result=last)
    return renewed(hand, unequal=hand.unequal + 1)


def _fits(state: TableState, hand: Hand) -> None:
    try:
        open_hand_score(state.with_hand(hand))
    except SheetError as reason:
        raise NotNow(reason.code, reason.message) from None


def hand_questioned(state: TableState, entry: Entry, body: HandQuestioned) -> TableState:
    """A side says that something is wrong: back to the result; a second time the director decides.

    A concession is taken back with it; what an official ruled stands until an official rules otherwise.
    """
    hand = open_hand(state, body.hand)
    require(open_hand_ended(state), "no-result", "Nothing is entered yet that could be wrong.")
    _nothing_waits(state, hand)
    asked = renewed(hand, questioned=(*hand.questioned, body.side), checked=frozenset())
    if hand.questioned:
        return state.with_hand(asked)
    kept = tuple(known for known in hand.rulings if known.id != hand.conceded)
    return state.with_hand(renewed(asked, result=None, entries={}, unequal=0, conceded=None, rulings=kept))


def hand_checked(state: TableState, entry: Entry, body: HandChecked) -> TableState:
    """A side agrees with exactly the lines it was shown."""
    hand = open_hand(state, body.hand)
    require(open_hand_ended(state), "no-result", "First the result is entered.")
    _nothing_waits(state, hand)
    require(
        body.lines == lines_digest(open_hand_score(state)),
        "lines-changed",
        "The score changed while it was being checked. Look at it once more.",
    )
    others = hand.checked if hand.agreed == body.lines else frozenset()
    return state.with_hand(renewed(hand, checked=others | {body.side}, agreed=body.lines))


def hand_recorded(state: TableState, entry: Entry, body: HandRecorded) -> TableState:
    """Both sides agreed; facts, ruleset and lines must be those of this table's own fold.

    A hand that a ruling made void goes on record as void, and is dealt again (Q-13, INV-4).
    """
    hand = open_hand(state, body.hand)
    _nothing_waits(state, hand)
    require(hand.checked == frozenset(Side), "not-checked", "Both sides have to agree before the hand is recorded.")
    require(body.ruleset == state.playing.ruleset.digest, "other-ruleset", "The hand was scored by another ruleset.")
    shown = open_hand_score(state)
    require(
        body.facts == facts_json(hand) and body.lines == lines_digest(shown) == hand.agreed,
        "other-facts",
        "The recorded hand is not the one that both sides checked.",
    )
    void = "director" if shown.void else None
    return renewed(state, hand=None, hands=(*state.hands, renewed(hand, void=void, recorded=entry.id)))


def _nothing_waits(state: TableState, hand: Hand) -> None:
    require(
        not unanswered(state, hand),
        "waiting",
        "An irregularity waits for an official. Keep your cards; both sides together can withdraw it.",
    )
