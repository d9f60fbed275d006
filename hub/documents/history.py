"""What happened to a sheet besides its hands: rulings, corrections with reasons and versions, waivers, acceptance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from hub.documents.rulings import changed_words, ruling_words
from hub.documents.versions import Versions
from hub.tournament.state import TableRound
from tallybox.calls import Game, call_words, parse_call
from tallybox.envelope import KioskEvent, event_id
from tallybox.errors import TallyboxError
from tallybox.ledger_line import LedgerLine
from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, Side
from tallybox.sheet import hand_facts_from_json
from tallybox.sheet.reading import Place
from tallybox.sheet.ruling_json import ruling_from_json
from tallybox.table.shown import facts_now
from tallybox.table.state import Hand, TableState


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where an event stands in the ledger, and when the hub stored it (ms since 1970)."""

    seq: int
    at: int


SUBMITTED: Final = "Submitted"
"""A sheet that was handed in; told only beside something else that happened to it."""

Stamps = Mapping[str, Stamp]
"""By event id. What is not in it is told without a time, after what is."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the history. ``version``: the one that it made, if it made one."""

    id: str
    what: str
    text: str
    by: str = ""
    reason: str = ""
    hand: int | None = None
    version: int | None = None
    at: int | None = None


def stamped(lines: Iterable[LedgerLine]) -> dict[str, Stamp]:
    """The stamps that these ledger lines give."""
    return {line.id: Stamp(line.ledger_seq, line.received_at) for line in lines}


def history(table: TableRound, known: Versions, stamps: Stamps, refused: Collection[str] = ()) -> tuple[Entry, ...]:
    """Everything worth printing, in the ledger's order. ``refused``: ids of events that never counted."""
    found = [*_at_table(table, refused), *_at_desk(table, known)]
    if all(entry.what == SUBMITTED for entry in found):
        return ()
    last = len(stamps) + 1 + max((stamp.seq for stamp in stamps.values()), default=0)
    placed = sorted(
        enumerate(found), key=lambda each: (stamps[each[1].id].seq if each[1].id in stamps else last, each[0])
    )
    return tuple(replace(entry, at=stamps[entry.id].at) if entry.id in stamps else entry for _, entry in placed)


def history_ids(table: TableRound) -> tuple[str, ...]:
    """The ids of the events that the history may tell, whose stamps are wanted."""
    told = (event_id(event) for event in table.journal if _is_told(event))
    return (*told, *(fact.id for fact in table.desk))


def _is_told(event: KioskEvent) -> bool:
    if event.type == "hand.recorded":
        return event.body.get("official") is not None
    return event.type in _TOLD


def _at_table(table: TableRound, refused: Collection[str]) -> Iterator[Entry]:
    telling = _Telling(table)
    for event in table.journal:
        tell = _TOLD.get(event.type)
        if tell is not None and _is_told(event):
            identity = event_id(event)
            if identity not in refused:
                by, why = (str(event.body.get(key) or "") for key in ("official", "reason"))
                hand = _number(event) or None
                yield replace(tell(telling, event), id=identity, by=by, hand=hand, reason=why or _why(event))
        if event.type == "hand.recorded":
            telling.heard(event)


def _why(event: KioskEvent) -> str:
    return str(event.body.get("why") or "")


class _Telling:
    """The table whose events are told, and what was recorded of its hands so far."""

    def __init__(self, table: TableRound) -> None:
        self.table = table
        self.game = table.state.playing.ruleset.game
        self.recorded: dict[int, HandFacts] = {}

    def heard(self, event: KioskEvent) -> None:
        """Remember a record, for a later correction to be compared with."""
        facts = _facts(self.game, event)
        if facts is not None:
            self.recorded[_number(event)] = facts


def _resolved(telling: _Telling, event: KioskEvent) -> Entry:
    seat = Seat(str(event.body["seat"])).word
    said = {key: _call(telling.game, event.body.get(key)) for key in ("read", "typed")}
    stands = said.get(str(event.body.get("stands")))
    then = f"{seat} confirmed {stands}." if stands else f"Neither stood; {seat} called again."
    return Entry("", "Call", f"{seat}'s card said {said['read']}, typed was {said['typed']}. {then}")


def _voided(_telling: _Telling, _event: KioskEvent) -> Entry:
    return Entry("", "Void", "The deal is void and was dealt again.")


