"""What the director may do with the round clock now: pure plans, in ms since 1970 by the hub's clock."""

from __future__ import annotations

from hub.clock import Clock, ClockState, held_after_restart
from hub.desk.decisions_rounds import starting
from hub.desk.deeds import Deed, Deeds
from hub.errors import HubError
from hub.tournament.clock_log import Turn, taken_back
from hub.tournament.state import Stage, Tournament
from tallybox.events import hub as bodies
from tallybox.events.clock import ClockReopened, ClockShortened, StartWithdrawn
from tallybox.events.hub import Act

LONGEST_SECONDS = 86_400


def start(tournament: Tournament, actor: str, now: int, seconds: int | None = None, reason: str = "") -> Deeds:
    """Start the posted round and its clock, for its minutes or for ``seconds``; ``reason``: sooner than announced."""
    clock = tournament.clock
    if clock.state is not ClockState.WAITING:
        raise HubError("clock", _why_not_start(clock))
    length = clock.seconds if seconds is None else _length(seconds)
    return (
        *starting(tournament, actor, now, reason),
        Deed(bodies.ClockStarted(actor=actor, seconds=length, deadline=now + length * 1_000), clock.round),
    )


def pause(tournament: Tournament, actor: str, now: int) -> Deeds:
    """Let the clock stand with what is left."""
    clock = _clock(tournament, ClockState.RUNNING, said="The clock does not run. There is nothing to pause.")
    return _one(clock, bodies.ClockPaused(actor=actor, remaining=clock.left(now)))


def resume(tournament: Tournament, actor: str, now: int, *, ran_on: bool = False) -> Deeds:
    """Let a standing clock go on with what was left; ``ran_on``: as if it had not stood while the hub was away."""
    clock = _clock(
        tournament, ClockState.PAUSED, ClockState.HELD, said="The clock does not stand. There is nothing to resume."
    )
    if not ran_on:
        return _one(clock, bodies.ClockResumed(actor=actor, deadline=now + clock.left(now)))
    until = as_if_it_ran(tournament)
    if until is None or until <= now:
        raise HubError("clock", "By then the time of this round is up. End the clock, or go on with what was left.")
    return _one(clock, bodies.ClockResumed(actor=actor, deadline=until))


def as_if_it_ran(tournament: Tournament) -> int | None:
    """When a held clock would end had it run on while the hub was away (ms); ``None`` where that says nothing.

    A hub whose wall clock fell behind cannot know it.
    """
    clock, held = tournament.clock, [turn for turn in tournament.turns if turn.what is Turn.HELD]
    if clock.state is not ClockState.HELD or not held or held[-1].round != clock.round:
        return None
    last = held[-1]
    return last.at + last.ran_on if last.ran_on <= (clock.remaining or 0) else None


def clock_mark(tournament: Tournament) -> str:
    """Another one after everything that was done to a clock: what a page shows is told apart from what is so now."""
    return tournament.turns[-1].id[:16] if tournament.turns else "none"


def extend(tournament: Tournament, actor: str, now: int, seconds: int, seen: str | None = None) -> Deeds:
    """More time for everybody; on a clock that ran out or was ended, counted from now: dealing opens again.

    ``seen``: the mark of the clock that the person looked at; where another act came between, nothing is given.
    """
    if seen is not None and seen != clock_mark(tournament):
        raise HubError("clock-changed", "The clock was changed a moment ago. Look at it; give more if it needs it.")
    clock = _clock(
        tournament, ClockState.RUNNING, ClockState.PAUSED, ClockState.HELD, ClockState.ENDED,
        said="The clock has not started. Start it first.",
    )  # fmt: skip
    more = _length(seconds)
    left = clock.left(now) + more * 1_000
    if clock.stands:
        return _one(clock, bodies.ClockExtended(actor=actor, seconds=more, remaining=left))
    return _one(clock, bodies.ClockExtended(actor=actor, seconds=more, deadline=now + left))


