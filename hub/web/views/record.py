"""The record: every line of the ledger in words, newest first, and the ways to look for some of them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from urllib.parse import urlencode

from hub.roles import HUB
from hub.tournament.state import Tournament
from hub.web.picture import Picture
from hub.web.views.people import named
from hub.web.views.record_words import Telling, event_words
from hub.web.views.words import seal
from tallybox.ledger_line import LedgerLine, is_branch

PAGE: Final = 100
"""Lines on one page."""
MOST_LOOKED: Final = 4_000
"""Lines that are looked through for one page; the next page goes on from there."""

KINDS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "desk": ("Decided at the desk", frozenset()),
    "calls": (
        "Calls and rulings",
        frozenset({"director", "irregularity", "ruling", "override", "late", "award", "conduct", "menu", "request"}),
    ),
    "hands": (
        "Hands",
        frozenset({"hand", "call", "out_of_turn", "contract", "direction", "play", "result", "dealer",
                   "claim_of_tricks", "set"}),
    ),
    "cards": ("Cards on the readers", frozenset({"card", "reading"})),
    "sheets": ("Sheets and signatures", frozenset({"sheet", "signature"})),
    "clock": ("Clock", frozenset({"clock", "start"})),
    "rounds": ("Rounds", frozenset({"tournament", "stage", "round", "draft", "pairing", "lot", "bye", "table"})),
    "teams": ("Teams and seats", frozenset({"team", "seats", "scorekeeper", "bid_deck"})),
    "boxes": (
        "Boxes and hub",
        frozenset({"kiosk", "claim", "tenure", "events", "fork", "practice", "hub", "key", "checkpoint"}),
    ),
    "officials": ("Officials", frozenset({"official", "announcement"})),
}  # fmt: skip
"""The kinds one can look for: what each is called, and the first words of its events."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody looks for; empty or ``None``: anything. ``before``: only lines with a lower number."""

    table: int | None = None
    round: int | None = None
    team: int | None = None
    person: str = ""
    kind: str = ""
    day: str = ""
    since: str = ""
    until: str = ""
    text: str = ""
    before: int | None = None

    @property
    def anything(self) -> bool:
        """Whether every line is wanted."""
        return self == Wanted(before=self.before)

    def query(self, before: int | None) -> str:
        """The address of the same search, from another line on."""
        values = {name: getattr(self, name) for name in _FIELDS}
        kept = {name: value for name, value in {**values, "before": before}.items() if value not in (None, "")}
        return f"?{urlencode(kept)}" if kept else "?"


