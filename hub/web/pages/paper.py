"""Sheets that come on paper, and sheets that were played at the wrong table: looked at before they count."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.roles import DeskAct
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.pages.corrections import sheet_of
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.frame import chip
from hub.web.views.moving import moving
from hub.web.views.paper import paper as paper_view


def paper(request: Request) -> Response:
    """The grid for a sheet from paper, with what its hands bring; nothing is written."""
    number, place = int(request.path_params["number"]), int(request.path_params["table"])
    fields = dict(request.query_params)

    def build(picture: Picture) -> Shown:
        table = sheet_of(picture, number, place)
        form = paper_view(picture.tournament, table, fields)
        values = {
            "kind": "sheet-page", "form": form, "fields": fields, "typing": True,
            "chip": chip(number, table.state.playing.rounds),
        }  # fmt: skip
        return Shown("paper.html", "Sheets", f"Sheet {table.sheet_id} from paper", values)

    return desk_of(request).page(request, build)


def move(request: Request) -> Response:
    """What changes when a sheet counts for another table (``?to=3``); nothing is written."""
    number, place = int(request.path_params["number"]), int(request.path_params["table"])
    wanted = request.query_params.get("to", "")

    def build(picture: Picture) -> Shown:
        table = sheet_of(picture, number, place)
        form = moving(picture.tournament, table, int(wanted) if wanted.isdecimal() and len(wanted) < 5 else None)
        values = {"kind": "sheet-page", "form": form, "typing": True, "chip": chip(number, table.state.playing.rounds)}
        return Shown("move.html", "Sheets", f"Move sheet {table.sheet_id}", values)

    return desk_of(request).page(request, build)


DOORS: Final = (
    Door("/rounds/{number:int}/tables/{table:int}/paper", paper, DeskAct.PAPER),
    Door("/rounds/{number:int}/tables/{table:int}/move", move, DeskAct.PAPER),
)
