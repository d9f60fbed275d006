"""Sheets from paper are entered, and sheets of the wrong table moved, from the desk."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.errors import HubError
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.desk import desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.views.paper import sheet_json
from tallybox.errors import SheetError


async def enter(request: Request) -> Response:
    """Enter the typed sheet; it waits to be accepted like any other."""
    number, place = int(request.path_params["number"]), int(request.path_params["table"])
    hub = desk_of(request).hub

    def act(director: Director, who: Who, fields: Fields) -> None:
        table = hub.tournament.table(number, place)
        if table is None:
            raise WebError(404, "no-sheet", f"There is no sheet R{number}-T{place}.")
        try:
            sheet = sheet_json(table, fields)
        except SheetError as no:
            raise WebError(409, no.code, no.message) from None
        if not sheet["hands"]:
            raise WebError(409, "nothing-typed", "No hand is typed yet.", "Type the hands of the sheet first.")
        director.enter_sheet(who.actor, number, place, sheet=sheet, reason=fields.get("reason", ""))

    return await done(
        request, act, f"The sheet of table {place} is entered. It waits to be accepted.",
        back=f"/rounds/{number}/tables/{place}", leaves=True, proves=DeskAct.PAPER,
    )  # fmt: skip


async def move(request: Request) -> Response:
    """Count a sheet for the table it belongs to."""
    number, place = int(request.path_params["number"]), int(request.path_params["table"])

    def act(director: Director, who: Who, fields: Fields) -> None:
        wanted = fields.get("to", "")
        if not (wanted.isdecimal() and len(wanted) < 5):
            raise HubError("no-table", "Choose the table that the sheet belongs to.")
        director.reassign_sheet(
            who.actor, number, place, to_table=int(wanted), reason=fields.get("reason", ""),
            seen=fields.get("seen") or None,
        )  # fmt: skip

    return await done(
        request, act, "The sheet counts for its right table.", back=f"/sheets#round-{number}", leaves=True,
        proves=DeskAct.PAPER,
    )  # fmt: skip


DOORS: Final = (
    Door("/rounds/{number:int}/tables/{table:int}/paper", enter, DeskAct.PAPER, posts=True),
    Door("/rounds/{number:int}/tables/{table:int}/move", move, DeskAct.PAPER, posts=True),
)
