"""The doors of the dashboard: every address with who may open it. The application's route table is made from these.

A door that posts is an act; one that does not is read only. What it needs is in ``hub.web.needs``, or it names the
desk's act, and ``hub.roles`` says whose that is.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hub.roles import DeskAct
from hub.web.desk import desk_of
from hub.web.guard import LARGEST_BODY
from hub.web.needs import Needs

Endpoint = Callable[[Request], Response] | Callable[[Request], Coroutine[Any, Any, Response]]


@dataclass(frozen=True, slots=True)
class Door:
    """An address, what answers there, and who may open it. ``posts``: an act, by POST alone, of ``most`` bytes.

    ``phones``: read only and without secrets, so that it is answered on the plain port for everybody's phones too.
    """

    path: str
    endpoint: Endpoint
    needs: Needs | DeskAct = Needs.LOOK
    posts: bool = False
    most: int = LARGEST_BODY
    phones: bool = False


class DoorRoute(Route):
    """A route that knows its door."""

    def __init__(self, door: Door) -> None:
        self.door: Final = door
        super().__init__(door.path, _watched(door), methods=["POST"] if door.posts else ["GET"], name=door.path)


def _watched(door: Door) -> Endpoint:
    """The endpoint, behind the question whether this person may come in. Plain functions stay plain: they run in
    threads."""
    endpoint = door.endpoint
    if iscoroutinefunction(endpoint):

        async def act(request: Request) -> Response:
            desk_of(request).access.admit(request, door.needs)
            answer: Response = await endpoint(request)
            return answer

        return act

    def page(request: Request) -> Response:
        desk_of(request).access.admit(request, door.needs)
        answer = endpoint(request)
        assert isinstance(answer, Response)
        return answer

    return page
