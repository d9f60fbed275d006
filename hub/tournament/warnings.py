"""What a director should know before a round starts, each with the ways on; and what a correction has unsettled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from hub.errors import HubError
from hub.tournament.brackets import bracket_of, elimination
from hub.tournament.entering import active, later_stage
from hub.tournament.next_round import rests_on
from hub.tournament.results import winning_side
from hub.tournament.rotation import places_of, seat_map
from hub.tournament.stages import Basis, StagePlay
from hub.tournament.state import Stage, Tournament
from tallybox.events.hub import Pairing, StagePlanned
from tallybox.renewed import renewed


@dataclass(frozen=True, slots=True)
class Warned:
    """One thing to know; ``round`` and ``table`` where it is about one."""

    code: str
    message: str
    round: int | None = None
    table: int | None = None


def warnings(tournament: Tournament) -> tuple[Warned, ...]:
    """What stands ahead: sit-outs, rematches, fewer tables than rounds, teams that are not here or are out."""
    plan = tournament.plan
    if plan is None or tournament.over:
        return ()
    stage = tournament.stage
    coming = plan.stages[0] if stage is None else stage.plan
    places = places_of(active(tournament)) if stage is None else stage.places
    made = list(_AHEAD.get(coming.kind, _nothing)(coming, places, _gone(tournament)))
    made += _not_here(tournament)
    draft, current = tournament.draft, tournament.current
    if draft is not None:
        made += _about(tournament, draft.number, draft.pairings, draft.stage)
    elif current is not None and current.unbegun:
        made += _about(tournament, current.number, current.pairings, current.of_stage)
    return tuple(made)


def flags(tournament: Tournament) -> tuple[Warned, ...]:
    """What rests on results that have changed since: a draft, a posted round, seeds, played matches, a shared place."""
    made: list[Warned] = []
    draft, current = tournament.draft, tournament.current
    if draft is not None:
        now = rests_on(tournament.unposted, tournament.stages[draft.stage - 1])
        made += _changed(draft.basis, now, "draft-stale", f"The draft of round {draft.number}", draft.number)
    if current is not None and current.stage is not Stage.ENDED and tournament.stages:
        stage = tournament.stages[current.of_stage - 1]
        earlier = renewed(tournament, rounds=tournament.rounds[: current.number - 1])
        title = f"Round {current.number} is posted and"
        made += _changed(current.basis, rests_on(earlier, stage), "round-stale", title, current.number)
    made += _bracket_flags(tournament)
    made += _no_winner(tournament)
    return tuple(made)


def _no_winner(tournament: Tournament) -> list[Warned]:
    """Games of ended rounds that nobody has won: a sheet is missing, or a correction took the end away."""
    return [
        Warned(
            "no-winner",
            f"Game {table.sheet_id} has no winner: no sheet is accepted, or no limit is reached on it. "
            "Enter or correct the sheet, or award the game.",
            table.round, table.table,
        )
        for posted in tournament.rounds
        if posted.stage is Stage.ENDED and tournament.stages[posted.of_stage - 1].plan.kind != "rotation"
        for table in posted.tables.values()
        if not table.lost_by and winning_side(table) is None
    ]  # fmt: skip


def _nothing(_stage: StagePlanned, _places: tuple[int, ...], _out: frozenset[int]) -> list[Warned]:
    return []


def _rotation_ahead(stage: StagePlanned, places: tuple[int, ...], out: frozenset[int]) -> list[Warned]:
    rounds = stage.rounds or 1
    tables = len(places) // 2
    made: list[Warned] = []
    draws = seat_map(tuple(0 if team in out else team for team in places), rounds, stage.even_rounds)
    again = sum(len(draw.rematches) for draw in draws)
    if again:
        first = next(draw.number for draw in draws if draw.rematches)
        pairs = "1 pair meets" if again == 1 else f"{again} pairs meet"
        made.append(Warned(
            "few-tables",
            f"{tables} tables are fewer than {rounds} rounds: {pairs} again, from round {first} on. "
            f"Play {tables} rounds, register more teams, or play on as it is.",
        ))  # fmt: skip
    resting = [draw for draw in draws if draw.byes]
    if resting:
        who = ", ".join(f"team {draw.byes[0]} in round {draw.number}" for draw in resting[:8])
        made.append(Warned("sit-outs", f"A team sits out: {who}. {_BYES[stage.bye]} A filler team fills the place."))
    return made


def _swiss_ahead(stage: StagePlanned, places: tuple[int, ...], out: frozenset[int]) -> list[Warned]:
    teams = len([team for team in places if team and team not in out])
    rounds, made = stage.rounds or 1, list[Warned]()
    most = teams - 1 + teams % 2
    if teams > 1 and rounds > most:
        made.append(Warned(
            "few-teams", f"{teams} teams have met each other after {most} rounds, and {rounds} are planned. "
            "Play fewer rounds, or let teams meet again.",
        ))  # fmt: skip
    if teams % 2:
        made.append(Warned(
            "sit-outs", f"{teams} teams are an odd number: one sits out each round. {_BYES[stage.bye]} "
            "A filler team fills the place.",
        ))  # fmt: skip
    return made


_AHEAD: Final[Mapping[str, Callable[[StagePlanned, tuple[int, ...], frozenset[int]], list[Warned]]]] = {
    "rotation": _rotation_ahead,
    "swiss": _swiss_ahead,
}

_BYES: Final = {
    "win": "It counts as a win.",
    "average": "It gets the average of the round's winning scores, unless the director enters another.",
    "zero": "It brings nothing.",
}


def _not_here(tournament: Tournament) -> list[Warned]:
    entrants = tournament.entrants.values()
    if tournament.rounds or not any(entrant.checked_in for entrant in entrants):
        return []
    return [
        Warned("not-checked-in", f"Team {entrant.number} is not checked in. Check it in, or withdraw it.")
        for entrant in entrants
        if not (entrant.checked_in or entrant.out or entrant.filler)
    ]


def _about(tournament: Tournament, number: int, pairings: tuple[Pairing, ...], stage: int) -> list[Warned]:
    met = {
        frozenset(table.teams): posted.number
        for posted in tournament.rounds_of(stage)
        if posted.number < number
        for table in posted.tables.values()
    }
    made: list[Warned] = []
    for pair in pairings:
        before = met.get(frozenset((pair.ns, pair.ew)))
        if before is not None:
            said = f"Teams {pair.ns} and {pair.ew} met in round {before} already. Change places by hand, or play on."
            made.append(Warned("rematch", said, number, pair.table))
        for team in (pair.ns, pair.ew):
            if tournament.entrants[team].out:
                said = f"Team {team} is out: table {pair.table} is a forfeit unless another team takes its place."
                made.append(Warned("team-out", said, number, pair.table))
    return made


def _changed(then: Basis, now: Basis, code: str, title: str, number: int) -> list[Warned]:
    before = {(entry[0], entry[1]): entry[2] for entry in then}
    other = [entry for entry in now if before.get((entry[0], entry[1]), entry[2]) != entry[2]]
    if not other and len(then) == len(now):
        return []
    sheets = ", ".join(f"R{entry[0]}-T{entry[1]}" for entry in other[:6]) or "an earlier round"
    ways = "Draft it again, or post it with a reason." if code == "draft-stale" else "Draft it anew, or play on."
    return [Warned(code, f"{title} rests on {sheets}, which changed since. {ways}", number)]


def _bracket_flags(tournament: Tournament) -> list[Warned]:
    stage = elimination(tournament)
    if stage is None:
        return []
    made = [
        Warned("match-stale", f"Match {match} was played by teams that a corrected result would not put there. "
               "Let it stand, or have it played again.")
        for match in bracket_of(tournament, stage).stale
    ]  # fmt: skip
    return made + _seed_flags(tournament, stage)


def _seed_flags(tournament: Tournament, stage: StagePlay) -> list[Warned]:
    """Whether the seeds would be others by now: places in the bracket aside, by the same comparator that gave them."""
    if stage.number == 1:
        return []
    # Whoever left since was there when the seeds were made.
    entrants = {
        team: replace(entrant, withdrawn=None, disqualified=None) if team in stage.teams else entrant
        for team, entrant in tournament.entrants.items()
    }
    before = renewed(tournament, stages=tournament.stages[: stage.number - 1], entrants=entrants)
    try:
        now = later_stage(before, stage.plan, "hub").teams
    except HubError:
        return []
    if now == stage.teams:
        return []
    said = f"The seeds of “{stage.plan.name}” rest on results that changed. Let them stand, or"
    begun = any(not posted.unbegun for posted in tournament.rounds_of(stage.number))
    way = " end the stage." if begun else " draft its first round again."
    return [Warned("seeds-stale", said + way)]


def _gone(tournament: Tournament) -> frozenset[int]:
    return frozenset(number for number, entrant in tournament.entrants.items() if entrant.out)
