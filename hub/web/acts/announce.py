"""Telling the whole room something, and taking it down again."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.roles import DeskAct
from hub.web.doing import done
from hub.web.doors import Door


async def announce(request: Request) -> Response:
    """Put a sentence on every idle screen, the projector and the public page."""
    return await done(
        request,
        lambda director, who, fields: director.announce(who.actor, fields.get("text", "")),
        "Everybody can read it now.",
        back="/announce",
        leaves=True,
    )


async def take_down(request: Request) -> Response:
    """Take the announcement off the screens."""
    return await done(
        request,
        lambda director, who, _fields: director.take_down(who.actor),
        "Nothing is announced any more.",
        back="/announce",
    )


DOORS: Final = (
    Door("/announce/post", announce, DeskAct.ANNOUNCE, posts=True),
    Door("/announce/clear", take_down, DeskAct.ANNOUNCE, posts=True),
)
