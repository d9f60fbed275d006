"""The tables that wait for somebody from the desk, and what was ruled just now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hub.tournament.in_sight import DeskCall
from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.hands import spoken_contract
from hub.web.views.people import named
from hub.web.views.ruling_words import kind_name, spoken_ruling
from hub.web.views.words import age, time_of_day
from tallybox.envelope import event_id
from tallybox.errors import SheetError
from tallybox.rules.hand import Line, Ruling
from tallybox.seats import Side
from tallybox.table.desk_ruling import would_bring
from tallybox.table.overlay import laid_over, unanswered
from tallybox.table.state import Hand, HandRuling, Irregularity

FRESH: Final = 10_000
"""Milliseconds during which a new call blinks."""
AGAIN: Final = 60_000
"""Milliseconds after which a call that nobody claimed sounds again."""
JUST_NOW: Final = 3


@dataclass(frozen=True, slots=True)
class CallView:
    """A table that waits: since when, why, and who is on the way (``claimed``: the id, ``official``: the name).

    ``asks``: it called; otherwise it only waits for a ruling on what it raised. ``rule``: where that is ruled.
    """

    id: str
    table: int
    round: int
    what: str
    about: str
    timer: str
    since: int
    fresh: bool
    claimed: str | None
    official: str | None
    rule: str
    raised: bool = False
    asks: bool = True


@dataclass(frozen=True, slots=True)
class RuledView:
    """A ruling that counts: in one line, when and by whom, and where it is taken back or ruled again."""

    id: str
    round: int
    table: int
    hand: int
    said: str
    by: str
    time: str
    reason: str
    reversible: bool
    again: str


def call_views(picture: Picture) -> tuple[CallView, ...]:
    """Every table that waits for somebody, the oldest call first; then what waits for a ruling and did not call."""
    called = tuple(call_view(picture, call) for call in picture.calls)
    calling = {(call.round, call.table) for call in picture.calls}
    on = picture.round
    tables = () if on is None else tuple(on.tables.values())
    silent = [
        _raised_view(picture, table, raised)
        for table in tables
        if (table.round, table.table) not in calling
        for raised in waiting(table)[:1]
    ]
    return (*called, *sorted(silent, key=lambda call: call.since))


def call_view(picture: Picture, call: DeskCall) -> CallView:
    """One call; what the table raised stands in the place of a reason."""
    table = picture.tournament.table(call.round, call.table)
    raised = next(iter(waiting(table)), None) if table is not None else None
    about = spoken_contract(table.state) if table is not None else ""
    if table is not None and raised is not None:
        about = f"{_who(raised)} · {about}" if about else _who(raised)
    return CallView(
        id=call.id,
        table=call.table,
        round=call.round,
        what=_kind(table, raised) or call.reason or "The table asks for the director",
        about=about,
        timer=age(call.at, picture.now),
        since=call.at,
        fresh=picture.now - call.at < FRESH,
        claimed=call.claimed,
        official=None if call.claimed is None else named(picture.tournament.officials)(call.claimed),
        rule=_rule_path(call.round, call.table, raised),
        raised=raised is not None,
    )


def waiting(table: TableRound) -> tuple[Irregularity, ...]:
    """What was raised on the open hand and waits for an official."""
    return () if table.state.hand is None else unanswered(table.state, table.state.hand)


def ruled_views(picture: Picture, most: int, *, table: TableRound | None = None) -> tuple[RuledView, ...]:
    """The last rulings that count, newest first; of one table alone, if it is given."""
    times = {each.id: each.at for each in picture.tournament.ruled}
    on = picture.round
    tables = (table,) if table is not None else () if on is None else tuple(on.tables.values())
    found = [
        (times.get(ruling.id) or _entered_at(seen, ruling.id), seen, hand, ruling)
        for seen in tables
        for hand, ruling in _standing(seen)
    ]
    newest = sorted(found, key=lambda each: each[0], reverse=True)[:most]
    return tuple(_ruled(picture, at, seen, hand, ruling) for at, seen, hand, ruling in newest)


def _standing(table: TableRound) -> list[tuple[Hand, HandRuling]]:
    """Every ruling of officials that counts at a table."""
    state = table.state
    if not state.desk and not any(hand.rulings for hand in (*state.hands, *((state.hand,) if state.hand else ()))):
        return []
    return [
        (hand, ruling)
        for hand in (*state.hands, *((state.hand,) if state.hand else ()))
        for ruling in laid_over(state, hand).rulings
        if ruling.by
    ]


def _ruled(picture: Picture, at: int, table: TableRound, hand: Hand, ruling: HandRuling) -> RuledView:
    taken_back = not ruling.ruling.proven and bool(ruling.supersedes)
    said = spoken_ruling(table, ruling.ruling, _moved(table, hand, ruling.ruling))
    return RuledView(
        id=ruling.id,
        round=table.round,
        table=table.table,
        hand=hand.number,
        said=said.replace(": not proven", ": taken back") if taken_back else said,
        by=named(picture.tournament.officials)(ruling.by),
        time=time_of_day(at) if at else "",
        reason=ruling.reason,
        reversible=ruling.ruling.proven,
        again=f"/rounds/{table.round}/tables/{table.table}/rule?hand={hand.number}&replaces={ruling.id}",
    )


def _moved(table: TableRound, hand: Hand, ruling: Ruling) -> dict[Side, int] | None:
    """The points of the lines that a ruling made; an adjustment says its own."""
    if ruling.code == "ADJUST":
        return None
    try:
        lines: tuple[Line, ...] = would_bring(table.state, hand, ()).lines
    except SheetError:
        return None
    made = [line for line in lines if line.params.get("code") == ruling.code]
    return {side: sum(line.points for line in made if line.side is side) for side in Side}


def _entered_at(table: TableRound, ruling: str) -> int:
    """When a ruling was entered at the table, by its box's wall clock; 0 when it cannot be told."""
    entered = (event for event in reversed(table.journal) if event.type == "ruling.entered")
    return next((event.at.wall for event in entered if event_id(event) == ruling), 0)


def _raised_view(picture: Picture, table: TableRound, raised: Irregularity) -> CallView:
    since = table.heard_at or picture.now
    return CallView(
        id=raised.id,
        table=table.table,
        round=table.round,
        what=_kind(table, raised),
        about=f"{_who(raised)} · {spoken_contract(table.state)}",
        timer=age(since, picture.now),
        since=since,
        fresh=picture.now - since < FRESH,
        claimed=None,
        official=None,
        rule=_rule_path(table.round, table.table, raised),
        raised=True,
        asks=False,
    )


def _kind(table: TableRound | None, raised: Irregularity | None) -> str:
    return "" if table is None or raised is None else kind_name(table, raised.code)


def _who(raised: Irregularity) -> str:
    against = raised.side.word if raised.seat is None else raised.seat.word
    return f"{raised.caller.word} calls {against}"


def _rule_path(number: int, table: int, raised: Irregularity | None) -> str:
    path = f"/rounds/{number}/tables/{table}/rule"
    return path if raised is None else f"{path}?raised={raised.id}"
