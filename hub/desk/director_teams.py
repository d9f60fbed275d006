"""The director's use cases for teams: late entry, check-in, withdrawal, proxies, disqualification, notes."""

from __future__ import annotations

from collections.abc import Sequence

from hub.desk import decisions_teams as plans
from hub.desk.acts import Acts
from hub.roles import DeskAct
from hub.tournament.state import Tournament


class TeamActs(Acts):
    """What is done about teams."""

    def register_team(
        self, actor: str, names: tuple[str, str], number: int | None = None, *, filler: bool = False
    ) -> Tournament:
        """Enter a team, at the start or late; no number: the next one. A filler team does not rank."""
        return self._as(
            actor,
            DeskAct.TEAMS,
            lambda tournament, _now: plans.register_team(tournament, actor, names, number, filler=filler),
        )

    def enter_late(self, actor: str, names: tuple[str, str], *, filler: bool = False) -> Tournament:
        """Enter a team with the next number, and have the draft made anew with it if there is one: both, or neither."""
        return self._as(
            actor, DeskAct.TEAMS, lambda tournament, _now: plans.enter_late(tournament, actor, names, filler=filler)
        )

    def register_teams(self, actor: str, teams: Sequence[tuple[int, tuple[str, str], bool]]) -> Tournament:
        """Enter many teams at once (number, names, filler): all of them, or none."""
        return self._as(actor, DeskAct.TEAMS, lambda tournament, _now: plans.register_teams(tournament, actor, teams))

    def check_in(self, actor: str, team: int, *, here: bool = True) -> Tournament:
        """Note that a team is here, or is not after all."""
        return self._as(
            actor, DeskAct.CHECK_IN, lambda tournament, _now: plans.check_in(tournament, actor, team, here=here)
        )

    def withdraw(self, actor: str, team: int, reason: str = "") -> Tournament:
        """Take a team out; its open table is a forfeit."""
        return self._as(actor, DeskAct.TEAMS, lambda tournament, _now: plans.withdraw(tournament, actor, team, reason))

    def bring_back(self, actor: str, team: int, reason: str = "") -> Tournament:
        """Let a withdrawn team play on from the next round."""
        return self._as(
            actor, DeskAct.TEAMS, lambda tournament, _now: plans.bring_back(tournament, actor, team, reason)
        )

    def substitute(
        self, actor: str, team: int, player: int, name: str, reason: str, hand: int | None = None
    ) -> Tournament:
        """Let a proxy play for player 1 or 2 of a team."""
        return self._as(
            actor,
            DeskAct.TEAMS,
            lambda tournament, _now: plans.substitute(tournament, actor, team, player, name, reason, hand),
        )

    def disqualify(self, actor: str, team: int, reason: str) -> Tournament:
        """Put a team out of the tournament and out of the ranking; its open table is lost."""
        return self._as(
            actor, DeskAct.TEAMS, lambda tournament, _now: plans.disqualify(tournament, actor, team, reason)
        )

    def note_conduct(self, actor: str, team: int, note: str) -> Tournament:
        """Write down how a team behaved."""
        return self._as(
            actor, DeskAct.TEAMS, lambda tournament, _now: plans.note_conduct(tournament, actor, team, note)
        )
