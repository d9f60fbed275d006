"""The round's clock from the desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.director import Director
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.doing import done
from hub.web.doors import Door
from hub.web.errors import WebError

MORE_SECONDS: Final = 300

_ACTS: Final[dict[str, tuple[Callable[[Director, Who], object], str]]] = {
    "start": (lambda director, who: director.start_clock(who.actor), "The clock runs."),
    "pause": (lambda director, who: director.pause(who.actor), "The clock is paused. The tables see it at once."),
    "resume": (lambda director, who: director.resume(who.actor), "The clock goes on."),
    "extend": (lambda director, who: director.extend(who.actor, MORE_SECONDS), "Everybody has 5 more minutes."),
    "end": (
        lambda director, who: director.end_clock(who.actor),
        "The clock of this round has ended. No new hand begins.",
    ),
}


async def clock(request: Request) -> Response:
    """Start, pause, resume, extend or end the round clock."""
    found = _ACTS.get(str(request.path_params["act"]))
    if found is None:
        raise WebError(404, "no-page", "There is no such page here.")
    act, said = found
    return await done(request, lambda director, who, _fields: act(director, who), said)


DOORS: Final = (Door("/clock/{act:str}", clock, DeskAct.CLOCK, posts=True),)
