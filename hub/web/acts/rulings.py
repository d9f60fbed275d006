"""Rulings from the desk: made, taken back; each by its official, proved by the personal PIN."""

from __future__ import annotations

from typing import Final, cast

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.decisions_rulings import RulingWanted
from hub.desk.director import Director
from hub.errors import HubError
from hub.roles import DeskAct, may
from hub.tournament.state import TableRound
from hub.web.access import Who
from hub.web.desk import desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.render import asks_for_inside
from hub.web.typed import sentence, whole
from hub.web.views.ruling import adjusted, missing_of, rulings_of
from hub.web.views.ruling_draft import Draft, hands_of, read_draft, ruling_of
from tallybox.errors import SheetError
from tallybox.sheet.ruling_json import ruling_to_json


async def rule(request: Request) -> Response:
    """Rule as the form says; the table's call is settled with it if that is ticked."""
    number, place = int(request.path_params["number"]), int(request.path_params["table"])
    hub = desk_of(request).hub

    def act(director: Director, who: Who, fields: Fields) -> None:
        table = hub.tournament.table(number, place)
        if table is None:
            raise WebError(404, "no-sheet", f"Table {place} is not played in round {number}.")
        director.rule_adjusted(who.actor, number, place, _wanted(table, fields))
        call = fields.get("settles", "")[:64]
        if call and may(who.role, DeskAct.CALLS) and any(each.id == call for each in hub.tournament.open_calls):
            director.answer_call(who.actor, call, "Ruled.")

    back = f"/tables/{place}" if number == len(hub.tournament.rounds) else f"/rounds/{number}/tables/{place}"
    answer = await done(request, act, f"Ruled. Table {place} sees it.", back=back, proves=DeskAct.RULE)
    if asks_for_inside(request):
        answer.headers["HX-Redirect"] = back
    return answer


def _wanted(table: TableRound, fields: Fields) -> RulingWanted:
    """The ruling as the director's use case takes it; raises ``WebError`` for what is not chosen."""
    draft = read_draft(table, fields)
    if missing := missing_of(table, draft):
        raise WebError(422, "not-chosen", f"{missing}.", "Then rule.")
    if draft.code == "ADJUST" and not draft.why:
        raise WebError(422, "no-reason", "An adjustment stands on the sheet with its reason.", "Write down why.")
    try:
        ruling = rulings_of(table, draft)[0]
        adjust = _adjust(table, draft)
    except SheetError as no:
        raise WebError(409, no.code, no.message) from None
    return RulingWanted(
        hand=draft.hand, ruling=cast("dict[str, object]", ruling_to_json(ruling)), adjust=adjust, raised=draft.raised,
        supersedes=() if draft.replaces is None else (draft.replaces,), reason=draft.why,
    )  # fmt: skip


def _adjust(table: TableRound, draft: Draft) -> dict[str, int] | None:
    hand = next(each for each in hands_of(table) if each.number == draft.hand)
    ruling = ruling_of(draft, table.state.playing.ruleset.game)
    return {side.value: points for side, points in adjusted(table, hand, draft, ruling).items()} or None


async def reverse(request: Request) -> Response:
    """Take a ruling back by a new one."""

    def act(director: Director, who: Who, fields: Fields) -> None:
        number, place = whole(fields.get("round")), whole(fields.get("table"))
        if number is None or place is None:
            raise HubError("no-ruling", "This ruling is not found any more. Look at the table's sheet.")
        why = sentence(fields.get("why"))
        director.reverse_ruling(who.actor, number, place, fields.get("ruling", "")[:64], why)

    return await done(request, act, "The ruling is taken back. The table sees it.", back="/calls", proves=DeskAct.RULE)


DOORS: Final = (
    Door("/rounds/{number:int}/tables/{table:int}/rule", rule, DeskAct.RULE, posts=True),
    Door("/rulings/reverse", reverse, DeskAct.RULE, posts=True),
)