_FIELDS: Final = ("table", "round", "team", "person", "kind", "day", "since", "until", "text")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. ``note``: why it does not count, if it does not; ``day`` where a new one begins."""

    seq: int
    id: str
    seal: str
    day: str
    time: str
    who: str
    where: str
    href: str
    words: str
    type: str
    place: str
    note: str


@dataclass(frozen=True, slots=True)
class RecordView:
    """A page of the record. ``older``: the address of the next page; ``looked``: how far back it looked in vain."""

    entries: tuple[Entry, ...]
    older: str
    newest: str
    looked: int | None
    people: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]
    wanted: Wanted


def wanted_of(query: Mapping[str, str]) -> Wanted:
    """What an address asks for; what cannot be read is left out."""
    kind = query.get("kind", "")
    return Wanted(
        table=_number(query, "table"), round=_number(query, "round"), team=_number(query, "team"),
        person=query.get("person", "")[:64], kind=kind if kind in KINDS else "",
        day=_day(query), since=_time(query, "since"), until=_time(query, "until"),
        text=query.get("text", "").strip()[:80], before=_number(query, "before"),
    )  # fmt: skip


def _number(query: Mapping[str, str], name: str) -> int | None:
    typed = query.get(name, "").strip()
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) <= 9 else None


def _time(query: Mapping[str, str], name: str) -> str:
    try:
        return datetime.strptime(query.get(name, "")[:5], "%H:%M").strftime("%H:%M")  # noqa: DTZ007 (a time of day)
    except ValueError:
        return ""


def _day(query: Mapping[str, str]) -> str:
    try:
        return date.fromisoformat(query.get("day", "")[:10]).isoformat()
    except ValueError:
        return ""


def record(picture: Picture, lines: Iterable[LedgerLine], wanted: Wanted) -> RecordView:
    """The page: ``lines`` newest first, read no further than it needs."""
    found: list[Entry] = []
    teller = _Teller(picture)
    fits = _fits(picture.tournament, wanted)
    last, looked, more, day = None, 0, False, ""
    for line in lines:
        if len(found) == PAGE or looked == MOST_LOOKED:
            more = True
            break
        looked, last = looked + 1, line.ledger_seq
        entry = teller.entry(line) if fits(line) else None
        if entry is not None and _said(entry, wanted.text):
            found.append(entry if entry.day != day else teller.same_day(entry))
            day = entry.day
    return RecordView(
        entries=tuple(found),
        older=wanted.query(last) if more else "",
        newest=wanted.query(None) if wanted.before is not None else "",
        looked=last if more and looked == MOST_LOOKED else None,
        people=_people(picture.tournament),
        kinds=tuple((key, word) for key, (word, _firsts) in KINDS.items()),
        wanted=wanted,
    )


class _Teller:
    """Tells lines in words; knows who is called what, and what does not count."""

    def __init__(self, picture: Picture) -> None:
        self._name = named(picture.tournament.officials)
        self._telling = Telling(picture.game, self._name)
        self._tournament = picture.tournament
        self._refused = {no.id: no.message for no in picture.tournament.refusals}
        self._late = {event.id for event in picture.tournament.late}

    def entry(self, line: LedgerLine) -> Entry:
        event, body = line.event, _body(line)
        at = datetime.fromtimestamp(line.received_at / 1000).astimezone()
        number, table, box = _whole(event.get("round")), _whole(event.get("table")), str(event.get("kiosk", ""))
        there = self._tournament.table(number, table) is not None
        return Entry(
            seq=line.ledger_seq, id=line.id, seal=seal(line.id), day=f"{at:%A} {at.day} {at:%B}", time=f"{at:%H:%M:%S}",
            who=self._who(box, table, body), where=_where(number, table),
            href=f"/rounds/{number}/tables/{table}" if there else "",
            words=event_words(str(event["type"]), body, self._telling), type=str(event["type"]),
            place=f"box {box}, journal {event.get('epoch')}, entry {event.get('seq')}" if box != HUB
            else f"hub {event.get('epoch')}, entry {event.get('seq')}",
            note=self._note(line),
        )  # fmt: skip

    def same_day(self, entry: Entry) -> Entry:
        return Entry(**{**{name: getattr(entry, name) for name in Entry.__slots__}, "day": ""})

    def _who(self, box: str, table: int | None, body: Mapping[str, object]) -> str:
        if box == HUB:
            actor = self._name(str(body.get("actor", HUB)))
            return actor[:1].upper() + actor[1:]
        return f"Table {table}" if table is not None else f"Box {box}"

    def _note(self, line: LedgerLine) -> str:
        if is_branch(line):
            return "Does not count: it continues another past of this box."
        if line.id in self._refused:
            return f"Does not count: {self._refused[line.id]}"
        return "Does not count: another box spoke for the table by then." if line.id in self._late else ""


def _where(number: int | None, table: int | None) -> str:
    if number is None:
        return ""
    return f"Round {number}, table {table}" if table is not None else f"Round {number}"


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _body(line: LedgerLine) -> Mapping[str, object]:
    body = line.event.get("body")
    return body if isinstance(body, dict) else {}


def _said(entry: Entry, text: str) -> bool:
    looked = text.casefold()
    said = (entry.words, entry.note, entry.who, entry.type, entry.place)
    return not looked or any(looked in each.casefold() for each in said) or entry.id.startswith(looked)


def _fits(tournament: Tournament, wanted: Wanted) -> Callable[[LedgerLine], bool]:
    """What decides whether a line is wanted, before it is put into words."""
    if wanted.anything:
        return lambda _line: True
    seats = {
        (posted.number, table.table)
        for posted in tournament.rounds
        for table in posted.tables.values()
        if wanted.team in table.teams
    }

    def fits(line: LedgerLine) -> bool:
        event, body = line.event, _body(line)
        place = (_whole(event.get("round")), _whole(event.get("table")))
        return (
            (wanted.round is None or place[0] == wanted.round)
            and (wanted.table is None or wanted.table in (place[1], body.get("at_table"), body.get("to_table")))
            and (wanted.team is None or place in seats or wanted.team in _teams(body))
            and (not wanted.person or wanted.person in (body.get("actor"), body.get("official")))
            and (not wanted.kind or _of_kind(event, wanted.kind))
            and _between(line, wanted)
        )

    return fits


def _teams(body: Mapping[str, object]) -> Iterator[object]:
    """Every team that an event of the hub names: alone, in a list, or in the pairings of a round."""
    for key in ("team", "first", "second"):
        yield body.get(key)
    for key in ("teams", "order", "byes", "pairings"):
        listed = body.get(key)
        for each in listed if isinstance(listed, list | tuple) else ():
            yield from (each.get("ns"), each.get("ew")) if isinstance(each, Mapping) else (each,)


def _of_kind(event: Mapping[str, object], kind: str) -> bool:
    if kind == "desk":
        return event.get("kiosk") == HUB
    return str(event.get("type", "")).partition(".")[0] in KINDS[kind][1]


def _between(line: LedgerLine, wanted: Wanted) -> bool:
    if not (wanted.day or wanted.since or wanted.until):
        return True
    here = datetime.fromtimestamp(line.received_at / 1000).astimezone()
    if wanted.day and wanted.day != f"{here:%Y-%m-%d}":
        return False
    at = f"{here:%H:%M}"
    return (not wanted.since or at >= wanted.since) and (not wanted.until or at <= wanted.until)


def _people(tournament: Tournament) -> tuple[tuple[str, str], ...]:
    known = sorted((each.id, each.name) for each in tournament.officials.values())
    return (*known, ("director", "Director, not signed in"), (HUB, "The hub by itself"))
