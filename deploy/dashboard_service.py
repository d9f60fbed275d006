"""The dashboard of a room: plain on this machine alone, or with the venue's certificate for everybody in the hall.

In a venue the public page has a plain port of its own beside it: a phone that reads the code on the wall has no
certificate of the venue to go by, and sees nothing there that is worth one (docs/decisions/0011).
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Final

from deploy.dashboard_line import EVERYWHERE, in_address
from deploy.errors import RoomError
from deploy.room import Room
from hub.hub import Hub
from hub.web.address import PUBLIC
from hub.web.app import create_app
from hub.web.errors import ServeError
from hub.web.open_page import create_open_app
from hub.web.rehearsing import Rehearsal
from hub.web.serve import OpenPort, RunningServer, serve

FILES: Final = 4_096
"""Files a hub in a venue may have open: every connection of both ports, and what it works with."""
HERE: Final = "127.0.0.1"
HERE_PORT: Final = 8080
"""Where a dashboard for its own machine opens unless told otherwise, if it is free."""


def open_dashboard(
    room: Room,
    hub: Hub,
    *,
    port: int | None = None,
    listen: str | None = None,
    sign_in: bool = False,
    rehearsal: Rehearsal | None = None,
) -> RunningServer:
    """Open the dashboard of a running hub; in a venue people always sign in.

    ``port`` ``None``: what venue.toml says, or on this machine alone ``HERE_PORT``, or a free one when that is taken.
    ``listen``: the address it opens on, ``None`` for all of this machine's in a venue. Raises ``RoomError``.
    """
    try:
        if room.dashboard is None:
            return _here(room, hub, port, listen or HERE, sign_in=sign_in, rehearsal=rehearsal)
        return _venue(room, hub, port, listen or EVERYWHERE, rehearsal)
    except ServeError as reason:
        raise RoomError("no-dashboard", str(reason)) from None


def _here(
    room: Room, hub: Hub, port: int | None, listen: str, *, sign_in: bool, rehearsal: Rehearsal | None
) -> RunningServer:
    app = create_app(hub, sign_in=sign_in or room.tls, rehearsal=rehearsal)
    try:
        return serve(app, listen, HERE_PORT if port is None else port)
    except ServeError:
        if port is None and listen == HERE:
            return serve(app, listen, 0)
        raise


def _venue(room: Room, hub: Hub, port: int | None, listen: str, rehearsal: Rehearsal | None) -> RunningServer:
    plan, tls = room.dashboard, room.dashboard_line()
    assert plan is not None
    _room_for_phones()
    first = in_address(plan.hosts[0])
    public = f"http://{first}:{plan.public_port}{PUBLIC}"
    app = create_app(hub, hosts=plan.answers_to, sign_in=True, rehearsal=rehearsal, public=public)
    beside = OpenPort(create_open_app(app, seconds=hub.time.seconds), listen, plan.public_port)
    return serve(app, listen, plan.port if port is None else port, tls=tls, named=plan.hosts[0], open_port=beside)


def _room_for_phones() -> None:
    """A hall of phones holds more files open than a shell usually lets a program have; a service is told its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def tell_dashboard(room: Room, server: RunningServer, tell: Callable[[str], None]) -> None:
    """Say at the start where people open the dashboard, and where everybody's phones find the public page."""
    tell(f"Dashboard: {server.url}")
    if room.dashboard is not None:
        tell(f"Public page, for every phone in the room: {server.app.state.public}")
