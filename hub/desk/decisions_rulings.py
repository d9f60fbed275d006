"""What the desk rules with the points in its own hand, and how a ruling is taken back: pure plans.

Taking back is a ruling too: the same one, not proven, in the place of the first (docs/journal.md, Corrections).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from hub.desk import decisions_tables as tables
from hub.desk.deeds import Deeds, said
from hub.errors import HubError
from hub.tournament.state import TableRound, Tournament
from tallybox.events.desk import RulingMade
from tallybox.sheet.ruling_json import ruling_to_json
from tallybox.table.overlay import laid_over, live
from tallybox.table.state import Hand, HandRuling


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingWanted:
    """A ruling on a hand as a sheet writes it. ``raised``: what it answers; ``supersedes``: whose place it takes.

    ``adjust``: the points by which it differs from what the rule brings, by side; they need the ``reason``.
    """

    hand: int
    ruling: Mapping[str, object]
    adjust: Mapping[str, int] | None = None
    raised: str | None = None
    supersedes: tuple[str, ...] = ()
    reason: str = ""


MOMENT: Final = 10_000
"""So long (ms) the same ruling by the same official is the second press of a button, not a second ruling."""


def rule_adjusted(
    tournament: Tournament, actor: str, number: int, table: int, wanted: RulingWanted, now: int | None = None
) -> Deeds:
    """Rule on a hand; points that differ from the rule's are an adjustment beside it, with the reason (INV-7).

    ``now`` (ms): the same ruling once more in the same ``MOMENT`` is refused.
    """
    ruled = tables.rule(
        tournament, actor, number, table, hand=wanted.hand, ruling=wanted.ruling, raised=wanted.raised,
        supersedes=wanted.supersedes, reason=wanted.reason,
    )  # fmt: skip
    adjusted: Deeds = ()
    if wanted.adjust and any(wanted.adjust.values()):
        why = said(wanted.reason, "why the points are others than the rule's")
        beside = {"code": "ADJUST", "points": dict(wanted.adjust), "why": why}
        adjusted = tables.rule(tournament, actor, number, table, hand=wanted.hand, ruling=beside, reason=why)
    if now is not None:
        _once(tournament, tables.sheet(tournament, number, table), ruled, now)
    return (*ruled, *adjusted)


def _once(tournament: Tournament, found: TableRound, ruled: Deeds, now: int) -> None:
    lately = {made.id for made in tournament.ruled if now - made.at < MOMENT}
    for deed in ruled:
        assert isinstance(deed.body, RulingMade)
        for fact in live(found.state):
            same = (fact.by, fact.hand, fact.deal, fact.ruling) == (
                deed.body.actor, deed.body.hand, deed.body.deal, deed.body.ruling,
            )  # fmt: skip
            if same and fact.id in lately and not deed.supersedes:
                message = (
                    f"You ruled exactly this on hand {fact.hand} a moment ago. If it happened twice, wait a little."
                )
                raise HubError("ruled-twice", message)


def reverse_ruling(tournament: Tournament, actor: str, number: int, table: int, ruling: str, reason: str) -> Deeds:
    """Take a ruling back by a new one in its place that changes no score; ``ruling`` is the event's id."""
    hand, standing = standing_ruling(tables.sheet(tournament, number, table), ruling)
    if not standing.ruling.proven:
        raise HubError("not-proven", "This ruling says that nothing was proven. Rule again to say something else.")
    why = said(reason, "why the ruling is taken back")
    undone = ruling_to_json(replace(standing.ruling, proven=False, official=actor))
    return tables.rule(
        tournament, actor, number, table, hand=hand.number, ruling=cast("dict[str, object]", undone),
        supersedes=(ruling,), reason=why,
    )  # fmt: skip


def standing_ruling(found: TableRound, ruling: str) -> tuple[Hand, HandRuling]:
    """A ruling that counts now, with its hand; raises ``HubError`` (``no-ruling``) when another took its place."""
    state = found.state
    for hand in (*state.hands, *(() if state.hand is None else (state.hand,))):
        for standing in laid_over(state, hand).rulings:
            if standing.id == ruling:
                return hand, standing
    raise HubError("no-ruling", "This ruling does not count any more: another took its place. Look again.")
