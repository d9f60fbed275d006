"""Who was late, and what the rules suggest for the hands that they did not complete (A-37)."""

from __future__ import annotations

from dataclasses import dataclass

from hub.tournament.awards import awards_due
from hub.tournament.state import TableRound
from hub.web.picture import Picture
from hub.web.views.words import counted, players
from tallybox.calls import Game
from tallybox.seats import Side
from tallybox.table.overlay import live


@dataclass(frozen=True, slots=True)
class LateSide:
    """One side of a table: whether it is marked late, and why it cannot be marked now."""

    side: Side
    team: int
    players: str
    late: bool


@dataclass(frozen=True, slots=True)
class AwardView:
    """What is suggested for a table: who loses how many hands; ``loser`` ``None``: the hands count for nobody."""

    round: int
    table: int
    loser: Side | None
    team: int
    winner: Side | None
    hands: int
    points: int
    sentence: str


@dataclass(frozen=True, slots=True)
class LateTable:
    """A table with a late side: its sides, what is suggested, what was given."""

    round: int
    table: int
    sides: tuple[LateSide, ...]
    due: AwardView | None
    given: str


def late_sides(table: TableRound) -> tuple[LateSide, ...]:
    """Both sides of a table."""
    return tuple(
        LateSide(side, table.state.teams[side].number, players(table.state.teams[side]), side in table.late)
        for side in Side
    )


def late_tables(picture: Picture) -> tuple[LateTable, ...]:
    """The tables of the round that have a late side."""
    due = {award.table: award for award in award_views(picture)}
    tables = picture.round.tables.values() if picture.round else ()
    return tuple(
        LateTable(table.round, table.table, late_sides(table), due.get(table.table), given(table))
        for table in tables
        if table.late
    )


def award_views(picture: Picture) -> tuple[AwardView, ...]:
    """What waits for the director's confirmation."""
    made = []
    for award in awards_due(picture.tournament):
        table = picture.tournament.table(award.round, award.table)
        if table is None:
            continue
        teams = table.state.teams
        if award.loser is None:
            said = "Both sides were late: the hands left over count for nobody."
            made.append(AwardView(award.round, award.table, None, 0, None, 0, 0, said))
            continue
        other = award.loser.other
        said = (
            f"Team {teams[award.loser].number} was late and {counted(award.hands, 'hand is', 'hands are')} not "
            f"completed: {'it goes' if award.hands == 1 else 'they go'} to team {teams[other].number}, "
            f"{award.points} points."
        )
        made.append(AwardView(award.round, award.table, award.loser, teams[award.loser].number, other, award.hands,
                              award.points, said))  # fmt: skip
    return tuple(made)


def given(table: TableRound) -> str:
    """What the desk awarded already, in one line."""
    facts = [fact for fact in live(table.state) if fact.kind == "award" and fact.loser is not None]
    if not facts:
        return ""
    fact = facts[-1]
    assert fact.loser is not None
    team = table.state.teams[fact.loser.other].number
    return f"{counted(fact.hands, 'hand', 'hands')} awarded to team {team}" if fact.hands else "No hand is awarded"


def marks_late(picture: Picture) -> bool:
    """Whether sides can be marked late: in bid whist, once the clock has started."""
    on = picture.round
    return on is not None and on.clock_started and picture.game is Game.BID_WHIST
