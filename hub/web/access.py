"""Who is at the desk: what a browser may see and do, and in whose name the hub records it.

A hub is *open* or asks people to *sign in*. An open one serves its own machine alone: whoever sits there is the
director, and every page says so. Where people sign in, a session stands behind each request, and rulings and the like
ask for the official's personal PIN too. An open hub that knows officials with PINs asks who rules, and for the PIN.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

import structlog
from starlette.requests import Request

from hub.hub import Hub
from hub.roles import DeskAct, may, why_not
from hub.tournament.officials import Official
from hub.web.errors import WebError
from hub.web.first import SetUpCode, forget_code
from hub.web.guard import session_cookie
from hub.web.needs import Needs
from hub.web.passwords import Passwords
from hub.web.sessions import Sessions
from hub.web.throttle import Throttle, tries_left
from hub.web.verifiers import Verifiers
from tallybox.roles import Role

DIRECTOR: Final = "director"
"""Who acts while nobody signs in: the hub's record names the role, not a person."""

log = structlog.get_logger("hub.web")


@dataclass(frozen=True, slots=True)
class Who:
    """The person behind a request. ``actor`` stands in the record; ``signed``: they signed in."""

    actor: str
    name: str
    role: Role
    signed: bool = False

    def may(self, act: str) -> bool:
        """Whether this person may do an act of the desk, by its value (for templates)."""
        return may(self.role, DeskAct(act))

    def why_not(self, act: str) -> str:
        """Whose act it is, where it is not theirs (for templates)."""
        return why_not(self.role, DeskAct(act))


HERE: Final = Who(DIRECTOR, "Director", Role.DIRECTOR)
"""Whoever sits at a hub that serves its own machine alone."""
NOBODY: Final = Who("", "Nobody", Role.VIEWER)
"""Somebody who did not sign in, at a hub that asks people to: they see the doors for anybody."""


