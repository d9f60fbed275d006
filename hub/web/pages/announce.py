"""What the whole room is told: on idle tables, on the projector and on the public page."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown


def announce(request: Request) -> Response:
    """The announcement that stands now, and a field for the next one."""

    def build(picture: Picture) -> Shown:
        values = {"now": picture.tournament.announcement, "typing": True}
        return Shown("announce.html", "Announcements", "Announcements", values)

    return desk_of(request).page(request, build)


DOORS: Final = (Door("/announce", announce),)
