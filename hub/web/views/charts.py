"""Charts with their numbers: the pace of the room, and points by round. Pure geometry; colours are the page's."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hub.tournament.standings import Row, ranking_stages, tallied
from hub.tournament.standings import standings as ranked
from hub.tournament.state import Round, TableRound
from hub.web.picture import Picture
from hub.web.views.words import players, signed
from tallybox.calls import Game
from tallybox.renewed import renewed
from tallybox.table.overlay import counting

WIDTH: Final = 340
HEIGHT: Final = 210
LEFT: Final = 40
RIGHT: Final = 14
TOP: Final = 12
BOTTOM: Final = 30
MOST_SAMPLES: Final = 24
MOST_PALE: Final = 60
"""Lines of other teams in one chart; more say nothing."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where it stands, and its word."""

    at: float
    word: str


@dataclass(frozen=True, slots=True)
class PaceRow:
    """One row of the numbers under the pace: hands done by that minute."""

    minute: int
    slowest: str
    mean: str
    fastest: str
    plan: str


@dataclass(frozen=True, slots=True)
class PaceChart:
    """Hands done by minute: the mean as a line, from the slowest to the fastest tenth as a band, the plan dashed.

    ``band`` and ``line`` are points ``x,y``; ``plan`` is empty in an untimed round. ``dot``: where the room is now.
    """

    width: int
    height: int
    line: str
    band: str
    plan: str
    plan_end: tuple[float, float] | None
    dot: tuple[float, float]
    now: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    rows: tuple[PaceRow, ...]
    says: str


