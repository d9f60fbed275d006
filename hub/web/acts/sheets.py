"""Sheets from the desk: taken, or sent back."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.roles import DeskAct
from hub.web.doing import done
from hub.web.doors import Door
from hub.web.views.words import count_word


async def accept(request: Request) -> Response:
    """Take a signed sheet."""
    number, table = _sheet(request)
    return await done(
        request,
        lambda director, who, _fields: director.accept_sheet(who.actor, number, table),
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
