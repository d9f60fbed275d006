"""What came out of each table and each bye: one result a table, with an explicit winner, of its own kind.

Bye, late award, forfeit and disqualification are no games that were played, and say so. Everything is read from the
tables as they stand, so a correction reaches all that rests on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hub.tournament.history import Bye, History, Meeting
from hub.tournament.stages import Basis
from hub.tournament.state import Round, Stage, TableRound, Tournament
from tallybox.calls import Game
from tallybox.seats import Side
from tallybox.table.overlay import live


class Kind(StrEnum):
    """How a result came about."""

    PLAYED = "played"
    LATE = "late"
    FORFEIT = "forfeit"
    DISQUALIFIED = "dq"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class Result:
    """One table of one round, or one bye (no ``table``, one team). ``winner`` ``None``: none yet, or nobody won.

    In bid whist a table has no winner for the standings (hands decide); here it names who won more of it.
    """

    round: int
    kind: Kind
    teams: tuple[int, ...]
    winner: int | None = None
    table: int | None = None
    final: bool = False
    points: Mapping[int, int] = field(default_factory=dict)


def results(tournament: Tournament) -> tuple[Result, ...]:
    """Every result so far, round by round and table by table, byes after the tables of their round."""
    found: list[Result] = []
    for posted in tournament.rounds:
        found += [_of_table(table) for table in posted.tables.values()]
        over = posted.stage is Stage.ENDED
        found += [Result(posted.number, Kind.BYE, (team,), winner=team, final=over) for team in posted.byes]
    return tuple(found)


def winning_side(table: TableRound) -> Side | None:
    """The side that won the table; ``None`` while nobody has, on a tie, and when the desk closed it against both."""
    lost = table.lost_by
    if lost:
        return next(iter(lost)).other if len(lost) == 1 else None
    score = table.score
    if score is None:
        return None
    if score.round.winner is not None or table.state.playing.ruleset.game is Game.SPADES:
        return score.round.winner
    if not (score.round.over or table.accepted):
        return None
    ns, ew = ((score.totals.hands_won[side], score.totals.points[side], score.totals.bostons[side]) for side in Side)
    return None if ns == ew else Side.NS if ns > ew else Side.EW


def winner(table: TableRound) -> int | None:
    """The team that won the table, or ``None``."""
    return team_on(table, winning_side(table))


def team_on(table: TableRound, side: Side | None) -> int | None:
    """The team on a side; ``None`` for no side."""
    return None if side is None else table.teams[side is Side.EW]


def kind_of(table: TableRound) -> Kind:
    """How the table's result came about."""
    kinds = {fact.kind if fact.kind == "award" else fact.ended for fact in live(table.state)}
    if "dq" in kinds:
        return Kind.DISQUALIFIED
    if "forfeit" in kinds:
        return Kind.FORFEIT
    return Kind.LATE if "award" in kinds else Kind.PLAYED


def basis(rounds: tuple[Round, ...]) -> Basis:
    """What the next pairing of these rounds' stage rests on."""
    return tuple((posted.number, table.table, winner(table)) for posted in rounds for table in posted.tables.values())


def history(tournament: Tournament, stage: int) -> History:
    """A stage as its Swiss pairing sees it: who is in, who met whom, who won, who rested."""
    play = tournament.stages[stage - 1]
    gone = frozenset(number for number, entrant in tournament.entrants.items() if entrant.out)
    rounds = tuple(tuple(_entries(posted)) for posted in tournament.rounds_of(stage))
    there = [team for team in play.places if team]
    seen = {team for posted in rounds for entry in posted for team in _who(entry)}
    return History(tuple(there), rounds, gone | (seen - set(there)))


def _who(entry: Meeting | Bye) -> tuple[int, ...]:
    return (entry.team,) if isinstance(entry, Bye) else (entry.ns, entry.ew)


def _entries(posted: Round) -> Iterator[Meeting | Bye]:
    for table in posted.tables.values():
        side = winning_side(table)
        yield Meeting(*table.teams, side, forfeit=bool(table.lost_by) and side is not None)
    yield from (Bye(team) for team in posted.byes)


def _of_table(table: TableRound) -> Result:
    totals = None if table.score is None else table.score.totals.points
    points = {} if totals is None else {table.teams[side is Side.EW]: totals[side] for side in Side}
    return Result(table.round, kind_of(table), table.teams, winner(table), table.table, table.settled, points)
