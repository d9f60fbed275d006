"""The rail beside the room: what came in and does not count, the pace, the best places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_low
from typing import Final

from hub.clock import ClockState
from hub.record.ledger import QuarantinedPayload
from hub.tournament.in_sight import DeskRefusal, Unfolded
from hub.tournament.standings import standings
from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.standings import SPADES, WHIST
from hub.web.views.words import counted, players, signed, time_of_day
from tallybox.calls import Game

BEST: Final = 5


@dataclass(frozen=True, slots=True)
class FaultView:
    """Something that came in and does not count: what is so, and what to do. ``kind`` picks the shape."""

    kind: str
    icon: str
    heading: str
    sentence: str
    then: str
    time: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class PaceView:
    """How far the room is: hands done per table on average, out of how many, and how many the clock expects."""

    mean: str
    of: int
    plan: str
    done_at: int
    plan_at: int | None
    behind: str


@dataclass(frozen=True, slots=True)
class PlaceView:
    """One of the best places."""

    rank: int
    team: int
    players: str
    figure: str


def fault_views(picture: Picture) -> tuple[FaultView, ...]:
    """Everything that came in and does not count, newest first in each kind, as sentences."""
    tournament = picture.tournament
    return (
        *_branches(tournament.branches),
        *(_refused(picture, refusal) for refusal in reversed(standing_refusals(picture))),
        *_late(tournament.late),
        *(_set_aside(payload) for payload in picture.quarantine),
    )


def standing_refusals(picture: Picture) -> tuple[DeskRefusal, ...]:
    """The refusals that still stand: one that its table folded is gone once a later entry of the table cured it."""
    kept = []
    for refusal in picture.tournament.refusals:
        table = picture.tournament.table(refusal.round, refusal.table)
        if table is None or not _folded(table, refusal) or any(no.id == refusal.id for no in table.state.refused):
            kept.append(refusal)
    return tuple(kept)


def _folded(table: TableRound, refusal: DeskRefusal) -> bool:
    """Whether the table itself took the event up; without its tenure it never did, and nothing there can cure it."""
    return any(event.seq == refusal.seq and event.epoch == refusal.epoch for event in table.journal)


def _refused(picture: Picture, refusal: DeskRefusal) -> FaultView:
    table = picture.tournament.table(refusal.round, refusal.table)
    mends = "The table mends it by entering it again."
    sentence = refusal.message
    if refusal.code == "round-not-over" and _no_start_known(picture, refusal.round):
        sentence = (
            f"The sheet was ended at table {refusal.table}, but this hub's record has no start of the clock of round "
            f"{refusal.round}."
        )
        mends = "Start the clock, and end it if its time is up. Then the table signs the sheet as it stands now."
    return FaultView(
        kind="refused",
        icon="warn",
        heading=f"{_place(refusal.table, refusal.box)}: refused",
        sentence=sentence,
        then=f"“{refusal.type}”, entry {refusal.seq} of box {refusal.box}. It is kept and does not count. {mends}",
        href=f"/tables/{refusal.table}" if table is not None else "",
    )


def _no_start_known(picture: Picture, number: int | None) -> bool:
    """Whether the round has a clock that its tables may have heard of and this hub, restored or late, has not."""
    posted = picture.tournament.round(number or 0)
    return posted is not None and posted.minutes is not None and not (posted.clock_started or posted.clock_ended)


def _branches(found: Iterable[Unfolded]) -> list[FaultView]:
    grouped: dict[tuple[str, str], list[Unfolded]] = {}
    for entry in found:
        grouped.setdefault((entry.box, entry.epoch), []).append(entry)
    return [
        FaultView(
            kind="branch",
            icon="fork",
            heading=f"Box {box}: two pasts",
            sentence=f"Box {box} sent {counted(len(entries), 'entry', 'entries')} that continue another past than "
            "the one the hub holds, as a memory card restored from an old copy does.",
            then="The first past counts whole. The box begins a new journal from the last common entry. "
            "Both stand side by side on the box's page: ask both sides, and say which one counts.",
            href=f"/devices/{box}",
        )
        for (box, _epoch), entries in reversed(list(grouped.items()))
    ]


def _late(found: Iterable[Unfolded]) -> list[FaultView]:
    grouped: dict[tuple[str, int | None], list[Unfolded]] = {}
    for entry in found:
        grouped.setdefault((entry.box, entry.table), []).append(entry)
    return [
        FaultView(
            kind="stray",
            icon="tray",
            heading=f"{_place(table, box)}: another record",
            sentence=f"Box {box} sent {counted(len(entries), 'entry', 'entries')} beside what counts at that table.",
            then="They are kept and do not count. On the box's page both records stand side by side: "
            "ask both teams, then take a hand of it or leave what counts.",
            href=f"/devices/{box}",
        )
        for (box, table), entries in reversed(list(grouped.items()))
    ]


def _set_aside(payload: QuarantinedPayload) -> FaultView:
    times = "" if payload.times == 1 else f" It came {payload.times} times."
    return FaultView(
        kind="foreign",
        icon="warn",
        heading=f"{_sender(payload.topic)}: set aside",
        sentence=f"{payload.message}{times}",
        then=f"{payload.size} bytes on “{payload.topic}” ({payload.code}). "
        "It is not in the ledger and nothing of it counts.",
        time=time_of_day(payload.received_at),
    )


def _sender(topic: str) -> str:
    parts = topic.split("/")
    return f"Box {parts[-2]}" if len(parts) > 2 and parts[-3] == "kiosk" else "Unknown sender"


def _place(table: int | None, box: str) -> str:
    return f"Table {table}" if table is not None else f"Box {box}"


def pace(picture: Picture) -> PaceView | None:
    """How far the room is in this round; ``None`` before it plays."""
    on = picture.round
    if on is None or not on.tables or picture.tournament.clock.state is ClockState.WAITING:
        return None
    done = [len(table.state.counting) for table in on.tables.values()]
    mean = sum(done) / len(done)
    expected = _expected(picture, on.hands)
    middle = median_low(done)
    slow = sum(1 for table in on.tables.values() if len(table.state.counting) < middle)
    behind = f"{counted(slow, 'table is', 'tables are')} a hand behind" if slow else "No table is a hand behind"
    return PaceView(
        mean=f"{mean:.1f}",
        of=on.hands,
        plan="" if expected is None else f"plan {expected:.1f}",
        done_at=round(1000 * min(1.0, mean / on.hands)),
        plan_at=None if expected is None else round(1000 * min(1.0, expected / on.hands)),
        behind=behind,
    )


def _expected(picture: Picture, hands: int) -> float | None:
    clock = picture.tournament.clock
    if not clock.seconds or clock.state is ClockState.NONE:
        return None
    return hands * (1 - clock.left(picture.now) / (clock.seconds * 1000))


def places(picture: Picture) -> tuple[str, tuple[PlaceView, ...]]:
    """The best five, and what they are ranked by first; nobody before the first hand is recorded."""
    tournament = picture.tournament
    if not any(table.state.hands or table.score for on in tournament.rounds for table in on.tables.values()):
        return "", ()
    column = (SPADES if picture.game is Game.SPADES else WHIST)[0]
    best = tuple(
        PlaceView(row.rank, row.team, players(tournament.teams[row.team]), signed(column.value(row)))
        for row in standings(tournament)[:BEST]
        if row.team in tournament.teams
    )
    return column.word.lower(), best
