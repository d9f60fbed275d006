"""Rounds from the desk: drafted, changed by hand, posted, announced, started and ended; what goes past a gate says why
and asks for a personal PIN."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.errors import HubError
from hub.roles import DeskAct
from hub.tournament.state import Tournament
from hub.web.access import Who
from hub.web.acts.starting import started
from hub.web.desk import desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.reading_forms import numbers, time_ahead, whole, wholly
from hub.web.views.words import count_word, time_of_day

HERE: Final = "/rounds"
MOST_MINUTES: Final = 600


async def draft(request: Request) -> Response:
    """Draft the next round, or draft it again."""

    def act(director: Director, who: Who, fields: Fields) -> None:
        hands = whole(fields, "hands", "Hands", 1, 99)
        minutes = whole(fields, "minutes", "Minutes", 0, MOST_MINUTES)
        director.draft_round(who.actor, hands=hands, minutes=minutes)

    return await done(request, act, "The round is drafted. Nobody but the desk sees it.", back=HERE, leaves=True)


async def drop(request: Request) -> Response:
    """Lay the draft aside; drafting again is the way back."""
    return await done(
        request, lambda director, who, fields: director.drop_draft(who.actor, _seen(fields)),
        "The draft is dropped. Nobody but the desk had seen it.", back=HERE, leaves=True,
    )  # fmt: skip


async def publish(request: Request) -> Response:
    """Post the pairings of the next round."""
    return await done(
        request, lambda director, who, fields: director.publish_round(who.actor, seen=_seen(fields)),
        "The pairings are posted.", back=HERE,
    )  # fmt: skip


async def publish_anyway(request: Request) -> Response:
    """Post them although something is in the way."""
    return await done(
        request,
        lambda director, who, fields: director.publish_round(who.actor, _reason(fields), _seen(fields)),
        "The pairings are posted. The reason stands in the record.",
        back=HERE,
        proves=DeskAct.ROUNDS,
    )


async def swap(request: Request) -> Response:
    """Let two teams change places, or change them back."""

    def act(director: Director, who: Who, fields: Fields) -> None:
        first, second = (wholly(fields, name, "Team", 1, 9_999) for name in ("first", "second"))
        director.change_pairing(who.actor, first, second, fields.get("reason", ""), _seen(fields))

    return await done(request, act, "The two teams changed places.", back=HERE, leaves=True)


async def late(request: Request) -> Response:
    """Enter a team and draft the round again with it."""
    entered: list[Tournament] = []

    def act(director: Director, who: Who, fields: Fields) -> None:
        names = (fields.get("one", ""), fields.get("two", ""))
        entered.append(director.enter_late(who.actor, names, filler="filler" in fields))

    def said() -> str:
        number = max(entered[-1].entrants)
        drafted = entered[-1].draft is not None
        return f"Team {number} is entered{', and the draft is made anew' if drafted else ''}."

    return await done(request, act, said, back=HERE)


async def announce(request: Request) -> Response:
    """Have the posted round start by itself, in so many minutes or at a time of day."""
    hub = desk_of(request).hub

    def act(director: Director, who: Who, fields: Fields) -> None:
        director.announce_start(who.actor, time_ahead(fields, hub.time.now()))

    return await done(request, act, lambda: _announced(request), back=HERE)


async def announce_anyway(request: Request) -> Response:
    """The same, sooner than the notice that the pairings have."""
    hub = desk_of(request).hub

    def act(director: Director, who: Who, fields: Fields) -> None:
        director.announce_start(who.actor, time_ahead(fields, hub.time.now()), _reason(fields))

    return await done(request, act, lambda: _announced(request), back=HERE, proves=DeskAct.ROUNDS)


async def withhold(request: Request) -> Response:
    """Take the announced start back."""
    return await done(
        request,
        lambda director, who, _fields: director.take_back_start(who.actor),
        "No start is announced now. The round waits for you.",
        back=HERE,
    )


async def start(request: Request) -> Response:
    """Start the posted round now, with its clock if it has one."""
    return await started(
        request,
        lambda director, who, _fields: _start(request, director, who, ""),
        "The round has started.",
        back=HERE,
    )


async def start_anyway(request: Request) -> Response:
    """Start it sooner than announced."""
    return await started(
        request,
        lambda director, who, fields: _start(request, director, who, _reason(fields)),
        "The round has started. The reason stands in the record.",
        back=HERE,
        proves=DeskAct.ROUNDS,
    )


async def end_round(request: Request) -> Response:
    """Close the round; every team may move."""
    return await done(
        request,
        lambda director, who, _fields: director.end_round(who.actor),
        "The round is over. All teams may move.",
        back=HERE,
    )


async def end_anyway(request: Request) -> Response:
    """Close it although sheets are missing."""
    return await done(
        request,
        lambda director, who, fields: director.end_round(who.actor, _reason(fields)),
        "The round is over. The missing sheets can still come in.",
        back=HERE,
        proves=DeskAct.ROUNDS,
    )


async def end_stage(request: Request) -> Response:
    """End the stage before it is played out."""
    return await done(
        request,
        lambda director, who, fields: director.end_stage(who.actor, _reason(fields)),
        "The stage is over. The reason stands in the record.",
        back=HERE,
        proves=DeskAct.ROUNDS,
    )


async def lot(request: Request) -> Response:
    """Draw a lot among teams that nothing else separates."""
    hub = desk_of(request).hub

    def said() -> str:
        drawn = hub.tournament.lots[-1]
        order = ", ".join(str(team) for team in drawn.order)
        return f"The lot gives this order: {order}. Its seed is {drawn.seed}; anybody can draw it again."

    return await done(
        request,
        lambda director, who, fields: director.draw_lot(who.actor, numbers(fields.get("teams", ""))),
        said,
        back=HERE,
    )


async def bye(request: Request) -> Response:
    """Say what a team gets for sitting out."""

    def act(director: Director, who: Who, fields: Fields) -> None:
        director.score_bye(
            who.actor,
            wholly(fields, "number", "Round", 1, 999),
            wholly(fields, "team", "Team", 1, 9_999),
            fields.get("reason", ""),
            hands_won=wholly(fields, "hands_won", "Hands won", 0, 99),
            points=wholly(fields, "points", "Points", -9_999, 9_999),
            win="win" in fields,
        )

    return await done(request, act, "The bye is scored. The standings follow.", back=HERE)


def _start(request: Request, director: Director, who: Who, reason: str) -> None:
    on = desk_of(request).hub.tournament.current
    if on is not None and on.minutes is not None:
        director.start_clock(who.actor, reason=reason)
    else:
        director.start_round(who.actor, reason)


def _seen(fields: Fields) -> str | None:
    """The mark of the draft that the page showed; a form that names none takes whichever there is."""
    return fields.get("seen") or None


def _reason(fields: Fields) -> str:
    """The reason for going past a gate; raises ``HubError`` when there is none."""
    reason = fields.get("reason", "")
    if not reason.strip():
        raise HubError("nothing-said", "Write down why. The reason stands in the record.")
    return reason


def _announced(request: Request) -> str:
    on = desk_of(request).hub.tournament.current
    if on is None or on.starts_at is None:
        return "The start is announced."
    return f"Round {count_word(on.number)} starts by itself at {time_of_day(on.starts_at)}."


DOORS: Final = tuple(
    Door(f"{HERE}/{path}", endpoint, DeskAct.ROUNDS, posts=True)
    for path, endpoint in (
        ("draft", draft),
        ("draft/drop", drop),
        ("publish", publish),
        ("publish/anyway", publish_anyway),
        ("swap", swap),
        ("late", late),
        ("announce", announce),
        ("announce/anyway", announce_anyway),
        ("announce/back", withhold),
        ("start", start),
        ("start/anyway", start_anyway),
        ("end", end_round),
        ("end/anyway", end_anyway),
        ("stage/end", end_stage),
        ("lot", lot),
        ("bye", bye),
    )
)
