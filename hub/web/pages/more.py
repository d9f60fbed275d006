"""Everything that is no tab of a phone, with what it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.render import Shown


@dataclass(frozen=True, slots=True)
class Place:
    """A page, and what it is for."""

    href: str
    word: str
    icon: str
    sentence: str


ACCOUNT: Final = "/account"
"""Only for those who signed in."""
PLACES: Final = (
    Place("/clock", "Clock", "clock", "Pause, more time, late tables, the expected end"),
    Place("/rounds", "Rounds", "shuffle", "Draft, post and end a round"),
    Place("/bracket", "Bracket", "fork", "Who meets whom in the play-offs"),
    Place("/teams", "Teams", "swap", "Check in, withdraw, notes and cases"),
    Place("/devices", "Devices", "link", "Boxes, readers, what waits to be decided"),
    Place("/documents", "Documents", "print", "Sheets, pairings and standings to print or keep"),
    Place("/record", "Record", "list", "Everything that was done, by whom and when"),
    Place("/officials", "Officials", "pen", "Who acts at the desk and at the tables"),
    Place("/setup", "Set-up", "check", "The tournament, its rules, its rehearsal"),
    Place("/announce", "Announcements", "bell", "A sentence for every screen in the room"),
    Place("/projector", "Projector", "eye", "What the room sees on the wall"),
    Place(ACCOUNT, "Your account", "lock", "Your PIN, your password, signing out"),
)


def more(request: Request) -> Response:
    """The pages that this hub has besides the tabs."""
    desk = desk_of(request)
    known = {route.path for route in request.app.routes if isinstance(route, Route)}
    left_out = set() if desk.access.who(request).signed else {ACCOUNT}
    pages = tuple(place for place in PLACES if place.href in known - left_out)
    return desk.page(request, lambda _picture: Shown("more.html", "More", "More", {"pages": pages}))


DOORS: Final = (Door("/more", more),)
