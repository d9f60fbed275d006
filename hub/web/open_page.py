"""The public page on a plain port of its own, for phones that trust no authority of ours (docs/decisions/0011).

What everybody may see and nobody can act on: no cookie is set or read here, nothing can be posted, and every other
address leads nowhere. How often one phone may ask is bounded; what it asks for costs one rendering a second for all.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hub.web.address import PUBLIC
from hub.web.doors import DoorRoute
from hub.web.guard import Guard

BURST: Final = 300
PER_SECOND: Final = 30.0
"""Requests of one address: a page with its styles, scripts and type is about fifteen, and it looks every 20 s. Behind a
router that hides addresses, many phones have one."""
MOST_ADDRESSES: Final = 4_096
"""Addresses whose requests are counted; who asked longest ago is forgotten first."""


class Often:
    """ASGI middleware: so many requests of one address, then it waits."""

    def __init__(self, app: ASGIApp, *, seconds: Callable[[], float], burst: int = BURST) -> None:
        self._app = app
        self._seconds = seconds
        self._burst = burst
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or say that it is one too many."""
        client = scope.get("client")
        if scope["type"] == "http" and not self._take(str(client[0]) if client else ""):
            said = "You ask more often than this hub answers. Wait a moment.\n"
            await PlainTextResponse(said, 429, headers={"Retry-After": "5"})(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _take(self, address: str) -> bool:
        now = self._seconds()
        with self._lock:
            left, at = self._left.pop(address, (float(self._burst), now))
            left = min(left + (now - at) * PER_SECOND, float(self._burst))
            self._left[address] = (max(left - 1, 0.0), now)
            while len(self._left) > MOST_ADDRESSES:
                self._left.popitem(last=False)
        return left >= 1


def create_open_app(dashboard: Starlette, *, seconds: Callable[[], float], burst: int = BURST) -> Starlette:
    """The doors of the dashboard that are marked as open to everybody's phones, and the files they need."""
    desk, hosts = dashboard.state.desk, dashboard.state.hosts
    routes = [each for each in dashboard.routes if not isinstance(each, DoorRoute) or each.door.phones]
    app = Starlette(
        routes=[Route("/", _to_the_page, methods=["GET"]), *routes],
        middleware=[
            Middleware(Guard, hosts=hosts, refuse=desk.refuse, larger={}),
            Middleware(Often, seconds=seconds, burst=burst),
        ],
        exception_handlers=dashboard.exception_handlers,
    )
    app.state.desk, app.state.hosts, app.state.public = desk, hosts, dashboard.state.public
    return app


def _to_the_page(_request: Request) -> Response:
    return RedirectResponse(PUBLIC, 302)
