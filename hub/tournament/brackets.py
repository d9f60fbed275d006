"""The bracket of an elimination stage as its tables stand: drawn from the seeds, moved on by results, never stored.

A played pair belongs to the match where the two teams' branches join, so a result is found whatever was corrected
before it (section 3.8 of docs/rules.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from hub.tournament.bracket import Decided, Progress, bracket, progress, seeding
from hub.tournament.results import winner
from hub.tournament.stages import StagePlay
from hub.tournament.state import Round, Stage, TableRound, Tournament
from tallybox.renewed import renewed


def eliminations(tournament: Tournament) -> tuple[StagePlay, ...]:
    """The eliminations that have begun, in their order."""
    return tuple(stage for stage in tournament.stages if stage.plan.kind == "elimination" and len(stage.teams) > 1)


def elimination(tournament: Tournament) -> StagePlay | None:
    """The elimination that began last; ``None`` before one has."""
    found = eliminations(tournament)
    return found[-1] if found else None


def bracket_of(tournament: Tournament, stage: StagePlay) -> Progress:
    """How far an elimination stage has come. Whoever meets a team that is out goes on without playing."""
    drawn = bracket(stage.teams)
    slots = slots_of(stage)
    decided: dict[str, Decided] = {}
    for posted in tournament.rounds_of(stage.number):
        for table in posted.tables.values():
            won = winner(table)
            if won is not None and all(team in slots for team in table.teams):
                decided[match_of(slots, *table.teams)] = Decided(won, _other(table, won))
    made = progress(drawn, decided)
    while walked := _walkovers(tournament, made):
        decided.update(walked)
        made = progress(drawn, decided)
    return made


def places(tournament: Tournament) -> Mapping[int, int]:
    """The place of every team in the bracket: 1 for the champion and for all that are still in, then 2, 3, 3, 5 …"""
    stage = elimination(tournament)
    if stage is None:
        return {}
    ranks = bracket_of(tournament, stage).ranks
    return {team: ranks.get(team, 1) for team in stage.teams}


def champion(tournament: Tournament) -> int | None:
    """Who won the elimination; ``None`` while nobody has."""
    stage = elimination(tournament)
    return None if stage is None else bracket_of(tournament, stage).champion


def slots_of(stage: StagePlay) -> Mapping[int, int]:
    """Where each seed stands in the first round, from the top, counted from 0."""
    size = 1 << (len(stage.teams) - 1).bit_length()
    return {stage.teams[seed - 1]: slot for slot, seed in enumerate(seeding(size)) if seed <= len(stage.teams)}


def match_of(slots: Mapping[int, int], first: int, second: int) -> str:
    """The id of the match where the branches of two teams join."""
    number = (slots[first] ^ slots[second]).bit_length()
    return f"R{number}M{(slots[first] >> number) + 1}"


def _other(table: TableRound, won: int) -> int:
    return table.pairing.ew if table.pairing.ns == won else table.pairing.ns


def _walkovers(tournament: Tournament, made: Progress) -> Mapping[str, Decided]:
    """Matches that need no cards: one of the two is out. Where both are, the one seeded better is moved on."""
    found: dict[str, Decided] = {}
    for match in made.matches:
        if match.id in made.ready and match.teams is not None:
            first, second = match.teams
            gone = [team for team in match.teams if tournament.entrants[team].out]
            if gone and not _being_played(tournament, match.teams):
                loser = gone[-1]
                found[match.id] = Decided(second if loser == first else first, loser)
    return found


def _being_played(tournament: Tournament, teams: tuple[int, int]) -> bool:
    current = tournament.current
    table = None if current is None or current.stage is Stage.ENDED else current.table_of(teams[0])
    return table is not None and set(table.teams) == set(teams) and not table.settled


def rewritten(tournament: Tournament, stage: StagePlay, posted: Round) -> tuple[tuple[int, int, str], ...]:
    """Which teams of posted matches that nobody has begun would be others by now: old, new, and why."""
    earlier = renewed(tournament, rounds=tournament.rounds[: posted.number - 1])
    matches = {match.id: match for match in bracket_of(earlier, stage).matches}
    slots = slots_of(stage)
    changes: list[tuple[int, int, str]] = []
    for table in posted.tables.values():
        match = matches.get(match_of(slots, *table.teams))
        if table.begun or match is None or match.teams is None:
            continue
        gone = [team for team in table.teams if team not in match.teams]
        came = [team for team in match.teams if team not in table.teams]
        changes += [
            (old, new, f"A corrected result puts team {new} in the place of team {old} in match {match.id}.")
            for old, new in zip(gone, came, strict=True)
        ]
    return tuple(changes)
