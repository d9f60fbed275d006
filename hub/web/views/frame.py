"""The frame around every page: what the navigation counts, the round's paper, and the clock with its acts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hub.clock import Clock, ClockState
from hub.desk.clock_acts import clock_mark
from hub.tournament.next_round import rounds_in_all
from hub.tournament.state import Round, Stage, TableRound
from hub.web.access import Who
from hub.web.picture import Picture
from hub.web.views.desk_step import desk_step
from hub.web.views.devices import wants
from hub.web.views.words import PAPERS, counted, paper, time_of_day
from tallybox.calls import Game
from tallybox.countdown import clock_text, seconds_left
from tallybox.table.state import Step

LAST_MINUTES: Final = 300
"""Seconds before the end from which the clock is amber."""
GAMES: Final = {Game.BID_WHIST: "bid whist", Game.SPADES: "spades"}


@dataclass(frozen=True, slots=True)
class RoundChip:
    """The round as its sheet shows it: figure, strokes, words, paper."""

    number: int
    of: int
    paper: int
    name: str
    twice: bool


@dataclass(frozen=True, slots=True)
class Act:
    """Something the director can do to the clock now; ``asks`` opens a sheet with this question first."""

    path: str
    word: str
    icon: str = ""
    asks: str = ""
    sure: str = ""


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clock: ``text`` as of now; a page counts down to ``deadline`` by itself. ``tone``: calm, warn or end.

    ``break_until``: counted down to as well, between two rounds, and never a warning.
    """

    text: str
    note: str
    ends: str = ""
    tone: str = "calm"
    deadline: int | None = None
    break_until: int | None = None
    icon: str = ""
    acts: tuple[Act, ...] = ()
    mark: str = ""
    """Of the clock as it is shown; what gives time carries it, so that nobody gives it twice."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How somebody proves who rules: by the PIN of who is signed in, or of one of ``officials`` (id, name)."""

    officials: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything around the page. ``notice`` is what the whole room should know."""

    title: str
    game: str
    now: int
    seq: int
    calls: int
    waiting: int
    reach: str
    token: str
    told: str
    unclaimed: str
    round: RoundChip | None
    clock: ClockView
    who: Who
    devices: int = 0
    """How many boxes need somebody."""
    proof: Proof | None = None
    """``None``: nobody has a PIN here, and none is asked for."""


def frame(picture: Picture, *, who: Who, reach: str, token: str, asks_pin: bool = False) -> Frame:
    """The frame of the room at this instant."""
    game = picture.game
    return Frame(
        title=picture.tournament.title,
        game=GAMES[game] if game is not None else "",
        now=picture.now,
        seq=picture.tournament.seq,
        calls=len(picture.calls),
        waiting=len(waiting_sheets(picture)),
        reach=reach,
        token=token,
        told=_told(picture),
        unclaimed=_unclaimed(picture),
        round=round_chip(picture),
        clock=clock(picture),
        who=who,
        devices=wants(picture),
        proof=_proof(picture, who) if asks_pin else None,
    )


def _proof(picture: Picture, who: Who) -> Proof:
    if who.signed:
        return Proof()
    known = picture.tournament.officials.values()
    return Proof(tuple(sorted(((each.id, each.name) for each in known if each.verifier), key=lambda each: each[1])))


def waiting_sheets(picture: Picture) -> tuple[TableRound, ...]:
    """Every sheet that waits for its acceptance, oldest round first."""
    return tuple(
        table
        for played in picture.tournament.rounds
        for table in played.tables.values()
        if desk_step(table) is Step.SUBMITTED
    )


def _unclaimed(picture: Picture) -> str:
    """The calls that nobody is on the way to, as a script reads them: ``id@since:table``, apart by spaces."""
    waiting = [call for call in picture.calls if call.claimed is None]
    return " ".join(f"{call.id[:16]}@{call.at}:{call.table}" for call in waiting)


def _told(picture: Picture) -> str:
    """What a reader of the page is told when a table calls."""
    waiting = [call for call in picture.calls if call.claimed is None]
    return " ".join(f"Table {call.table} calls the director: {call.reason or 'no reason given'}." for call in waiting)


def round_chip(picture: Picture) -> RoundChip | None:
    """The chip of the round that is on."""
    plan, on = picture.tournament.plan, picture.round
    return None if plan is None or on is None else chip(on.number, max(on.number, rounds_in_all(picture.tournament)))


def chip(number: int, of: int) -> RoundChip:
    """The chip of any round."""
    return RoundChip(number, of, paper(number), PAPERS[paper(number) - 1], number > len(PAPERS))


def clock(picture: Picture) -> ClockView:
    """The clock, and what can be done to it now."""
    return replace(_clock(picture), mark=clock_mark(picture.tournament))


def _clock(picture: Picture) -> ClockView:
    shown = picture.tournament.clock
    if picture.round is not None and picture.round.stage is Stage.ENDED:
        return _between(picture, picture.round)
    match shown.state:
        case ClockState.RUNNING if shown.deadline is not None:
            return _running(picture, shown, shown.deadline)
        case ClockState.PAUSED | ClockState.HELD:
            paused = shown.state is ClockState.PAUSED
            return _standing(picture, shown, *(("paused", "pause") if paused else ("held after a restart", "lock")))
        case ClockState.WAITING:
            return _waiting(picture, shown)
        case ClockState.ENDED:
            return ClockView("00:00", "time is up", tone="end", acts=(_more(),))
        case _:
            return ClockView("", "no clock: untimed" if picture.round else "no round yet")


def _waiting(picture: Picture, shown: Clock) -> ClockView:
    """A posted round: until its start, if that is announced, else its length."""
    start = Act("/clock/start", "Start the clock", "play")
    starts_at = None if picture.round is None else picture.round.starts_at
    if starts_at is None or starts_at <= picture.now:
        return ClockView(clock_text(shown.seconds), "ready, not started", acts=(start,))
    left = seconds_left(starts_at, picture.now)
    return ClockView(
        clock_text(left), "until it starts", f"at {time_of_day(starts_at)}", break_until=starts_at, icon="clock",
        acts=(start,),
    )  # fmt: skip


def _between(picture: Picture, over: Round) -> ClockView:
    """A round is over and the next one is not posted: what is left of the break that the stage plans."""
    stage = picture.tournament.stage
    planned = 0 if stage is None or picture.tournament.over else stage.plan.intermission
    if over.ended_at is None or not planned:
        return ClockView("", "round over")
    until = over.ended_at + planned * 60_000
    left = seconds_left(until, picture.now)
    note = f"break of {counted(planned, 'minute', 'minutes')}"
    ends = f"until {time_of_day(until)}" if left else "is over"
    return ClockView(clock_text(left), note, ends, break_until=until if left else None, icon="clock")


def _running(picture: Picture, shown: Clock, deadline: int) -> ClockView:
    left = seconds_left(deadline, picture.now)
    tone = "end" if left == 0 else "warn" if left <= LAST_MINUTES else "calm"
    note, ends = f"left of {clock_text(shown.seconds)}", f"ends {time_of_day(deadline)}"
    acts = (Act("/clock/pause", "Pause", "pause"), _more(), _end(picture))
    return ClockView(clock_text(left), note, ends, tone, deadline, acts=acts)


def _standing(picture: Picture, shown: Clock, word: str, icon: str) -> ClockView:
    left = -(-(shown.remaining or 0) // 1000)
    acts = (Act("/clock/resume", "Resume", "play"), _more(), _end(picture))
    return ClockView(clock_text(left), word, f"of {clock_text(shown.seconds)}", icon=icon, acts=acts)


def _more() -> Act:
    return Act("/clock/extend", "5 min", "plus")


def _end(picture: Picture) -> Act:
    playing = sum(1 for table in picture.round.tables.values() if table.state.hand) if picture.round else 0
    still = (
        f"{counted(playing, 'table still plays', 'tables still play')} and may finish a hand that has begun."
        if playing
        else "No table plays a hand now."
    )
    asks = f"{still} Nothing is submitted by it. A later extension opens dealing again."
    return Act("/clock/end", "End…", asks=asks, sure="End the clock of this round")
