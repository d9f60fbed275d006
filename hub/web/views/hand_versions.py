"""What was recorded of one hand, version after version: who, when, why, and which figures are others now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hub.tournament.state import TableRound
from hub.web.views.hands import ContractView, contract_of
from hub.web.views.journal import TableJournal
from hub.web.views.rulings import Named
from hub.web.views.words import signed, time_of_day
from tallybox.errors import SheetError
from tallybox.renewed import renewed
from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, Side
from tallybox.sheet import HandScore, SheetFacts, hand_facts_from_json, score_sheet
from tallybox.table.overlay import laid_over
from tallybox.table.shown import facts_now, sheet_facts
from tallybox.table.state import Hand


@dataclass(frozen=True, slots=True)
class HandVersion:
    """One record of a hand: its figures, and which of them are others than in the version before it (``changed``)."""

    number: int
    facts: HandFacts
    contract: ContractView | None
    result: str
    points: Mapping[Side, str]
    void: bool
    by: str
    time: str
    reason: str
    changed: frozenset[str]
    counts: bool


@dataclass(frozen=True, slots=True)
class _Record:
    facts: HandFacts
    by: str
    time: str = ""
    reason: str = ""


def hand_versions(journal: TableJournal, hand: Hand, named: Named) -> tuple[HandVersion, ...]:
    """The versions of a recorded hand, the one that counts first; none where it was recorded once and no more."""
    table = journal.table
    records = [*_at_table(journal, hand, named), *_at_desk(table, hand, named)]
    now = facts_now(table.state, hand)
    if not records or records[-1].facts != now:
        records.append(_Record(now, _ruled(table, hand, named)))
    if len(records) < 2:
        return ()
    place = table.state.hands.index(hand)
    shown: list[HandVersion] = []
    for number, record in enumerate(records, 1):
        before = records[number - 2].facts if number > 1 else None
        shown.append(_version(table, place, number, record, before, counts=number == len(records)))
    return tuple(reversed(shown))


def _ruled(table: TableRound, hand: Hand, named: Named) -> str:
    """Who made the hand what it is by a ruling."""
    rulings = laid_over(table.state, hand).rulings
    return f"{named(rulings[-1].by)}, at the {'desk' if rulings[-1].at_desk else 'table'}" if rulings else ""


def result_text(facts: HandFacts) -> str:
    """Books of both sides, or tricks of the four seats."""
    if facts.books is not None:
        return f"{facts.books[Side.NS]} – {facts.books[Side.EW]}"
    return "" if facts.tricks is None else " ".join(f"{seat}{facts.tricks[seat]}" for seat in Seat)


def _version(
    table: TableRound, place: int, number: int, record: _Record, before: HandFacts | None, *, counts: bool
) -> HandVersion:
    scored = _scored(table, place, record.facts)
    earlier = _scored(table, place, before) if before is not None else None
    ruleset = table.state.playing.ruleset
    return HandVersion(
        number=number,
        facts=record.facts,
        contract=contract_of(record.facts, ruleset) if record.facts.void is None else None,
        result=result_text(record.facts),
        points={side: signed(scored.points[side]) if scored else "" for side in Side},
        void=record.facts.void is not None,
        by=record.by,
        time=record.time,
        reason=record.reason,
        changed=frozenset() if before is None else _changed(record.facts, before, scored, earlier),
        counts=counts,
    )


def _changed(now: HandFacts, before: HandFacts, scored: HandScore | None, earlier: HandScore | None) -> frozenset[str]:
    found = {
        "contract": (now.dealer, now.calls, now.direction, now.void)
        != (before.dealer, before.calls, before.direction, before.void),
        "result": result_text(now) != result_text(before),
        "rulings": now.rulings != before.rulings,
    }
    for side in Side:
        found[side.value] = (scored.points[side] if scored else None) != (earlier.points[side] if earlier else None)
    return frozenset(name for name, differs in found.items() if differs)


def _scored(table: TableRound, place: int, facts: HandFacts) -> HandScore | None:
    """The hand's score with these facts, after the hands before it as they count now (bags are carried)."""
    sheet = sheet_facts(table.state)
    try:
        return score_sheet(SheetFacts(sheet.ruleset, (*sheet.hands[:place], facts))).hands[place]
    except SheetError:
        return None


def _at_table(journal: TableJournal, hand: Hand, named: Named) -> Iterator[_Record]:
    """What both sides agreed on, and what officials corrected at the table."""
    game = journal.table.state.playing.ruleset.game
    known = {hand.recorded, *hand.replaced}
    for entry in journal.of(hand):
        event = entry.event
        if entry.id not in known or entry.refused or event.type not in ("hand.recorded", "hand.voided"):
            continue
        official = event.body.get("official")
        by = "Agreed by both sides" if official is None else f"{named(str(official))}, at the table"
        time = time_of_day(event.at.wall) if event.at.synced else ""
        reason = str(event.body.get("reason" if event.type == "hand.recorded" else "why", "") or "")
        if event.type == "hand.voided":
            yield _Record(HandFacts(hand.dealer, void=str(event.body.get("reason"))), by, time, reason)
            continue
        try:
            yield _Record(hand_facts_from_json(event.body.get("facts"), game), by, time, reason)
        except SheetError:
            continue


def _at_desk(table: TableRound, hand: Hand, named: Named) -> Iterator[_Record]:
    """What each word of the desk made of the hand."""
    state, times = table.state, {done.id: done.at for done in table.done}
    known = {hand.recorded, *hand.replaced}
    paper = next((done for done in table.done if done.id in known and done.what == "sheet.entered"), None)
    if paper is not None:
        first = facts_now(renewed(state, desk=()), hand)
        yield _Record(first, f"{named(paper.by)}, from paper", time_of_day(paper.at), paper.reason)
    before = facts_now(renewed(state, desk=()), hand)
    for upto, fact in enumerate(state.desk, 1):
        facts = facts_now(renewed(state, desk=state.desk[:upto]), hand)
        if facts != before:
            time = time_of_day(times[fact.id]) if fact.id in times else ""
            yield _Record(facts, f"{named(fact.by)}, at the desk", time, fact.reason)
        before = facts
