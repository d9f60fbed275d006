"""A round that is started, with the word that it lays an open draft of it aside."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.desk import desk_of
from hub.web.doing import Act, Fields, done

DROPPED: Final = "The draft that was open is dropped; the record says so."


async def started(request: Request, act: Act, said: str, *, back: str, proves: DeskAct | None = None) -> Response:
    """``done``, for an act that starts a round: whoever had a draft open hears what became of it."""
    hub, drafts = desk_of(request).hub, list[bool]()

    def watched(director: Director, who: Who, fields: Fields) -> None:
        drafts.append(hub.tournament.draft is not None)
        act(director, who, fields)

    return await done(request, watched, lambda: f"{said} {DROPPED}" if any(drafts) else said, back=back, proves=proves)
