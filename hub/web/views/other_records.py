"""A table that two records speak of: what counts now beside what a box holds, hand by hand, and what can be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from hub.tournament.adopting import hand_of, past_of
from hub.tournament.aside import waits
from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.hand_versions import result_text
from hub.web.views.hands import ContractView, contract_of
from hub.web.views.people import named
from hub.web.views.record_words import Telling, event_words
from hub.web.views.words import count_word, counted, seal, signed, time_of_day
from tallybox.envelope import KioskEvent, event_id
from tallybox.errors import SheetError
from tallybox.rules.hand import HandFacts
from tallybox.rules.ruleset import Ruleset
from tallybox.seats import Side
from tallybox.sheet import SheetFacts, hand_facts_from_json, score_sheet
from tallybox.table.shown import facts_now, sheet_facts

MOST_SHOWN: Final = 60
"""Entries of one journal that stand side by side; the record has all."""

_ASK: Final = "Ask both teams, and look at the paper if there is any."


@dataclass(frozen=True, slots=True)
class Told:
    """One entry of a journal in words, with its place there."""

    seq: int
    words: str
    seal: str


@dataclass(frozen=True, slots=True)
class Journal:
    """What one record entered, in order. ``more``: how many entries are left out; ``head`` names its end."""

    head: str
    entries: tuple[Told, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Cells:
    """A hand's figures in one record; one that was not recorded there says how far it is."""

    contract: ContractView | None
    void: bool
    result: str
    points: Mapping[Side, str]
    unfinished: str = ""


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A hand in both records (``None``: not in that one). ``head`` names what can be taken; empty: nothing can."""

    hand: int
    now: Cells | None
    other: Cells | None
    changed: frozenset[str]
    head: str


class Kind(StrEnum):
    """How a second record came about, and so how it is chosen."""

    FORK = "fork"
    """Two journals of one box: chosen as a whole."""
    CLAIM = "claim"
    """Entered without a hub: counts once its claim is granted."""
    ASIDE = "aside"
    """Chosen hand by hand."""
    DECIDED = "decided"
    """Left aside by the director; can still be chosen hand by hand."""
    AHEAD = "ahead"
    """Of a round that this hub has not posted: nothing can be chosen yet."""


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """One table of which a box holds another record.

    ``counts``: the journal that counts now, from where the two part; ``holds``: the other. ``note``: what a choice
    makes of a signed sheet. ``claim``: the claim that waits for an answer.
    """

    kind: Kind

    box: str
    round: int
    table: int
    heading: str
    why: str
    note: str
    rows: tuple[RecordRow, ...]
    counts: Journal
    holds: Journal
    claim: str = ""

    @property
    def fork(self) -> bool:
        """Whether it is one of two journals of a box."""
        return self.kind is Kind.FORK

    @property
    def place(self) -> str:
        """Where it was."""
        return f"Round {count_word(self.round)}, table {self.table}"

    @property
    def takes(self) -> tuple[RecordRow, ...]:
        """The hands that can be taken from the other record."""
        return tuple(row for row in self.rows if row.head)


def other_records(picture: Picture, box: str) -> tuple[OtherRecord, ...]:
    """Every table of which this box holds another record that waits for the director's word."""
    return (*_forks(picture, box), *_claimed(picture, box), *_aside(picture, box), *_not_posted(picture, box))


def left_aside(picture: Picture, box: str) -> tuple[OtherRecord, ...]:
    """What this box holds of tables whose record the director left as it is, or chose in its place."""
    return tuple(
        _record(picture, Kind.DECIDED, table, events, f"{box}: another record of table {table.table}",
                "You decided about it; it is kept, and a hand of it can still be taken.")
        for posted in picture.tournament.rounds for table in posted.tables.values()
        if (events := tuple(each for each in table.aside if each.kiosk == box and event_id(each) in table.declined))
        and any(hand_of(each) is not None for each in events)
    )  # fmt: skip