def _recorded(telling: _Telling, event: KioskEvent) -> Entry:
    facts = _facts(telling.game, event)
    before = telling.recorded.get(_number(event))
    return Entry("", "Correction", "The hand was corrected." if facts is None else changed_words(before, facts))


def _ruled(telling: _Telling, event: KioskEvent) -> Entry:
    return Entry("", "Ruling", _ruling(telling.game, event.body.get("ruling")))


def _swapped(_telling: _Telling, _event: KioskEvent) -> Entry:
    return Entry("", "Seats", "The players changed seats.")


def _waived(telling: _Telling, event: KioskEvent) -> Entry:
    side, version = Side(str(event.body["side"])), _version(telling.table, str(event.body.get("digest")))
    return Entry("", "Waiver", f"{side.word} did not sign {version}; an official waived the signature.")


def _submitted(telling: _Telling, event: KioskEvent) -> Entry:
    version = _version(telling.table, str(event.body.get("digest")))
    return Entry("", SUBMITTED, f"The players' sheet, {version}, went to the hub.")


_TOLD: Final[Mapping[str, Callable[[_Telling, KioskEvent], Entry]]] = {
    "reading.resolved": _resolved,
    "hand.voided": _voided,
    "hand.recorded": _recorded,
    "ruling.entered": _ruled,
    "seats.swapped": _swapped,
    "signature.waived": _waived,
    "sheet.submitted": _submitted,
}
"""The table's events that a printed history tells."""


def _version(table: TableRound, digest: str) -> str:
    return f"version {table.offered.index(digest) + 1}" if digest in table.offered else "as it was shown"


def _number(event: KioskEvent) -> int:
    hand = event.body.get("hand")
    return hand if isinstance(hand, int) else 0


def _facts(game: Game, event: KioskEvent) -> HandFacts | None:
    try:
        return hand_facts_from_json(event.body.get("facts"), game)
    except TallyboxError:
        return None


def _ruling(game: Game, written: object) -> str:
    try:
        return ruling_words(ruling_from_json(written, game, Place("ruling")))
    except TallyboxError:
        return "A ruling that this version cannot read."


def _call(game: Game, written: object) -> str:
    try:
        return call_words(parse_call(game, str(written)))
    except TallyboxError:
        return "something else"


def _at_desk(table: TableRound, known: Versions) -> Iterator[Entry]:
    """The desk's facts, each with what it changed when it was laid over those before it."""
    for place, fact in enumerate(table.desk):
        what, text = _decided(table, fact, place)
        yield Entry(fact.id, what, text, fact.by, fact.reason, fact.hand, known.made.get(fact.id))


def _decided(table: TableRound, fact: DeskFact, place: int) -> tuple[str, str]:
    match fact.kind:
        case "ruling":
            return "Ruling", _ruling(table.state.playing.ruleset.game, fact.ruling)
        case "correction":
            return "Correction", _corrected(table.state, fact, place)
        case "award":
            return "Award", _award(fact)
        case "ended":
            return "Closed", _ended(fact)


def _corrected(state: TableState, fact: DeskFact, place: int) -> str:
    hand = _hand(state, fact)
    if hand is None:
        return "The hand was corrected."
    if hand.put_by:
        return "The hand is void: it was dealt again."
    before = facts_now(renewed(state, desk=state.desk[:place]), hand)
    after = facts_now(renewed(state, desk=state.desk[: place + 1]), hand)
    return changed_words(before, after)


def _hand(state: TableState, fact: DeskFact) -> Hand | None:
    hands = [hand for hand in state.hands if hand.number == fact.hand]
    named = [hand for hand in hands if fact.deal is not None and hand.opened == fact.deal]
    return next(iter((named or hands)[-1:]), None)


def _award(fact: DeskFact) -> str:
    if fact.loser is None:
        return "Unfinished hands were awarded."
    hands = f"{fact.hands} unfinished hand{'' if fact.hands == 1 else 's'}"
    return f"{fact.loser.word} were late: {hands} to {fact.loser.other.word}."


def _ended(fact: DeskFact) -> str:
    why = "by forfeit" if fact.ended == "forfeit" else "by disqualification"
    return f"The sheet is closed {why} against {fact.loser.word if fact.loser else 'a side'}."
