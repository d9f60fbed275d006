"""Every box at a glance: where it stands, how its line, its reader and its clock are, and what waits to be decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hub.record.ledger import QuarantinedPayload
from hub.tournament.aside import waits
from hub.tournament.state import Place
from hub.web.picture import Box, Picture
from hub.web.views.arrivals import offered
from hub.web.views.states import SILENT_AFTER, UNSENT_AFTER
from hub.web.views.words import age, counted, signed

SPARE: Final = "spare"
READS: Final = frozenset({"working", "none", ""})
"""States of a reader in which nobody need look at it."""
OFFSET_MATTERS: Final = 2_000
"""Milliseconds by which a box's clock may be off before the desk hears of it; no deadline moves by it."""

FRESH: Final = 900_000
"""Milliseconds for which something that was set aside asks to be looked at; it stays on the list."""


class Fault(StrEnum):
    """What may be the matter with a box, worst first; also the filters of the page."""

    DECIDE = "decide"
    NEW = "new"
    DISK = "disk"
    SILENT = "silent"
    LOCKED = "locked"
    UNSENT = "unsent"
    READER = "reader"
    CLOCK = "clock"
    OLD = "old"


FILTERS: Final[Mapping[str, tuple[str, str]]] = {
    Fault.DECIDE: ("To decide", "fork"),
    Fault.NEW: ("No table yet", "nobox"),
    Fault.DISK: ("Disk", "warn"),
    Fault.SILENT: ("Silent", "silent"),
    Fault.LOCKED: ("Locked", "lock"),
    Fault.UNSENT: ("Unsent", "tray"),
    Fault.READER: ("Reader", "cards"),
    Fault.CLOCK: ("Clock", "clock"),
    Fault.OLD: ("Other version", "why"),
    SPARE: ("Spare", "nobox"),
}


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One box. ``tone``: how its row stands out; ``speaks``: its tenure in words."""

    box: str
    table: int | None
    link: str
    link_icon: str
    unsent: str
    heard: str
    since: int | None
    reader: str
    reader_says: str
    version: str
    firmware: str
    disk: str
    other: bool
    offset: str
    speaks: str
    faults: tuple[Fault, ...]
    words: tuple[str, ...]
    tone: str
    offered: int | None = None
    """The table that this box, which has none, could stand on."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter with how many boxes it keeps."""

    key: str
    word: str
    icon: str
    count: int
    on: bool


@dataclass(frozen=True, slots=True)
class DevicesView:
    """The page: rows, faults first, and the filters that keep something."""

    rows: tuple[DeviceRow, ...]
    chips: tuple[Chip, ...]
    wants: int
    shown: str
    new: int = 0
    """How many boxes are here and wait for a table."""


def boxes(picture: Picture) -> tuple[str, ...]:
    """Every box that anybody spoke of: by key, by assignment, by its own voice, or by what waits to be decided.

    A box that was taken off the venue stays as long as something of it waits.
    """
    known = picture.tournament
    waits = {each.box for asked in (known.late, known.branches, known.claims, known.requests) for each in asked}
    return tuple(sorted({*picture.known, *picture.boxes, *known.boxes.values(), *waits}))


def devices(picture: Picture, shown: str = "all") -> DevicesView:
    """The page's values; ``shown`` is one of the filters."""
    usual = _usual(picture)
    tables = offered(picture)
    rows = tuple(sorted((_row(picture, box, usual, tables.get(box)) for box in boxes(picture)), key=_first))
    shown = shown if shown in FILTERS else "all"
    chips = (Chip("all", "All", "", len(rows), shown == "all"), *_chips(rows, shown))
    kept = tuple(row for row in rows if shown == "all" or shown in row.faults or (shown == SPARE and row.table is None))
    return DevicesView(kept, chips, sum(1 for row in rows if _wants(row)), shown, len(tables))


def wants(picture: Picture) -> int:
    """How many boxes need somebody, for the navigation."""
    standing = set(picture.tournament.boxes.values())
    return sum(1 for box in boxes(picture) if _in_need(picture, box, stands=box in standing))


def _in_need(picture: Picture, box: str, *, stands: bool) -> bool:
    seen = picture.boxes.get(box)
    if _decide(picture, box, seen, "") or _unsent(picture, box, seen, "") or _disk(picture, box, seen, ""):
        return True
    return stands and _silent(picture, box, seen, "")


def _wants(row: DeviceRow) -> bool:
    return any(fault in {Fault.DECIDE, Fault.DISK, Fault.UNSENT} for fault in row.faults) or (
        Fault.SILENT in row.faults and row.table is not None
    )


def _first(row: DeviceRow) -> tuple[int, bool, int, str]:
    order = list(Fault)
    worst = order.index(row.faults[0]) if row.faults else len(order)
    return worst, row.table is None, row.table or 0, row.box


def _chips(rows: tuple[DeviceRow, ...], shown: str) -> list[Chip]:
    counts = Counter(str(fault) for row in rows for fault in row.faults)
    counts[SPARE] = sum(1 for row in rows if row.table is None)
    return [
        Chip(key, word, icon, counts[key], shown == key)
        for key, (word, icon) in FILTERS.items()
        if counts[key] or shown == key
    ]


def _usual(picture: Picture) -> str:
    """The software most boxes run; another one is worth a word."""
    known = Counter(box.software for box in picture.boxes.values() if box.software)
    return known.most_common(1)[0][0] if known else ""


