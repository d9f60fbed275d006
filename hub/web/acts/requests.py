"""What officials asked for at a table: done by the desk, or refused with a reason."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.roles import DeskAct
from hub.web.doing import done
from hub.web.doors import Door
from hub.web.typed import sentence


async def do(request: Request) -> Response:
    """Do it."""
    return await done(
        request,
        lambda director, who, fields: director.confirm_request(who.actor, fields.get("request", "")[:64]),
        "It is done. The table sees it.",
        back="/calls",
    )


async def refuse(request: Request) -> Response:
    """Say why it is not done."""
    return await done(
        request,
        lambda director, who, fields: director.refuse_request(
            who.actor, fields.get("request", "")[:64], sentence(fields.get("reason"))
        ),
        "It is not done. The reason stands in the record.",
        back="/calls",
    )


DOORS: Final = (
    Door("/requests/do", do, DeskAct.BOXES, posts=True),
    Door("/requests/refuse", refuse, DeskAct.BOXES, posts=True),
)
