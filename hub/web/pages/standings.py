"""The standings."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.rail import pace
from hub.web.views.standings import standings as standings_view


def standings(request: Request) -> Response:
    """The running standings."""

    def build(picture: Picture) -> Shown:
        values = {"standings": standings_view(picture), "pace": pace(picture)}
        return Shown("standings.html", "Standings", "Standings, live", values)

    return desk_of(request).page(request, build)


DOORS: Final = (Door("/standings", standings),)
