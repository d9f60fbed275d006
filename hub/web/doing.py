"""How an act is done from a page: one post, one sentence as the answer, recorded by the hub under a name."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hub.desk.director import Director
from hub.roles import DeskAct
from hub.web.access import Who
from hub.web.desk import desk_of
from hub.web.guard import LARGEST_BODY, form
from hub.web.render import asks_for_inside

Fields = dict[str, str]
Act = Callable[[Director, Who, Fields], object]
"""What is done: with the director's use cases, in somebody's name, from the posted fields."""


async def done(
    request: Request, act: Act, said: str | Callable[[], str], *, back: str = "/", proves: DeskAct | None = None,
    leaves: bool = False, most: int = LARGEST_BODY,
) -> Response:  # fmt: skip
    """Do it in a thread (it waits for the ledger), then say so: in the corner of the page, or on the page itself.

    ``said`` is the sentence, or is asked for it afterwards. ``back`` is the page a browser without scripts goes to.
    ``proves`` asks for a personal PIN first. ``leaves``: with scripts too the page goes to ``back``, because what it
    showed was about this act. ``most``: bytes of the form. Raises ``WebError`` and ``HubError`` with a sentence; then
    nothing was done.
    """
    desk = desk_of(request)
    fields = await form(request, desk.tokens, most)
    who = await run_in_threadpool(desk.access.prove, request, fields, proves) if proves else desk.access.who(request)
    await run_in_threadpool(act, desk.hub.director, who, fields)
    if asks_for_inside(request):
        answer = desk.pages.sentence(said if isinstance(said, str) else said(), "", status=200)
        answer.headers.update({"HX-Redirect": back} if leaves else {"HX-Trigger": "changed"})
        return answer
    return RedirectResponse(back, 303)
