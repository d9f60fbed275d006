"""What all requests share: the hub, the pages, the listeners, the tokens. One per application."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Final
from urllib.parse import urlencode

import structlog
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from hub.hub import Hub
from hub.web.access import Access, Who
from hub.web.again import again
from hub.web.casebook import CaseBook
from hub.web.errors import WebError
from hub.web.guard import Tokens, bound_to, page_name
from hub.web.live import Notifier
from hub.web.looked import Looked
from hub.web.picture import Picture
from hub.web.print_room import PrintRoom
from hub.web.reading import Reader, Stamp
from hub.web.rehearsing import Rehearsal
from hub.web.render import Pages, Shown, asks_for_inside
from hub.web.views.frame import frame
from hub.web.views.pace import room_pace
from hub.web.views.states import conditions

log = structlog.get_logger("hub.web")

PULSE: Final = 1.0
"""Seconds between two looks at what changes by age alone, such as a box that fell silent."""

MOST_SCREENS: Final = 24
"""Projectors that are kept fresh at once."""

LONGEST_NEXT: Final = 300
"""Characters of an address that somebody is led back to after signing in."""

Build = Callable[[Picture], Shown]


def desk_of(request: Request) -> Desk:
    """The desk this request belongs to."""
    desk: Desk = request.app.state.desk
    return desk


class Desk:
    """Serves the director: reads the hub, renders, tells listeners, refuses with a sentence."""

    def __init__(
        self, hub: Hub, *, access: Access, reach: str, secret: bytes, draw: Callable[[], str], most_listeners: int,
        rehearsal: Rehearsal | None = None,
    ) -> None:  # fmt: skip
        self.hub = hub
        self.rehearsal = rehearsal
        self.access = access
        self.pages = Pages()
        self.tokens = Tokens(secret)
        self.looked = Looked(hub.time.seconds)
        self.notifier = Notifier(most=most_listeners, before=self._look)
        self.screens = Notifier(most=MOST_SCREENS)
        """Who listens without signing in: projectors, with places of their own."""
        self._open_pages = Pages()
        self.print_room = PrintRoom(hub, self.notifier.nudge)
        self.casebook = CaseBook(hub.ledger)
        self._reader = Reader(hub)
        self._told: tuple[Stamp, Picture] | None = None
        """The room as it was when listeners were told of it last: whoever fetches then gets the same page."""
        self._reach = reach
        self._draw = draw
        self._unsubscribe: Callable[[], None] = lambda: None

    def open(self, loop: asyncio.AbstractEventLoop) -> asyncio.Task[None]:
        """Begin to tell listeners what changes; returns the pulse, to be cancelled at the end."""
        for notifier in (self.notifier, self.screens):
            notifier.start(loop, self.hub.tournament.seq)
        self._unsubscribe = self.hub.subscribe(self._changed)
        return loop.create_task(self._pulse())

    def _changed(self) -> None:
        seq = self.hub.tournament.seq
        self.notifier.announce(seq)
        self.screens.announce(seq)

    def hang_up(self) -> None:
        """End every stream and take no new one; from any thread."""
        self.notifier.stop()
        self.screens.stop()

    def close(self) -> None:
        """Tell nobody any more."""
        self._unsubscribe()
        self.hang_up()
        self.print_room.close()

    def picture(self) -> Picture:
        """The room now."""
        return self._reader.picture()

    def page(self, request: Request, build: Build) -> Response:
        """A page in its frame; a browser that comes for the first time gets its cookie.

        What one person looks at in many browsers costs one rendering: the token alone is each browser's own.
        """
        (stamp, picture), who = self._now(request), self.access.who(request)
        text = self.pages.kept(request, stamp, who.actor, lambda: self._shown(build, who, picture))
        return self.with_token(request, text)

    def _look(self) -> None:
        self._told = self._reader.stamp(), self._reader.picture()

    def _now(self, request: Request) -> tuple[Stamp, Picture | None]:
        """What a page is made from. One that refreshes itself shows what all listeners were told of together.

        While nobody listens, and once that is more than a second old, it is the room as it is.
        """
        stamp, told = self._reader.stamp(), self._told
        together = told is not None and len(self.notifier) and asks_for_inside(request)
        if told is None or not together or stamp.second > told[0].second + 1:
            return stamp, None
        return told

    def answer(self, request: Request, build: Build, status: int = 200) -> Response:
        """A page made for this one request from what was posted; it is not kept, and does not refresh itself."""
        shown = self._shown(build, self.access.who(request)).within({"still": True})
        return self.with_token(request, self.pages.once(request, shown), status)

    def screen(self, request: Request, build: Build) -> Response:
        """A page for everybody, without a frame and without a cookie; one rendering serves all who ask in a second."""
        text = self._open_pages.kept(request, self._reader.stamp(), "", lambda: build(self.picture()))
        return HTMLResponse(text, headers={"Vary": "HX-Request"})

    def with_token(self, request: Request, text: str, status: int = 200) -> HTMLResponse:
        """The rendered page with this browser's own token in its forms."""
        known = bound_to(request)
        cookie = known or self._draw()
        html = self.pages.with_token(text, self.tokens.token(cookie))
        answer = HTMLResponse(html, status, headers={"Vary": "HX-Request"})
        if not known:
            secure = request.url.scheme == "https"
            answer.set_cookie(page_name(request), cookie, httponly=True, samesite="strict", path="/", secure=secure)
        return answer

    def _shown(self, build: Build, who: Who, told: Picture | None = None) -> Shown:
        picture = told or self.picture()
        shown = build(picture)
        asks = self.access.asks_pin()
        around = frame(picture, who=who, reach=self._reach, token=self.pages.token_place, asks_pin=asks)
        return shown.within(
            {"trouble": picture.trouble, "low": picture.low, "in_doubt": picture.in_doubt, "frame": around}
        )

    def refuse(self, request: Request, no: WebError) -> Response:
        """The sentence where the person is looking: in the corner after an act, as JSON for programs, else a page."""
        if request.url.path.startswith(("/api/", "/healthz", "/readyz", "/metrics", "/events")):
            said = {"error": {"code": no.code, "message": f"{no.sentence} {no.then}".strip()}}
            return JSONResponse(said, no.status, headers=no.headers)
        if asks_for_inside(request) and request.method == "POST":
            return self.pages.sentence(no.sentence, no.then, status=no.status)
        if no.code == "sign-in":
            return self._to_sign_in(request, no)
        once_more = again(request.url.path, getattr(request.state, "posted", {}))
        if once_more is None:
            return self.pages.bare(no)
        text = self.pages.alone("again.html", title="Not done", said=no.sentence, then=no.then, again=once_more)
        answer = self.with_token(request, text, no.status)
        answer.headers.update(no.headers)
        return answer

    def _to_sign_in(self, request: Request, no: WebError) -> Response:
        """Where people sign in, and back to what was asked for; a page that refreshes itself goes there too."""
        if request.method != "GET":
            return self.pages.bare(no)
        query = f"?{request.url.query}" if request.url.query else ""
        where = f"/sign-in?{urlencode({'next': f'{request.url.path}{query}'[:LONGEST_NEXT]})}"
        if not asks_for_inside(request):
            return RedirectResponse(where, 303)
        answer = self.pages.sentence(no.sentence, no.then, status=no.status)
        answer.headers["HX-Redirect"] = where
        return answer

    async def _pulse(self) -> None:
        """Announce what changes without an event: ages, and what boxes say of themselves."""
        before: Hashable = None
        while True:
            await asyncio.sleep(PULSE)
            if not len(self.notifier):
                continue
            try:
                seen = await run_in_threadpool(self._by_age)
            except Exception:
                log.exception("pulse_stumbled")
                continue
            if before is not None and seen != before:
                self.notifier.nudge()
            before = seen

    def _by_age(self) -> Hashable:
        picture = self.picture()
        tables = tuple(picture.round.tables.values()) if picture.round else ()
        pace = room_pace(tables)
        states = tuple(tuple((it.state, it.detail) for it in conditions(picture, table, pace)) for table in tables)
        return states, picture.trouble, picture.low, len(picture.quarantine)
