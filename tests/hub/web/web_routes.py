"""The application's own route table, with what its addresses ask for filled in from a played room."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.routing import Mount

from hub.roles import DeskAct
from hub.web.doors import DoorRoute
from hub.web.needs import Needs

ASSETS = {"/static/htmx", "/static/type", "/static"}
"""Files that are the same for everybody: style, script, type."""

FILLED = {
    "number": "1", "table": "1", "round": "1", "act": "pause", "box": "K-01", "team": "1", "hand": "1", "what": "teams",
    "call": "0" * 64,
}  # fmt: skip
"""A value for each part of an address."""


@dataclass(frozen=True)
class Listed:
    """A door: its method, its address as declared and filled in, and who may open it."""

    method: str
    declared: str
    path: str
    needs: Needs | DeskAct

    @property
    def line(self) -> str:
        return f"{self.method} {self.declared} {self.needs.value}"


def doors(app: Starlette, filled: dict[str, str] | None = None) -> list[Listed]:
    """Every route of the application that is no file; one that is no door, or asks for something unknown, fails."""
    values, found = {**FILLED, **(filled or {})}, []
    for route in app.routes:
        if isinstance(route, Mount):
            assert route.path in ASSETS, f"{route.path} is mounted and nobody said who may see it"
            continue
        assert isinstance(route, DoorRoute), f"{route} is no door: nobody said who may open it"
        path = _filled(route.path, values)
        found.append(Listed("POST" if route.door.posts else "GET", route.path, path, route.door.needs))
    return found


def _filled(declared: str, values: dict[str, str]) -> str:
    missing = [name for name in re.findall(r"\{(\w+)", declared) if name not in values]
    assert missing == [], f"{declared} asks for {missing}: give it a value in web_routes.FILLED"
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda part: values[part[1]], declared)
