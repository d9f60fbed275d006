"""Officials from the desk: appointed, in another role, with another PIN or password, gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.desk.director import Director
from hub.errors import HubError
from hub.roles import DeskAct
from hub.tournament.officials import Official
from hub.web.access import Access, Who
from hub.web.desk import desk_of
from hub.web.doing import Fields, done
from hub.web.doors import Door
from hub.web.guard import session_cookie
from hub.web.verifiers import fit_password, fit_pin
from hub.web.views.officials import short_name
from tallybox.roles import Role

BACK: Final = "/officials"


async def appoint(request: Request) -> Response:
    """Somebody acts for the director from now on."""
    access, told = desk_of(request).access, list[str]()

    def act(director: Director, who: Who, fields: Fields) -> None:
        name, role = " ".join(fields.get("name", "").split())[:64], _role(fields)
        known = desk_of(request).hub.tournament.officials
        if not name:
            raise HubError("no-name", "Type the name, as the tables and the record show it.")
        if any(each.name.casefold() == name.casefold() for each in known.values()):
            raise HubError("named", f"{name} is an official already. Add what tells the two apart.")
        pin, password = _new(fields, "pin", fit_pin), _new(fields, "password", lambda a, b: fit_password(a, b, name))
        if password and access.passwords is None:
            raise HubError("open", "Nobody signs in at this hub, so a password opens nothing. Leave it out.")
        official = short_name(name, known)
        verifier = access.verifiers.make(pin) if pin else None
        proof = access.verifiers.make(password) if password else None
        director.change_official(who.actor, official, name, role.value, verifier, password=bool(proof))
        if proof and access.passwords is not None:
            access.passwords.put(official, proof)
        told.append(f"{name} is a {role.value} now.")

    return await _done(request, access, act, told)


async def change_role(request: Request) -> Response:
    """Another role; it ends the official's sessions."""
    access, told = desk_of(request).access, list[str]()

    def act(director: Director, who: Who, fields: Fields) -> None:
        official, role = _official(request, fields), _role(fields)
        if role is official.role:
            raise HubError("same-role", f"{official.name} is a {role.value} already.")
        director.change_official(who.actor, official.id, official.name, role.value)
        access.changed(official.id)
        told.append(f"{official.name} is a {role.value} now{_again(access)}.")

    return await _done(request, access, act, told)


async def set_pin(request: Request) -> Response:
    """A new PIN in place of the one before, if there was one."""
    access, told = desk_of(request).access, list[str]()

    def act(director: Director, who: Who, fields: Fields) -> None:
        official = _official(request, fields)
        pin = fit_pin(fields.get("new_pin", ""), fields.get("new_pin2", ""))
        director.change_official(
            who.actor, official.id, official.name, official.role.value, access.verifiers.make(pin)
        )  # fmt: skip
        told.append(f"The PIN of {official.name} is set. The tables know it in a moment.")

    return await _done(request, access, act, told)


async def set_password(request: Request) -> Response:
    """A new password; it ends the official's sessions, but for the one it was set from."""
    access, told = desk_of(request).access, list[str]()

    def act(director: Director, who: Who, fields: Fields) -> None:
        official = _official(request, fields)
        if access.passwords is None:
            raise HubError("open", "Nobody signs in at this hub, so a password opens nothing.")
        password = fit_password(
            fields.get("new_password", ""), fields.get("new_password2", ""), official.name, official.id
        )
        proof = access.verifiers.make(password)
        director.change_official(who.actor, official.id, official.name, official.role.value, password=True)
        access.passwords.put(official.id, proof)
        access.changed(official.id, but=session_cookie(request))
        told.append(f"The password of {official.name} is set. Tell it to nobody else.")

    return await _done(request, access, act, told)


async def leave(request: Request) -> Response:
    """Somebody acts for the director no more."""
    access, told = desk_of(request).access, list[str]()

    def act(director: Director, who: Who, fields: Fields) -> None:
        official = _official(request, fields)
        director.change_official(who.actor, official.id, official.name, None)
        if access.passwords is not None:
            access.passwords.drop(official.id)
        access.changed(official.id)
        told.append(f"{official.name} is no official any more.")

    return await _done(request, access, act, told)


async def _done(
    request: Request, access: Access, act: Callable[[Director, Who, Fields], None], told: list[str]
) -> Response:  # fmt: skip
    """Where people sign in, whoever changes officials proves it by their own PIN first."""
    proves = DeskAct.OFFICIALS if access.sign_in else None
    return await done(request, act, lambda: told[0], back=BACK, proves=proves)


def _official(request: Request, fields: Fields) -> Official:
    found = desk_of(request).hub.tournament.officials.get(fields.get("whose", "")[:64])
    if found is None:
        raise HubError("no-official", "This is no official any more. Look at the list.")
    return found


def _role(fields: Fields) -> Role:
    try:
        return Role(fields.get("role", ""))
    except ValueError:
        raise HubError("role", f"Choose a role: {', '.join(Role)}.") from None


def _new(fields: Fields, what: str, fit: Callable[[str, str], str]) -> str:
    """A PIN or password typed twice, or nothing at all."""
    first, again = fields.get(f"new_{what}", ""), fields.get(f"new_{what}2", "")
    return fit(first, again) if first or again else ""


def _again(access: Access) -> str:
    return ", and signs in again" if access.sign_in else ""


DOORS: Final = (
    Door("/officials/appoint", appoint, DeskAct.OFFICIALS, posts=True),
    Door("/officials/role", change_role, DeskAct.OFFICIALS, posts=True),
    Door("/officials/pin", set_pin, DeskAct.OFFICIALS, posts=True),
    Door("/officials/password", set_password, DeskAct.OFFICIALS, posts=True),
    Door("/officials/leave", leave, DeskAct.OFFICIALS, posts=True),
)
