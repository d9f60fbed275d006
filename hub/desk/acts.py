"""How a use case of the director reaches the hub's one writer."""

from __future__ import annotations

from collections.abc import Callable

from hub.desk.deeds import Deeds
from hub.roles import DeskAct, check
from hub.tournament.state import Tournament

Planner = Callable[[Tournament, int], Deeds]
"""From the tournament and the time (ms) to what is to be journalled."""


class Acts:
    """``act`` journals what a planner decides on the writer's thread, and returns once it is committed."""

    def __init__(self, act: Callable[[Planner], Tournament]) -> None:
        self._act = act

    def _as(self, actor: str, act: DeskAct, planner: Planner) -> Tournament:
        """Journal what the planner decides, if the actor's role covers it; raises ``HubError`` otherwise."""

        def planned(tournament: Tournament, now: int) -> Deeds:
            check(tournament.officials, actor, act)
            return planner(tournament, now)

        return self._act(planned)
