"""A recorded hand that an official corrects or voids at the table, before the sheet is submitted (docs/journal.md).

Such an event names the record it supersedes, the official and the reason; the new facts are checked by the rules as a
whole sheet. Signatures fall by themselves: they cover a digest, and the digest is another one now.
"""

from __future__ import annotations

from tallybox.errors import SheetError
from tallybox.events.table import HandRecorded, HandVoided
from tallybox.renewed import renewed
from tallybox.rules.hand import HandFacts
from tallybox.said import say
from tallybox.sheet import hand_facts_from_json
from tallybox.table import opening, playing
from tallybox.table.entry import Entry
from tallybox.table.refused import NotNow, require
from tallybox.table.shown import lines_digest, score
from tallybox.table.state import Hand, TableState


def hand_recorded(state: TableState, entry: Entry, body: HandRecorded) -> TableState:
    """The record of the open hand, or, with an official, the new facts of a recorded one."""
    if body.official is None:
        return playing.hand_recorded(state, entry, body)
    hand = _superseded(state, entry, body.hand)
    require(body.reason.strip(), "no-reason", "Say why the hand is corrected.")
    require(body.ruleset == state.playing.ruleset.digest, "other-ruleset", "The hand was scored by another ruleset.")
    facts = _facts(state, body)
    corrected = renewed(
        hand, corrected=facts, void=facts.void, recorded=entry.id, corrected_by=body.official, rulings=(),
        replaced=(*hand.replaced, *entry.supersedes),
    )  # fmt: skip
    changed = _scored(_with(state, hand, corrected))
    place = changed.hands.index(corrected)
    require(
        body.lines == lines_digest(score(changed).hands[place]),
        "other-facts",
        "The corrected hand is not the one that was shown. Look at it once more.",
    )
    return changed


def hand_voided(state: TableState, entry: Entry, body: HandVoided) -> TableState:
    """The open deal is dealt again, or an official takes a recorded hand out of the count."""
    if not any(hand.recorded in entry.supersedes for hand in state.hands):
        return opening.hand_voided(state, entry, body)
    hand = _superseded(state, entry, body.hand)
    require(
        body.official is not None, "official-only", "Only an official takes a recorded hand out. Call the director."
    )
    require(body.why.strip(), "no-reason", "Say why the hand is void.")
    before = hand.corrected
    facts = None if before is None else HandFacts(before.dealer, rulings=before.rulings, void=body.reason)
    void = renewed(
        hand, corrected=facts, void=body.reason, recorded=entry.id, corrected_by=body.official,
        replaced=(*hand.replaced, *entry.supersedes),
    )  # fmt: skip
    return _scored(_with(state, hand, void))


def _superseded(state: TableState, entry: Entry, number: int) -> Hand:
    """The recorded hand whose record the event names."""
    hand = next((hand for hand in state.hands if hand.recorded in entry.supersedes), None)
    require(
        hand is not None and hand.number == number,
        "no-record",
        say("The record of hand {hand} was replaced meanwhile. Look at the sheet, then correct it again.", hand=number),
    )
    assert hand is not None
    return hand


def _facts(state: TableState, body: HandRecorded) -> HandFacts:
    try:
        return hand_facts_from_json(body.facts, state.playing.ruleset.game, hand=body.hand)
    except SheetError as reason:
        raise NotNow(reason.code, reason.message) from None


def _with(state: TableState, hand: Hand, corrected: Hand) -> TableState:
    return renewed(state, hands=tuple(corrected if known is hand else known for known in state.hands))


def _scored(state: TableState) -> TableState:
    """The table, if its sheet can be scored by the rules."""
    try:
        score(state)
    except SheetError as reason:
        raise NotNow(reason.code, reason.message) from None
    return state
