"""Teams from the desk: entered, checked in, withdrawn and back, played for by a proxy, disqualified, noted."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.desk.team_list import numbered, read_team_list
from hub.errors import HubError
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.desk import desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.pages.teams import MOST, taken
from hub.web.reading_forms import whole, wholly
from hub.web.views.words import counted

LIST: Final = "/teams"


async def enter(request: Request) -> Response:
    """Enter one team, at the start or late; before the first round a known number gets other names."""
    hub = desk_of(request).hub
    made: list[int] = []

    def act(director: Director, who: Who, fields: Fields) -> None:
        known = set(hub.tournament.entrants)
        number = whole(fields, "number", "Number", 1, 9_999)
        names = (fields.get("one", ""), fields.get("two", ""))
        after = director.register_team(who.actor, names, number, filler="filler" in fields)
        made.append(number if number is not None else max(set(after.entrants) - known))

    return await done(request, act, lambda: f"Team {made[0]} is entered.", back=LIST)


async def enter_list(request: Request) -> Response:
    """Enter the teams of a list that was looked at before: all of them, or none."""
    desk = desk_of(request)
    made: list[int] = []

    def act(director: Director, who: Who, fields: Fields) -> None:
        tournament = desk.hub.tournament
        read = read_team_list(fields.get("list", "").encode(), taken(tournament))
        if not read.good:
            raise HubError("list", f"{read.faults[0].sentence} Look at the list again.")
        teams = numbered(read.teams, tournament.entrants)
        director.register_teams(who.actor, [(team.number or 0, team.names, team.filler) for team in teams])
        made.append(len(teams))

    return await done(
        request, act, lambda: f"{counted(made[0], 'team is', 'teams are')} entered.", back=LIST, leaves=True, most=MOST
    )


async def check_in(request: Request) -> Response:
    """One tap: the team is here, or is not after all."""
    number = _team(request)
    gone: list[bool] = []

    def act(director: Director, who: Who, fields: Fields) -> None:
        gone.append(fields.get("here", "yes") == "no")
        director.check_in(who.actor, number, here=not gone[0])

    return await done(
        request, act, lambda: f"Team {number} is {'not here after all' if gone[0] else 'here'}.", back=LIST
    )


async def withdraw(request: Request) -> Response:
    """The team leaves; its open table is a forfeit."""
    number = _team(request)
    return await done(
        request,
        lambda director, who, fields: director.withdraw(who.actor, number, fields.get("reason", "")),
        f"Team {number} is withdrawn. Its table, if one is open, is a forfeit.",
        back=_page(number),
    )


async def bring_back(request: Request) -> Response:
    """The team plays on from the next round."""
    number = _team(request)
    return await done(
        request,
        lambda director, who, fields: director.bring_back(who.actor, number, fields.get("reason", "")),
        f"Team {number} plays on from the next round.",
        back=_page(number),
    )


async def substitute(request: Request) -> Response:
    """Somebody else plays for one of the two; the team stays the team."""
    number = _team(request)

    def act(director: Director, who: Who, fields: Fields) -> None:
        director.substitute(
            who.actor,
            number,
            wholly(fields, "player", "Player", 1, 2),
            fields.get("name", ""),
            fields.get("reason", ""),
            whole(fields, "hand", "Hand", 1, 99),
        )

    return await done(request, act, f"Somebody else plays for team {number} from now on.", back=_page(number))


async def disqualify(request: Request) -> Response:
    """The team is out and does not rank."""
    number = _team(request)
    return await done(
        request,
        lambda director, who, fields: director.disqualify(who.actor, number, fields.get("reason", "")),
        f"Team {number} is disqualified. Its open table is lost.",
        back=_page(number),
        proves=DeskAct.TEAMS,
    )


async def note(request: Request) -> Response:
    """Write down how a team behaved; it changes no score."""
    number = _team(request)
    return await done(
        request,
        lambda director, who, fields: director.note_conduct(who.actor, number, fields.get("reason", "")),
        f"The note on team {number} is kept. It changes no score.",
        back=_page(number),
    )


def _team(request: Request) -> int:
    return int(request.path_params["team"])


def _page(number: int) -> str:
    return f"{LIST}/{number}"


DOORS: Final = (
    Door("/teams/enter", enter, DeskAct.TEAMS, posts=True),
    Door("/teams/import/enter", enter_list, DeskAct.TEAMS, posts=True, most=MOST),
    Door("/teams/{team:int}/check-in", check_in, DeskAct.CHECK_IN, posts=True),
    Door("/teams/{team:int}/withdraw", withdraw, DeskAct.TEAMS, posts=True),
    Door("/teams/{team:int}/bring-back", bring_back, DeskAct.TEAMS, posts=True),
    Door("/teams/{team:int}/substitute", substitute, DeskAct.TEAMS, posts=True),
    Door("/teams/{team:int}/disqualify", disqualify, DeskAct.TEAMS, posts=True),
    Door("/teams/{team:int}/note", note, DeskAct.TEAMS, posts=True),
)
