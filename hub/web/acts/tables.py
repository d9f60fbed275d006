"""One table from the desk: its own time, a hold, who came late, and what late hands bring."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.errors import HubError
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.reading_forms import whole, wholly
from hub.web.typed import sentence
from hub.web.views.words import counted
from tallybox.seats import Side

MOST_MINUTES: Final = 60


def _place(request: Request) -> tuple[int, int]:
    return int(request.path_params["number"]), int(request.path_params["table"])


async def extend(request: Request) -> Response:
    """More time for one table alone."""
    number, table = _place(request)
    given = [0]

    def act(director: Director, who: Who, fields: Fields) -> None:
        given[0] = wholly(fields, "minutes", "Minutes", 1, MOST_MINUTES)
        director.extend_table(who.actor, number, table, given[0] * 60, whole(fields, "seen", "Seconds", 0, 86_400))

    def said() -> str:
        return f"Table {table} has {counted(given[0], 'more minute', 'more minutes')} than the others."

    return await done(request, act, said, back=f"/tables/{table}")


async def end_extension(request: Request) -> Response:
    """The time that one table had beyond the others is over."""
    number, table = _place(request)
    return await done(
        request,
        lambda director, who, _fields: director.end_extension(who.actor, number, table),
        f"Table {table} has the time of the others again.",
        back=f"/tables/{table}",
    )


async def hold(request: Request) -> Response:
    """Let a table wait, and say what for."""
    number, table = _place(request)
    return await done(
        request,
        lambda director, who, fields: director.hold(who.actor, number, table, sentence(fields.get("reason"))),
        f"Table {table} waits. Its box says why.",
        back=f"/tables/{table}",
    )


async def let_go(request: Request) -> Response:
    """Let a waiting table go on."""
    number, table = _place(request)
    return await done(
        request,
        lambda director, who, _fields: director.let_go(who.actor, number, table),
        f"Table {table} goes on.",
        back=f"/tables/{table}",
    )


async def late(request: Request) -> Response:
    """Note that a side was absent when the clock started, or take the mark back."""
    number, table = _place(request)
    marked = ["is marked late"]

    def act(director: Director, who: Who, fields: Fields) -> None:
        side, is_late = _side(fields), fields.get("late", "yes") == "yes"
        director.mark_late(who.actor, number, table, side, late=is_late)
        marked[0] = f"{side.word} at table {table} {'is marked late' if is_late else 'is not marked late any more'}."

    return await done(request, act, lambda: marked[0], back=f"/tables/{table}")


async def award(request: Request) -> Response:
    """Give the hands that a late side did not complete to the other one; as many as were written down."""
    number, table = _place(request)
    given = [0]

    def act(director: Director, who: Who, fields: Fields) -> None:
        given[0] = wholly(fields, "hands", "Hands", 0, 99)
        director.award(
            who.actor, number, table, kind="late", loser=_side(fields), hands=given[0],
            reason=sentence(fields.get("reason")),
        )  # fmt: skip

    def said() -> str:
        return f"{counted(given[0], 'hand is', 'hands are')} awarded at table {table}. Both sides see it."

    return await done(request, act, said, back="/clock", proves=DeskAct.AWARD)


async def awards(request: Request) -> Response:
    """Apply every award that the rules suggest."""
    return await done(
        request,
        lambda director, who, _fields: director.confirm_awards(who.actor),
        "The awards stand. The tables see them and can sign.",
        back="/clock",
        proves=DeskAct.AWARD,
    )


def _side(fields: Fields) -> Side:
    found = next((side for side in Side if side.value == fields.get("side")), None)
    if found is None:
        raise HubError("side", "Choose North–South or East–West.")
    return found


_AT: Final = "/rounds/{number:int}/tables/{table:int}"
DOORS: Final = (
    Door(f"{_AT}/extend", extend, DeskAct.EXTEND, posts=True),
    Door(f"{_AT}/end-extension", end_extension, DeskAct.EXTEND, posts=True),
    Door(f"{_AT}/hold", hold, DeskAct.HOLD, posts=True),
    Door(f"{_AT}/let-go", let_go, DeskAct.HOLD, posts=True),
    Door(f"{_AT}/late", late, DeskAct.LATE, posts=True),
    Door(f"{_AT}/award", award, DeskAct.AWARD, posts=True),
    Door("/awards/confirm", awards, DeskAct.AWARD, posts=True),
)
