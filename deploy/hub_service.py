"""A hub with its dashboard, put together from a room's folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from deploy.dashboard_service import open_dashboard
from deploy.room import Room
from hub.desk.autopilot import Autopilot
from hub.hub import Hub
from hub.tournament.templates import template
from hub.web.desk import Desk
from hub.web.rehearsing import Rehearsal
from hub.web.serve import RunningServer
from tallybox.messages import Team


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a new tournament starts from; a ledger that holds one already goes on with it.

    No ``title``: the template's.
    """

    template: str
    teams: int
    hands: int | None = None
    seed: int = 0
    title: str | None = None


@dataclass(slots=True)
class HubService:
    """A running hub, its dashboard, and the autopilot if it directs by itself."""

    hub: Hub
    server: RunningServer
    desk: Desk
    set_up_code: Path | None = None
    """Where the code lies with which the first director comes in, where people sign in and nobody can yet."""
    autopilot: Autopilot | None = None
    rehearsal: Rehearsal | None = None

    def stop(self) -> None:
        """Hand back, end a rehearsal, close the dashboard, then the hub."""
        if self.rehearsal is not None:
            self.rehearsal.stop()
        if self.autopilot is not None:
            self.autopilot.stop()
        self.server.stop()
        self.hub.stop()


def open_hub(
    room: Room,
    *,
    port: int | None = None,
    listen: str | None = None,
    sign_in: bool = False,
    rehearsal: Rehearsal | None = None,
    before_commit: Callable[[], None] | None = None,
    wall: Callable[[], float] = time.time,
) -> HubService:
    """Start the hub of a room and its dashboard: on this machine, or where venue.toml opens it to the venue.

    ``sign_in``: people sign in; otherwise whoever sits at this machine is the director. ``rehearsal``: what the set-up
    may offer beside this hub; it ends with the service.
    ``before_commit`` is called before every commit of the ledger, and ``wall`` gives the wall clock in seconds: both
    for who tries what a disk and a clock can do.
    ``port``, ``listen``: see ``open_dashboard``. Raises ``RoomError``, ``HubError`` with what to do.
    """
    hub = Hub(
        room.hub_folder,
        venue=room.venue,
        key=room.hub_key(),
        kiosks=room.known_kiosks(),
        host=room.broker_host,
        port=room.broker_port,
        tls=room.hub_line(),
        wall=wall,
        before_commit=before_commit,
        expects_backlog=sign_in,
    )
    hub.start()
    try:
        server = open_dashboard(room, hub, port=port, listen=listen, sign_in=sign_in, rehearsal=rehearsal)
        desk: Desk = server.app.state.desk
        first = desk.access.first
        return HubService(hub, server, desk, None if first is None else first.path, rehearsal=rehearsal)
    except BaseException:
        hub.stop()
        raise


def begin(service: HubService, occasion: Occasion, boxes: dict[str, int], actor: str) -> None:
    """Create the tournament unless the ledger holds one, and say which box stands on which table."""
    tournament = service.hub.tournament
    director = service.hub.director
    if tournament.plan is None:
        chosen = template(occasion.template)
        teams = [
            Team(number=number, names=(f"Player {number}a", f"Player {number}b"))
            for number in range(1, occasion.teams + 1)
        ]
        director.create_tournament(
            actor, template=occasion.template, title=occasion.title or chosen.title, teams=teams,
            hands=occasion.hands, seed=occasion.seed,
        )  # fmt: skip
    for box, table in boxes.items():
        if service.hub.tournament.boxes.get(table) != box:
            director.assign_box(actor, box, table)
