"""Correcting a recorded hand: the facts stand in the address, and what they would change beside them."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.tournament.state import TableRound
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.correction import correction, hand_to_correct, seat_fields
from hub.web.views.frame import chip
from tallybox.seats import Seat


def correct(request: Request) -> Response:
    """The facts of a hand in fields, before and after; nothing is written."""
    number, place, hand = (int(request.path_params[name]) for name in ("number", "table", "hand"))
    fields = dict(request.query_params)

    def build(picture: Picture) -> Shown:
        table = sheet_of(picture, number, place)
        found = hand_to_correct(table, hand)
        if found is None:
            raise WebError(
                404, "no-hand", f"Sheet {table.sheet_id} has no recorded hand {hand}.", "Open the sheet and choose one."
            )
        form = correction(picture, table, found, fields)
        plan = picture.tournament.plan
        values = {
            "kind": "sheet-page", "form": form, "calls": seat_fields(form.draft), "seats": tuple(Seat),
            "typing": True,
            "chip": chip(number, plan.rounds if plan else number),
        }  # fmt: skip
        return Shown("correction.html", "Sheets", f"Correct hand {hand}, table {place}", values)

    return desk_of(request).page(request, build)


def sheet_of(picture: Picture, number: int, place: int) -> TableRound:
    """The table's round; raises ``WebError`` when there is none."""
    table = picture.tournament.table(number, place)
    if table is None:
        raise WebError(
            404, "no-sheet", f"There is no sheet R{number}-T{place}.", "The list of sheets has those there are."
        )
    return table


DOORS: Final = (Door("/rounds/{number:int}/tables/{table:int}/hands/{hand:int}/correct", correct),)
