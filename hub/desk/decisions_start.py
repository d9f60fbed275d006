"""When a posted round starts by itself, as pure plans: announced, taken back, and due (ms by the hub's clock)."""

from __future__ import annotations

from typing import Final

from hub.clock import ClockState
from hub.desk import clock_acts
from hub.desk.decisions_rounds import starting, too_soon
from hub.desk.deeds import Deed, Deeds
from hub.errors import HubError
from hub.roles import HUB
from hub.tournament.state import Round, Stage, Tournament
from tallybox.events.desk import OverrideMade
from tallybox.events.teams import StartAnnounced

FARTHEST_MS: Final = 86_400_000
"""A start is announced for within a day."""

MISSED_MS: Final = 60_000
"""A hub that comes back later than this after an announced start leaves the start to somebody in the room."""


def announce_start(tournament: Tournament, actor: str, now: int, at: int, reason: str = "") -> Deeds:
    """The posted round starts at ``at``; sooner than its notice only for a ``reason`` (gate ``notice``)."""
    current = _waiting(tournament)
    if not now < at <= now + FARTHEST_MS:
        raise HubError("start-time", "That time is not within the next 24 hours. Choose another.")
    passed = too_soon(tournament, actor, at, reason)
    return (*passed, Deed(StartAnnounced(actor=actor, at=at), current.number))


def take_back_start(tournament: Tournament, actor: str) -> Deeds:
    """The announced start does not hold any more: the round waits until somebody starts it."""
    current = _waiting(tournament)
    if current.starts_at is None:
        raise HubError("no-start", f"No start is announced for round {current.number}.")
    return (Deed(StartAnnounced(actor=actor), current.number),)


def due_start(tournament: Tournament, now: int) -> Deeds:
    """The start that was announced, once its time has come; nothing before, and nothing when it was missed."""
    current = tournament.current
    if current is None or current.stage is not Stage.PUBLISHED or current.starts_at is None:
        return ()
    if not current.starts_at <= now < current.starts_at + MISSED_MS:
        return ()
    why = "It was announced for this time."
    if tournament.clock.state is ClockState.WAITING:
        deeds = clock_acts.start(tournament, HUB, now, reason=why)
    elif current.minutes is None:
        deeds = starting(tournament, HUB, now, why)
    else:
        return ()
    # Whoever announced it went past the notice, and that is written down already.
    return tuple(deed for deed in deeds if not isinstance(deed.body, OverrideMade))


def _waiting(tournament: Tournament) -> Round:
    current = tournament.current
    if current is None or current.stage is Stage.ENDED:
        raise HubError("no-round", "No round waits for its start. Post the next one.")
    if current.stage is not Stage.PUBLISHED:
        raise HubError("round-started", f"Round {current.number} has started already.")
    return current
