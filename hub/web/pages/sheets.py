"""Sheets: all by round, and each one on its own paper."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.monitor import monitor
from hub.web.views.people import named
from hub.web.views.sheet import sheet as sheet_view
from hub.web.views.sheets import sheets as sheets_view
from hub.web.views.words import count_word

SHOWS: Final = frozenset({"all", "waiting", "missing"})


def sheets(request: Request) -> Response:
    """All sheets by round, or those that wait for the monitor (``?show=waiting``), or those still missing."""
    wanted = request.query_params.get("show", "all")
    shown = wanted if wanted in SHOWS else "all"

    def build(picture: Picture) -> Shown:
        lists = monitor(picture)
        values = {
            "kind": "sheets-page", "rounds": sheets_view(picture) if shown == "all" else (), "monitor": lists,
            "shown": shown, "shows": ((("waiting", "To accept", "eye", len(lists.waiting)),
                                       ("missing", "Missing", "sheet", len(lists.missing)))),
        }  # fmt: skip
        return Shown("sheets.html", "Sheets", "Sheets", values)

    return desk_of(request).page(request, build)


def sheet(request: Request) -> Response:
    """One sheet with its hands, lines and signatures, on its own round's paper."""
    number, at = int(request.path_params["number"]), int(request.path_params["table"])
    old = request.query_params.get("beside", "")

    def build(picture: Picture) -> Shown:
        found = picture.tournament.table(number, at)
        if found is None:
            raise _no_sheet(number, at)
        names = named(picture.tournament.officials)
        seen, on = sheet_view(found, names, int(old) if old.isdecimal() and len(old) < 4 else None), picture.round
        other = count_word(on.number) if on is not None and on.number != seen.round else ""
        values = {"kind": "sheet-page", "sheet": seen, "chip": seen.chip, "other": other}
        return Shown("sheet.html", "Sheets", seen.title, values)

    return desk_of(request).page(request, build)


def _no_sheet(number: int, table: int) -> WebError:
    return WebError(
        404, "no-sheet", f"There is no sheet R{number}-T{table}.", "The list of sheets has those there are."
    )


DOORS: Final = (Door("/sheets", sheets), Door("/rounds/{number:int}/tables/{table:int}", sheet))
