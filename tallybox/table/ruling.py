"""Irregularities as they are raised and dropped, what officials rule at the table, claims and concessions.

An irregularity stops the hand until an official has answered it, or both sides drop it. A ruling that ends the hand
takes it to the check without a result; one that is not proven settles the matter and changes nothing (Q-14).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tallybox.calls import Game
from tallybox.errors import SheetError
from tallybox.events.rulings import (
    ClaimOfTricksMade,
    IrregularityRaised,
    IrregularityWithdrawn,
    RulingEntered,
    SetConceded,
)
from tallybox.renewed import renewed
from tallybox.rules.auction import WhistContract
from tallybox.rules.cards import is_card
from tallybox.rules.hand import Phase, Ruling
from tallybox.rules.rulings import CLOSING, check_ruling
from tallybox.rules.settings import SpadesSettings
from tallybox.said import say
from tallybox.sheet.codec import MOST_RULINGS
from tallybox.sheet.reading import Place
from tallybox.sheet.ruling_json import ruling_from_json
from tallybox.table.desk_ruling import misfit
from tallybox.table.entry import Entry
from tallybox.table.irregular import IrregularityKind, kind_of, ruling_of, settle_or_wait
from tallybox.table.opening import going_on, open_hand
from tallybox.table.refused import NotNow, require
from tallybox.table.shown import score
from tallybox.table.state import Hand, HandRuling, Irregularity, TableState, TricksClaim
from tallybox.table.steps import rest_claimed

_ELSEWHERE: Final = {
    "LATE": say("A late side is marked at the desk, which also gives the hands away."),
    "IMPROPER_BID": say("An improper bid is corrected while it is called."),
}


def irregularity_raised(state: TableState, entry: Entry, body: IrregularityRaised) -> TableState:
    """The table says what happened; the hand waits for an official (k08 of the rules' section on irregularities)."""
    hand = going_on(state, body.hand)
    kind = kind_of(state, body.code)
    require(kind is not None, "not-here", say("{code} cannot have happened in this hand so far.", code=body.code))
    assert kind is not None
    _check_people(kind, body)
    _check_told(state, kind, body)
    raised = Irregularity(
        entry.id, body.code, body.side, body.caller, seat=body.seat, card=body.card, phase=_phase(state, kind),
        accepted=body.accepted,
    )  # fmt: skip
    try:
        check_ruling(state.playing.ruleset.settings, ruling_of(raised), "ruling")
    except SheetError as reason:
        raise NotNow(reason.code, reason.message) from None
    return state.with_hand(renewed(hand, irregularities=(*hand.irregularities, raised)))


def irregularity_withdrawn(state: TableState, entry: Entry, body: IrregularityWithdrawn) -> TableState:
    """Both sides drop it: the hand goes on where it was."""
    hand = open_hand(state, body.hand)
    known = next((raised for raised in hand.irregularities if raised.id == body.raised), None)
    require(known is not None and not known.ruled, "not-raised", "No such irregularity waits here.")
    left = tuple(raised for raised in hand.irregularities if raised.id != body.raised)
    claim = None if hand.claim is not None and hand.claim.id == body.raised else hand.claim
    return state.with_hand(renewed(hand, irregularities=left, claim=claim))


def ruling_entered(state: TableState, entry: Entry, body: RulingEntered) -> TableState:
    """An official rules at the table, on the open hand; or reverses a ruling, or adjusts, on a recorded one (INV-7)."""
    ruling = _read(state, body)
    hand = _hand_for(state, entry, body, ruling)
    old = tuple(known for known in hand.rulings if known.id in entry.supersedes)
    raised = None
    if body.raised is not None:
        raised = next((known for known in hand.irregularities if known.id == body.raised), None)
        require(raised is not None, "not-raised", "No such irregularity waits here. Look at the hand once more.")
        answered = raised is not None and raised.ruled
        require(old or not answered, "ruled", "An official has ruled on this already. A new ruling names the first.")
    if raised is not None and ruling.caller is None:
        ruling = replace(ruling, caller=raised.caller)
    made = HandRuling(
        entry.id, ruling, body.official, raised=body.raised or next((known.raised for known in old), None),
        reason=body.reason,
        supersedes=tuple(dict.fromkeys(name for known in old for name in (known.id, *known.supersedes))),
    )  # fmt: skip
    ruled = renewed(
        hand, rulings=_in_place(hand.rulings, old, made), checked=frozenset(),
        irregularities=tuple(
            replace(known, ruled=True) if known.id == body.raised else known for known in hand.irregularities
        ),
    )  # fmt: skip
    require(len(ruled.rulings) <= MOST_RULINGS, "too-many", "This hand has as many rulings as a sheet holds.")
    return _counted(state, hand, ruled, ruling)


def claim_of_tricks_made(state: TableState, entry: Entry, body: ClaimOfTricksMade) -> TableState:
    """A seat says that all the rest is its side's (A-33). Agreed, the result is entered; else an official decides."""
    hand = _played_on(state, body.hand)
    won = hand.contract(state.playing.ruleset)
    if isinstance(won, WhistContract):
        require(
            body.seat.side is won.side,
            "bidders-only",
            say("Only {side} lay down: the bid is theirs.", side=won.side.word),
        )
    code = "LAYDOWN" if isinstance(won, WhistContract) else "CLAIM"
    claim = TricksClaim(entry.id, body.seat, body.agreed)
    if not body.agreed:
        doubted = "BAD_LAYDOWN" if code == "LAYDOWN" else "CLAIM"
        waits = Irregularity(entry.id, doubted, body.seat.side, body.seat.left, seat=body.seat, phase=Phase.PLAY)
        return state.with_hand(renewed(hand, claim=claim, irregularities=(*hand.irregularities, waits)))
    ruling = Ruling(code, side=body.seat.side if code == "LAYDOWN" else None, seat=body.seat)
    ruled = (*hand.rulings, HandRuling(entry.id, ruling, by="", raised=entry.id))
    return state.with_hand(renewed(hand, claim=claim, rulings=ruled))


def set_conceded(state: TableState, entry: Entry, body: SetConceded) -> TableState:
    """The bidder gives the contract up; it counts as a set (A-32)."""
    hand = _played_on(state, body.hand)
    won = hand.contract(state.playing.ruleset)
    if not isinstance(won, WhistContract):
        raise NotNow("not-conceded", "Spades is played out: every trick can count. Enter what each player took.")
    require(won.seat is body.seat, "bidder-only", say("Only {seat}, who bid, concedes.", seat=won.seat.word))
    ruling = Ruling("CONCEDED", side=body.seat.side, seat=body.seat)
    ruled = (*hand.rulings, HandRuling(entry.id, ruling, by="", raised=entry.id))
    return state.with_hand(renewed(hand, conceded=entry.id, rulings=ruled))


def _played_on(state: TableState, number: int) -> Hand:
    hand = going_on(state, number)
    require(hand.started, "no-card-played", "No card has been played yet.")
    require(hand.result is None and not hand.entries, "result-known", "The result is entered already.")
    require(not rest_claimed(hand), "claimed", "The rest is claimed already. Enter the result.")
    return hand


def _check_people(kind: IrregularityKind, body: IrregularityRaised) -> None:
    """Who called it against whom; only the opposing team calls a renege or a Tech."""
    seats = body.side.seats if body.seat is None else (body.seat,)
    require(
        all(seat.side is body.side for seat in seats),
        "seat-side",
        say("{seat} does not play for {side}.", seat=seats[0].word, side=body.side.word),
    )
    reasons = [kind.offenders[seat] for seat in seats]
    require(not all(reasons), "not-the-offender", reasons[0])
    require(
        body.caller in kind.callers(body.side),
        "caller-side",
        say("{seat} plays for the offenders. Only the opposing team may call this.", seat=body.caller.word),
    )


def _check_told(state: TableState, kind: IrregularityKind, body: IrregularityRaised) -> None:
    """What the rule needs to be told."""
    require(body.seat is not None or "seat" not in kind.needs, "no-seat", "Say which seat it was.")
    require(body.accepted is not None or "accepted" not in kind.needs, "no-answer", "First the other side answers.")
    settings = state.playing.ruleset.settings
    refused_lead = (
        body.code == "LEAD_TURN" and body.accepted is False and isinstance(settings, SpadesSettings)
        and settings.lead_points
    )  # fmt: skip
    require(body.card is not None or not ("card" in kind.needs or refused_lead), "no-card", "Say which card it was.")
    require(body.card is None or is_card(body.card), "no-such-card", "That is no card of the deck.")


def _phase(state: TableState, kind: IrregularityKind) -> Phase | None:
    """When it happened, where the score depends on it."""
    bidding = kind.phase is Phase.BIDDING
    whist = state.playing.ruleset.game is Game.BID_WHIST
    return kind.phase if (bidding if whist else kind.code == "EXPOSED") else None


def _read(state: TableState, body: RulingEntered) -> Ruling:
    ruleset = state.playing.ruleset
    try:
        ruling = replace(ruling_from_json(body.ruling, ruleset.game, Place("ruling")), official=body.official)
        check_ruling(ruleset.settings, ruling, "ruling")
    except SheetError as reason:
        raise NotNow(reason.code, reason.message) from None
    require(ruling.code not in _ELSEWHERE, "not-ruled-here", _ELSEWHERE.get(ruling.code, ""))
    require(
        ruling.boston is None or ruling.won_by is not None,
        "boston-alone",
        "A Boston belongs to the side that won the hand. Say too who won it.",
    )
    return ruling


def _hand_for(state: TableState, entry: Entry, body: RulingEntered, ruling: Ruling) -> Hand:
    """The open hand, or the recorded one with this number; there only an adjustment or a reversal is new."""
    if state.hand is not None and state.hand.number == body.hand:
        why = misfit(state.hand, ruling.code)
        require(not why, "not-here", why)
        return state.hand
    hand = next((known for known in reversed(state.hands) if known.number == body.hand and known.void is None), None)
    require(hand is not None, "no-hand", say("Hand {hand} is neither open nor on record.", hand=body.hand))
    assert hand is not None
    reverses = any(known.id in entry.supersedes for known in hand.rulings)
    require(
        ruling.code == "ADJUST" or reverses,
        "recorded",
        say("Hand {hand} is on record. An official adjusts it, or corrects the hand.", hand=body.hand),
    )
    return hand


def _in_place(rulings: tuple[HandRuling, ...], old: tuple[HandRuling, ...], made: HandRuling) -> tuple[HandRuling, ...]:
    """The rulings with the new one where the first that it supersedes stood, else last."""
    if not old:
        return (*rulings, made)
    place = rulings.index(old[0])
    return (*(each for each in rulings[:place]), made, *(each for each in rulings[place:] if each not in old))


def _counted(state: TableState, hand: Hand, ruled: Hand, ruling: Ruling) -> TableState:
    """The table with the ruling on its hand, if the hand can be scored with it now or once it is played."""
    try:
        if state.hand is not hand:
            changed = renewed(state, hands=tuple(ruled if known is hand else known for known in state.hands))
            score(changed)
            return changed
        settled = settle_or_wait(state, ruled)
    except SheetError as reason:
        raise NotNow(reason.code, reason.message) from None
    whist = state.playing.ruleset.game is Game.BID_WHIST
    ends = whist and ruling.proven and ruling.code in CLOSING - {"LAYDOWN"}
    require(
        settled is not None or not ends,
        "not-here",
        say("{code} cannot end this hand as it stands.", code=ruling.code),
    )
    return state.with_hand(ruled)