def _forks(picture: Picture, box: str) -> Iterable[OtherRecord]:
    listed = [each for each in picture.tournament.branches if each.box == box]
    names = {each.id for each in listed}
    for place in dict.fromkeys((each.round, each.table) for each in listed):
        table = picture.tournament.table(*place)
        branch = () if table is None else tuple(event for event in table.aside if event_id(event) in names)
        if table is None or not branch:
            continue
        events = past_of(picture.tournament, table, box, event_id(branch[-1]))
        first = events[0]
        here = tuple(
            event for event in table.journal
            if event.kiosk == box and (event.epoch != first.epoch or event.seq >= first.seq)
        )  # fmt: skip
        held = [event for event in table.journal if event.kiosk == box]
        why = (
            f"Its card was put back to an earlier state, and people went on from there: {box} wrote two journals. "
            f"The one that came first counts until you decide. {_ASK}"
        )
        yield OtherRecord(
            Kind.FORK, box, table.round, table.table, f"Two journals of {box}", why, _note(table),
            rows=_rows(table, events, adopts=False), counts=_journal(picture, here, held[-1:]),
            holds=_journal(picture, events, branch[-1:]),
        )  # fmt: skip


def _aside(picture: Picture, box: str) -> Iterable[OtherRecord]:
    tournament = picture.tournament
    forked = {(each.round, each.table) for each in tournament.branches if each.box == box}
    for _box, number, at in (place for place in tournament.asides if place[0] == box and place[1:] not in forked):
        table = tournament.table(number, at)
        events = () if table is None else waits(tournament, table, box)
        if table is None or not events:
            continue
        why = f"{_why(table, events)} Nothing of it counts until you take it. {_ASK}"
        yield _record(picture, Kind.ASIDE, table, events, f"{box} holds another record of table {table.table}", why)


def _claimed(picture: Picture, box: str) -> Iterable[OtherRecord]:
    name = named(picture.tournament.officials)
    for claim in picture.tournament.claims:
        table = picture.tournament.table(claim.round, claim.table)
        if claim.box != box or not claim.provisional or table is None:
            continue
        events = tuple(event for event in table.aside if event.kiosk == box and event.tenure is None)
        who = f"{name(claim.official)} opened it with a PIN while no hub was there." if claim.official else ""
        speaks = "" if table.tenure is None else f" {table.tenure.box} speaks for this table in the hub's record."
        why = (
            f"Table {claim.table} was played on without the hub. {who}{speaks} Nothing entered there counts until you "
            "say so. If it counts but does not fit what is recorded already, you choose hand by hand."
        )
        made = _record(picture, Kind.CLAIM, table, events, f"{box} opened table {claim.table} without the hub", why)
        yield replace(made, box=box, claim=claim.id)


def _record(
    picture: Picture, kind: Kind, table: TableRound, events: tuple[KioskEvent, ...], heading: str, why: str
) -> OtherRecord:  # fmt: skip
    box, hands = events[0].kiosk if events else "", {hand_of(event) for event in events}
    here = tuple(event for event in table.journal if hand_of(event) in hands and event.kiosk != box)
    mine = tuple(event for event in table.journal if hand_of(event) in hands)
    return OtherRecord(
        kind, box, table.round, table.table, heading, why, _note(table),
        rows=_rows(table, events, adopts=kind is not Kind.CLAIM), counts=_journal(picture, here or mine),
        holds=_journal(picture, events),
    )  # fmt: skip


def _why(table: TableRound, events: tuple[KioskEvent, ...]) -> str:
    """How it came to two records."""
    box, tenure = events[0].kiosk, table.tenure
    granted = [done for done in table.done if done.what == "tenure.granted"]
    since = f" since {time_of_day(granted[-1].at)}" if granted else ""
    entries = counted(len(events), "entry", "entries")
    if box in table.shut and any(event.tenure is None for event in events):
        return f"An official opened table {table.table} at {box} without the hub, and that claim was refused."
    if tenure is not None and tenure.box == box and events[0].tenure is None:
        return (
            f"{box} was opened without the hub, and speaks for table {table.table} now. {entries.capitalize()} "
            "that it made then do not fit what was recorded there already."
        )
    if tenure is None:
        return f"Nobody speaks for table {table.table} in this hub's record; {box} sent {entries} of it all the same."
    if tenure.box == box:
        return (
            f"{box} came back with an older card, or under a grant that this hub's copy does not know. "
            f"It speaks for table {table.table}{since}, and sent {entries} that do not fit what this hub had."
        )
    return (
        f"{tenure.box} speaks for table {table.table}{since}. "
        f"{box} came back and sent {entries} that it had made and this hub had not."
    )


