"""The record: everything the hub was told or decided, in words."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown, asks_for_inside
from hub.web.views.record import record as record_view
from hub.web.views.record import wanted_of


def record(request: Request) -> Response:
    """A page of the record, newest first; the address says what somebody looks for.

    The ledger is read before the page is made, so that a long look keeps no other page waiting.
    """
    desk, wanted = desk_of(request), wanted_of(request.query_params)
    seen = desk.looked.view(
        wanted,
        lambda: record_view(desk.picture(), desk.hub.ledger.backwards(wanted.before), wanted),
        again=asks_for_inside(request),
    )

    def build(_picture: Picture) -> Shown:
        return Shown("record.html", "Record", "Record", {"seen": seen})

    return desk.page(request, build)


DOORS: Final = (Door("/record", record),)
