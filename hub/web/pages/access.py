"""Signing in: the pages that stand before the desk, and what an official sees of their own sign-in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hub.web.desk import LONGEST_NEXT, desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.needs import Needs
from hub.web.picture import Picture
from hub.web.render import Shown


@dataclass(frozen=True, slots=True)
class Me:
    """An official's own sign-in; ``browsers`` in words."""

    name: str
    role: str
    pin: bool
    browsers: str


def sign_in(request: Request) -> Response:
    """Where people say who they are."""
    desk = desk_of(request)
    if not desk.access.sign_in or desk.access.who(request).signed:
        return RedirectResponse(led_to(request.query_params.get("next", "")), 303)
    return sign_in_page(request, led_to(request.query_params.get("next", "")))


def sign_in_page(request: Request, led: str, *, name: str = "", no: WebError | None = None) -> Response:
    """The page, with what went wrong and what was typed, but for the password."""
    desk = desk_of(request)
    text = desk.pages.alone(
        "sign_in.html", title="Sign in", next=led, name=name, said=_said(no), first=desk.access.nobody_yet,
        occasion=desk.hub.tournament.title,
    )  # fmt: skip
    return answered(request, text, no)


def first(request: Request) -> Response:
    """Where the first director comes in with the set-up code."""
    if not desk_of(request).access.nobody_yet:
        return RedirectResponse("/sign-in", 303)
    return first_page(request)


def first_page(request: Request, *, name: str = "", no: WebError | None = None) -> Response:
    """The page, with what went wrong and what was typed, but for the secrets."""
    text = desk_of(request).pages.alone("first.html", title="The first director", name=name, said=_said(no))
    return answered(request, text, no)


def answered(request: Request, text: str, no: WebError | None) -> Response:
    """The page with the status and the headers of what went wrong."""
    answer = desk_of(request).with_token(request, text, no.status if no else 200)
    answer.headers.update(no.headers if no else {})
    return answer


def account(request: Request) -> Response:
    """An official's own sign-in: out here or everywhere, another PIN or password."""
    desk = desk_of(request)
    who = desk.access.who(request)
    if not who.signed:
        raise WebError(404, "open", "Nobody signs in at this hub.", "Officials has everybody's PIN.")

    def build(picture: Picture) -> Shown:
        official = picture.tournament.officials.get(who.actor)
        count = desk.access.sessions.count(who.actor)
        browsers = "this browser only" if count <= 1 else f"{count} browsers"
        me = Me(who.name, who.role.value, official is not None and official.verifier is not None, browsers)
        return Shown("account.html", "You", "You", {"me": me})

    return desk.page(request, build)


def led_to(wanted: str) -> str:
    """An address of this very dashboard, or the room."""
    plain = wanted.isascii() and wanted.isprintable() and "\\" not in wanted
    ours = wanted.startswith("/") and not wanted.startswith(("//", "/sign-"))
    return wanted if plain and ours and len(wanted) <= LONGEST_NEXT else "/"


def _said(no: WebError | None) -> str:
    return f"{no.sentence} {no.then}".strip() if no else ""


DOORS: Final = (
    Door("/sign-in", sign_in, Needs.ANYBODY),
    Door("/sign-in/first", first, Needs.ANYBODY),
    Door("/account", account),
)
