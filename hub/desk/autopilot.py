"""What a director does by hand, done by itself for demonstrations and rehearsals.

It starts the round when the tables sit, takes the sheets that the hub scored the same, gives more time while a table
plays, ends the round, releases the tables and posts the next one, stage after stage, until the tournament is over.
"""

from __future__ import annotations

import threading
from typing import Final

import structlog

from hub.clock import ClockState
from hub.errors import HubError
from hub.hub import Hub
from hub.tournament.state import Round, Stage, Tournament
from tallybox.seats import Side

log = structlog.get_logger("hub.autopilot")

LOOK_SECONDS: Final = 0.2
STOP_SECONDS: Final = 5.0
EXTRA_SECONDS: Final = 60
"""How much time is added while a table plays; the clock is ended as soon as none does."""

ENOUGH_MS: Final = 10_000
"""Time is added when less than this is left."""


SOONER: Final = "Rehearsal: nobody waits for the announced time."
"""Why a round starts before its notice has passed."""


class Autopilot:
    """Directs ``hub`` as ``actor``. ``speed`` divides the round minutes; ``done`` is set when the tournament is over.

    ``keep_open`` extends the clock while a table plays, so that no hand is cut off. ``wait_for_seats`` starts a round
    only once both sides of every table confirmed their seats.
    """

    def __init__(
        self, hub: Hub, *, actor: str = "autopilot", speed: float = 1.0, keep_open: bool = False,
        wait_for_seats: bool = True,
    ) -> None:  # fmt: skip
        self.done = threading.Event()
        self._hub = hub
        self._actor = actor
        self._speed = speed
        self._keep_open = keep_open
        self._wait_for_seats = wait_for_seats
        self._stopping = threading.Event()
        self._look = threading.Event()
        self._unsubscribe = hub.subscribe(self._look.set)
        self._thread = threading.Thread(target=self._run, name="autopilot", daemon=True)

    def start(self) -> None:
        """Take over."""
        self._thread.start()

    def stop(self) -> None:
        """Hand back."""
        self._unsubscribe()
        self._stopping.set()
        self._look.set()
        self._thread.join(timeout=STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._look.wait(timeout=LOOK_SECONDS)
            self._look.clear()
            try:
                self.step()
            except HubError as reason:
                log.info("not_now", code=reason.code, reason=reason.message)
            if self._hub.tournament.over:
                self.done.set()
                return

    def step(self) -> None:
        """Do what is due now; raises ``HubError`` when the hub will not have it."""
        tournament = self._hub.tournament
        current = tournament.current
        if tournament.plan is None or tournament.over:
            return
        if current is None or current.stage is Stage.ENDED:
            self._hub.director.publish_round(self._actor)
            return
        self._accept(current)
        self._clock(tournament, current)
        self._finish()

    def _accept(self, current: Round) -> None:
        for table in current.tables.values():
            if table.submitted and table.accepted is None:
                self._hub.director.accept_sheet(self._actor, current.number, table.table)

    def _clock(self, tournament: Tournament, current: Round) -> None:
        director, clock = self._hub.director, tournament.clock
        ready = seated(current) or not self._wait_for_seats
        if clock.state is ClockState.WAITING and ready:
            director.start_clock(self._actor, max(1, round(clock.seconds / self._speed)), SOONER)
        elif current.minutes is None and current.stage is Stage.PUBLISHED and ready:
            director.start_round(self._actor, SOONER)
        if clock.state is not ClockState.RUNNING:
            return
        left = clock.left(self._hub.time.now())
        playing = any(not (table.submitted or table.settled) for table in current.tables.values())
        if not playing or (left == 0 and not self._keep_open):
            director.end_clock(self._actor)
        elif left < ENOUGH_MS and self._keep_open:
            director.extend(self._actor, EXTRA_SECONDS)

    def _finish(self) -> None:
        current = self._hub.tournament.current
        if current is None or current.stage is Stage.ENDED or not current.closed:
            return
        if current.stage is Stage.STARTED and not current.missing:
            self._hub.director.end_round(self._actor)


def seated(current: Round) -> bool:
    """Whether both sides of every table that is to be played have confirmed their seats."""
    return all(table.settled or table.state.seats_confirmed == frozenset(Side) for table in current.tables.values())
