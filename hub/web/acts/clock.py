"""The round's clock from the desk, and its undoing; every act is one of its own in the record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.acts.starting import started
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.reading_forms import whole
from hub.web.views.words import counted

MORE_MINUTES: Final = 5
MOST_MINUTES: Final = 240

ClockAct = Callable[[Director, Who, Fields], object]

_ACTS: Final[dict[str, tuple[ClockAct, str]]] = {
    "start": (lambda director, who, _fields: director.start_clock(who.actor), "The clock runs."),
    "pause": (
        lambda director, who, _fields: director.pause(who.actor), "The clock is paused. The tables see it at once.",
    ),
    "resume": (
        lambda director, who, fields: director.resume(who.actor, ran_on=fields.get("ran_on") == "yes"),
        "The clock goes on. The tables see it at once.",
    ),
    "end": (
        lambda director, who, _fields: director.end_clock(who.actor),
        "The clock of this round has ended. No new hand begins.",
    ),
    "shorten": (
        lambda director, who, fields: director.take_back_extension(who.actor, fields.get("extension", "")[:64]),
        "The extension is taken back. The tables see it at once.",
    ),
    "reopen": (
        lambda director, who, _fields: director.reopen_clock(who.actor),
        "The clock goes on with what was left. Dealing is open again.",
    ),
    "withdraw": (
        lambda director, who, _fields: director.withdraw_start(who.actor),
        "The start is taken back. The round waits, as it was posted.",
    ),
}  # fmt: skip


async def clock(request: Request) -> Response:
    """Start, pause, resume or end the round clock, or undo one of these."""
    found = _ACTS.get(str(request.path_params["act"]))
    if found is None:
        raise WebError(404, "no-page", "There is no such page here.")
    act, said = found
    does = started if request.path_params["act"] == "start" else done
    return await does(request, act, said, back="/clock")


async def extend(request: Request) -> Response:
    """More time for everybody: as many minutes as were chosen."""
    given = [MORE_MINUTES]

    def act(director: Director, who: Who, fields: Fields) -> None:
        given[0] = whole(fields, "minutes", "Minutes", 1, MOST_MINUTES) or MORE_MINUTES
        director.extend(who.actor, given[0] * 60, fields.get("seen") or None)

    def said() -> str:
        return f"Everybody has {counted(given[0], 'more minute', 'more minutes')}."

    return await done(request, act, said, back="/clock")


DOORS: Final = (
    Door("/clock/extend", extend, DeskAct.CLOCK, posts=True),
    Door("/clock/{act:str}", clock, DeskAct.CLOCK, posts=True),
)
