"""The round that would come next, by the kind of the stage that is on: pure, and the same for the same ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from hub.errors import HubError
from hub.tournament.brackets import bracket_of
from hub.tournament.draw import Draw, Pair
from hub.tournament.entering import tied_groups
from hub.tournament.results import basis, history
from hub.tournament.rotation import Rotated, rotated
from hub.tournament.round_robin import round_robin, rounds_needed
from hub.tournament.stages import Basis, StagePlay
from hub.tournament.state import Plan, Tournament
from hub.tournament.swiss import next_round as next_swiss
from tallybox.errors import TallyboxError
from tallybox.events.hub import Pairing


@dataclass(frozen=True, slots=True)
class Proposal:
    """Who would meet whom in the next round of a stage, and what a director should know of it."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    rematches: tuple[tuple[int, int], ...] = ()
    note: str = ""


def propose(tournament: Tournament, stage: StagePlay) -> Proposal:
    """The next round of a stage that is not over.

    Raises ``HubError`` when none can be paired: ``too-few-teams``, ``no-legal-round``, ``no-winner``.
    """
    made, note = _KINDS[stage.plan.kind](tournament, stage)
    if not made.pairs:
        raise HubError(
            "too-few-teams", "No two teams are left to meet in this stage. End the stage, or bring one back."
        )
    tables = made.tables if isinstance(made, Rotated) else range(1, len(made.pairs) + 1)
    pairings = tuple(Pairing(table, pair.ns, pair.ew) for table, pair in zip(tables, made.pairs, strict=True))
    return Proposal(pairings, made.byes, made.rematches, note)


def stage_over(tournament: Tournament, stage: StagePlay) -> bool:
    """Whether the stage has nothing left to play, once the round that is on has ended."""
    rounds = rounds_in(stage)
    if rounds is not None and stage.plan.kind != "elimination":
        return len(tournament.rounds_of(stage.number)) >= rounds
    if stage.plan.kind == "elimination":
        return len(stage.teams) < 2 or bracket_of(tournament, stage).champion is not None
    return not tied_groups(tournament, stage.plan.places)


def rounds_in(stage: StagePlay) -> int | None:
    """How many rounds the stage has; ``None`` where the results decide it (a play-off for shared places)."""
    match stage.plan.kind:
        case "rotation" | "swiss":
            return stage.plan.rounds or 1
        case "round_robin":
            return rounds_needed(max(2, len(stage.teams)))
        case "elimination":
            return max(1, (len(stage.teams) - 1).bit_length())
        case _:
            return None


def rounds_in_all(tournament: Tournament) -> int:
    """How many rounds are known of by now: those of the stages that have begun, or of the first."""
    if not tournament.stages:
        return 0 if tournament.plan is None else tournament.plan.rounds
    before = sum(len(tournament.rounds_of(stage.number)) for stage in tournament.stages[:-1])
    last = tournament.stages[-1]
    posted = len(tournament.rounds_of(last.number))
    return before + (posted if last.ended else max(posted, rounds_in(last) or 1))


def rests_on(tournament: Tournament, stage: StagePlay) -> Basis:
    """The results that the next pairing of a stage follows from; a rotation and a round robin follow from none."""
    if stage.plan.kind in ("rotation", "round_robin"):
        return ()
    return basis(tournament.rounds_of(stage.number))


def _seed(tournament: Tournament, stage: StagePlay) -> str:
    plan = tournament.plan
    return f"{0 if plan is None else plan.seed}/{stage.number}"


def _gone(tournament: Tournament) -> frozenset[int]:
    return frozenset(number for number, entrant in tournament.entrants.items() if entrant.out)


def _rotation(tournament: Tournament, stage: StagePlay) -> tuple[Draw, str]:
    number = len(tournament.rounds_of(stage.number)) + 1
    plan = stage.plan
    try:
        made = rotated(stage.places, _gone(tournament), plan.rounds or 1, number, plan.even_rounds)
    except TallyboxError as reason:
        raise HubError(reason.code, reason.message) from None
    met = _met(tournament, stage)
    again = tuple(sorted(pair.teams for pair in made.pairs if pair.teams in met))
    return replace(made, rematches=again), _again(again)


def _swiss(tournament: Tournament, stage: StagePlay) -> tuple[Draw, str]:
    past = history(tournament, stage.number)
    plan: Plan | None = tournament.plan
    seed = (0 if plan is None else plan.seed) + stage.number
    try:
        return next_swiss(past, seed), ""
    except HubError as reason:
        if reason.code != "no-legal-round":
            raise
    made = next_swiss(past, seed, allow_rematch=True)
    return made, f"No round is left in which nobody meets again. {_again(made.rematches)} No other round has fewer."


def _round_robin(tournament: Tournament, stage: StagePlay) -> tuple[Draw, str]:
    number = len(tournament.rounds_of(stage.number)) + 1
    plan = tournament.plan
    made = round_robin(stage.teams, 0 if plan is None else plan.seed, _gone(tournament))
    return made[number - 1], ""


def _elimination(tournament: Tournament, stage: StagePlay) -> tuple[Draw, str]:
    number = len(tournament.rounds_of(stage.number)) + 1
    made = bracket_of(tournament, stage)
    ready = [match for match in made.matches if match.id in made.ready]
    if not ready:
        raise HubError("too-few-teams", "No match of the bracket has two teams. End the stage, or bring a team back.")
    first = min(match.round for match in ready)
    pairs = tuple(Pair(*match.teams) for match in ready if match.round == first and match.teams is not None)
    rest = [match.through for match in made.matches if match.round == first and match.through is not None]
    met = _met(tournament, stage)
    again = tuple(sorted(pair.teams for pair in pairs if pair.teams in met))
    note = " ".join(f"Teams {low} and {high} have no winner yet: they play again." for low, high in again)
    return Draw(number, pairs, tuple(rest), again), note


def _play_off(tournament: Tournament, stage: StagePlay) -> tuple[Draw, str]:
    """One hand for each two of the teams that share a place, drawn by lot; of an odd number the last rests."""
    number = len(tournament.rounds_of(stage.number)) + 1
    luck = Random(f"{_seed(tournament, stage)}/{number}")  # noqa: S311 (a published draw is repeatable, not secret)
    pairs: list[Pair] = []
    rest: list[int] = []
    for group in tied_groups(tournament, stage.plan.places):
        order = sorted(group)
        luck.shuffle(order)
        pairs += [Pair(ns, ew) for ns, ew in zip(order[::2], order[1::2], strict=False)]
        rest += order[-1:] if len(order) % 2 else []
    return Draw(number, tuple(pairs), tuple(rest)), "Drawn by lot among teams that share a place."


def _met(tournament: Tournament, stage: StagePlay) -> frozenset[tuple[int, int]]:
    return frozenset(
        (min(table.teams), max(table.teams))
        for posted in tournament.rounds_of(stage.number)
        for table in posted.tables.values()
    )


def _again(rematches: tuple[tuple[int, int], ...]) -> str:
    if not rematches:
        return ""
    named = ", ".join(f"{low} and {high}" for low, high in rematches[:6])
    more = f" and {len(rematches) - 6} more" if len(rematches) > 6 else ""
    return f"Teams that meet again: {named}{more}."


_KINDS: Final[Mapping[str, Callable[[Tournament, StagePlay], tuple[Draw, str]]]] = {
    "rotation": _rotation,
    "swiss": _swiss,
    "round_robin": _round_robin,
    "elimination": _elimination,
    "play_off": _play_off,
}
