"""The dashboard as an ASGI application around a hub."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final

import fontpkg_ibm_plex_sans_condensed
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Lifespan, Scope

from hub.errors import HubError
from hub.hub import Hub
from hub.web.access import Access
from hub.web.desk import Desk, desk_of
from hub.web.doors import DoorRoute
from hub.web.errors import WebError
from hub.web.guard import LARGEST_BODY, LOOPBACK_HOSTS, Guard
from hub.web.live import MOST_LISTENERS
from hub.web.plan import DOORS
from hub.web.rehearsing import Rehearsal
from hub.web.render import STATIC

LOOPBACK_REACH: Final = "Open on this machine only. Nobody signs in: whoever sits at it is the director."
SIGNED_REACH: Final = "Everybody signs in here. Rulings and the like ask for your own PIN too."
NETWORK_REACH: Final = "Open to this network without signing in: anyone on it can act as the director."


def create_app(
    hub: Hub,
    *,
    hosts: frozenset[str] = LOOPBACK_HOSTS,
    sign_in: bool = False,
    secret: bytes | None = None,
    draw: Callable[[], str] = lambda: secrets.token_hex(16),
    most_listeners: int = MOST_LISTENERS,
    rehearsal: Rehearsal | None = None,
    public: str = "",
) -> Starlette:
    """The dashboard of this hub.

    ``sign_in``: people sign in; otherwise whoever sits at this machine is the director. ``hosts`` are the names it
    answers to; more than this machine's own make an open one say on every page that it is open to the network.
    ``secret`` signs the pages' tokens (drawn anew at each start unless given), ``draw`` names a browser.
    ``public``: the address of the public page on a plain port of its own, where it has one.
    ``rehearsal`` can put a simulated room beside this hub, where there is one to offer.
    """
    reach = SIGNED_REACH if sign_in else LOOPBACK_REACH if hosts <= LOOPBACK_HOSTS else NETWORK_REACH
    desk = Desk(
        hub, access=Access(hub, sign_in=sign_in), reach=reach, secret=secret or secrets.token_bytes(32), draw=draw,
        most_listeners=most_listeners, rehearsal=rehearsal,
    )  # fmt: skip
    app = Starlette(
        routes=_routes(),
        lifespan=_open_while_it_runs(desk),
        middleware=[Middleware(Guard, hosts=hosts, refuse=desk.refuse, larger=_larger())],
        exception_handlers={
            WebError: _refused,
            HubError: _not_done,
            HTTPException: _http,
        },
    )
    app.state.desk = desk
    app.state.hosts = hosts
    app.state.public = public
    return app


def _open_while_it_runs(desk: Desk) -> Lifespan[Starlette]:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        pulse = desk.open(asyncio.get_running_loop())
        try:
            yield
        finally:
            pulse.cancel()
            desk.close()

    return lifespan


def _larger() -> dict[str, int]:
    """The addresses that take more than a common form, such as a list of teams."""
    return {door.path: door.most for door in DOORS if door.most != LARGEST_BODY}


def _routes() -> list[Route | Mount]:
    return [
        *(DoorRoute(door) for door in DOORS),
        Mount("/static/htmx", _Assets(packages=[("js_lib_htmx", "static/htmx")])),
        Mount("/static/type", _Assets(directory=fontpkg_ibm_plex_sans_condensed.ROOT / "files")),
        Mount("/static", _Assets(directory=STATIC)),
    ]


class _Assets(StaticFiles):
    """Static files that a browser keeps for a day; ours carry a digest in their address."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers["Cache-Control"] = "public, max-age=86400"
        return answer


def _refused(request: Request, no: Exception) -> Response:
    assert isinstance(no, WebError)
    return desk_of(request).refuse(request, no)


def _not_done(request: Request, no: Exception) -> Response:
    assert isinstance(no, HubError)
    return desk_of(request).refuse(request, WebError(409, no.code, no.message))


def _http(request: Request, no: Exception) -> Response:
    assert isinstance(no, HTTPException)
    if no.status_code == 404:
        return desk_of(request).refuse(request, WebError(404, "no-page", "There is no such page here."))
    if no.status_code == 405:
        return desk_of(request).refuse(
            request, WebError(405, "not-here", "That cannot be done at this address.", headers=no.headers)
        )
    return desk_of(request).refuse(request, WebError(no.status_code, "not-done", "This cannot be answered."))
