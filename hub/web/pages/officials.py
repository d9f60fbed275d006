"""The officials: who may do what here, and who proves it."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.roles import DeskAct
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.officials import officials as officials_view


def officials(request: Request) -> Response:
    """Everybody who acts for the director, and how to appoint somebody."""
    desk = desk_of(request)
    who, kept = desk.access.who(request), desk.access.passwords

    def build(picture: Picture) -> Shown:
        seen = officials_view(
            picture,
            me=who.actor,
            password=lambda official: kept is not None and kept.of(official) is not None,
            tables=desk.hub.sends_pins,
        )
        return Shown("officials.html", "Set-up", "Officials", {"seen": seen, "signs": desk.access.sign_in})

    return desk.page(request, build)


DOORS: Final = (Door("/officials", officials, DeskAct.OFFICIALS),)
"""Only directors look at the list, because only they change it."""
