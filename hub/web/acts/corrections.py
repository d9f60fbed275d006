"""Corrections from the desk: a new version of a recorded hand, or none of an open one; proved by the personal PIN."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.desk import desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.views.correction import facts_for
from tallybox.errors import SheetError


async def correct(request: Request) -> Response:
    """Let the facts of the form count for the hand."""
    number, place, hand = (int(request.path_params[name]) for name in ("number", "table", "hand"))
    hub = desk_of(request).hub

    def act(director: Director, who: Who, fields: Fields) -> None:
        table = hub.tournament.table(number, place)
        if table is None:
            raise WebError(404, "no-sheet", f"There is no sheet R{number}-T{place}.")
        try:
            facts = facts_for(table, hand, fields)
        except SheetError as no:
            raise WebError(409, no.code, no.message) from None
        director.correct_hand(who.actor, number, place, hand=hand, facts=facts, reason=fields.get("reason", ""))

    return await done(
        request, act, f"Hand {hand} is corrected. The sheet has a new version.",
        back=f"/rounds/{number}/tables/{place}", proves=DeskAct.CORRECT, leaves=True,
    )  # fmt: skip


async def void(request: Request) -> Response:
    """Let the hand that is being played not count; the table deals again."""
    number, place = (int(request.path_params[name]) for name in ("number", "table"))
    return await done(
        request,
        lambda director, who, fields: director.void_deal(
            who.actor, number, place, deal=fields.get("deal", ""), reason=fields.get("reason", "")
        ),
        f"The hand at table {place} is void. Its screen says so, and the same dealer deals again.",
        back=f"/tables/{place}", proves=DeskAct.CORRECT,
    )  # fmt: skip


DOORS: Final = (
    Door("/rounds/{number:int}/tables/{table:int}/void", void, DeskAct.CORRECT, posts=True),
    Door("/rounds/{number:int}/tables/{table:int}/hands/{hand:int}/correct", correct, DeskAct.CORRECT, posts=True),
)