def take_back_extension(tournament: Tournament, actor: str, now: int, extension: str) -> Deeds:
    """Take an extension of this round's clock back, named by its event: everybody has so much less."""
    clock = _clock(
        tournament, ClockState.RUNNING, ClockState.PAUSED, ClockState.HELD,
        said="The clock does not run. There is no extension to take back.",
    )  # fmt: skip
    given = next((turn for turn in tournament.turns if turn.id == extension), None)
    if given is None or given.what is not Turn.EXTENDED or given.round != clock.round:
        raise HubError("no-extension", "That extension is not of this round's clock. Look at the log of the clock.")
    if extension in taken_back(tournament.turns):
        raise HubError("no-extension", "That extension is taken back already.")
    left = max(0, clock.left(now) - given.seconds * 1_000)
    less = ClockShortened(
        actor=actor, seconds=given.seconds, extension=extension,
        deadline=None if clock.stands else now + left, remaining=left if clock.stands else None,
    )  # fmt: skip
    return (Deed(less, clock.round, supersedes=(extension,)),)


def reopen(tournament: Tournament, actor: str, now: int) -> Deeds:
    """Undo the end of the clock: it goes on with what was left then, and dealing opens again."""
    clock = _clock(tournament, ClockState.ENDED, said="The clock has not ended. There is nothing to reopen.")
    ends = [turn for turn in tournament.turns if turn.what is Turn.ENDED and turn.round == clock.round]
    if not ends or ends[-1].left == 0:
        raise HubError("clock", "No time was left when the clock ended. Extend it in place of reopening it.")
    return _one(clock, ClockReopened(actor=actor, deadline=now + ends[-1].left))


def withdraw_start(tournament: Tournament, actor: str) -> Deeds:
    """Undo a start by accident: the round waits again, as posted. Not once a hand has begun."""
    clock = _clock(
        tournament, ClockState.RUNNING, ClockState.PAUSED, ClockState.HELD, ClockState.ENDED,
        said="The clock has not started. There is no start to take back.",
    )  # fmt: skip
    on = tournament.current
    if on is None or on.number != clock.round or on.stage is Stage.ENDED:
        raise HubError("clock", "The round of this clock is over. Its start stays.")
    dealt = [str(table.table) for table in on.tables.values() if table.begun]
    if dealt:
        where = f"table{'' if len(dealt) == 1 else 's'} {', '.join(dealt[:6])}{' …' if len(dealt) > 6 else ''}"
        raise HubError("hand-begun", f"A hand has begun at {where}. Pause the clock in place of taking the start back.")
    return _one(clock, StartWithdrawn(actor=actor))


def end(tournament: Tournament, actor: str) -> Deeds:
    """Call time: no new hand begins, tables finish and sign."""
    clock = _clock(
        tournament, ClockState.RUNNING, ClockState.PAUSED, ClockState.HELD,
        said="The clock does not run. There is nothing to end.",
    )  # fmt: skip
    return _one(clock, bodies.ClockEnded(actor=actor))


def restarted(tournament: Tournament, last_mark: int | None, now: int) -> Deeds:
    """What a hub that comes up again says of a running clock that it can no longer trust."""
    held = held_after_restart(tournament.clock, last_mark, now)
    return () if held is None else _one(tournament.clock, held)


def _one(clock: Clock, body: Act) -> Deeds:
    return (Deed(body, clock.round),)


def _clock(tournament: Tournament, *states: ClockState, said: str) -> Clock:
    if tournament.clock.state not in states:
        raise HubError("clock", said)
    return tournament.clock


def _length(seconds: int) -> int:
    if not 1 <= seconds <= LONGEST_SECONDS:
        raise HubError("clock", "A clock runs for a second at least and a day at most. Choose another time.")
    return seconds


def _why_not_start(clock: Clock) -> str:
    match clock.state:
        case ClockState.NONE if clock.round is None:
            return "No round is posted yet. Post the pairings first."
        case ClockState.NONE:
            return f"Round {clock.round} is untimed: it has no clock to start."
        case _:
            return f"The clock of round {clock.round} was started already."