def _row(picture: Picture, box: str, usual: str, table_offered: int | None) -> DeviceRow:
    seen, table = picture.boxes.get(box), picture.tournament.table_of(box)
    link, link_icon = _link(picture, seen)
    there = {fault for fault, is_so in _FAULTS.items() if is_so(picture, box, seen, usual)}
    if table_offered is not None:
        there.add(Fault.NEW)
    found = tuple(fault for fault in Fault if fault in there)
    return DeviceRow(
        box=box,
        table=table,
        link=link,
        link_icon=link_icon,
        unsent="?" if seen is None or Fault.SILENT in found else str(seen.unsent),
        heard=age(seen.heard, picture.now) if seen else "never",
        since=seen.heard if seen else None,
        reader=_reader(seen),
        reader_says=seen.reader if seen else "",
        version=_version(seen.software if seen else ""),
        firmware=seen.firmware if seen else "",
        disk=seen.disk if seen else "",
        other=Fault.OLD in found,
        offset=f"{_plus(seen.offset)} ms" if seen is not None and seen.offset is not None else "–",
        speaks=_speaks(picture, box, table),
        faults=found,
        words=tuple(word for key, word in _WORDS.items() if key in found),
        tone=_TONES.get(found[0], "") if found else "",
        offered=table_offered,
    )


_TONES: Final = {
    Fault.DECIDE: "bad",
    Fault.NEW: "new",
    Fault.DISK: "bad",
    Fault.SILENT: "bad",
    Fault.LOCKED: "held",
    Fault.UNSENT: "info",
    Fault.READER: "caution",
    Fault.CLOCK: "caution",
}
_WORDS: Final = {Fault.DECIDE: "to decide", Fault.NEW: "new", Fault.DISK: "disk", Fault.LOCKED: "locked"}


def _link(picture: Picture, box: Box | None) -> tuple[str, str]:
    if box is None:
        return "Never heard", "nobox"
    if not box.online:
        return "Away", "silent"
    return ("Silent", "silent") if picture.now - box.heard >= SILENT_AFTER else ("Linked", "link")


def _reader(box: Box | None) -> str:
    if box is None or not box.reader_state:
        return "–"
    words = {"working": "Good", "none": "None: typing", "partial": "Some seats", "starting": "Starting"}
    return words.get(box.reader_state, "Typing")


def _version(software: str) -> str:
    return software.removeprefix("tallybox ") or "–"


def _plus(offset: int) -> str:
    return f"+{offset}" if offset > 0 else signed(offset)


def _speaks(picture: Picture, box: str, table: int | None) -> str:
    """Whether what this box enters counts: its tenure."""
    on = picture.round
    played = on.tables.get(table) if on is not None and table is not None else None
    if any(claim.box == box for claim in picture.tournament.claims):
        return "asks to speak"
    if played is None:
        return "not played" if table is not None and on is not None else "–"
    if played.tenure is None:
        return "not claimed"
    return str(played.tenure.number) if played.tenure.box == box else f"{played.tenure.box} speaks"


def _decide(picture: Picture, box: str, _seen: Box | None, _usual: str) -> bool:
    known = picture.tournament
    return (
        any(event.box == box for event in known.branches)
        or any(asked.box == box for asked in known.requests)
        or any(claim.box == box and claim.provisional for claim in known.claims)
        or any(place[0] == box and _open(picture, place) for place in known.asides)
        or any(picture.now - payload.received_at < FRESH for payload in set_aside(picture, box))
    )


def _open(picture: Picture, place: Place) -> bool:
    """Whether another record that a box holds waits for a word: of a closed sheet only if it has whole hands."""
    box, number, at = place
    table = picture.tournament.table(number, at)
    if table is None or not table.settled:
        return True
    return any(event.type == "hand.recorded" for event in waits(picture.tournament, table, box))


def sender(topic: str) -> str:
    """The box under whose name something came, empty when it came under none."""
    parts = topic.split("/")
    return parts[-2] if len(parts) > 2 and parts[-3] == "kiosk" else ""


def set_aside(picture: Picture, box: str) -> tuple[QuarantinedPayload, ...]:
    """What came in under this box's name and is not in the ledger, newest first."""
    return tuple(payload for payload in picture.quarantine if sender(payload.topic) == box)


def _silent(picture: Picture, box: str, seen: Box | None, _usual: str) -> bool:
    if seen is None:
        return picture.tournament.table_of(box) is not None
    return not seen.online or picture.now - seen.heard >= SILENT_AFTER


def _disk(_picture: Picture, _box: str, seen: Box | None, _usual: str) -> bool:
    return seen is not None and bool(seen.disk_state)


def _unsent(picture: Picture, _box: str, seen: Box | None, _usual: str) -> bool:
    since = None if seen is None or not seen.unsent else seen.unsent_since
    return since is not None and picture.now - since > UNSENT_AFTER


_FAULTS: Final[Mapping[Fault, Callable[[Picture, str, Box | None, str], bool]]] = {
    Fault.DECIDE: _decide,
    Fault.DISK: _disk,
    Fault.SILENT: _silent,
    Fault.LOCKED: lambda picture, box, _seen, _usual: box in picture.tournament.locked,
    Fault.UNSENT: _unsent,
    Fault.READER: lambda _picture, _box, seen, _usual: seen is not None and seen.reader_state not in READS,
    Fault.CLOCK: lambda _picture, _box, seen, _usual: (
        seen is not None and seen.offset is not None and abs(seen.offset) >= OFFSET_MATTERS
    ),
    Fault.OLD: lambda _picture, _box, seen, usual: seen is not None and seen.software not in {"", usual},
}


def needs(view: DevicesView) -> str:
    """The page in a sentence."""
    if view.new:
        come = counted(view.new, "box has", "boxes have")
        return f"{come} no table yet: one press on the table's number puts each in its place."
    if not view.wants:
        return "Every box that stands on a table is linked, and nothing waits to be decided."
    return f"{counted(view.wants, 'box needs', 'boxes need')} somebody."
