"""What the director may do with the round clock now: pure plans, in ms since 1970 by the hub's clock."""

from __future__ import annotations

from hub.clock import Clock, ClockState, held_after_restart
from hub.decisions_rounds import starting
from hub.deeds import Deed, Deeds
from hub.errors import HubError
from hub.tournament.state import Tournament
from tallybox.events import hub as bodies
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


def resume(tournament: Tournament, actor: str, now: int) -> Deeds:
    """Let a standing clock go on with what was left."""
    clock = _clock(
        tournament, ClockState.PAUSED, ClockState.HELD, said="The clock does not stand. There is nothing to resume."
    )
    return _one(clock, bodies.ClockResumed(actor=actor, deadline=now + clock.left(now)))


def extend(tournament: Tournament, actor: str, now: int, seconds: int) -> Deeds:
    """More time for everybody; on a clock that ran out or was ended, counted from now: dealing opens again."""
    clock = _clock(
        tournament, ClockState.RUNNING, ClockState.PAUSED, ClockState.HELD, ClockState.ENDED,
        said="The clock has not started. Start it first.",
    )  # fmt: skip
    more = _length(seconds)
    left = clock.left(now) + more * 1_000
    if clock.stands:
        return _one(clock, bodies.ClockExtended(actor=actor, seconds=more, remaining=left))
    return _one(clock, bodies.ClockExtended(actor=actor, seconds=more, deadline=now + left))


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
