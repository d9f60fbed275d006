"""Who meets whom, and where: by Capitol City's rotation, or by a seeded draw for single games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from hub.tournament.state import Plan, TableRound, Tournament
from hub.tournament.templates import PairedBy, template
from tallybox.events.hub import Pairing
from tallybox.messages import NextSeat
from tallybox.movement import movement
from tallybox.seats import Side


def pairings(plan: Plan, teams: Sequence[int], number: int) -> tuple[Pairing, ...]:
    """The pairings of round ``number``; ``teams`` are team numbers in any order, gaps allowed.

    Rotation: by the text’s formula (section 2.8 of docs/rules.md). A draw: teams in the order that ``plan.seed``
    shuffles them into, two by two; with an odd count the last one sits out.
    """
    ordered = sorted(teams)
    if template(plan.template).pairing is PairedBy.DRAW:
        # The seed is published with the tournament; a draw must be repeatable, not secret.
        Random(f"{plan.seed}/{number}").shuffle(ordered)  # noqa: S311
        pairs = zip(ordered[::2], ordered[1::2], strict=False)
        return tuple(Pairing(table, ns, ew) for table, (ns, ew) in enumerate(pairs, start=1))
    made = movement(len(ordered), plan.rounds)
    return tuple(
        Pairing(seating.table, ordered[seating.ns - 1], ordered[seating.ew - 1]) for seating in made.rounds[number - 1]
    )


def rematches(plan: Plan, teams: Sequence[int]) -> tuple[tuple[int, tuple[int, int]], ...]:
    """Rounds in which two teams meet again, with the two; with as many tables as rounds there are none."""
    if template(plan.template).pairing is PairedBy.DRAW:
        return ()
    ordered = sorted(teams)
    made = movement(len(ordered), plan.rounds).rematches
    return tuple((again.round, (ordered[again.teams[0] - 1], ordered[again.teams[1] - 1])) for again in made)


def moves(tournament: Tournament, table: TableRound) -> Mapping[Side, NextSeat]:
    """Where the two sides of a table sit in the round after its own; nowhere after the last one."""
    plan = tournament.plan
    teams = {Side.NS: table.pairing.ns, Side.EW: table.pairing.ew}
    if plan is None or table.round >= plan.rounds:
        return {side: NextSeat() for side in teams}
    following = tournament.round(table.round + 1)
    posted = following.pairings if following else pairings(plan, tuple(tournament.teams), table.round + 1)
    seats = {pair.ns: NextSeat(table=pair.table, sits=Side.NS) for pair in posted}
    seats |= {pair.ew: NextSeat(table=pair.table, sits=Side.EW) for pair in posted}
    return {side: seats.get(team, NextSeat()) for side, team in teams.items()}