@dataclass(frozen=True, slots=True)
class TeamLine:
    """One team's figure after each round."""

    team: int
    players: str
    points: str
    ends: tuple[float, float]
    sums: tuple[str, ...]
    each: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundsChart:
    """Points by round, summed up: the chosen team thick with a mark at each round, the leader dashed, others pale.

    ``rows`` are the numbers of every team, best first.
    """

    width: int
    height: int
    word: str
    chosen: TeamLine
    leader: TeamLine | None
    pale: tuple[str, ...]
    marks: tuple[tuple[float, float], ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    rounds: tuple[int, ...]
    rows: tuple[TeamLine, ...]
    zero: float | None
    says: str


def pace_chart(picture: Picture) -> PaceChart | None:
    """The pace of the round that is on; ``None`` before the first deal, or where no box knows the time."""
    on = picture.round
    if on is None:
        return None
    start = _begun(on)
    if start is None:
        return None
    done = [sorted(_recorded(table)) for table in on.tables.values()]
    last = max((when for each in done for when in each), default=start)
    end = picture.now if any(not table.submitted for table in on.tables.values()) else last
    elapsed = max(1, -(-(end - start) // 60_000))
    span = max(elapsed, on.minutes or 0)
    most = max(on.hands if on.minutes is not None else 1, *(len(each) for each in done), 1)
    samples = _samples(elapsed)
    stats = [_stats(done, start + minute * 60_000) for minute in samples]
    scale = _Scale(span, 0, most)
    rows = tuple(_pace_row(minute, stat, on) for minute, stat in zip(samples, stats, strict=True))
    mean = stats[-1][1]
    return PaceChart(
        width=WIDTH,
        height=HEIGHT,
        line=_points(scale.at(minute, stat[1]) for minute, stat in zip(samples, stats, strict=True)),
        band=_points(
            [scale.at(minute, stat[2]) for minute, stat in zip(samples, stats, strict=True)]
            + [scale.at(minute, stat[0]) for minute, stat in reversed(list(zip(samples, stats, strict=True)))]
        ),
        plan=_points([scale.at(0, 0), scale.at(on.minutes, on.hands)]) if on.minutes else "",
        plan_end=scale.at(on.minutes, on.hands) if on.minutes else None,
        dot=scale.at(samples[-1], mean),
        now=f"{mean:.1f}",
        across=tuple(Tick(scale.x(minute), str(minute)) for minute in _steps(span)),
        up=tuple(Tick(scale.y(hands), str(hands)) for hands in _steps(most)),
        rows=rows,
        says=_pace_says(rows[-1], on),
    )


def rounds_chart(picture: Picture, team: int | None) -> RoundsChart | None:
    """The figures by round with one team emphasised (else the leader); ``None`` before the second hand is in."""
    tournament = picture.tournament
    numbers = [posted.number for posted in tournament.rounds if posted.of_stage in ranking_stages(tournament)]
    order = [row for row in ranked(tournament) if row.rank]
    if not numbers or not order or not any(table.score for played in tournament.rounds for table in
                                           played.tables.values()):  # fmt: skip
        return None
    whist = picture.game is Game.BID_WHIST
    after = [
        tallied(renewed(tournament, rounds=tuple(r for r in tournament.rounds if r.number <= number)))
        for number in numbers
    ]
    sums = {row.team: [_figure(each[row.team], whist=whist) for each in after] for row in order}
    chosen = team if team in sums else order[0].team
    low = min(0, *(value for values in sums.values() for value in values))
    high = max(1, *(value for values in sums.values() for value in values))
    scale = _Scale(len(numbers), low, high)
    lines = tuple(_line(picture, row.team, sums[row.team], scale) for row in order)
    known = {line.team: line for line in lines}
    first = order[0].team
    return RoundsChart(
        width=WIDTH,
        height=HEIGHT,
        word="points" if whist else "net points",
        chosen=known[chosen],
        leader=None if first == chosen else known[first],
        pale=tuple(line.points for line in lines[:MOST_PALE] if line.team not in (chosen, first)),
        marks=tuple(scale.at(place, value) for place, value in enumerate(sums[chosen], 1)),
        across=tuple(Tick(scale.x(place), str(number)) for place, number in enumerate(numbers, 1)),
        up=tuple(Tick(scale.y(value), signed(value)) for value in _steps(high, low)),
        rounds=tuple(numbers),
        rows=lines,
        zero=scale.y(0) if low < 0 else None,
        says=f"Team {chosen} has {signed(sums[chosen][-1])} {'points' if whist else 'net points'} after "
        f"{len(numbers)} {'round' if len(numbers) == 1 else 'rounds'}; the most is {signed(high)}.",
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """From values to the picture: across 0 to ``span``, up ``low`` to ``high``."""

    span: int
    low: int
    high: int

    def x(self, value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * value / max(1, self.span), 1)

    def y(self, value: float) -> float:
        part = (value - self.low) / max(1, self.high - self.low)
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part, 1)

    def at(self, across: float, up: float) -> tuple[float, float]:
        return self.x(across), self.y(up)


def _begun(on: Round) -> int | None:
    """When the first deal of the round began, by the boxes whose clocks are set (ms)."""
    times = [
        event.at.wall
        for table in on.tables.values()
        for event in table.journal
        if event.type == "hand.opened" and event.at.synced
    ]
    return min(times, default=None)


def _recorded(table: TableRound) -> list[int]:
    """When the hands that count were recorded (ms): the first record of each; a sheet from paper comes all at once."""
    many = len(counting(table.state))
    if table.paper:
        entered = [done.at for done in table.done if done.what == "sheet.entered"]
        return entered[-1:] * many
    first: dict[object, int] = {}
    for event in table.journal:
        if event.type == "hand.recorded" and event.at.synced:
            first.setdefault(event.body.get("hand"), event.at.wall)
    return sorted(first.values())[:many]


def _samples(elapsed: int) -> list[int]:
    """The minutes that are looked at: every one, or as many steps as the chart bears."""
    step = -(-elapsed // MOST_SAMPLES)
    return [*range(0, elapsed, step), elapsed]


def _stats(done: Sequence[Sequence[int]], until: int) -> tuple[int, float, int]:
    """Hands done by then: the slowest tenth, the mean, the fastest tenth."""
    counts = sorted(bisect_right(each, until) for each in done)
    tenth = len(counts) // 10
    return counts[tenth], sum(counts) / len(counts), counts[-1 - tenth]


def _pace_row(minute: int, stat: tuple[int, float, int], on: Round) -> PaceRow:
    plan = f"{on.hands * min(1.0, minute / on.minutes):.1f}" if on.minutes else ""
    return PaceRow(minute, str(stat[0]), f"{stat[1]:.1f}", str(stat[2]), plan)


def _pace_says(row: PaceRow, on: Round) -> str:
    plan = f", the plan is {row.plan}" if row.plan else ""
    hands = f" of {on.hands}" if on.minutes is not None else ""
    return (
        f"After {row.minute} {'minute' if row.minute == 1 else 'minutes'} the tables have done {row.mean}{hands} hands "
        f"on average{plan}; the slowest tenth {row.slowest}, the fastest {row.fastest}."
    )


def _figure(row: Row, *, whist: bool) -> int:
    return row.points if whist else row.net_points


def _line(picture: Picture, team: int, sums: Sequence[int], scale: _Scale) -> TeamLine:
    known = picture.tournament.teams.get(team)
    each = [value - before for value, before in zip(sums, [0, *sums[:-1]], strict=True)]
    return TeamLine(
        team,
        players(known) if known is not None else "",
        _points([scale.at(0, 0), *(scale.at(place, value) for place, value in enumerate(sums, 1))]),
        scale.at(len(sums), sums[-1]),
        tuple(map(signed, sums)),
        tuple(map(signed, each)),
    )


def _points(pairs: Iterable[tuple[float, float]]) -> str:
    """Points as an SVG attribute."""
    return " ".join(f"{x:g},{y:g}" for x, y in pairs)


def _steps(high: int, low: int = 0) -> list[int]:
    """Round numbers from ``low`` to ``high``, at most six or so."""
    for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_500, 10_000, 100_000):
        if (high - low) <= 5 * step:
            break
    return list(range(-(-low // step) * step, high + 1, step))
