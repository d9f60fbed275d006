"""Calls for the director, from the desk."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.roles import DeskAct
from hub.web.doing import done
from hub.web.doors import Door


async def claim(request: Request) -> Response:
    """Say that someone is on the way to a table that called."""
    return await done(
        request,
        lambda director, who, fields: director.claim_call(
            who.actor, fields.get("call", "")[:64], over=fields.get("over") == "yes"
        ),
        "The table sees that you are on the way.",
        back="/calls",
    )


async def answer(request: Request) -> Response:
    """Settle a call."""
    return await done(
        request,
        lambda director, who, fields: director.answer_call(who.actor, fields.get("call", "")[:64]),
        "The call is settled.",
        back="/calls",
    )


DOORS: Final = (
    Door("/calls/claim", claim, DeskAct.CALLS, posts=True),
    Door("/calls/answer", answer, DeskAct.CALLS, posts=True),
)
