"""Who is at the desk: what a browser may see and do, and in whose name the hub records it.

A hub that serves its own machine alone is open: whoever sits there is the director, and every page says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from hub.hub import Hub
from hub.roles import DeskAct, may
from hub.web.errors import WebError
from hub.web.needs import Needs
from tallybox.roles import Role

DIRECTOR: Final = "director"
"""Who acts while nobody signs in: the hub's record names the role, not a person."""


@dataclass(frozen=True, slots=True)
class Who:
    """The person behind a request. ``actor`` stands in the record."""

    actor: str
    name: str
    role: Role

    def may(self, act: str) -> bool:
        """Whether this person may do an act of the desk, by its value (for templates)."""
        return may(self.role, DeskAct(act))


HERE: Final = Who(DIRECTOR, "Director", Role.DIRECTOR)
"""Whoever sits at a hub that serves its own machine alone."""


class Access:
    """Says who asks, lets them in or refuses them with a sentence, and has them prove who they are."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def who(self, _request: Request) -> Who:
        """Who asks."""
        return HERE

    def admit(self, request: Request, needs: Needs | DeskAct) -> None:
        """Raises ``WebError`` unless whoever asks may open this door."""
        if isinstance(needs, DeskAct) and not may(self.who(request).role, needs):
            raise WebError(403, "not-yours", "This is not yours to do.", "Call the director.")

    def prove(self, request: Request, _fields: Mapping[str, str], _act: DeskAct) -> Who:
        """Who does an act that asks for a personal PIN; raises ``WebError`` when the PIN is not right."""
        return self.who(request)
