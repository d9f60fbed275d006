"""A run: evening after evening until its minutes are over, and what it came to."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from deploy.chaos.errors import ChaosError
from deploy.chaos.evening import LOOK, Count, Evening, Tell, evening
from deploy.chaos.points import FaultPoint
from deploy.chaos.room import Play
from deploy.chaos.schedule import Fault, schedule

LONG_MINUTES: Final = 10.0
"""From so many minutes on, a run has had time for every point several times, and one it never struck fails it."""

MOST_MINUTES: Final = 1_440.0
MOST_TABLES: Final = 20


@dataclass(frozen=True, slots=True)
class Plan:
    """A run of so many minutes of play; ``play`` says what each evening is."""

    minutes: float
    play: Play

    def checked(self) -> Plan:
        """The plan itself; raises ``ChaosError`` for figures that make no run."""
        play = self.play
        if not 0 < self.minutes <= MOST_MINUTES:
            raise ChaosError("bad-plan", f"A run has more than 0 and at most {MOST_MINUTES:.0f} minutes.")
        if not 1 <= play.tables <= MOST_TABLES:
            raise ChaosError("bad-plan", f"A room under chaos has 1 to {MOST_TABLES} tables.")
        if not 1 <= play.speed <= 1_000:
            raise ChaosError("bad-plan", "Robots play at a speed between 1 and 1000.")
        if play.hands is not None and not 1 <= play.hands <= 20:
            raise ChaosError("bad-plan", "A round has 1 to 20 hands.")
        if not 0 <= play.seed < 2**53:
            raise ChaosError("bad-plan", "A seed is a whole number from 0 on.")
        return self


def run(plan: Plan, folder: Path, tell: Tell) -> Count:
    """Play and strike for the plan's minutes, an evening a folder; raises ``ChaosError`` when no room comes up."""
    count = Count()
    seconds = plan.minutes * 60
    boxes = [f"K-{number:02}" for number in range(1, plan.play.tables + 1)]
    waiting = list(schedule(plan.play.seed, seconds, boxes))
    played = 0.0
    while played < seconds:
        count.evenings += 1
        home = folder / f"evening-{count.evenings}"
        tell(
            f"Evening {count.evenings}, after {played:.0f} s of {seconds:.0f}; {len(waiting)} faults are still to come."
        )
        play = replace(plan.play, seed=plan.play.seed + count.evenings - 1)
        with evening(home, play, count, tell) as held:
            played += _struck(held, waiting, played, seconds)
            held.rest()
            held.counted()
    judged(plan, count)
    return count


def judged(plan: Plan, count: Count) -> None:
    """A long run that never struck a point did not try what it is there to try."""
    if plan.minutes >= LONG_MINUTES:
        for point in never_struck(count):
            count.findings.append(f"A run of {plan.minutes:g} minutes never struck {point.value}.")


def never_struck(count: Count) -> tuple[FaultPoint, ...]:
    """The points that nothing came of."""
    return tuple(point for point in FaultPoint if not count.struck[point])


def _struck(held: Evening, waiting: list[Fault], before: float, seconds: float) -> float:
    """Strike what is due until the evening is over or the run's time is; the seconds it took."""
    began = time.monotonic()
    while True:
        played = time.monotonic() - began
        if held.look() or before + played >= seconds:
            return played
        while waiting and waiting[0].at <= before + played:
            held.strike(waiting.pop(0))
        time.sleep(LOOK)


def answer(plan: Plan, count: Count, kept: Path | None) -> dict[str, object]:
    """What a run came to, as one JSON object; ``kept``: where its folder still is."""
    play = plan.play
    return {
        "ok": not count.findings,
        "seed": play.seed,
        "minutes": plan.minutes,
        "broker": play.broker,
        "template": play.template,
        "tables": play.tables,
        "evenings": count.evenings,
        "events": count.events,
        "hands": count.hands,
        "branches": count.branches,
        "struck": {point.value: count.struck[point] for point in FaultPoint},
        "no_time_for": [point.value for point in never_struck(count)],
        "findings": list(count.findings),
        "data": None if kept is None else str(kept),
    }
