"""A rehearsal beside a hub: a broker, a hub, boxes and robots of its own, gone without a trace when it ends."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from secrets import randbelow
from typing import Final

import structlog

from deploy.demo import DemoRoom, Plan, demo_room
from hub.errors import HubError
from hub.summary import summary
from hub.tournament.templates import template
from hub.web.errors import ServeError
from hub.web.rehearsing import FASTEST, MOST_TABLES, RehearsalPlan, RehearsalStatus
from tallybox.errors import TallyboxError

TITLE: Final = "Rehearsal"
"""Stands before the name of the game on every page and screen of it."""

log = structlog.get_logger("rehearsal")


class RehearsalRoom:
    """What ``hub.web.rehearsing.Rehearsal`` asks for. Its desk opens on a free port of this machine alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._running: tuple[RehearsalPlan, DemoRoom] | None = None

    def start(self, plan: RehearsalPlan) -> None:
        """Open the room; raises ``HubError`` when one runs already, or it cannot be opened."""
        if not (1 <= plan.tables <= MOST_TABLES and 1 <= plan.speed <= FASTEST):
            raise HubError("rehearsal", f"A rehearsal has 1 to {MOST_TABLES} tables, 1 to {FASTEST:.0f} times as fast.")
        title = f"{TITLE}, {template(plan.template).title}"
        with self._lock:
            if self._running is not None:
                raise HubError("rehearsing", "A rehearsal is running already. End it before another begins.")
            asked = Plan(
                tables=plan.tables, template=plan.template, hands=None, speed=plan.speed, seed=randbelow(2**31),
                until_done=False, data=None, port=0, screen=False, title=title, by_hand=True,
            )  # fmt: skip
            stack = ExitStack()
            try:
                room = stack.enter_context(demo_room(asked.checked(), lambda told: log.info("rehearsal", told=told)))
            except HubError:
                raise
            except TallyboxError as reason:
                raise HubError(reason.code, f"The rehearsal cannot be opened: {reason.message}") from None
            except ServeError as reason:
                raise HubError("rehearsal", f"The rehearsal cannot be opened: {reason}") from None
            self._stack, self._running = stack, (plan, room)

    def stop(self) -> None:
        """End it: robots get up, its hub and broker stop, its folder is removed."""
        with self._lock:
            self._running = None
            self._stack.close()

    def status(self) -> RehearsalStatus | None:
        """What runs, and how far it has come."""
        running = self._running
        if running is None:
            return None
        plan, room = running
        tournament = room.service.hub.tournament
        current = tournament.current
        return RehearsalStatus(
            url=room.service.server.url, plan=plan, round=None if current is None else current.number,
            hands=int(str(summary(tournament)["hands_recorded"])), over=tournament.over,
        )  # fmt: skip
