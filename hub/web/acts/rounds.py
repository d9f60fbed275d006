"""Rounds from the desk: posted and closed."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.roles import DeskAct
from hub.web.doing import done
from hub.web.doors import Door


async def publish(request: Request) -> Response:
    """Post the pairings of the next round."""
    return await done(
        request, lambda director, who, _fields: director.publish_round(who.actor), "The pairings are posted."
    )


async def end_round(request: Request) -> Response:
    """Close the round; every team may move."""
    return await done(
        request,
        lambda director, who, _fields: director.end_round(who.actor),
        "The round is over. All teams may move.",
    )


DOORS: Final = (
    Door("/rounds/publish", publish, DeskAct.ROUNDS, posts=True),
    Door("/rounds/end", end_round, DeskAct.ROUNDS, posts=True),
)
