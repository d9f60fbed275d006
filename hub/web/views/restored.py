"""A hub that runs on an older copy of its data: what it lacks, what the tables have sent since, what to do first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hub.clock import ClockState
from hub.record.former import Former
from hub.roles import HUB
from hub.tournament.aside import waits
from hub.web.picture import Picture
from hub.web.views.devices import boxes
from hub.web.views.people import named
from hub.web.views.record_words import Telling, event_words
from hub.web.views.states import SILENT_AFTER
from hub.web.views.words import STEPS, counted, time_of_day
from tallybox.countdown import clock_text
from tallybox.envelope import HubEvent
from tallybox.ledger_line import LedgerLine, event_of
from tallybox.table.steps import step

MOST_SHOWN: Final = 200
"""Acts of the desk that are listed; the former record has all."""

_CLOCKS: Final = {
    ClockState.NONE: "No clock runs.",
    ClockState.WAITING: "In this copy the clock has not started.",
    ClockState.RUNNING: "In this copy the clock runs, with {left} left.",
    ClockState.PAUSED: "In this copy the clock is paused, with {left} left.",
    ClockState.HELD: "In this copy the clock is held, with {left} left.",
    ClockState.ENDED: "In this copy the clock has ended.",
}


@dataclass(frozen=True, slots=True)
class LostAct:
    """Something the desk did that this copy does not know."""

    time: str
    who: str
    where: str
    words: str


@dataclass(frozen=True, slots=True)
class BoxNow:
    """What one box has sent since the copy. ``whole``: it says that nothing of it waits any more."""

    box: str
    table: int | None
    line: str
    unsent: str
    sent: int
    stands: str
    waits: str
    whole: bool


@dataclass(frozen=True, slots=True)
class RestoredView:
    """The page. ``ends``: where the copy ends, in words; ``lost``: what the desk did after it, oldest first."""

    ends: str
    former: str
    lost: tuple[LostAct, ...]
    more: int
    boxes: tuple[BoxNow, ...]
    waits: str
    clock: str
    in_doubt: bool


def restored(
    picture: Picture, copy_ends: int | None, lines: Iterable[LedgerLine], last: LedgerLine | None, kept: Former | None
) -> RestoredView:
    """The page's values. ``lines`` came in after the copy's end, ``last`` is the copy's own last one."""
    since = Counter(str(line.event["kiosk"]) for line in lines)
    found = tuple(_box(picture, box, since[box]) for box in boxes(picture))
    shown = tuple(row for row in found if row.table is not None or row.sent or row.waits)
    lost = () if kept is None else tuple(_lost(picture, kept.lines))
    clock = picture.tournament.clock
    return RestoredView(
        ends=_ends(copy_ends, last), former=_former(kept, len(lost)), lost=lost[:MOST_SHOWN],
        more=max(0, len(lost) - MOST_SHOWN), boxes=shown, waits=_waits(shown),
        clock=_CLOCKS[clock.state].format(left=clock_text(-(-clock.left(picture.now) // 1000))),
        in_doubt=picture.in_doubt,
    )  # fmt: skip


def _ends(copy_ends: int | None, last: LedgerLine | None) -> str:
    if not copy_ends or last is None:
        return "The copy was empty."
    return f"The copy ends with line {copy_ends}, written at {time_of_day(last.received_at)}."


def _former(kept: Former | None, lost: int) -> str:
    if kept is None:
        return (
            "The record that was here before is not beside it. What the desk did after that time is not known to this "
            "hub: rulings, corrections, accepted sheets, the clock. Do again what has to count."
        )
    if not kept.readable:
        return f"The record that was here before is kept as {kept.name}, but it cannot be read. Do again what counts."
    if not lost:
        return f"The record that was here before is kept as {kept.name}. The desk did nothing after that time."
    return (
        f"The record that was here before is kept as {kept.name}. In it the desk did "
        f"{counted(lost, 'thing', 'things')} that this copy does not know. Do again what has to count; nothing is sent "
        "to the tables meanwhile."
    )


def _lost(picture: Picture, lines: Iterable[LedgerLine]) -> Iterable[LostAct]:
    """What people did at the desk; what the hub does by itself it does again."""
    name = named(picture.tournament.officials)
    telling = Telling(picture.game, name)
    for line in lines:
        event = event_of(line)
        actor = event.body.get("actor")
        if not isinstance(event, HubEvent) or actor == HUB:
            continue
        where = f"R{event.round}-T{event.table}" if event.round and event.table else ""
        yield LostAct(time_of_day(event.at.wall), name(str(actor)), where, event_words(event.type, event.body, telling))


def _box(picture: Picture, box: str, sent: int) -> BoxNow:
    seen, at = picture.boxes.get(box), picture.tournament.table_of(box)
    on = picture.round
    table = None if on is None or at is None else on.tables.get(at)
    linked = seen is not None and seen.online and picture.now - seen.heard < SILENT_AFTER
    hands = "" if table is None else counted(len(table.state.counting), "hand", "hands")
    stands = "" if table is None else f"{hands} recorded · {STEPS[step(table.state)].lower()}"
    return BoxNow(
        box, at, "linked" if linked else "not heard" if seen is None else "away",
        str(seen.unsent) if seen is not None and linked else "?", sent, stands, _waiting(picture, box),
        whole=linked and seen is not None and seen.unsent == 0,
    )  # fmt: skip


def _waiting(picture: Picture, box: str) -> str:
    """What a box sent that this copy cannot place yet: most of it counts once its claim is granted anew."""
    tournament = picture.tournament
    places = [place for place in tournament.asides if place[0] == box]
    events = [each for each in tournament.ahead if each.kiosk == box]
    for _box, number, at in places:
        table = tournament.table(number, at)
        events += [] if table is None else waits(tournament, table, box)
    hands = sum(event.type == "hand.recorded" for event in events)
    if not events:
        return ""
    return f"{counted(hands, 'hand', 'hands')} of its own wait" if hands else "entries of its own wait"


def _waits(found: tuple[BoxNow, ...]) -> str:
    late = [row.box for row in found if not row.whole and row.table is not None]
    if not late:
        return "Every box that stands on a table is linked and has sent what it holds."
    return (
        f"Not everything is here yet: {', '.join(late[:12])}{' …' if len(late) > 12 else ''}. Wait for them if you can."
    )
