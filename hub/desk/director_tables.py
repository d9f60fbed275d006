"""The director's use cases for one table, one box or one official."""

from __future__ import annotations

from collections.abc import Mapping

from hub.desk import decisions_boxes as boxes
from hub.desk import decisions_paper as paper
from hub.desk import decisions_rulings as rulings
from hub.desk import decisions_tables as plans
from hub.desk import decisions_versions as versions
from hub.desk.acts import Acts
from hub.desk.decisions_rulings import RulingWanted
from hub.roles import DeskAct
from hub.tournament.state import Tournament
from tallybox.seats import Side


class TableActs(Acts):
    """Rulings, corrections, lateness, awards and holds on a table's sheet; ``number`` is the round's."""

    def rule(
        self, actor: str, number: int, table: int, *, hand: int, ruling: Mapping[str, object],
        raised: str | None = None, supersedes: tuple[str, ...] = (), reason: str = "",
    ) -> Tournament:  # fmt: skip
        """Rule on a hand, open or recorded; ``ruling`` as a sheet writes it, ``raised`` what it answers."""
        return self._as(
            actor, DeskAct.RULE,
            lambda tournament, _now: plans.rule(
                tournament, actor, number, table, hand=hand, ruling=ruling, raised=raised, supersedes=supersedes,
                reason=reason,
            ),
        )  # fmt: skip

    def rule_adjusted(self, actor: str, number: int, table: int, wanted: RulingWanted) -> Tournament:
        """Rule on a hand, with points of the desk's own beside what the rule brings, if there are any."""
        return self._as(
            actor, DeskAct.RULE,
            lambda tournament, now: rulings.rule_adjusted(tournament, actor, number, table, wanted, now),
        )  # fmt: skip

    def reverse_ruling(self, actor: str, number: int, table: int, ruling: str, reason: str) -> Tournament:
        """Take a ruling back by a new one; ``ruling`` is its event's id."""
        return self._as(
            actor, DeskAct.RULE,
            lambda tournament, _now: rulings.reverse_ruling(tournament, actor, number, table, ruling, reason),
        )  # fmt: skip

    def correct_hand(
        self, actor: str, number: int, table: int, *, hand: int, facts: Mapping[str, object], reason: str
    ) -> Tournament:
        """Replace the facts of a recorded hand, whole, in the form of a sheet file."""
        return self._as(
            actor, DeskAct.CORRECT,
            lambda tournament, _now: plans.correct_hand(
                tournament, actor, number, table, hand=hand, facts=facts, reason=reason
            ),
        )  # fmt: skip

    def void_deal(self, actor: str, number: int, table: int, *, deal: str, reason: str) -> Tournament:
        """Let the open hand not count; ``deal`` is the event that opened it."""
        return self._as(
            actor, DeskAct.CORRECT,
            lambda tournament, _now: plans.void_deal(tournament, actor, number, table, deal=deal, reason=reason),
        )  # fmt: skip

    def mark_late(self, actor: str, number: int, table: int, side: Side, *, late: bool = True) -> Tournament:
        """Note that a side was absent when the clock started, or take the mark back."""
        return self._as(
            actor, DeskAct.LATE,
            lambda tournament, _now: plans.mark_late(tournament, actor, number, table, side, late=late),
        )  # fmt: skip

    def confirm_awards(self, actor: str) -> Tournament:
        """Apply everything that ``awards_due`` lists."""
        return self._as(actor, DeskAct.AWARD, lambda tournament, _now: plans.confirm_awards(tournament, actor))

    def award(
        self, actor: str, number: int, table: int, *, kind: str, loser: Side, hands: int = 0, reason: str = ""
    ) -> Tournament:
        """Give a side what was not played: by lateness, a forfeit or a disqualification."""
        return self._as(
            actor, DeskAct.AWARD,
            lambda tournament, _now: plans.award(
                tournament, actor, number, table, kind=kind, loser=loser, hands=hands, reason=reason
            ),
        )  # fmt: skip

    def hold(self, actor: str, number: int, table: int, reason: str) -> Tournament:
        """Let a table wait, and say what for."""
        return self._as(
            actor, DeskAct.HOLD, lambda tournament, _now: plans.hold(tournament, actor, number, table, reason)
        )

    def let_go(self, actor: str, number: int, table: int) -> Tournament:
        """Let a waiting table go on."""
        return self._as(actor, DeskAct.HOLD, lambda tournament, _now: plans.let_go(tournament, actor, number, table))

    def enter_sheet(
        self, actor: str, number: int, table: int, *, sheet: Mapping[str, object], reason: str
    ) -> Tournament:
        """Enter a sheet from paper for a table without a box; it is accepted like any other."""
        return self._as(
            actor, DeskAct.PAPER,
            lambda tournament, _now: paper.enter_sheet(tournament, actor, number, table, sheet=sheet, reason=reason),
        )  # fmt: skip

    def reassign_sheet(
        self, actor: str, number: int, table: int, *, to_table: int, reason: str, seen: str | None = None
    ) -> Tournament:
        """Count a submitted sheet for another table of its round; what that one has takes its place.

        ``seen``: the digest of the sheet that was looked at.
        """
        return self._as(
            actor, DeskAct.PAPER,
            lambda tournament, _now: paper.reassign_sheet(
                tournament, actor, number, table, to_table=to_table, reason=reason, seen=seen
            ),
        )  # fmt: skip

    def extend_table(self, actor: str, number: int, table: int, seconds: int, seen: int | None = None) -> Tournament:
        """Give one table more time; ``seen``: what it had beyond the others as the person looked at it."""
        return self._as(
            actor, DeskAct.EXTEND,
            lambda tournament, _now: boxes.extend_table(tournament, actor, number, table, seconds, seen),
        )  # fmt: skip

    def end_extension(self, actor: str, number: int, table: int) -> Tournament:
        """Say that the time one table had beyond the others is over."""
        return self._as(
            actor, DeskAct.EXTEND, lambda tournament, _now: boxes.end_extension(tournament, actor, number, table)
        )

    def adopt_events(
        self, actor: str, number: int, table: int, *, box: str, head: str, hand: int, reason: str
    ) -> Tournament:
        """Let what a box holds of a hand count, in place of what is recorded for it."""
        return self._as(
            actor, DeskAct.BOXES,
            lambda tournament, _now: versions.adopt_events(
                tournament, actor, number, table, box=box, head=head, hand=hand, reason=reason
            ),
        )  # fmt: skip

    def decline_events(
        self, actor: str, number: int, table: int, *, box: str, head: str, reason: str
    ) -> Tournament:  # fmt: skip
        """Leave what counts as it is; what the box holds beyond it stays stored."""
        return self._as(
            actor, DeskAct.BOXES,
            lambda tournament, _now: versions.decline_events(
                tournament, actor, number, table, box=box, head=head, reason=reason
            ),
        )  # fmt: skip