class Access:
    """Says who asks, lets them in or refuses them with a sentence, and has them prove who they are.

    ``sign_in``: people sign in. Raises ``HubError`` when the passwords cannot be read, or no set-up code be written.
    """

    def __init__(self, hub: Hub, *, sign_in: bool = False) -> None:
        self._hub = hub
        self.sign_in = sign_in
        self.sessions = Sessions(hub.time.seconds)
        self.refused = 0
        """Tries to sign in that were refused since the start."""
        self.verifiers = Verifiers()
        self._tries = Throttle(hub.time.seconds)
        self.beginning = threading.Lock()
        """Held while the first director comes in: the code makes one."""
        self.passwords = Passwords(hub.folder) if sign_in else None
        if sign_in:
            self.verifiers.ready()
        self.first = SetUpCode(hub.folder) if self.nobody_yet else None
        if sign_in and self.first is None:
            forget_code(hub.folder)

    @property
    def nobody_yet(self) -> bool:
        """Whether no director could sign in: the first one comes with the set-up code."""
        known, kept = self._hub.tournament.officials.values(), self.passwords
        return kept is not None and not any(
            each.role is Role.DIRECTOR and kept.of(each.id) is not None for each in known
        )

    def who(self, request: Request) -> Who:
        """Who asks."""
        if not self.sign_in:
            return HERE
        known: Who | None = getattr(request.state, "who", None)
        if known is None:
            known = request.state.who = self._session(request)
        return known

    def still(self, request: Request) -> bool:
        """Whether whoever asked is still signed in: for answers that last."""
        return not self.sign_in or self._session(request) is not NOBODY

    def _session(self, request: Request) -> Who:
        token = session_cookie(request)
        by_itself = request.headers.get("hx-request") == "true" and request.method == "GET"
        session = self.sessions.find(token, used=not (by_itself or request.url.path == "/events"))
        if session is None:
            return NOBODY
        official = self._hub.tournament.officials.get(session.official)
        if official is None or official.role is not session.role:
            self.sessions.end(token)
            return NOBODY
        return Who(official.id, official.name, official.role, signed=True)

    def admit(self, request: Request, needs: Needs | DeskAct) -> None:
        """Raises ``WebError`` unless whoever asks may open this door."""
        if needs is Needs.ANYBODY or (needs is Needs.HERE and _on_this_machine(request)):
            return
        who = self.who(request)
        if self.sign_in and not who.signed:
            raise WebError(401, "sign-in", "Nobody is signed in here.", "Sign in, then do it again.")
        if isinstance(needs, DeskAct) and not may(who.role, needs):
            raise WebError(403, "not-yours", why_not(who.role, needs))

    def enter(self, request: Request, name: str, password: str) -> str:
        """Sign somebody in; the token of the new session. ``name``: the official's name or short name.

        Raises ``WebError`` with the same sentence for a name nobody has and for a wrong password, after the same time.
        """
        named, address = f"name {name.strip().casefold()[:64]}", _address(request)
        left = self._tries.take(named, address)
        official = self._official(name)
        verifier = self.passwords.of(official.id) if official is not None and self.passwords is not None else None
        if not self._right(verifier, password, named, address) or official is None:
            self.refused += 1
            log.warning("sign_in_refused", official=official.id if official else None)
            raise WebError(401, "not-signed-in", "This name and password do not fit.", tries_left(left))
        self._tries.right(named)
        self._tries.give_back(address)
        self.sessions.end(session_cookie(request))
        log.info("signed_in", official=official.id, role=official.role.value)
        return self.sessions.begin(official.id, official.role)

    def _official(self, name: str) -> Official | None:
        officials = self._hub.tournament.officials
        typed = " ".join(name.split()).casefold()
        named = [each for each in officials.values() if each.name.casefold() == typed]
        return officials.get(name.strip()) or (named[0] if len(named) == 1 else None)

    def begin_with_code(self, request: Request, code: str) -> SetUpCode:
        """The set-up code, if it is the one; raises ``WebError``."""
        if self.first is None or not self.nobody_yet:
            raise WebError(409, "not-first", "There is a director here already.", "Sign in, or ask a director.")
        address = _address(request)
        left = self._tries.take("the set-up code", address)
        if not self.first.right(code):
            raise WebError(403, "not-the-code", "That is not the code in the hub's folder.", tries_left(left))
        self._tries.right("the set-up code")
        self._tries.give_back(address)
        return self.first

    def asks_pin(self) -> bool:
        """Whether rulings and the like ask for a PIN: always where people sign in, else once somebody has one."""
        return self.sign_in or any(each.verifier for each in self._hub.tournament.officials.values())

    def prove(self, request: Request, fields: Mapping[str, str], act: DeskAct) -> Who:
        """Who does an act that asks for a personal PIN; raises ``WebError`` when the PIN is not right."""
        who = self.who(request)
        if not self.asks_pin():
            return who
        officials = self._hub.tournament.officials
        official = officials.get(who.actor if self.sign_in else fields.get("official", "")[:64])
        if official is None:
            raise WebError(422, "who", "Say which official does this, and type that official's PIN.")
        if official.verifier is None:
            raise WebError(
                409, "no-pin", f"{official.name} has no PIN yet.",
                "Choose one under your name, below the list of pages, then do this again." if self.sign_in
                else "A director sets one under Officials.",
            )  # fmt: skip
        if not may(official.role, act):
            raise WebError(403, "not-yours", why_not(official.role, act))
        self.check_pin(official, fields.get("pin", ""))
        return Who(official.id, official.name, official.role, signed=who.signed)

    def check_pin(self, official: Official, pin: str) -> None:
        """Raises ``WebError`` unless this is the official's PIN."""
        self._check(f"pin {official.id}", official.verifier, pin, "PIN")

    def check_password(self, official: str, password: str) -> None:
        """Raises ``WebError`` unless this is the official's password."""
        assert self.passwords is not None
        self._check(f"password {official}", self.passwords.of(official), password, "password")

    def _check(self, key: str, verifier: str | None, secret: str, what: str) -> None:
        if not secret:
            raise WebError(422, "nothing-typed", f"Type your {what}.")
        left = self._tries.take(key)
        if not self._right(verifier, secret, key):
            raise WebError(403, "not-right", f"That {what} is not right.", tries_left(left))
        self._tries.right(key)

    def _right(self, verifier: str | None, secret: str, *keys: str) -> bool:
        """Whether the secret is the one; a try that could not be looked at is not counted."""
        try:
            return self.verifiers.right(verifier, secret)
        except WebError:
            for key in keys:
                self._tries.give_back(key)
            raise

    def changed(self, official: str, *, but: str = "") -> None:
        """End the sessions of somebody whose role or password changed, or who left."""
        self.sessions.end_all(official, but=but)


def _on_this_machine(request: Request) -> bool:
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _address(request: Request) -> str:
    return f"address {request.client.host if request.client else '?'}"
