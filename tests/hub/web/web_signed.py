"""A served room where people sign in, with one official of each role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from argon2 import PasswordHasher
from starlette.applications import Starlette
from web_room import Room, Watch

from hub.web.access import Access
from hub.web.app import create_app
from hub.web.serve import RunningServer, serve
from tallybox.roles import Role

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Verifiers that are compared quickly; what they are made with stands in them."""
PASSWORDS = {role.value: f"four words for a {role.value}" for role in Role}
PINS = {Role.DIRECTOR.value: "358214", Role.MONITOR.value: "904417", Role.HELPER.value: "771530"}
NAMES = {"director": "Dana", "monitor": "Mona", "helper": "Hank", "viewer": "Vera"}


@dataclass
class Seat:
    """A browser: it keeps its cookies, follows nothing by itself, and posts as a page does."""

    origin: str
    client: httpx.Client

    def get(self, path: str, **headers: str) -> httpx.Response:
        """The answer, read to its end unless it is a stream that has none."""
        with self.client.stream("GET", path, headers=headers) as answer:
            if not answer.headers.get("content-type", "").startswith("text/event-stream"):
                answer.read()
            return answer

    def token(self, path: str = "/") -> str:
        found = re.search(r'name="token" value="([0-9a-f]{64})"', self.client.get(path).text)
        assert found is not None
        return found[1]

    def post(
        self, path: str, fields: dict[str, str] | None = None, *, htmx: bool = False, page: str = "/"
    ) -> httpx.Response:
        headers = {"Origin": self.origin, **({"HX-Request": "true"} if htmx else {})}
        return self.client.post(path, data={"token": self.token(page), **(fields or {})}, headers=headers)

    def sign_in(self, name: str, password: str, led: str = "/") -> httpx.Response:
        return self.post("/sign-in", {"name": name, "password": password, "next": led}, page="/sign-in")


@dataclass
class SignedSite:
    """The room, its server, and browsers by the role of who sits there."""

    room: Room
    server: RunningServer
    access: Access
    app: Starlette

    @property
    def origin(self) -> str:
        return self.server.url.rstrip("/")

    def seat(self, role: str = "") -> Seat:
        """A browser, signed in as the official of this role, if one is named."""
        seat = Seat(self.origin, httpx.Client(base_url=self.origin, timeout=20))
        if role:
            answer = seat.sign_in(NAMES[role], PASSWORDS[role])
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
        return seat


@contextmanager
def signed_site(
    data: Path, *, tables: int = 1, watch: Watch | None = None, people: bool = True, template: str = "capitol-5"
) -> Iterator[SignedSite]:
    """A room whose dashboard asks people to sign in; ``people``: one of each role can."""
    room = Room(data, tables=tables, watch=watch, template=template)
    try:
        if people:
            for role, name in NAMES.items():
                pin = CHEAP.hash(PINS[role]) if role in PINS else None
                room.hub.director.change_official("director", name.lower(), name, role, pin)
        app = create_app(room.hub, sign_in=True)
        access: Access = app.state.desk.access
        assert access.passwords is not None
        if people:
            for role, name in NAMES.items():
                access.passwords.put(name.lower(), CHEAP.hash(PASSWORDS[role]))
        server = serve(app)
        try:
            yield SignedSite(room, server, access, app)
        finally:
            server.stop()
    finally:
        room.close()
