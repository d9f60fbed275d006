"""The stream that keeps pages fresh."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.guard import session_cookie
from hub.web.live import RETRY_AFTER, ChangeStream


async def events(request: Request) -> Response:
    """The stream that tells a page when to fetch itself again."""
    if request.method == "HEAD":
        return Response(media_type=ChangeStream.media_type)
    desk = desk_of(request)
    listener = desk.notifier.listen(session_cookie(request) if desk.access.sign_in else "")
    if listener is None:
        raise streams_full()
    return ChangeStream(desk.notifier, listener, desk.hub.time.now, lambda: desk.access.still(request))


def streams_full() -> WebError:
    """All places are taken."""
    return WebError(
        503,
        "streams-full",
        "As many pages as this hub can keep fresh are open.",
        "Close one that nobody reads; this one tries again by itself.",
        headers={"Retry-After": str(RETRY_AFTER)},
    )


DOORS: Final = (Door("/events", events),)
