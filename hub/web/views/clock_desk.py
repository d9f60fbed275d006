"""The page of the clock: everything that is done to it, what can be undone, who has time of their own, when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hub.clock import ClockState
from hub.desk.clock_acts import as_if_it_ran
from hub.tournament.clock_log import ClockTurn, Turn, taken_back
from hub.tournament.expected_end import ExpectedEnd, expected_end
from hub.tournament.state import Stage, Tournament
from hub.web.picture import Picture
from hub.web.views.late import LateTable, late_tables
from hub.web.views.people import named
from hub.web.views.words import count_word, counted, time_of_day
from tallybox.countdown import clock_text

MINUTES: Final = (1, 2, 3, 5, 10)
LOG: Final = 60
_STATES: Final = {
    ClockState.NONE: "No clock runs.",
    ClockState.WAITING: "The clock is set and waits for its start.",
    ClockState.RUNNING: "The clock runs.",
    ClockState.PAUSED: "The clock is paused. No table deals.",
    ClockState.HELD: "The clock is held: you choose how it goes on.",
    ClockState.ENDED: "The clock of this round has ended. No new hand begins.",
}


@dataclass(frozen=True, slots=True)
class Undo:
    """How an act on the clock is undone: by which act, in which words."""

    path: str
    word: str
    extension: str = ""


@dataclass(frozen=True, slots=True)
class TurnView:
    """One act on the clock: when, what, who; how it is undone, if that makes sense now."""

    id: str
    time: str
    said: str
    by: str
    gone: bool
    undo: Undo | None


@dataclass(frozen=True, slots=True)
class HeldClock:
    """What a hub that came up again says of a clock it cannot trust: both times, and which can be chosen.

    ``kept``: what was left when the hub last noted the time. ``ran``: what is left if the clock ran on meanwhile; empty
    where the hub cannot know it. ``over``: nothing is left then.
    """

    reason: str
    kept: str
    ran: str
    over: bool


@dataclass(frozen=True, slots=True)
class OwnTime:
    """A table with time of its own, or one that waits for the director."""

    round: int
    table: int
    said: str


@dataclass(frozen=True, slots=True)
class ExpectedView:
    """When it should be over, and how that was reckoned."""

    time: str
    sentence: str
    how: str


@dataclass(frozen=True, slots=True)
class ClockDesk:
    """The whole page. ``playing``: how many tables play a hand now."""

    state: str
    word: str
    round: int | None
    timed: bool
    running: bool
    stands: bool
    ended: bool
    waiting: bool
    playing: int
    tables: tuple[int, ...]
    own_time: tuple[OwnTime, ...]
    held: tuple[OwnTime, ...]
    late: tuple[LateTable, ...]
    expected: ExpectedView | None
    intermission: str
    log: tuple[TurnView, ...]
    uncertain: HeldClock | None = None


def clock_desk(picture: Picture) -> ClockDesk:
    """The clock as the desk works it."""
    tournament, on = picture.tournament, picture.round
    clock = tournament.clock
    tables = () if on is None else tuple(on.tables.values())
    return ClockDesk(
        state=clock.state.value,
        word=_STATES[clock.state] if on is not None else "No round is posted yet.",
        round=None if on is None else on.number,
        timed=on is not None and on.minutes is not None,
        running=clock.state is ClockState.RUNNING,
        stands=clock.stands,
        ended=clock.state is ClockState.ENDED,
        waiting=clock.state is ClockState.WAITING,
        playing=sum(1 for table in tables if table.state.hand is not None),
        tables=tuple(table.table for table in tables if not table.settled),
        own_time=tuple(
            OwnTime(table.round, table.table, f"{counted(-(-table.extra // 60), 'minute', 'minutes')} more")
            for table in tables
            if table.extra
        ),
        held=tuple(OwnTime(table.round, table.table, table.held) for table in tables if table.held is not None),
        late=late_tables(picture),
        expected=_expected(expected_end(tournament, picture.now), picture),
        intermission=_intermission(picture),
        log=_log(tournament),
        uncertain=_held(picture),
    )


def _held(picture: Picture) -> HeldClock | None:
    tournament = picture.tournament
    if tournament.clock.state is not ClockState.HELD:
        return None
    last = next((turn for turn in reversed(tournament.turns) if turn.what is Turn.HELD), None)
    until = as_if_it_ran(tournament)
    left = 0 if until is None else max(0, until - picture.now)
    kept = clock_text(-(-(tournament.clock.remaining or 0) // 1000))
    ran = "" if until is None else clock_text(-(-left // 1000))
    return HeldClock("" if last is None else last.reason, kept, ran, over=until is not None and left == 0)


def _expected(found: ExpectedEnd | None, picture: Picture) -> ExpectedView | None:
    if found is None:
        return None
    after = f"{counted(found.rounds, 'round comes', 'rounds come')} after this one" if picture.round else ""
    sentence = after or f"{counted(found.rounds, 'round', 'rounds')} to play"
    if not found.rounds:
        sentence = "This is the last round that can be counted"
    if found.open_ended:
        sentence += "; what follows depends on the results"
    each, pause = _minutes(found.round_ms), _minutes(found.break_ms)
    basis = "as planned" if not found.measured else f"as the {counted(found.measured, 'round', 'rounds')} so far took"
    return ExpectedView(
        time_of_day(found.at), f"{sentence}.", f"Reckoned with {each} a round, {basis}, and {pause} between rounds."
    )


def _minutes(ms: int) -> str:
    return counted(round(ms / 60_000), "minute", "minutes")


def _intermission(picture: Picture) -> str:
    """What the stage plans between two rounds, and how long the present break has lasted."""
    stage, on = picture.tournament.stage, picture.round
    planned = 0 if stage is None else stage.plan.intermission
    if on is None or on.stage is not Stage.ENDED or on.ended_at is None:
        return ""
    said = f"{counted(planned, 'minute', 'minutes')} are planned between rounds." if planned else ""
    lasted = clock_text(max(0, (picture.now - on.ended_at) // 1000))
    return f"Round {count_word(on.number)} ended {time_of_day(on.ended_at)}, {lasted} ago. {said}".strip()


def _log(tournament: Tournament) -> tuple[TurnView, ...]:
    gone = taken_back(tournament.turns)
    name = named(tournament.officials)
    newest = tournament.turns[::-1][:LOG]
    return tuple(
        TurnView(turn.id, time_of_day(turn.at), _said(turn), name(turn.by), turn.id in gone,
                 _undo(tournament, turn, newest=place == 0) if turn.id not in gone else None)
        for place, turn in enumerate(newest)
    )  # fmt: skip


def _said(turn: ClockTurn) -> str:
    left = clock_text(-(-turn.left // 1000))
    minutes = counted(turn.seconds // 60, "minute", "minutes") if turn.seconds % 60 == 0 else f"{turn.seconds} seconds"
    said = {
        Turn.STARTED: f"started, {minutes}",
        Turn.PAUSED: f"paused with {left} left",
        Turn.RESUMED: f"went on with {left} left",
        Turn.EXTENDED: f"{minutes} more for everybody",
        Turn.SHORTENED: f"{minutes} taken back",
        Turn.HELD: f"held after a restart with {left} left",
        Turn.ENDED: f"ended with {left} left",
        Turn.REOPENED: "reopened with what was left",
        Turn.WITHDRAWN: "start taken back",
    }[turn.what]
    return f"Round {count_word(turn.round)}: {said}"


def _undo(tournament: Tournament, turn: ClockTurn, *, newest: bool) -> Undo | None:
    """What takes this act back now; an extension at any time, everything else while it is the last act."""
    clock, on = tournament.clock, tournament.current
    if turn.round != clock.round or on is None or on.stage is Stage.ENDED:
        return None
    goes = clock.state is ClockState.RUNNING or clock.stands
    if turn.what is Turn.EXTENDED:
        return Undo("/clock/shorten", "Take the minutes back", turn.id) if goes else None
    if turn.what is Turn.STARTED:
        return None if on.begun else Undo("/clock/withdraw", "Take the start back")
    if not newest:
        return None
    return {
        Turn.PAUSED: Undo("/clock/resume", "Go on"),
        Turn.RESUMED: Undo("/clock/pause", "Pause again"),
        Turn.ENDED: Undo("/clock/reopen", f"Go on with {clock_text(-(-turn.left // 1000))}") if turn.left else None,
        Turn.REOPENED: Undo("/clock/end", "End it again"),
    }.get(turn.what)
