"""The clock: everything that is done to it, the log of it, and what one table has beyond the others."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.clock_desk import MINUTES, clock_desk
from hub.web.views.late import award_views


def clock(request: Request) -> Response:
    """The round's clock as the desk works it."""

    def build(picture: Picture) -> Shown:
        values = {"desk": clock_desk(picture), "minutes": MINUTES, "awards": award_views(picture)}
        return Shown("clock.html", "Clock", "The clock", values)

    return desk_of(request).page(request, build)


DOORS: Final = (Door("/clock", clock),)
