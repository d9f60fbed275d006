"""The public page for phones in the room, and the code that leads to it."""

from __future__ import annotations

from io import BytesIO
from typing import Final

import segno
from starlette.requests import Request
from starlette.responses import Response

from hub.web.address import PUBLIC, own_machine, public_address
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.needs import Needs
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.public import public as public_view


def public(request: Request) -> Response:
    """What everybody may see; ``?team=7`` remembers whose page it is."""
    team = _team(request)
    address = PUBLIC if team is None else f"{PUBLIC}?team={team}"

    def build(picture: Picture) -> Shown:
        view = public_view(picture, team, address)
        title = f"Team {view.mine.number} · {view.title}" if view.mine else view.title
        return Shown("public.html", "Public", title, {"it": view})

    return desk_of(request).screen(request, build)


def _team(request: Request) -> int | None:
    text = request.query_params.get("team", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 5 else None


def code(request: Request) -> Response:
    """The code of the public page's address, for projector, wall and desk."""
    address = public_address(request)
    if not address:
        raise own_machine()
    out = BytesIO()
    segno.make_qr(address, error="m").save(out, kind="svg", scale=8, border=4, dark="#121A17", light="#FFFFFF")
    return Response(out.getvalue(), media_type="image/svg+xml")


DOORS: Final = (
    Door("/public", public, Needs.ANYBODY, phones=True),
    Door("/public/code.svg", code, Needs.ANYBODY, phones=True),
)
