"""The hub itself and the boxes, from the desk."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.roles import DeskAct
from hub.web.desk import desk_of
from hub.web.doing import done
from hub.web.doors import Door
from hub.web.errors import WebError


async def confirm_hub(request: Request) -> Response:
    """Let a hub that runs on an older copy of its data speak again."""
    if not desk_of(request).hub.in_doubt:
        raise WebError(
            409, "not-in-doubt", "This hub is not in doubt: it speaks already.", "There is nothing to confirm."
        )
    return await done(
        request,
        lambda director, who, _fields: director.confirm_restored(who.actor, "confirmed at the desk"),
        "This hub speaks again. The tables hear from it now.",
    )


DOORS: Final = (Door("/hub/confirm", confirm_hub, DeskAct.HUB, posts=True),)
