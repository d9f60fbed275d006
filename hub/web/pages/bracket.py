"""The bracket, who enters it, and who sat out."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.bracket import bracket as bracket_view


def bracket(request: Request) -> Response:
    """The bracket as it stands."""

    def build(picture: Picture) -> Shown:
        view = bracket_view(picture)
        return Shown("bracket.html", "Rounds", view.title, {"kind": "bracketed", "it": view})

    return desk_of(request).page(request, build)


DOORS: Final = (Door("/bracket", bracket),)
