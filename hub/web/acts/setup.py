"""The end of the set-up: the tournament is created as it was entered, and the boxes are put on their tables."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.desk.setting_up import entry_of, set_up_from
from hub.errors import HubError
from hub.roles import DeskAct
from hub.tournament.templates import templates
from hub.web.access import Who
from hub.web.desk import Desk, desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.pages.setup import MOST
from hub.web.reading_forms import wholly
from hub.web.rehearsing import FASTEST, MOST_TABLES, Rehearsal, RehearsalPlan
from tallybox.errors import RulesetError


async def create(request: Request) -> Response:
    """Create the tournament; what it lacks is said, and then nothing is written."""
    desk = desk_of(request)
    hub, port = desk.hub, desk.rehearsal

    def act(director: Director, who: Who, fields: Fields) -> None:
        if port is not None and port.status() is not None:
            raise HubError("rehearsing", "A rehearsal is running. End it, then create the tournament.")
        wanted = set_up_from(fields)
        try:
            entry = entry_of(wanted)
        except RulesetError as reason:
            raise HubError(reason.code, reason.message) from None
        after = director.create_tournament(
            who.actor, template=entry.template, title=entry.title, teams=entry.teams, ruleset=entry.ruleset,
            hands=entry.hands, seed=entry.seed, stages=entry.stages, fillers=entry.fillers,
        )  # fmt: skip
        tables = -(-len(entry.teams) // 2)
        for table, box in zip(range(1, tables + 1), hub.known_boxes if wanted.boxes else (), strict=False):
            if after.boxes.get(table) != box:
                after = director.assign_box(who.actor, box, table)

    return await done(request, act, "The tournament is created.", back="/rounds", leaves=True, most=MOST)


async def rehearse(request: Request) -> Response:
    """Put a simulated room beside this hub; nothing of it is ever written into this hub's own ledger."""
    desk = desk_of(request)

    def act(_director: Director, _who: Who, fields: Fields) -> None:
        if desk.hub.tournament.plan is not None:
            raise HubError("tournament-exists", "This hub has a tournament already. Rehearse before it is created.")
        _port(desk).start(_planned(fields))

    return await done(request, act, "The rehearsal is open. Its desk is a page of its own.", back="/setup", leaves=True)


async def end_rehearsal(request: Request) -> Response:
    """End the rehearsal and leave nothing of it behind."""
    desk = desk_of(request)
    return await done(
        request,
        lambda _director, _who, _fields: _port(desk).stop(),
        "The rehearsal is over. This hub is as it was.",
        back="/setup",
        leaves=True,
    )


def _port(desk: Desk) -> Rehearsal:
    if desk.rehearsal is None:
        raise HubError("no-rehearsal", "This hub was started without a rehearsal room. “tallybox demo” shows one.")
    return desk.rehearsal


def _planned(fields: Fields) -> RehearsalPlan:
    tables = wholly(fields, "tables", "Tables", 1, MOST_TABLES)
    speed = wholly(fields, "speed", "Speed", 1, int(FASTEST))
    name = fields.get("template", "")
    if name not in templates():
        raise HubError("unknown-template", "Choose which game is rehearsed.")
    return RehearsalPlan(name, tables, float(speed))


DOORS: Final = (
    Door("/setup/create", create, DeskAct.TOURNAMENT, posts=True, most=MOST),
    Door("/setup/rehearsal/start", rehearse, DeskAct.TOURNAMENT, posts=True),
    Door("/setup/rehearsal/end", end_rehearsal, DeskAct.TOURNAMENT, posts=True),
)
