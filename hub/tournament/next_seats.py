"""Where the two sides of a table go when they are released, as far as it is known by then."""

from __future__ import annotations

from collections.abc import Mapping

from hub.errors import HubError
from hub.tournament.next_round import propose, rounds_in_all, stage_over
from hub.tournament.state import TableRound, Tournament
from tallybox.events.hub import Pairing
from tallybox.messages import NextSeat
from tallybox.seats import Side


def moves(tournament: Tournament, table: TableRound) -> Mapping[Side, NextSeat]:
    """The next seats of a table's two sides; empty while the next round is not paired yet.

    A rotation is known ahead; every other round is known once it is posted. A seat without a table: the team sits
    out, or the tournament is over.
    """
    following = tournament.round(table.round + 1)
    if following is not None:
        return _seats(table, following.pairings)
    stage, plan = tournament.stage, tournament.plan
    if stage is None or plan is None or table.round != len(tournament.rounds):
        return {}
    if tournament.over:
        return {side: NextSeat() for side in Side}
    if stage.plan.kind != "rotation" or stage.ended or stage_over(tournament, stage):
        last = table.round >= rounds_in_all(tournament) and len(plan.stages) == len(tournament.stages)
        return {side: NextSeat() for side in Side} if last and stage.plan.kind != "play_off" else {}
    try:
        return _seats(table, propose(tournament, stage).pairings)
    except HubError:
        return {}


def _seats(table: TableRound, pairings: tuple[Pairing, ...]) -> Mapping[Side, NextSeat]:
    seats: dict[int, NextSeat] = {}
    for pair in pairings:
        seats[pair.ns] = NextSeat(table=pair.table, sits=Side.NS, against=pair.ew)
        seats[pair.ew] = NextSeat(table=pair.table, sits=Side.EW, against=pair.ns)
    return {side: seats.get(team, NextSeat()) for side, team in zip(Side, table.teams, strict=True)}
