"""The director's use cases for rounds and stages: draft, post, re-pair, start, end, byes and lots."""

from __future__ import annotations

from hub.desk import decisions_rounds as plans
from hub.desk import decisions_start
from hub.desk.acts import Acts
from hub.roles import DeskAct
from hub.tournament.state import Tournament


class RoundActs(Acts):
    """What is done about rounds. ``reason`` goes past a gate that names what is missing, and is journalled."""

    def draft_round(self, actor: str, *, hands: int | None = None, minutes: int | None = None) -> Tournament:
        """Draft the next round for the desk alone; ``minutes`` 0: no clock. Absent: as the stage says."""
        return self._as(
            actor, DeskAct.ROUNDS, lambda tournament, _now: plans.draft_round(tournament, actor, hands, minutes)
        )

    def drop_draft(self, actor: str, seen: str | None = None) -> Tournament:
        """Lay the draft aside; a posted round that it would have replaced stands. ``seen``: the mark of the draft."""
        return self._as(actor, DeskAct.ROUNDS, lambda tournament, _now: plans.drop_draft(tournament, actor, seen))

    def publish_round(self, actor: str, reason: str = "", seen: str | None = None) -> Tournament:
        """Post the draft, or the next round's pairings as they come; ``seen``: the mark of the draft looked at."""
        return self._as(
            actor, DeskAct.ROUNDS, lambda tournament, _now: plans.publish_round(tournament, actor, reason, seen)
        )

    def change_pairing(self, actor: str, first: int, second: int, reason: str, seen: str | None = None) -> Tournament:
        """Let two teams change places, in the draft or in a posted round that nobody has begun."""
        return self._as(
            actor,
            DeskAct.ROUNDS,
            lambda tournament, _now: plans.change_pairing(tournament, actor, first, second, reason, seen),
        )

    def start_round(self, actor: str, reason: str = "") -> Tournament:
        """Start a posted round that has no clock."""
        return self._as(
            actor, DeskAct.ROUNDS, lambda tournament, now: plans.start_round(tournament, actor, now, reason)
        )

    def announce_start(self, actor: str, at: int, reason: str = "") -> Tournament:
        """Have the posted round start by itself at ``at`` (ms); ``reason``: sooner than its notice."""
        return self._as(
            actor,
            DeskAct.ROUNDS,
            lambda tournament, now: decisions_start.announce_start(tournament, actor, now, at, reason),
        )

    def take_back_start(self, actor: str) -> Tournament:
        """Let the posted round wait for somebody to start it."""
        return self._as(
            actor, DeskAct.ROUNDS, lambda tournament, _now: decisions_start.take_back_start(tournament, actor)
        )

    def end_round(self, actor: str, reason: str = "") -> Tournament:
        """Release what is left and close the round; names missing tables."""
        return self._as(actor, DeskAct.ROUNDS, lambda tournament, _now: plans.end_round(tournament, actor, reason))

    def end_stage(self, actor: str, reason: str) -> Tournament:
        """End the stage before it is played out, or leave the next one out."""
        return self._as(actor, DeskAct.ROUNDS, lambda tournament, _now: plans.end_stage(tournament, actor, reason))

    def score_bye(
        self, actor: str, number: int, team: int, reason: str, *, hands_won: int = 0, points: int = 0, win: bool = False
    ) -> Tournament:
        """Say what a team gets for sitting out round ``number``."""
        return self._as(
            actor,
            DeskAct.ROUNDS,
            lambda tournament, _now: plans.score_bye(
                tournament, actor, number, team, reason, hands_won=hands_won, points=points, win=win
            ),
        )

    def draw_lot(self, actor: str, teams: tuple[int, ...]) -> Tournament:
        """Separate teams that nothing else does."""
        return self._as(actor, DeskAct.ROUNDS, lambda tournament, _now: plans.draw_lot(tournament, actor, teams))
