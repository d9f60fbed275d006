"""Why two teams meet: one sentence or two about a pairing, by the kind of its stage (section 3.8 of docs/rules.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hub.tournament.brackets import match_of, slots_of
from hub.tournament.entering import tied_groups
from hub.tournament.history import Bye, Meeting
from hub.tournament.results import history
from hub.tournament.stages import HandChange, StagePlay
from hub.tournament.state import Tournament
from tallybox.events.hub import Pairing
from tallybox.seats import Side


def why_paired(
    tournament: Tournament, stage: StagePlay, number: int, pair: Pairing, changes: Sequence[HandChange] = ()
) -> str:
    """Why these two meet in round ``number``; what was changed by hand, and when they met before, follows it."""
    by_hand = [change for change in changes if {change.first, change.second} & {pair.ns, pair.ew}]
    said = [] if by_hand else [_KINDS[stage.plan.kind](tournament, stage, number, pair)]
    said += [
        f"Teams {change.first} and {change.second} changed places by hand: “{change.reason}” ({change.by})."
        for change in by_hand
    ]
    said += [f"They met in round {before} already." for before in met_in(tournament, stage.number, number, pair)]
    return " ".join(said)


def met_in(tournament: Tournament, stage: int, number: int, pair: Pairing) -> tuple[int, ...]:
    """The rounds of the stage before ``number`` in which the two met."""
    return tuple(
        posted.number
        for posted in tournament.rounds_of(stage)
        if posted.number < number and any({pair.ns, pair.ew} == set(table.teams) for table in posted.tables.values())
    )


def wins_before(tournament: Tournament, stage: StagePlay, number: int) -> Mapping[int, int]:
    """Games won in the stage before round ``number``, byes among them."""
    wins = dict.fromkeys(stage.places, 0)
    before = number - stage.first
    for entries in history(tournament, stage.number).rounds[: max(0, before)]:
        for entry in entries:
            won = _winner(entry)
            if won is not None:
                wins[won] = wins.get(won, 0) + 1
    return wins


def _winner(entry: Meeting | Bye) -> int | None:
    if isinstance(entry, Bye):
        return entry.team
    return None if entry.winner is None else entry.ns if entry.winner is Side.NS else entry.ew


def _rotation(tournament: Tournament, stage: StagePlay, number: int, pair: Pairing) -> str:
    before = tournament.round(number - 1)
    if number == stage.first or before is None:
        return "The first round seats the teams by number: odd ones North–South, even ones East–West."
    moved = []
    for team in (pair.ns, pair.ew):
        table = before.table_of(team)
        if table is None:
            moved.append(f"Team {team} comes in.")
        elif table.table == pair.table:
            moved.append(f"Team {team} stays.")
        else:
            moved.append(f"Team {team} moves here from table {table.table}.")
    return "The rotation: " + " ".join(moved)


def _swiss(tournament: Tournament, stage: StagePlay, number: int, pair: Pairing) -> str:
    if number == stage.first:
        return "Drawn by lot: nobody has a result yet."
    wins = wins_before(tournament, stage, number)
    first, second = wins.get(pair.ns, 0), wins.get(pair.ew, 0)
    if first == second:
        return f"Both have {_wins(first)}."
    return (
        f"Team {pair.ns} has {_wins(first)} and team {pair.ew} has {_wins(second)}: no other round without a "
        "meeting again brings the teams closer."
    )


def _round_robin(_tournament: Tournament, stage: StagePlay, number: int, _pair: Pairing) -> str:
    return f"Everybody meets everybody: this is meeting {number - stage.first + 1} of the circle."


def _elimination(_tournament: Tournament, stage: StagePlay, _number: int, pair: Pairing) -> str:
    seeds = {team: seed for seed, team in enumerate(stage.teams, 1)}
    slots = slots_of(stage)
    if pair.ns not in slots or pair.ew not in slots:
        return "The bracket brings them together."
    match = match_of(slots, pair.ns, pair.ew)
    return f"The bracket: match {match}, seed {seeds[pair.ns]} against seed {seeds[pair.ew]}."


def _play_off(tournament: Tournament, stage: StagePlay, _number: int, pair: Pairing) -> str:
    group = next((teams for teams in tied_groups(tournament, stage.plan.places) if pair.ns in teams), ())
    return f"{_teams(group)} share a place; one hand separates them." if group else "One hand separates them."


def _teams(numbers: Sequence[int]) -> str:
    ordered = sorted(numbers)
    return f"Teams {', '.join(str(number) for number in ordered[:-1])} and {ordered[-1]}"


def _wins(count: int) -> str:
    return "no win" if count == 0 else "1 win" if count == 1 else f"{count} wins"


_KINDS: Final[Mapping[str, Callable[[Tournament, StagePlay, int, Pairing], str]]] = {
    "rotation": _rotation,
    "swiss": _swiss,
    "round_robin": _round_robin,
    "elimination": _elimination,
    "play_off": _play_off,
}
