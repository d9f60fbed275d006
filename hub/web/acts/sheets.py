"""Sheets from the desk: taken, or sent back."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.documents.versions import versions
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.desk import desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.views.words import count_word


async def accept(request: Request) -> Response:
    """Take a signed sheet, as the version that was looked at."""
    number, table = _sheet(request)
    hub = desk_of(request).hub

    def act(director: Director, who: Who, fields: Fields) -> None:
        found = hub.tournament.table(number, table)
        seen = fields.get("seen")
        if found is not None and seen is not None and seen != str(versions(found).number):
            raise WebError(409, "other-version", f"Sheet {found.sheet_id} has another version by now.", "Look again.")
        director.accept_sheet(who.actor, number, table)

    return await done(
        request,
        act,
        f"The sheet of table {table}, round {count_word(number)}, is accepted.",
        back=_page(number, table),
    )


async def reopen(request: Request) -> Response:
    """Send a submitted sheet back to its table with a reason."""
    number, table = _sheet(request)
    return await done(
        request,
        lambda director, who, fields: director.reopen_sheet(who.actor, number, table, fields.get("reason", "")),
        f"The sheet went back to table {table}. Both sides sign again.",
        back=_page(number, table),
    )


def _sheet(request: Request) -> tuple[int, int]:
    return int(request.path_params["number"]), int(request.path_params["table"])


def _page(number: int, table: int) -> str:
    return f"/rounds/{number}/tables/{table}"


DOORS: Final = (
    Door("/rounds/{number:int}/tables/{table:int}/accept", accept, DeskAct.ACCEPT, posts=True),
    Door("/rounds/{number:int}/tables/{table:int}/reopen", reopen, DeskAct.REOPEN, posts=True),
)
