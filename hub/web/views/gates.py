"""What stands before a step of a round: each thing as one line, good or missing, with the place where it is mended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from hub.clock import ClockState
from hub.tournament.stages import Draft, StagePlay
from hub.tournament.state import Round, TableRound, Tournament
from hub.tournament.warnings import Warned, flags, warnings
from hub.web.picture import Picture
from hub.web.views.states import WORDS, conditions
from hub.web.views.words import SIDE_WORDS, counted
from tallybox.countdown import clock_text

MOST_NAMED = 8
"""Teams or tables that one line names; the rest are counted."""
MOST_LINES = 6
"""Missing sheets that have a line each."""


class Weight(StrEnum):
    """How much a line weighs: it is well, worth knowing, in the way unless somebody says why, or in the way."""

    GOOD = "good"
    KNOW = "know"
    REASON = "reason"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Gate:
    """One line of the list; ``href`` and ``word`` lead to where it is mended."""

    weight: Weight
    heading: str
    detail: str = ""
    href: str = ""
    word: str = "Open"


@dataclass(frozen=True, slots=True)
class GateList:
    """The lines, and whether the step can be taken: at once, with a reason, or not yet."""

    lines: tuple[Gate, ...]

    @property
    def stopped(self) -> bool:
        """Whether something must be mended first."""
        return any(line.weight is Weight.STOP for line in self.lines)

    @property
    def asks(self) -> bool:
        """Whether somebody may go on with a reason."""
        return not self.stopped and any(line.weight is Weight.REASON for line in self.lines)

    @property
    def clean(self) -> bool:
        """Whether nothing is in the way."""
        return not self.stopped and not self.asks

    @property
    def missing(self) -> str:
        """What is in the way, in a few words, for the dashed button."""
        return "; ".join(line.heading for line in self.lines if line.weight in (Weight.STOP, Weight.REASON))


def before_publishing(picture: Picture, draft: Draft, stage: StagePlay) -> GateList:
    """What a draft still lacks before it is posted."""
    tournament = picture.tournament
    known = warnings(tournament)
    return GateList((
        _meetings(tournament, draft, known),
        _all_seated(tournament, draft, stage),
        *_out(draft, known),
        *_stale(flags(tournament)),
        *_not_here(known),
        _boxes(tournament, [pair.table for pair in draft.pairings]),
    ))  # fmt: skip


def before_starting(picture: Picture, posted: Round) -> GateList:
    """What a posted round still lacks before it starts."""
    tournament = picture.tournament
    stage = tournament.stages[posted.of_stage - 1]
    lines = [_seated(posted), _boxes(tournament, posted.tables)]
    notice = stage.plan.notice * 60_000
    waits = 0 if posted.posted_at is None else posted.posted_at + notice - picture.now
    if notice and waits > 0:
        heading = f"Posted {stage.plan.notice} minutes ahead"
        lines.append(Gate(Weight.REASON, heading, f"{-(-waits // 60_000)} to go; sooner for a reason"))
    lines += [
        Gate(Weight.KNOW, f"Table {warned.table} is a forfeit", warned.message, "/teams", "Teams")
        for warned in warnings(tournament)
        if warned.code == "team-out"
    ]
    lines += [Gate(Weight.KNOW, "Results changed", flag.message) for flag in flags(tournament)]
    return GateList(tuple(lines))


def before_ending(picture: Picture, on: Round) -> GateList:
    """What a round still lacks before it is closed."""
    missing = on.missing
    lines = [_clock(picture, on)]
    if len(missing) > MOST_LINES:
        heading = f"{len(missing)} sheets are missing"
        lines.append(Gate(Weight.REASON, heading, _named("table", [table.table for table in missing]), "/"))
    elif missing:
        lines += [_sheet(picture, table) for table in missing]
    else:
        lines.append(Gate(Weight.GOOD, f"All {len(on.tables)} sheets are in", "accepted, or closed by the director"))
    waiting = [call for call in picture.calls if call.round == on.number]
    if waiting:
        heading = counted(len(waiting), "table calls", "tables call")
        lines.append(Gate(Weight.KNOW, heading, _named("table", [call.table for call in waiting]), "/calls"))
    lines += [Gate(Weight.KNOW, "Results changed", flag.message) for flag in flags(picture.tournament)]
    return GateList(tuple(lines))


def _meetings(tournament: Tournament, draft: Draft, known: Iterable[Warned]) -> Gate:
    again = [warned for warned in known if warned.code == "rematch"]
    pairs = counted(len(draft.pairings), "pairing", "pairings")
    earlier = [posted.number for posted in tournament.rounds_of(draft.stage) if posted.number < draft.number]
    if again:
        heading = f"{pairs}, {counted(len(again), 'meets', 'meet')} again"
        return Gate(Weight.KNOW, heading, " ".join(warned.message for warned in again[:3]))
    checked = f"checked against {counted(len(earlier), 'round', 'rounds')} before it" if earlier else "the first round"
    return Gate(Weight.GOOD, f"{pairs}, nobody meets twice", checked)


def _all_seated(tournament: Tournament, draft: Draft, stage: StagePlay) -> Gate:
    there = {team for pair in draft.pairings for team in (pair.ns, pair.ew)} | set(draft.byes)
    left = [team for team in stage.places if team and team not in there and not tournament.entrants[team].out]
    if left and stage.plan.kind not in ("elimination", "play_off"):
        detail = "Draft again to seat them, or let one change places with a team that sits."
        return Gate(Weight.KNOW, f"{_named('team', left)} not in this draft", detail)
    seated = f"All {2 * len(draft.pairings)} teams seated" if not draft.byes else f"{2 * len(draft.pairings)} seated"
    rests = f"{_named('team', draft.byes)} {'sits' if len(draft.byes) == 1 else 'sit'} out" if draft.byes else ""
    return Gate(Weight.GOOD, seated, rests)


def _out(draft: Draft, known: Iterable[Warned]) -> list[Gate]:
    gone = [warned for warned in known if warned.code == "team-out" and warned.round == draft.number]
    return [Gate(Weight.STOP, f"Table {warned.table}: a team is out", "Draft the round again.") for warned in gone]


def _stale(found: Iterable[Warned]) -> list[Gate]:
    return [
        Gate(Weight.REASON, "Results changed since", flag.message)
        if flag.code == "draft-stale"
        else Gate(Weight.KNOW, "Worth a look", flag.message, "/bracket" if flag.code == "match-stale" else "")
        for flag in found
    ]


def _not_here(known: Iterable[Warned]) -> list[Gate]:
    absent = [warned for warned in known if warned.code == "not-checked-in"]
    if not absent:
        return []
    heading = f"{counted(len(absent), 'team is', 'teams are')} not checked in"
    return [Gate(Weight.REASON, heading, absent[0].message, "/teams?show=absent")]


def _boxes(tournament: Tournament, tables: Iterable[int]) -> Gate:
    without = [table for table in tables if table not in tournament.boxes]
    if without:
        heading = f"{counted(len(without), 'table has', 'tables have')} no box"
        return Gate(Weight.KNOW, heading, _named("table", without), "/devices")
    return Gate(Weight.GOOD, "Every table has its box")


def _seated(posted: Round) -> Gate:
    waiting = [table for table in posted.tables.values() if table.seats_missing and not table.settled]
    if not waiting:
        return Gate(Weight.GOOD, "Every table is seated", "both sides confirmed their seats")
    heading = f"{counted(len(waiting), 'table is', 'tables are')} not seated"
    both = [table.table for table in waiting if len(table.seats_missing) == 2]
    said = [_named("table", both)] if both else []
    said += [
        f"table {table.table} {SIDE_WORDS[table.seats_missing[0]]}"
        for table in waiting[:MOST_NAMED]
        if len(table.seats_missing) == 1
    ]
    return Gate(Weight.KNOW, heading, ", ".join(said), f"/tables/{waiting[0].table}")


def _clock(picture: Picture, on: Round) -> Gate:
    if on.closed:
        return Gate(Weight.GOOD, "The clock has ended" if on.minutes else "This round has no clock")
    clock = picture.tournament.clock
    left = clock_text(-(-clock.left(picture.now) // 1000))
    word = "runs" if clock.state is ClockState.RUNNING else "stands"
    return Gate(Weight.STOP, f"The clock {word}", f"{left} left. End it above, then end the round.")


def _sheet(picture: Picture, table: TableRound) -> Gate:
    at = conditions(picture, table)[0]
    detail = f"{WORDS[at.state].word.lower()}{f': {at.detail}' if at.detail else ''}"
    href = f"/rounds/{table.round}/tables/{table.table}" if table.submitted else f"/tables/{table.table}"
    return Gate(Weight.REASON, f"Table {table.table}: no sheet yet", detail, href)


def _named(noun: str, numbers: Iterable[int]) -> str:
    them = list(numbers)
    some = ", ".join(str(number) for number in them[:MOST_NAMED])
    more = f" and {len(them) - MOST_NAMED} more" if len(them) > MOST_NAMED else ""
    return f"{noun if len(them) == 1 else noun + 's'} {some}{more}".capitalize()
