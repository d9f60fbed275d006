"""Who enters a stage, in what order, and which lots have to be drawn for it: pure, from the standings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import Final, Literal

from hub.errors import HubError
from hub.tournament.qualifying import reach_cut
from hub.tournament.standings import UNPLACED, Row, standings
from hub.tournament.state import Tournament
from tallybox.events.hub import StagePlanned
from tallybox.events.teams import LotDrawn

LARGEST_SEED: Final = 2**53


@dataclass(frozen=True, slots=True)
class Entering:
    """The teams of a stage, best seed first, the lots that put them in order, and a sentence about how it came."""

    teams: tuple[int, ...]
    lots: tuple[LotDrawn, ...] = ()
    note: str = ""


def active(tournament: Tournament) -> tuple[int, ...]:
    """The teams that still play, by number, fillers among them."""
    return tuple(sorted(number for number, entrant in tournament.entrants.items() if not entrant.out))


def first_stage(tournament: Tournament, stage: StagePlanned, actor: str) -> Entering:
    """All teams; for a bracket in an order drawn by lot. Raises ``HubError`` (``too-few-teams``)."""
    teams = active(tournament)
    if len(teams) < 2:
        raise HubError("too-few-teams", "A round needs two teams. Register another, or take a withdrawal back.")
    if stage.kind != "elimination":
        return Entering(teams)
    lot = lot_among(tournament, teams, "seeds", actor)
    return Entering(lot.order, (lot,), "The seeds are drawn by lot.")


def later_stage(tournament: Tournament, stage: StagePlanned, actor: str) -> Entering:
    """Who goes on from the stages before, seeded by the standings; equals are separated by lot where it matters.

    Raises ``HubError`` (``too-few-teams``) when not two teams are left to go on.
    """
    rows = _can_go_on(tournament)
    cut = _cut(rows, stage)
    seeded = stage.kind == "elimination" or stage.top is not None
    lots = _lots(tournament, rows, cut.teams, actor) if seeded else ()
    if lots:
        rows = _in_lot_order(rows, lots)
        cut = _cut(rows, stage)
    return Entering(cut.teams, lots, cut.note)


def lot_among(
    tournament: Tournament, teams: Sequence[int], what: Literal["seeds", "place", "bye"], actor: str, after: int = 0
) -> LotDrawn:
    """A lot from a seed that follows from the tournament's own: anybody can draw it again.

    The order is ``random.Random(seed)`` shuffling the numbers from low to high. ``after``: lots drawn in the same act.
    """
    plan = tournament.plan
    number = len(tournament.lots) + after + 1
    text = f"{0 if plan is None else plan.seed}/lot/{number}"
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) % LARGEST_SEED
    order = sorted(teams)
    Random(seed).shuffle(order)  # noqa: S311 (a published draw is repeatable, not secret)
    return LotDrawn(actor=actor, teams=tuple(sorted(teams)), order=tuple(order), seed=seed, what=what)


def tied_groups(tournament: Tournament, places: int) -> tuple[tuple[int, ...], ...]:
    """The teams that share a place up to ``places`` and can still play for it, best place first."""
    groups: list[tuple[int, ...]] = []
    for rank, rows in groupby(_can_go_on(tournament), lambda row: row.rank):
        teams = tuple(row.team for row in rows)
        if rank <= places and len(teams) > 1:
            groups.append(teams)
    return tuple(groups)


def _can_go_on(tournament: Tournament) -> tuple[Row, ...]:
    return tuple(row for row in standings(tournament) if row.rank and not tournament.entrants[row.team].out)


def _cut(rows: Sequence[Row], stage: StagePlanned) -> Entering:
    order = tuple(row.team for row in rows)
    if stage.wins is None and stage.top is None:
        if len(order) < 2:
            raise HubError("too-few-teams", "Fewer than two teams are left. Take a withdrawal back, or end the stage.")
        return Entering(order)
    if stage.wins is None:
        reached = reach_cut(order[: stage.top], {}, 0)
        return Entering(reached.teams, note=reached.note)
    reached = reach_cut(order, {row.team: row.wins for row in rows}, stage.wins)
    return Entering(reached.teams[: stage.top], note=reached.note)


def _lots(tournament: Tournament, rows: Sequence[Row], teams: Sequence[int], actor: str) -> tuple[LotDrawn, ...]:
    """One lot for each group of equals of which any enters."""
    plan = tournament.plan
    assert plan is not None
    entering = set(teams)
    lots: list[LotDrawn] = []
    for key, group in groupby(rows, lambda row: row.key(plan.ruleset.game)):
        equals = [row.team for row in group]
        if len(equals) > 1 and key[0] == UNPLACED and entering & set(equals):
            lots.append(lot_among(tournament, equals, "seeds", actor, after=len(lots)))
    return tuple(lots)


def _in_lot_order(rows: Sequence[Row], lots: Sequence[LotDrawn]) -> tuple[Row, ...]:
    order = {team: place for lot in lots for place, team in enumerate(lot.order)}
    first = {team: index for index, row in enumerate(rows) for team in (row.team,)}
    group_start: dict[int, int] = {}
    for lot in lots:
        start = min(first[team] for team in lot.order)
        group_start |= dict.fromkeys(lot.order, start)
    return tuple(sorted(rows, key=lambda row: (group_start.get(row.team, first[row.team]), order.get(row.team, 0))))
