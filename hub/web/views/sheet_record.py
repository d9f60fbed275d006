"""What happened to a sheet, at the table and at the desk, in one list."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from hub.tournament.state import TableRound
from hub.tournament.versions import Done
from hub.web.views.journal import Entry, TableJournal
from hub.web.views.rulings import Named
from hub.web.views.words import SIDE_WORDS, time_of_day
from tallybox.seats import Seat, Side

_AT_TABLE: Final = {
    "hand.recorded": "Hand {hand} agreed by both sides",
    "hand.voided": "Hand {hand} void, dealt again",
    "hand.questioned": "{side} question hand {hand}",
    "call.taken_back": "Call of {seat} taken back in hand {hand}",
    "reading.resolved": "Card and typed call of {seat} differed in hand {hand}",
    "irregularity.raised": "{side}: something went wrong in hand {hand}",
    "irregularity.withdrawn": "What was raised in hand {hand} was dropped by both sides",
    "ruling.entered": "Ruling on hand {hand} at the table by {official}",
    "director.called": "The director was called",
    "director.cancelled": "The call was cancelled",
    "seats.swapped": "Seats were changed",
    "sheet.signed": "{side} signed",
    "signature.waived": "{side}'s signature waived by {official}",
    "sheet.submitted": "The sheet went to the hub",
}
_AT_DESK: Final = {
    "sheet.accepted": "Accepted by {by}",
    "sheet.reopened": "Sent back by {by}",
    "hand.corrected": "Hand {hand} corrected by {by}",
    "ruling.made": "Ruling on hand {hand} at the desk by {by}",
    "award.made": "Award by {by}",
    "late.marked": "Lateness noted by {by}",
    "table.held": "Table held by {by}",
    "table.unheld": "Table let go by {by}",
    "table.extended": "Time of this table changed by {by}",
    "sheet.entered": "Entered from paper by {by}",
    "sheet.reassigned": "Moved to its right table by {by}",
    "events.adopted": "Another record of a hand taken over by {by}",
    "events.declined": "Another record looked at and left aside by {by}",
    "fork.decided": "One of two records of a box chosen by {by}",
    "table.released": "The teams may move",
}


@dataclass(frozen=True, slots=True)
class RecordView:
    """Something worth remembering about the sheet; ``reason`` as somebody gave it."""

    time: str
    text: str
    reason: str = ""


def record(journal: TableJournal, named: Named) -> tuple[RecordView, ...]:
    """What happened, newest first. Times of the table are the box's own word, left out when it was not sure."""
    rows = [*_at_table(journal, named), *_at_desk(journal.table, named)]
    return tuple(view for _at, _place, view in sorted(rows, key=lambda row: (row[0], row[1]), reverse=True))


def _at_table(journal: TableJournal, named: Named) -> Iterator[tuple[int, int, RecordView]]:
    last = 0
    for place, entry in enumerate(journal.entries):
        last = entry.event.at.wall if entry.event.at.synced else last
        if entry.event.type in _AT_TABLE and not entry.refused:
            time = time_of_day(entry.event.at.wall) if entry.event.at.synced else "–"
            yield last, place, RecordView(time, _told(entry, named), _why(entry))


def _at_desk(table: TableRound, named: Named) -> Iterator[tuple[int, int, RecordView]]:
    void = {fact.id for fact in table.desk if fact.kind == "correction" and (fact.facts or {}).get("void")}
    for place, done in enumerate(table.done, len(table.journal)):
        if done.what in _AT_DESK:
            yield done.at, place, RecordView(time_of_day(done.at), _done(done, named, void), done.reason)


def _done(done: Done, named: Named, void: Collection[str]) -> str:
    said = "Hand {hand} made void by {by}" if done.id in void else _AT_DESK[done.what]
    return said.format(by=named(done.by), hand=done.hand)


def _told(entry: Entry, named: Named) -> str:
    body = entry.event.body
    said = {key: str(body.get(key, "")) for key in ("hand", "side", "seat", "official")}
    if said["seat"] in set(Seat):
        said["seat"] = Seat(said["seat"]).word
    if said["side"] in set(Side):
        said["side"] = SIDE_WORDS[Side(said["side"])]
    official, said["official"] = said["official"], named(said["official"])
    if entry.event.type in ("hand.recorded", "hand.voided") and official:
        word = "corrected" if entry.event.type == "hand.recorded" else "taken out"
        return f"Hand {said['hand']} {word} at the table by {said['official']}"
    return _AT_TABLE[entry.event.type].format(**said)


def _why(entry: Entry) -> str:
    body = entry.event.body
    return str(body.get("why") or (body.get("reason") if entry.event.type != "hand.voided" else "") or "")
