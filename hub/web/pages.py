"""The pages for people. Endpoints are plain functions: they run in threads, so nothing here holds the streams up."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from hub.tournament.state import TableRound
from hub.web.desk import Desk
from hub.web.errors import WebError
from hub.web.live import RETRY_AFTER, ChangeStream
from hub.web.picture import Picture
from hub.web.views.next import next_step
from hub.web.views.rail import pace
from hub.web.views.room import room as room_view
from hub.web.views.sheet import sheet as sheet_view
from hub.web.views.sheets import sheets as sheets_view
from hub.web.views.standings import standings as standings_view
from hub.web.views.table import table_view
from hub.web.views.words import count_word


def desk_of(request: Request) -> Desk:
    """The desk this request belongs to."""
    desk: Desk = request.app.state.desk
    return desk


def room(request: Request) -> Response:
    """All tables, or those in one state (``?show=calling``)."""
    desk = desk_of(request)
    picture = desk.picture()
    seen = room_view(picture, request.query_params.get("show", "all"))
    return desk.page(
        request, "room.html", "Room", "The room", picture=picture, kind="room", room=seen, next=next_step(picture)
    )


def calls(request: Request) -> Response:
    """The tables that wait for the director, and everything that came in and does not count."""
    desk = desk_of(request)
    picture = desk.picture()
    return desk.page(request, "calls.html", "Calls", "Calls", picture=picture, room=room_view(picture))


def table(request: Request) -> Response:
    """One table of the round that is on, as it plays."""
    desk = desk_of(request)
    picture = desk.picture()
    number = int(request.path_params["table"])
    found = picture.round.tables.get(number) if picture.round else None
    if found is None:
        raise _no_table(number)
    seen = table_view(picture, found)
    return desk.page(
        request, "table.html", "Room", f"Table {number}", picture=picture, table=seen, sheet=sheet_view(found)
    )


def sheets(request: Request) -> Response:
    """All sheets by round."""
    desk = desk_of(request)
    picture = desk.picture()
    return desk.page(request, "sheets.html", "Sheets", "Sheets", picture=picture, rounds=sheets_view(picture))


def sheet(request: Request) -> Response:
    """One sheet with its hands, lines and signatures."""
    desk = desk_of(request)
    picture = desk.picture()
    seen = sheet_view(_sheet(picture, request))
    on = picture.round
    return desk.page(
        request,
        "sheet.html",
        "Sheets",
        seen.title,
        picture=picture,
        chip=seen.chip,
        kind="sheet-page",
        sheet=seen,
        other=count_word(on.number) if on is not None and on.number != seen.round else "",
    )


def standings(request: Request) -> Response:
    """The running standings."""
    desk = desk_of(request)
    picture = desk.picture()
    seen = standings_view(picture)
    return desk.page(
        request, "standings.html", "Standings", "Standings, live", picture=picture, standings=seen, pace=pace(picture)
    )


async def events(request: Request) -> Response:
    """The stream that tells a page when to fetch itself again."""
    if request.method == "HEAD":
        return Response(media_type=ChangeStream.media_type)
    desk = desk_of(request)
    listener = desk.notifier.listen()
    if listener is None:
        raise WebError(
            503,
            "streams-full",
            "As many pages as this hub can keep fresh are open.",
            "Close one that nobody reads; this one tries again by itself.",
            headers={"Retry-After": str(RETRY_AFTER)},
        )
    return ChangeStream(desk.notifier, listener, desk.hub.time.now)


def _sheet(picture: Picture, request: Request) -> TableRound:
    number, at = int(request.path_params["number"]), int(request.path_params["table"])
    found = picture.tournament.table(number, at)
    if found is None:
        raise WebError(
            404, "no-sheet", f"There is no sheet R{number}-T{at}.", "The list of sheets has those there are."
        )
    return found


def _no_table(number: int) -> WebError:
    return WebError(404, "no-table", f"Table {number} is not played in this round.", "The room shows those that are.")
