"""When the tournament will be over, from the rounds that are left and how long they took so far. Pure; ms since 1970.

A round takes its minutes and what the rounds so far took beyond them, until the last sheet was in. Before each of the
others lies its break: as the rounds so far were spaced, or as the stage plans it.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from hub.clock import ClockState
from hub.tournament.clock_log import started_at
from hub.tournament.entering import tied_groups
from hub.tournament.next_round import rounds_in
from hub.tournament.state import Round, Stage, Tournament
from tallybox.events.hub import StagePlanned


@dataclass(frozen=True, slots=True)
class ExpectedEnd:
    """``at``: when the last round should be over. ``rounds``: how many are left after the one that is on.

    ``round_ms`` and ``break_ms``: what each of them was reckoned with. ``measured``: how many rounds they come from,
    0 for the plan alone. ``open_ended``: a stage follows whose rounds nobody can count yet.
    """

    at: int
    rounds: int
    round_ms: int
    break_ms: int
    measured: int
    open_ended: bool


def expected_end(tournament: Tournament, now: int) -> ExpectedEnd | None:
    """The expected end; ``None`` when it is over, or nothing tells how long a round takes."""
    plan = tournament.plan
    if plan is None or tournament.over:
        return None
    took = _took(tournament)
    over = _over_the_clock(tournament)
    breaks = _breaks(tournament)
    left, open_ended = _rounds_left(tournament)
    stage = tournament.stage.plan if tournament.stage is not None else plan.stages[0] if plan.stages else None
    round_ms = _round_ms(stage, plan.minutes, took, over)
    if round_ms is None:
        return None
    break_ms = round(mean(breaks)) if breaks else _planned_break(stage)
    on = tournament.current
    free = now if on is None or on.stage is Stage.ENDED else _current_end(tournament, on, now, round_ms, over)
    waits = break_ms
    if on is not None and on.stage is Stage.ENDED and on.ended_at is not None:
        waits = max(0, on.ended_at + break_ms - now)
    elif on is None:
        waits = 0
    rest = 0 if not left else waits + left * round_ms + (left - 1) * break_ms
    return ExpectedEnd(free + rest, left, round_ms, break_ms, len(took), open_ended)


def _current_end(tournament: Tournament, on: Round, now: int, round_ms: int, over: list[int]) -> int:
    """When the round that is on should be over."""
    clock = tournament.clock
    late = round(mean(over)) if over else 0
    match clock.state:
        case ClockState.RUNNING:
            return max(now, (clock.deadline or now) + late)
        case ClockState.PAUSED | ClockState.HELD:
            return now + clock.left(now) + late
        case ClockState.WAITING:
            return (on.starts_at or now) + clock.seconds * 1_000 + late
        case ClockState.ENDED:
            return now + late
        case _:
            begun = started_at(tournament.turns, on.number) or on.posted_at or now
            return max(now, begun + round_ms)


def _round_ms(stage: StagePlanned | None, minutes: int | None, took: list[int], over: list[int]) -> int | None:
    """How long a round takes: its clock and what came after it, or as the untimed rounds did."""
    timed = stage.minutes if stage is not None else minutes
    if timed is not None:
        return max(60_000, timed * 60_000 + (round(mean(over)) if over else 0))
    return round(mean(took)) if took else None


def _planned_break(stage: StagePlanned | None) -> int:
    return 0 if stage is None else max(stage.notice, stage.intermission) * 60_000


def _took(tournament: Tournament) -> list[int]:
    """How long each round that is over took, from its start to its end."""
    return [
        posted.ended_at - begun
        for posted in tournament.rounds
        if posted.ended_at is not None and (begun := _begun(tournament, posted)) is not None
    ]


def _over_the_clock(tournament: Tournament) -> list[int]:
    """By how much each timed round that is over took longer than its minutes; negative where it was done before."""
    return [
        posted.ended_at - begun - posted.minutes * 60_000
        for posted in tournament.rounds
        if posted.ended_at is not None and posted.minutes is not None
        if (begun := _begun(tournament, posted)) is not None
    ]


def _breaks(tournament: Tournament) -> list[int]:
    """How long the room waited between one round's end and the next one's start."""
    pairs = zip(tournament.rounds, tournament.rounds[1:], strict=False)
    return [
        max(0, begun - before.ended_at)
        for before, after in pairs
        if before.ended_at is not None and (begun := _begun(tournament, after)) is not None
    ]


def _begun(tournament: Tournament, posted: Round) -> int | None:
    if posted.stage is Stage.PUBLISHED:
        return None
    return started_at(tournament.turns, posted.number) or posted.posted_at


def _rounds_left(tournament: Tournament) -> tuple[int, bool]:
    """How many rounds come after the one that is on, and whether more may follow that nobody can count yet."""
    plan, stage = tournament.plan, tournament.stage
    assert plan is not None
    left, open_ended = 0, False
    if stage is None:
        left += plan.stages[0].rounds or 1 if plan.stages else plan.rounds
    elif not stage.ended:
        all_of_it = rounds_in(stage)
        played = len(tournament.rounds_of(stage.number))
        left += 0 if all_of_it is None else max(0, all_of_it - played)
        open_ended = all_of_it is None and bool(tied_groups(tournament, stage.plan.places))
    for planned in plan.stages[(1 if stage is None else stage.number) :]:
        if planned.kind == "play_off":
            continue
        count = planned.rounds or _halvings(planned.top)
        left += count or 0
        open_ended = open_ended or count is None
    return left, open_ended


def _halvings(entrants: int | None) -> int | None:
    """The rounds of an elimination of so many teams; ``None`` while nobody knows how many enter."""
    return None if entrants is None else max(1, (entrants - 1).bit_length())
