"""The room: all tables at a glance, the calls, and one table as it plays."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.typed import whole
from hub.web.views.calls import ruled_views
from hub.web.views.next import next_step
from hub.web.views.room import room as room_view
from hub.web.views.sheet import sheet as sheet_view
from hub.web.views.table import table_view

ALL: Final = 200
"""More rulings than a round has."""


def room(request: Request) -> Response:
    """All tables, or those in one state (``?show=calling``)."""
    wanted = request.query_params.get("show", "all")

    def build(picture: Picture) -> Shown:
        values = {"kind": "room", "room": room_view(picture, wanted), "next": next_step(picture)}
        return Shown("room.html", "Room", "The room", values)

    return desk_of(request).page(request, build)


def calls(request: Request) -> Response:
    """The tables that wait for somebody, what was asked for, what was ruled, and what came in and does not count."""

    def build(picture: Picture) -> Shown:
        return Shown("calls.html", "Calls", "Calls", {"room": room_view(picture), "ruled": ruled_views(picture, ALL)})

    return desk_of(request).page(request, build)


def go(request: Request) -> Response:
    """The table of a typed number, for those without the keys."""
    number = whole(request.query_params.get("table"))
    if number is None or number < 1:
        raise WebError(404, "no-table", "That is no table's number.", "Type the number on the table's sign.")
    return RedirectResponse(f"/tables/{number}", 303)


def table(request: Request) -> Response:
    """One table of the round that is on, as it plays."""
    number = int(request.path_params["table"])

    def build(picture: Picture) -> Shown:
        found = picture.round.tables.get(number) if picture.round else None
        if found is None:
            raise _no_table(number)
        values = {"table": table_view(picture, found), "sheet": sheet_view(found)}
        return Shown("table.html", "Room", f"Table {number}", values)

    return desk_of(request).page(request, build)


def _no_table(number: int) -> WebError:
    return WebError(404, "no-table", f"Table {number} is not played in this round.", "The room shows those that are.")


DOORS: Final = (Door("/", room), Door("/calls", calls), Door("/go", go), Door("/tables/{table:int}", table))