def _not_posted(picture: Picture, box: str) -> Iterable[OtherRecord]:
    ahead = [event for event in picture.tournament.ahead if event.kiosk == box]
    for number, at in dict.fromkeys((event.round or 0, event.table or 0) for event in ahead):
        events = tuple(event for event in ahead if (event.round, event.table) == (number, at))
        why = (
            f"This hub runs on an older copy of its data and has not posted round {count_word(number)}. "
            f"{box} sent {counted(len(events), 'entry', 'entries')} of it. They are kept. Post that round again with "
            "the same pairings: then what the tables played counts, or is shown here beside what counts."
        )
        yield OtherRecord(
            Kind.AHEAD, box, number, at, f"{box} played a round that this hub does not have", why, "", rows=(),
            counts=Journal("", (), 0), holds=_journal(picture, events),
        )  # fmt: skip


def _note(table: TableRound) -> str:
    if not table.submitted:
        return ""
    return (
        f"Sheet {table.sheet_id} is signed. Another hand on it makes a version of its own in your name; "
        f"the players' signatures stay with the version they signed."
    )


def _rows(table: TableRound, events: tuple[KioskEvent, ...], *, adopts: bool) -> tuple[RecordRow, ...]:
    rows: list[RecordRow] = []
    for hand in sorted({number for event in events if (number := hand_of(event)) is not None}):
        about = [event for event in events if hand_of(event) == hand]
        now, other = _now(table, hand), _held(table, hand, about)
        there = now is not None and not now.unfinished
        head = "" if not adopts or (there and (now == other or other.unfinished)) else event_id(about[-1])
        rows.append(RecordRow(hand, now, other, _differ(now, other), head))
    return tuple(rows)


def _now(table: TableRound, number: int) -> Cells | None:
    found = [hand for hand in table.state.hands if hand.number == number]
    if table.state.hand is not None and table.state.hand.number == number:
        return Cells(None, False, "", {}, "being played")
    return _cells(table, number, facts_now(table.state, found[-1])) if found else None


def _held(table: TableRound, number: int, events: list[KioskEvent]) -> Cells:
    for event in reversed(events):
        if event.type == "hand.recorded":
            try:
                facts = hand_facts_from_json(event.body.get("facts"), table.state.playing.ruleset.game)
            except SheetError:
                break
            return _cells(table, number, facts)
    return Cells(None, False, "", {}, f"begun, {counted(len(events), 'entry', 'entries')}")


def _cells(table: TableRound, number: int, facts: HandFacts) -> Cells:
    ruleset = table.state.playing.ruleset
    points = _points(table, ruleset, number, facts)
    contract = contract_of(facts, ruleset) if facts.void is None else None
    return Cells(contract, facts.void is not None, result_text(facts), points)


def _points(table: TableRound, ruleset: Ruleset, number: int, facts: HandFacts) -> Mapping[Side, str]:
    """What the hand would bring after the hands before it as they count now (bags are carried)."""
    hands = [
        known for hand, known in zip(table.state.hands, sheet_facts(table.state).hands, strict=False)
        if hand.number < number
    ]  # fmt: skip
    try:
        points = score_sheet(SheetFacts(ruleset, (*hands, facts))).hands[-1].points
    except SheetError:
        return {}
    return {side: signed(points[side]) for side in Side}


def _differ(now: Cells | None, other: Cells | None) -> frozenset[str]:
    if now is None or other is None or now.unfinished or other.unfinished:
        return frozenset()
    found = {"contract": (now.contract, now.void) != (other.contract, other.void), "result": now.result != other.result}
    found |= {side.value: now.points.get(side) != other.points.get(side) for side in Side}
    return frozenset(name for name, differs in found.items() if differs)


def _journal(
    picture: Picture, events: tuple[KioskEvent, ...], ends: Iterable[KioskEvent] | None = None
) -> Journal:  # fmt: skip
    telling = Telling(picture.game, named(picture.tournament.officials))
    last = tuple(events if ends is None else ends)
    told = tuple(
        Told(event.seq, event_words(event.type, event.body, telling), seal(event_id(event)))
        for event in events[:MOST_SHOWN]
    )
    return Journal(event_id(last[-1]) if last else "", told, max(0, len(events) - MOST_SHOWN))
