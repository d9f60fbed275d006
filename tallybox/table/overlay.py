"""What the desk decided, laid over what the table entered: pure, and the same whatever arrived first.

The desk's facts stand on ``TableState.desk`` in the hub's order and are never written into the table's hands
(docs/journal.md, Corrections). Everything that scores or shows a hand goes through here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from tallybox.calls import Game
from tallybox.errors import SheetError
from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.rules.hand import HandFacts, Ruling
from tallybox.rules.settings import WhistSettings
from tallybox.said import joined, say
from tallybox.seats import Seat
from tallybox.sheet import Ended, EndedBy, hand_facts_from_json
from tallybox.sheet.reading import Place
from tallybox.sheet.ruling_json import ruling_from_json
from tallybox.table.state import Hand, HandRuling, Irregularity, TableState

_HAND_KINDS: Final = ("ruling", "correction")


@dataclass(frozen=True, slots=True)
class Overruled:
    """An official's act at the table that does not count, because the desk decided about the same thing."""

    id: str
    hand: int
    by: str
    message: str


@dataclass(frozen=True, slots=True)
class _Corrected:
    """A correction of the desk, typed."""

    fact: DeskFact
    facts: HandFacts


def live(state: TableState) -> tuple[DeskFact, ...]:
    """The desk's facts that no later one of the desk supersedes, in the hub's order."""
    named = _named_by_desk(state)
    return tuple(fact for fact in state.desk if fact.id not in named)


def laid(state: TableState) -> tuple[Hand, ...]:
    """The recorded hands, void ones included, as they count now."""
    return tuple(laid_over(state, hand) for hand in state.hands)


def laid_open(state: TableState) -> Hand | None:
    """The open hand with the desk's rulings on it."""
    return None if state.hand is None else laid_over(state, state.hand)


def counting(state: TableState) -> tuple[Hand, ...]:
    """The recorded hands that count: all but the void ones, whoever voided them."""
    return tuple(hand for hand in laid(state) if hand.void is None)


def laid_over(state: TableState, hand: Hand) -> Hand:
    """One hand with the desk's word on it; the same hand where the desk said nothing of it."""
    if not state.desk and not hand.rulings:
        return hand
    about = [fact for fact in state.desk if fact.kind in _HAND_KINDS and _is_about(state, fact, hand)]
    if not about and not hand.rulings:
        return hand
    corrected = _correction(state, about, hand)
    rulings = _rulings(state, hand, about, corrected)
    if rulings == hand.rulings and not about:
        return hand
    answered = {fact.raised for fact in about}
    over = renewed(
        hand,
        rulings=rulings,
        irregularities=tuple(
            replace(raised, ruled=True) if raised.id in answered else raised for raised in hand.irregularities
        ),
    )
    if corrected is None:
        return over
    return renewed(over, corrected=corrected.facts, void=corrected.facts.void, corrected_by=corrected.fact.by)


def unanswered(state: TableState, hand: Hand) -> tuple[Irregularity, ...]:
    """What was raised on the hand and waits for an official, at the table or at the desk."""
    return tuple(raised for raised in laid_over(state, hand).irregularities if not raised.ruled)


def ended(state: TableState) -> Ended | None:
    """What closed the sheet from outside: the desk's forfeit or disqualification, else the clock (Q-09, Q-44)."""
    closed = [fact for fact in live(state) if fact.kind == "ended"]
    if closed and closed[-1].ended is not None and closed[-1].loser is not None:
        return Ended(EndedBy(closed[-1].ended), closed[-1].loser)
    return Ended(EndedBy.TIME) if state.clock_ended else None


def awarded(state: TableState) -> tuple[HandFacts, ...]:
    """The hands that were not played and that the desk gave to a side, after those that were (A-37, Q-44)."""
    dealer, made, left = _next_dealer(state), list[HandFacts](), unfinished(state)
    for fact in live(state):
        if fact.kind not in ("award", "ended") or fact.loser is None:
            continue
        for _ in range(min(fact.hands, left)):
            made.append(HandFacts(dealer, rulings=(_award(state, fact),)))
            dealer, left = dealer.left, left - 1
    return tuple(made)


def unfinished(state: TableState) -> int:
    """How many hands of the round are neither recorded nor being played out; spades rounds have no such number."""
    if state.playing.ruleset.game is not Game.BID_WHIST:
        return 0
    playing_on = state.hand is not None and (not state.clock_ended or outlives_clock(state, state.hand))
    return max(0, state.playing.hands - len(counting(state)) - playing_on)


def outlives_clock(state: TableState, hand: Hand) -> bool:
    """Whether a hand goes on once time is called (Q-09): one on record, none, or until an official voids it."""
    match state.playing.ruleset.settings.timeout_policy:
        case "finish_started":
            return hand.locked
        case "void_unfinished":
            return hand.result is not None
        case _:
            return True


def awards_pending(state: TableState) -> bool:
    """Whether a side was marked late, hands are unfinished, and the desk has not yet said who gets them (A-37)."""
    if not (state.clock_ended and state.late) or unfinished(state) == 0:
        return False
    return not any(fact.kind in ("award", "ended") for fact in live(state))


def rests_on(state: TableState, hand: Hand) -> tuple[str, ...]:
    """What new facts of a recorded hand take the place of: its record, and every ruling that counts on it now."""
    about = (fact.id for fact in live(state) if fact.kind in _HAND_KINDS and _is_about(state, fact, hand))
    record = () if hand.recorded is None else (hand.recorded,)
    return tuple(dict.fromkeys((*record, *(ruling.id for ruling in laid_over(state, hand).rulings), *about)))


