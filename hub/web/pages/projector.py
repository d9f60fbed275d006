"""The projector: read only, for the whole room, so nobody signs in at it."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.address import public_address
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.live import ChangeStream
from hub.web.needs import Needs
from hub.web.pages.stream import streams_full
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.projector import projector as projector_view
from tallybox.seats import Seat

MOST_SLIDES: Final = 1_000


def projector(request: Request) -> Response:
    """What the room reads; ``?at=2`` begins with another slide."""
    text = request.query_params.get("at", "")
    at = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
    public = bool(public_address(request))

    def build(picture: Picture) -> Shown:
        view = projector_view(picture, at % MOST_SLIDES, public=public)
        return Shown("projector.html", "Projector", f"{view.title}: {view.heading}", {"it": view, "seats": tuple(Seat)})

    return desk_of(request).screen(request, build)


async def events(request: Request) -> Response:
    """The stream that tells a projector when to fetch itself again; it never takes a place of the desk's."""
    desk = desk_of(request)
    if request.method == "HEAD":
        return Response(media_type=ChangeStream.media_type)
    listener = desk.screens.listen(request.client.host if request.client else "")
    if listener is None:
        raise streams_full()
    return ChangeStream(desk.screens, listener, desk.hub.time.now)


DOORS: Final = (
    Door("/projector", projector, Needs.ANYBODY, phones=True),
    Door("/projector/events", events, Needs.ANYBODY, phones=True),
)
