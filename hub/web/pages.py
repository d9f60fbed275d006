"""The pages for people. Endpoints are plain functions: they run in threads, so nothing here holds the streams up."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import Desk
from hub.web.errors import WebError
from hub.web.live import RETRY_AFTER, ChangeStream
from hub.web.picture import Picture
from hub.web.render import Shown
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
    wanted = request.query_params.get("show", "all")

    def build(picture: Picture) -> Shown:
        values = {"kind": "room", "room": room_view(picture, wanted), "next": next_step(picture)}
        return Shown("room.html", "Room", "The room", values)

    return desk_of(request).page(request, build)


def calls(request: Request) -> Response:
    """The tables that wait for the director, and everything that came in and does not count."""
    return desk_of(request).page(
        request, lambda picture: Shown("calls.html", "Calls", "Calls", {"room": room_view(picture)})
    )


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


def sheets(request: Request) -> Response:
    """All sheets by round."""
    return desk_of(request).page(
        request, lambda picture: Shown("sheets.html", "Sheets", "Sheets", {"rounds": sheets_view(picture)})
    )


def sheet(request: Request) -> Response:
    """One sheet with its hands, lines and signatures, on its own round's paper."""
    number, at = int(request.path_params["number"]), int(request.path_params["table"])

    def build(picture: Picture) -> Shown:
        found = picture.tournament.table(number, at)
        if found is None:
            raise _no_sheet(number, at)
        seen, on = sheet_view(found), picture.round
        other = count_word(on.number) if on is not None and on.number != seen.round else ""
        values = {"kind": "sheet-page", "sheet": seen, "chip": seen.chip, "other": other}
        return Shown("sheet.html", "Sheets", seen.title, values)

    return desk_of(request).page(request, build)


def standings(request: Request) -> Response:
    """The running standings."""

    def build(picture: Picture) -> Shown:
        values = {"standings": standings_view(picture), "pace": pace(picture)}
        return Shown("standings.html", "Standings", "Standings, live", values)

    return desk_of(request).page(request, build)


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


def _no_sheet(number: int, table: int) -> WebError:
    return WebError(
        404, "no-sheet", f"There is no sheet R{number}-T{table}.", "The list of sheets has those there are."
    )


def _no_table(number: int) -> WebError:
    return WebError(404, "no-table", f"Table {number} is not played in this round.", "The room shows those that are.")
