"""The director's use cases for boxes, officials and practice."""

from __future__ import annotations

from collections.abc import Callable, Collection

from hub.desk import decisions_boxes as plans
from hub.desk import decisions_claims, decisions_requests, decisions_versions
from hub.desk.acts import Acts, Planner
from hub.roles import DeskAct
from hub.tournament.state import Tournament


class BoxActs(Acts):
    """``kiosks`` are the boxes this hub knows."""

    def __init__(self, act: Callable[[Planner], Tournament], kiosks: Collection[str]) -> None:
        super().__init__(act)
        self._kiosks = kiosks

    def lock_box(self, actor: str, box: str, reason: str) -> Tournament:
        """Let a box take no taps, and say why on its screen."""
        known = self._kiosks
        return self._as(
            actor, DeskAct.BOXES, lambda tournament, _now: plans.lock_box(tournament, actor, box, reason, known=known)
        )

    def unlock_box(self, actor: str, box: str) -> Tournament:
        """Let a box take taps again."""
        return self._as(actor, DeskAct.BOXES, lambda tournament, _now: plans.unlock_box(tournament, actor, box))

    def identify_box(self, actor: str, box: str) -> Tournament:
        """Have a box buzz, so that somebody finds it."""
        known = self._kiosks
        return self._as(
            actor, DeskAct.IDENTIFY,
            lambda tournament, _now: plans.identify_box(tournament, actor, box, known=known),
        )  # fmt: skip

    def replace_box(self, actor: str, table: int, box: str, *, request: str | None = None) -> Tournament:
        """Put another box on a table; ``request``: what an official asked for there."""
        known = self._kiosks
        return self._as(
            actor, DeskAct.BOXES,
            lambda tournament, _now: plans.replace_box(tournament, actor, table, box, known=known, request=request),
        )  # fmt: skip

    def confirm_request(self, actor: str, request: str) -> Tournament:
        """Do what an official asked for at a table."""
        return self._as(
            actor, DeskAct.BOXES, lambda tournament, _now: plans.confirm_request(tournament, actor, request)
        )

    def refuse_request(self, actor: str, request: str, reason: str) -> Tournament:
        """Say why something that an official asked for at a table is not done."""
        return self._as(
            actor, DeskAct.BOXES,
            lambda tournament, _now: decisions_requests.refuse_request(tournament, actor, request, reason),
        )  # fmt: skip

    def change_official(
        self, actor: str, official: str, name: str, role: str | None, verifier: str | None = None,
        *, password: bool = False,
    ) -> Tournament:  # fmt: skip
        """Appoint somebody, change role or PIN, or let somebody go (no ``role``). ``password``: a new one was set."""
        return self._as(
            actor, DeskAct.OFFICIALS,
            lambda tournament, _now: plans.change_official(
                tournament, actor, official, name, role, verifier, password=password
            ),
        )  # fmt: skip

    def change_own(self, actor: str, verifier: str | None = None, *, password: bool = False) -> Tournament:
        """An official of any role takes another PIN, or says that there is another password."""
        return self._act(lambda tournament, _now: plans.change_own(tournament, actor, verifier, password=password))

    def grant_claim(self, actor: str, claim: str, reason: str | None = None) -> Tournament:
        """Let count what a table entered that an official opened without a hub."""
        return self._as(
            actor, DeskAct.BOXES,
            lambda tournament, _now: decisions_claims.grant_claim(tournament, actor, claim, reason),
        )  # fmt: skip

    def refuse_claim(self, actor: str, claim: str, reason: str) -> Tournament:
        """Let it not count, and say why."""
        return self._as(
            actor, DeskAct.BOXES,
            lambda tournament, _now: decisions_claims.refuse_claim(tournament, actor, claim, reason),
        )  # fmt: skip

    def start_practice(self, actor: str) -> Tournament:
        """Invite every table to a practice hand."""
        return self._as(actor, DeskAct.PRACTICE, lambda tournament, _now: plans.start_practice(tournament, actor))

    def decide_fork(self, actor: str, *, box: str, head: str, reason: str) -> Tournament:
        """Say which of two journals of a box counts."""
        return self._as(
            actor, DeskAct.BOXES,
            lambda tournament, _now: decisions_versions.decide_fork(
                tournament, actor, box=box, head=head, reason=reason
            ),
        )  # fmt: skip
