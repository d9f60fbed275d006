"""The ruling form of a table: what is chosen stands in the address, to be looked at before it is decided."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hub.tournament.state import TableRound
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.calls import ruled_views
from hub.web.views.frame import chip
from hub.web.views.ruling import ruling_form
from hub.web.views.ruling_draft import read_draft


def rule(request: Request) -> Response:
    """Rule on a hand of a table."""
    number, place = int(request.path_params["number"]), int(request.path_params["table"])
    fields = dict(request.query_params)

    def build(picture: Picture) -> Shown:
        table = played(picture, number, place)
        waiting = next((call for call in picture.calls if (call.round, call.table) == (number, place)), None)
        form = ruling_form(table, read_draft(table, fields), None if waiting is None else waiting.id)
        plan = picture.tournament.plan
        values = {
            "form": form, "ruled": ruled_views(picture, 8, table=table),
            "chip": chip(number, plan.rounds if plan else number),
        }  # fmt: skip
        return Shown("rule.html", "Calls", f"Rule at table {place}", values)

    return desk_of(request).page(request, build)


def rule_now(request: Request) -> Response:
    """The same for the round that is on."""
    on = desk_of(request).hub.tournament.current
    number = 0 if on is None else on.number
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/rounds/{number}/tables/{request.path_params['table']}/rule{query}", 303)


def played(picture: Picture, number: int, place: int) -> TableRound:
    """The table's round; raises ``WebError`` when there is none."""
    table = picture.tournament.table(number, place)
    if table is None:
        raise WebError(
            404, "no-sheet", f"Table {place} is not played in round {number}.", "The room shows those that are."
        )
    return table


DOORS: Final = (
    Door("/rounds/{number:int}/tables/{table:int}/rule", rule),
    Door("/tables/{table:int}/rule", rule_now),
)
