"""What the director does from a page: each act is one post, answered with one sentence, recorded by the hub."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hub.director import Director
from hub.web.errors import WebError
from hub.web.guard import form
from hub.web.pages import desk_of
from hub.web.render import asks_for_inside
from hub.web.views.words import count_word

ACTOR: Final = "director"
"""Who acts while nobody signs in: the hub's record names the role, not a person."""
MORE_SECONDS: Final = 300

_CLOCK: Final[dict[str, tuple[Callable[[Director], object], str]]] = {
    "start": (lambda director: director.start_clock(ACTOR), "The clock runs."),
    "pause": (lambda director: director.pause(ACTOR), "The clock is paused. The tables see it at once."),
    "resume": (lambda director: director.resume(ACTOR), "The clock goes on."),
    "extend": (lambda director: director.extend(ACTOR, MORE_SECONDS), "Everybody has 5 more minutes."),
    "end": (lambda director: director.end_clock(ACTOR), "The clock of this round has ended. No new hand begins."),
}


async def clock(request: Request) -> Response:
    """Start, pause, resume, extend or end the round clock."""
    found = _CLOCK.get(str(request.path_params["act"]))
    if found is None:
        raise WebError(404, "no-page", "There is no such page here.")
    act, said = found
    return await _done(request, lambda director, _fields: act(director), said)


async def publish(request: Request) -> Response:
    """Post the pairings of the next round."""
    return await _done(request, lambda director, _fields: director.publish_round(ACTOR), "The pairings are posted.")


async def end_round(request: Request) -> Response:
    """Close the round; every team may move."""
    return await _done(
        request, lambda director, _fields: director.end_round(ACTOR), "The round is over. All teams may move."
    )


async def accept(request: Request) -> Response:
    """Take a signed sheet."""
    number, table = _sheet(request)
    return await _done(
        request,
        lambda director, _fields: director.accept_sheet(ACTOR, number, table),
        f"The sheet of table {table}, round {count_word(number)}, is accepted.",
    )


async def reopen(request: Request) -> Response:
    """Send a submitted sheet back to its table with a reason."""
    number, table = _sheet(request)
    return await _done(
        request,
        lambda director, fields: director.reopen_sheet(ACTOR, number, table, fields.get("reason", "")),
        f"The sheet went back to table {table}. Both sides sign again.",
    )


async def claim(request: Request) -> Response:
    """Say that someone is on the way to a table that called."""
    return await _done(
        request,
        lambda director, fields: director.claim_call(ACTOR, fields.get("call", "")[:64]),
        "The table sees that you are on the way.",
    )


async def answer(request: Request) -> Response:
    """Settle a call."""
    return await _done(
        request,
        lambda director, fields: director.answer_call(ACTOR, fields.get("call", "")[:64]),
        "The call is settled.",
    )


async def confirm_hub(request: Request) -> Response:
    """Let a hub that runs on an older copy of its data speak again."""
    if not desk_of(request).hub.in_doubt:
        raise WebError(
            409, "not-in-doubt", "This hub is not in doubt: it speaks already.", "There is nothing to confirm."
        )
    return await _done(
        request,
        lambda director, _fields: director.confirm_restored(ACTOR, "confirmed at the desk"),
        "This hub speaks again. The tables hear from it now.",
    )


def _sheet(request: Request) -> tuple[int, int]:
    return int(request.path_params["number"]), int(request.path_params["table"])


async def _done(request: Request, act: Callable[[Director, dict[str, str]], object], said: str) -> Response:
    """Do it in a thread (it waits for the ledger), then say so: in the corner of the page, or on the page itself."""
    desk = desk_of(request)
    fields = await form(request, desk.tokens)
    await run_in_threadpool(act, desk.hub.director, fields)
    if asks_for_inside(request):
        answer = desk.pages.sentence(said, "", status=200)
        answer.headers["HX-Trigger"] = "changed"
        return answer
    return RedirectResponse(_back(request), 303)


def _back(request: Request) -> str:
    number, table = request.path_params.get("number"), request.path_params.get("table")
    return "/" if number is None else f"/rounds/{number}/tables/{table}"