def reviewed(state: TableState) -> bool:
    """Whether an official at the table or the desk changed anything about the hands already recorded."""
    return bool(state.desk) or any(hand.rulings or hand.replaced for hand in state.hands)


def overruled(state: TableState) -> tuple[Overruled, ...]:
    """What officials did at the table and the desk decided otherwise at the same time: kept, shown, not counted."""
    found: list[Overruled] = []
    named = _named_by_desk(state)
    for hand in (*state.hands, *(() if state.hand is None else (state.hand,))):
        about = [fact for fact in state.desk if fact.kind == "correction" and _is_about(state, fact, hand)]
        desk = _correction(state, about, hand)
        if desk is not None and hand.corrected_by is not None and hand.recorded not in desk.fact.supersedes:
            found.append(_overruled(hand.recorded or "", hand, hand.corrected_by, "correction"))
        found.extend(
            _overruled(ruling.id, hand, ruling.by, "ruling") for ruling in hand.rulings if _beaten(ruling, named)
        )
    return tuple(found)


def corrected_after(state: TableState, digest: str) -> bool:
    """Whether the sheet, whose digest is ``digest`` now, is another version than the players signed and submitted."""
    return state.submitted is not None and state.submitted != digest


def _overruled(event: str, hand: Hand, by: str, what: str) -> Overruled:
    kept = say("The correction here is kept.") if what == "correction" else say("The ruling here is kept.")
    said = joined(say("The desk decided about hand {hand} too, and the desk's word counts.", hand=hand.number), kept)
    return Overruled(event, hand.number, by, said)


def _named_by_desk(state: TableState) -> frozenset[str]:
    return frozenset(name for fact in state.desk for name in fact.supersedes)


def _beaten(ruling: HandRuling, named_by_desk: frozenset[str]) -> bool:
    """Table and desk superseded the same event: the desk's counts."""
    return not named_by_desk.isdisjoint(ruling.supersedes)


def _is_about(state: TableState, fact: DeskFact, hand: Hand) -> bool:
    if fact.deal is not None:
        return fact.deal == hand.opened
    same = [known for known in (*state.hands, *(() if state.hand is None else (state.hand,)))
            if known.number == fact.hand]  # fmt: skip
    return bool(same) and same[-1] is hand


def _correction(state: TableState, about: Iterable[DeskFact], hand: Hand) -> _Corrected | None:
    """The desk's last correction of the hand that an official at the table has not corrected in turn."""
    gone, last = _named_by_desk(state) | {*hand.replaced}, None
    for fact in about:
        facts = _facts(state, fact) if fact.kind == "correction" and fact.id not in gone else None
        last = last if facts is None else _Corrected(fact, facts)
    return last


def _rulings(
    state: TableState, hand: Hand, about: list[DeskFact], corrected: _Corrected | None
) -> tuple[HandRuling, ...]:
    """The rulings that count, each in the place of the one it supersedes, else after those before it."""
    named = _named_by_desk(state)
    absorbed = set() if corrected is None else {*corrected.fact.supersedes}
    standing = [ruling for ruling in hand.rulings if not _beaten(ruling, named)]
    gone = absorbed | {*hand.replaced} | {name for ruling in standing for name in ruling.supersedes}
    kept: tuple[HandRuling, ...] = ()
    for ruling in standing:
        kept = _placed(kept, ruling)
    for fact in about if corrected is None else about[about.index(corrected.fact) + 1 :]:
        made = _ruling(state, fact) if fact.kind == "ruling" and fact.id not in gone else None
        kept = kept if made is None else _placed(kept, made)
    return tuple(ruling for ruling in kept if ruling.id not in gone | named)


def _placed(kept: tuple[HandRuling, ...], new: HandRuling) -> tuple[HandRuling, ...]:
    place = next((index for index, ruling in enumerate(kept) if ruling.id in new.supersedes), len(kept))
    return (*kept[:place], new, *kept[place:])


def _ruling(state: TableState, fact: DeskFact) -> HandRuling | None:
    """The desk's ruling, typed; one that this version cannot read is passed over, and the digests will differ."""
    try:
        ruling = ruling_from_json(fact.ruling, state.playing.ruleset.game, Place("ruling"))
    except SheetError:
        return None
    return HandRuling(
        fact.id, ruling, fact.by, at_desk=True, raised=fact.raised, reason=fact.reason, supersedes=fact.supersedes
    )


def _facts(state: TableState, fact: DeskFact) -> HandFacts | None:
    """The corrected facts; a correction that this version cannot read is passed over like a ruling."""
    try:
        return hand_facts_from_json(fact.facts, state.playing.ruleset.game)
    except SheetError:
        return None


def _next_dealer(state: TableState) -> Seat:
    """Who would have dealt the first hand that was not played."""
    if state.hand is not None:
        return state.hand.dealer.left if state.hand.locked else state.hand.dealer
    if not state.hands:
        return state.first_dealer or Seat.N
    last = laid_over(state, state.hands[-1])
    return last.dealer if last.void is not None else last.dealer.left


def _award(state: TableState, fact: DeskFact) -> Ruling:
    assert fact.loser is not None
    if fact.kind == "award":
        return Ruling("LATE", side=fact.loser, official=fact.by)
    settings = state.playing.ruleset.settings
    assert isinstance(settings, WhistSettings)  # spades rounds have no number of hands to give away
    winner = fact.loser.other
    why = fact.reason or f"{fact.loser.word} gave up the rest of the round."
    return Ruling("ADJUST", official=fact.by, points={winner: settings.late_points}, won_by=winner, why=why)
