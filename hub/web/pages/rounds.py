"""Rounds: from the draft to the start, and from the last sheet to the end."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.round_paper import Looked
from hub.web.views.rounds import rounds as rounds_view


def rounds(request: Request) -> Response:
    """The next round as far as it has come; ``?first=7&second=12`` looks at a change of places, ``?table=3`` at why."""
    looked = Looked(*(_number(request, name) for name in ("first", "second", "table")))

    def build(picture: Picture) -> Shown:
        view = rounds_view(picture, looked)
        return Shown("rounds.html", "Rounds", view.title, {"kind": "rounds", "it": view})

    return desk_of(request).page(request, build)


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else None


DOORS: Final = (Door("/rounds", rounds),)
