"""The hub itself and the boxes, from the desk."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.errors import HubError
from hub.roles import DeskAct
from hub.web.desk import desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.errors import WebError

Use = Callable[[Director, str, str, Fields], object]
"""A use case of the director: in whose name, about which box, with the posted fields."""


async def confirm_hub(request: Request) -> Response:
    """Let a hub that runs on an older copy of its data speak again."""
    if not desk_of(request).hub.in_doubt:
        raise WebError(
            409, "not-in-doubt", "This hub is not in doubt: it speaks already.", "There is nothing to confirm."
        )
    return await done(
        request,
        lambda director, who, fields: director.confirm_restored(who.actor, fields.get("reason", "")),
        "This hub speaks again. The tables hear from it now.",
        back="/restored",
        proves=DeskAct.HUB,
    )


async def practice(request: Request) -> Response:
    """Invite every table to a practice hand."""
    return await done(
        request,
        lambda director, who, _fields: director.start_practice(who.actor),
        "Every table is invited to a practice hand. It counts nowhere.",
        back="/devices",
    )


def _act(use: Use, said: str, *, proves: bool = False) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """An act about the box of the address; ``said`` may name it. ``proves``: it changes what counts."""

    async def act(request: Request) -> Response:
        box = str(request.path_params["box"])[:32]
        return await done(
            request,
            lambda director, who, fields: use(director, who.actor, box, fields),
            said.format(box=box),
            back=f"/devices/{box}",
            proves=DeskAct.BOXES if proves else None,
        )

    return act


def _text(fields: Fields, name: str) -> str:
    return fields.get(name, "")[:64]


def _number(fields: Fields, name: str, what: str) -> int:
    typed = fields.get(name, "").strip()
    if not (typed.isascii() and typed.isdecimal() and len(typed) <= 6 and int(typed)):
        raise HubError("no-number", f"Type {what} as a number.")
    return int(typed)


def _assign(director: Director, actor: str, box: str, fields: Fields) -> object:
    return director.assign_box(actor, box, _number(fields, "table", "the table"))


def _lock(director: Director, actor: str, box: str, fields: Fields) -> object:
    return director.lock_box(actor, box, fields.get("reason", ""))


def _replace(director: Director, actor: str, _box: str, fields: Fields) -> object:
    other = _text(fields, "other")
    if not other:
        raise HubError("choose-box", "Choose the box that takes over at this table.")
    request = _text(fields, "request") or None
    return director.replace_box(actor, _number(fields, "table", "the table"), other, request=request)


def _grant(director: Director, actor: str, _box: str, fields: Fields) -> object:
    return director.grant_claim(actor, _text(fields, "claim"), fields.get("reason", ""))


def _refuse(director: Director, actor: str, _box: str, fields: Fields) -> object:
    return director.refuse_claim(actor, _text(fields, "claim"), fields.get("reason", ""))


def _adopt(director: Director, actor: str, box: str, fields: Fields) -> object:
    number, table = _number(fields, "round", "the round"), _number(fields, "table", "the table")
    hand, why = _number(fields, "hand", "the hand"), fields.get("reason", "")
    return director.adopt_events(actor, number, table, box=box, head=_text(fields, "head"), hand=hand, reason=why)


def _decline(director: Director, actor: str, box: str, fields: Fields) -> object:
    number, table = _number(fields, "round", "the round"), _number(fields, "table", "the table")
    why = fields.get("reason", "")
    return director.decline_events(actor, number, table, box=box, head=_text(fields, "head"), reason=why)


def _fork(director: Director, actor: str, box: str, fields: Fields) -> object:
    return director.decide_fork(actor, box=box, head=_text(fields, "head"), reason=fields.get("reason", ""))


_ACTS: Final[tuple[tuple[str, Use, str, bool], ...]] = (
    ("assign", _assign, "Box {box} stands on that table now.", False),
    ("lock", _lock, "Box {box} takes no taps. Its screen says why.", False),
    ("unlock", lambda director, actor, box, _fields: director.unlock_box(actor, box), "Box {box} takes taps again.",
     False),
    ("replace", _replace, "The other box takes over. It asks for the table and goes on where the hub's record ends.",
     False),
    ("claim/grant", _grant, "It counts, as far as it fits what is recorded there; what does not is shown here.", True),
    ("claim/refuse", _refuse, "It does not count. It stays in the record.", True),
    ("request", lambda director, actor, _box, fields: director.confirm_request(actor, _text(fields, "request")),
     "It is done as the official asked.", False),
    ("adopt", _adopt, "That hand counts now as {box} has it. What was recorded for it is kept aside.", True),
    ("decline", _decline, "What counts stays as it is. What {box} holds is kept.", True),
    ("fork", _fork, "This journal counts. The other one stays in the record.", True),
)  # fmt: skip

DOORS: Final = (
    Door("/hub/confirm", confirm_hub, DeskAct.HUB, posts=True),
    Door("/devices/practice", practice, DeskAct.PRACTICE, posts=True),
    Door(
        "/devices/{box:str}/identify",
        _act(lambda director, actor, box, _fields: director.identify_box(actor, box), "Box {box} buzzes now."),
        DeskAct.IDENTIFY,
        posts=True,
    ),
    *(
        Door(f"/devices/{{box:str}}/{path}", _act(use, said, proves=proves), DeskAct.BOXES, posts=True)
        for path, use, said, proves in _ACTS
    ),
)
