"""The set-up: a wizard that writes nothing before its end, and afterwards what is in force."""

from __future__ import annotations

import secrets
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from hub.desk.setting_up import GAME, STEPS, TEAMS, SetUp, faults, set_up_from
from hub.desk.team_list import LARGEST_BYTES, as_csv, read_team_list
from hub.roles import DeskAct
from hub.tournament.state import Plan
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.rehearsing import MOST_TABLES
from hub.web.render import Shown
from hub.web.uploads import uploaded
from hub.web.views.setup import decided_elsewhere, rules, set_up, stage_words
from tallybox.errors import RulesetError
from tallybox.rules.ruleset import Ruleset, builtin

MOST: Final = 4 * LARGEST_BYTES
MOST_FIELDS: Final = 96
"""A step of the wizard posts every setting of a game."""


def setup(request: Request) -> Response:
    """The first step, or what was set up where there is a tournament already."""
    desk = desk_of(request)
    if desk.hub.tournament.plan is not None:
        return desk.page(request, _in_force)
    usual = SetUp(seed=str(secrets.randbelow(2**31)))
    return desk.answer(request, lambda _picture: _step(request, usual, GAME))


async def step(request: Request) -> Response:
    """Another step, with everything entered so far; one that goes forward is shown only when this one is complete."""
    desk = desk_of(request)
    fields, file = await uploaded(request, desk.tokens, MOST, MOST_FIELDS)
    if file:
        read = read_team_list(file)
        fields = {
            **fields,
            "how": "list",
            "listed": as_csv(read.teams) if read.good else file.decode("utf-8", "replace"),
        }
    wanted = set_up_from(fields)
    at, to = (_number(fields.get(name, "")) for name in ("at", "to"))
    if file and to != at:
        to = TEAMS  # what a file holds is looked at first
    lacking = [number for number in range(at, to) if faults(wanted, number)]
    shown = lacking[0] if lacking else to
    return await run_in_threadpool(
        desk.answer, request, lambda _picture: _step(request, wanted, shown, tell=bool(lacking) or shown == at)
    )


def _step(request: Request, wanted: SetUp, number: int, *, tell: bool = False) -> Shown:
    desk = desk_of(request)
    view = set_up(wanted, number, desk.hub.known_boxes, tell=tell)
    port = desk.rehearsal
    values = {
        "kind": "setting-up",
        "it": view,
        "rehearses": port is not None,
        "rehearsal": None if port is None else port.status(),
        "most_rehearsed": MOST_TABLES,
    }
    return Shown("setup.html", "Set-up", "Set-up", values)


def _number(text: str) -> int:
    return int(text) if text in {str(number) for number in range(1, len(STEPS) + 1)} else GAME


def _in_force(picture: Picture) -> Shown:
    """What the tournament that is on was set up with."""
    tournament = picture.tournament
    plan = tournament.plan
    assert plan is not None
    club = _club(plan)
    values = {
        "kind": "in-force",
        "title_of_it": tournament.title,
        "stages": [(stage.name, stage_words(stage)) for stage in plan.stages],
        "ruleset": plan.ruleset,
        "rules": rules(plan.ruleset, club),
        "decided": decided_elsewhere(club),
        "teams": len(tournament.entrants),
        "boxes": len(tournament.boxes),
        "seed": plan.seed,
    }
    return Shown("in_force.html", "Set-up", "Rules in force", values)


def _club(plan: Plan) -> Ruleset:
    """The club's own ruleset under the house's changes, where it is one that is built in."""
    try:
        return builtin(plan.ruleset.name.removesuffix("-house"))
    except RulesetError:
        return plan.ruleset


DOORS: Final = (
    Door("/setup", setup),
    Door("/setup/step", step, DeskAct.TOURNAMENT, posts=True, most=MOST),
)
