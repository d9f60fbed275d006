"""Teams: the list with search and check-in, a list from a file before it is entered, and each team's own page."""

from __future__ import annotations

from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from hub.desk.team_list import LARGEST_BYTES, TeamList, as_csv, numbered, read_team_list
from hub.roles import DeskAct
from hub.tournament.state import Tournament
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.uploads import uploaded
from hub.web.views.team import team as team_view
from hub.web.views.teams import teams as teams_view

MOST: Final = 4 * LARGEST_BYTES
"""Bytes of a form with a list: a browser writes three for each that is no letter."""


def teams(request: Request) -> Response:
    """All teams, those in one state (``?show=absent``), or those found (``?find=marsh``)."""
    shown, wanted = (request.query_params.get(name, "") for name in ("show", "find"))

    def build(picture: Picture) -> Shown:
        view = teams_view(picture, shown or "all", wanted)
        return Shown("teams.html", "Teams", "Teams", {"kind": "teamed", "it": view})

    return desk_of(request).page(request, build)


def team(request: Request) -> Response:
    """One team with its results and its case record."""
    number = int(request.path_params["team"])
    desk = desk_of(request)

    def build(picture: Picture) -> Shown:
        view = team_view(picture, number, desk.casebook.cases())
        if view is None:
            raise WebError(404, "no-team", f"There is no team {number}.", "The list of teams has those there are.")
        return Shown("team.html", "Teams", f"Team {number}", {"kind": "teamed", "it": view})

    return desk.page(request, build)


def import_form(request: Request) -> Response:
    """Where a list is pasted or a file chosen."""
    return desk_of(request).page(request, lambda _picture: _import(TeamList(), ""))


async def preview(request: Request) -> Response:
    """What the list holds, with every fault by its line; nothing is written."""
    desk = desk_of(request)
    fields, file = await uploaded(request, desk.tokens, MOST)
    content = file or fields.get("list", "").encode()
    read = read_team_list(content, taken(desk.hub.tournament))
    text = as_csv(read.teams) if read.good else fields.get("list", "") or content.decode("utf-8", "replace")

    def build(picture: Picture) -> Shown:
        made = TeamList(numbered(read.teams, picture.tournament.entrants), read.faults, read.told, read.ignored)
        return _import(made, text)

    return await run_in_threadpool(desk.answer, request, build)


def taken(tournament: Tournament) -> frozenset[int]:
    """The numbers that no list may give again: once a round is posted, all that are known."""
    return frozenset(tournament.entrants) if tournament.rounds else frozenset()


def _import(read: TeamList, text: str) -> Shown:
    return Shown("teams_import.html", "Teams", "Teams from a list", {"kind": "teamed", "read": read, "text": text})


DOORS: Final = (
    Door("/teams", teams),
    Door("/teams/{team:int}", team),
    Door("/teams/import", import_form, DeskAct.TEAMS),
    Door("/teams/import/preview", preview, DeskAct.TEAMS, posts=True, most=MOST),
)
