"""Signing in and out, and what officials change about themselves."""

from __future__ import annotations

from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hub.desk.director import Director
from hub.errors import HubError
from hub.roles import HUB
from hub.web.access import Who
from hub.web.desk import Desk, desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.guard import form, session_cookie, session_name
from hub.web.needs import Needs
from hub.web.pages.access import first_page, led_to, sign_in_page
from hub.web.sessions import LONGEST
from hub.web.verifiers import fit_password, fit_pin
from hub.web.views.officials import short_name
from tallybox.roles import Role


async def sign_in(request: Request) -> Response:
    """Say who one is; the session's cookie, new at each sign-in."""
    desk = desk_of(request)
    fields = await form(request, desk.tokens)
    name, led = fields.get("name", "")[:64], led_to(fields.get("next", ""))
    if not desk.access.sign_in:
        return RedirectResponse(led, 303)
    try:
        token = await run_in_threadpool(desk.access.enter, request, name, fields.get("password", "")[:1_000])
    except WebError as no:
        return sign_in_page(request, led, name=name, no=no)
    return _signed_in(request, token, led)


async def first(request: Request) -> Response:
    """The first director, by the code that lies in the hub's folder."""
    desk = desk_of(request)
    fields = await form(request, desk.tokens)
    name = " ".join(fields.get("name", "").split())[:64]
    try:
        token = await run_in_threadpool(_first, desk, request, name, fields)
    except HubError as no:
        return first_page(request, name=name, no=WebError(422, no.code, no.message))
    except WebError as no:
        return first_page(request, name=name, no=no)
    return _signed_in(request, token, "/")


def _first(desk: Desk, request: Request, name: str, fields: Fields) -> str:
    access, kept = desk.access, desk.access.passwords
    if kept is None:
        raise WebError(409, "open", "Nobody signs in at this hub.", "Whoever sits at it is the director.")
    if not name:
        raise WebError(422, "no-name", "Type your name, as the tables and the record show it.")
    password = fit_password(fields.get("password", ""), fields.get("password2", ""), name)
    pin = fit_pin(fields.get("pin", ""), fields.get("pin2", ""))
    with access.beginning:
        code = access.begin_with_code(request, fields.get("code", ""))
        known = desk.hub.tournament.officials
        # A director appointed before people signed in here is the same person under the same name.
        same = next((each.id for each in known.values() if each.name == name and each.role is Role.DIRECTOR), None)
        official = same or short_name(name, known)
        verifier, proof = access.verifiers.make(pin), access.verifiers.make(password)
        desk.hub.director.change_official(HUB, official, name, Role.DIRECTOR.value, verifier, password=True)
        kept.put(official, proof)
        code.spend()
    return access.sessions.begin(official, Role.DIRECTOR)


def _signed_in(request: Request, token: str, led: str) -> Response:
    answer = RedirectResponse(led, 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(
        session_name(request), token, max_age=int(LONGEST), httponly=True, samesite="strict", path="/", secure=secure
    )
    return answer


async def sign_out(request: Request) -> Response:
    """End this browser's session."""
    desk = desk_of(request)
    await form(request, desk.tokens)
    desk.access.sessions.end(session_cookie(request))
    return _signed_out(request)


async def sign_out_everywhere(request: Request) -> Response:
    """End all sessions of this official."""
    desk = desk_of(request)
    await form(request, desk.tokens)
    desk.access.changed(desk.access.who(request).actor)
    return _signed_out(request)


def _signed_out(request: Request) -> Response:
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(session_name(request), path="/", httponly=True, samesite="strict")
    return answer


async def own_pin(request: Request) -> Response:
    """Another PIN, by one's password."""
    access = desk_of(request).access

    def act(director: Director, who: Who, fields: Fields) -> object:
        _signed(who)
        pin = fit_pin(fields.get("new", ""), fields.get("again", ""))
        access.check_password(who.actor, fields.get("password", ""))
        return director.change_own(who.actor, access.verifiers.make(pin))

    return await done(request, act, "Your PIN is set. The tables know it in a moment.", back="/account")


async def own_password(request: Request) -> Response:
    """Another password, by the one before; one's other browsers are signed out."""
    access = desk_of(request).access

    def act(director: Director, who: Who, fields: Fields) -> object:
        _signed(who)
        password = fit_password(fields.get("new", ""), fields.get("again", ""), who.name, who.actor)
        access.check_password(who.actor, fields.get("password", ""))
        assert access.passwords is not None
        director.change_own(who.actor, password=True)
        access.passwords.put(who.actor, access.verifiers.make(password))
        access.changed(who.actor, but=session_cookie(request))
        return None

    said = "Your password is set. Your other browsers are signed out."
    return await done(request, act, said, back="/account")


def _signed(who: Who) -> None:
    if not who.signed:
        raise WebError(409, "open", "Nobody signs in at this hub.", "Officials has everybody's PIN.")


DOORS: Final = (
    Door("/sign-in", sign_in, Needs.ANYBODY, posts=True),
    Door("/sign-in/first", first, Needs.ANYBODY, posts=True),
    Door("/sign-out", sign_out, posts=True),
    Door("/sign-out/everywhere", sign_out_everywhere, posts=True),
    Door("/account/pin", own_pin, posts=True),
    Door("/account/password", own_password, posts=True),
)
