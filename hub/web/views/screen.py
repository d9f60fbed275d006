"""What the screens for everybody share: the clock in large figures, the standings from accepted sheets, the bracket."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hub.clock import ClockState
from hub.tournament.published import published
from hub.tournament.standings import standings
from hub.tournament.state import Stage, Tournament
from hub.web.picture import Picture
from hub.web.views.bracket import ColumnView
from hub.web.views.bracket import bracket as bracket_view
from hub.web.views.frame import LAST_MINUTES
from hub.web.views.standings import SPADES, WHIST
from hub.web.views.words import count_word, players, signed
from tallybox.calls import Game
from tallybox.countdown import clock_text, seconds_left
from tallybox.rules.settings import WhistSettings


class Phase(StrEnum):
    """What the room does now."""

    NOTHING = "nothing"
    """No round is posted yet."""
    POSTED = "posted"
    PLAY = "play"
    BETWEEN = "between"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class BigClock:
    """The clock with what it counts. ``until``: ms by the hub's clock, while it runs; ``tone``: calm, warn or end."""

    text: str
    says: str
    until: int | None = None
    tone: str = "calm"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A team in the standings."""

    rank: str
    team: int
    names: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The standings as everybody may see them."""

    heads: tuple[str, ...]
    rows: tuple[Placed, ...]
    said: str


def phase(tournament: Tournament) -> Phase:
    """What the room does now."""
    on = tournament.current
    if tournament.over:
        return Phase.OVER
    if on is None:
        return Phase.NOTHING
    return {Stage.PUBLISHED: Phase.POSTED, Stage.STARTED: Phase.PLAY, Stage.ENDED: Phase.BETWEEN}[on.stage]


def big_clock(picture: Picture) -> BigClock | None:
    """The clock of this instant; ``None`` where nothing is counted."""
    tournament = picture.tournament
    match phase(tournament):
        case Phase.POSTED:
            return _before(picture)
        case Phase.BETWEEN:
            return _between(picture)
        case Phase.PLAY:
            return _playing(picture)
    return None


def _before(picture: Picture) -> BigClock | None:
    """Until the start, if it is announced; else the length of the round."""
    on, clock = picture.round, picture.tournament.clock
    assert on is not None
    if on.starts_at is not None:
        left = seconds_left(on.starts_at, picture.now)
        if left:
            return BigClock(clock_text(left), "Starts in", on.starts_at)
        return BigClock("00:00", "Starts now")
    if clock.state is ClockState.WAITING:
        return BigClock(clock_text(clock.seconds), "The round lasts")
    return None


def _between(picture: Picture) -> BigClock | None:
    """What is left of the break that the stage plans."""
    on, stage = picture.round, picture.tournament.stage
    planned = 0 if stage is None else stage.plan.intermission
    if on is None or on.ended_at is None or not planned:
        return None
    until = on.ended_at + planned * 60_000
    left = seconds_left(until, picture.now)
    return BigClock(clock_text(left), "Break", until) if left else None


def _playing(picture: Picture) -> BigClock | None:
    clock = picture.tournament.clock
    if clock.state is ClockState.RUNNING and clock.deadline is not None:
        left = seconds_left(clock.deadline, picture.now)
        tone = "end" if left == 0 else "warn" if left <= LAST_MINUTES else "calm"
        return BigClock(clock_text(left), "Time left", clock.deadline, tone)
    if clock.state in (ClockState.PAUSED, ClockState.HELD):
        left = -(-(clock.remaining or 0) // 1000)
        return BigClock(clock_text(left), "Paused" if clock.state is ClockState.PAUSED else "Held by the director")
    if clock.state is ClockState.ENDED:
        return BigClock("00:00", "Time is up", tone="end", note=_at_the_end(picture.tournament))
    return None


def _at_the_end(tournament: Tournament) -> str:
    """What the club's rules say of the hand that is on when time is up."""
    plan = tournament.plan
    policy = "director" if plan is None else plan.ruleset.settings.timeout_policy
    return {
        "finish_started": "Play out the hand that has begun, then sign the sheet.",
        "void_unfinished": "A hand that is not finished does not count. Sign the sheet.",
        "director": "Keep your cards. The director says how it goes on.",
    }[policy]


def ranking(picture: Picture, most: int | None = None) -> Ranking:
    """The standings from accepted sheets; the first ``most`` of them."""
    tournament = published(picture.tournament)
    whist = (picture.game or Game.BID_WHIST) is Game.BID_WHIST
    columns = WHIST if whist else SPADES
    rows = [row for row in standings(tournament) if row.rank]
    shown = (rows if most is None else rows[:most]) if _anything(tournament) else []
    return Ranking(
        heads=tuple(column.word for column in columns),
        rows=tuple(
            Placed(
                str(row.rank), row.team, players(tournament.teams[row.team]),
                tuple(signed(column.value(row)) for column in columns),
            )
            for row in shown
        ),
        said=_after(tournament),
    )  # fmt: skip


def _anything(tournament: Tournament) -> bool:
    """Whether any sheet is accepted, so that there is something to rank by."""
    return any(table.settled for posted in tournament.rounds for table in posted.tables.values())


def _after(tournament: Tournament) -> str:
    if not _anything(tournament):
        return "No sheet is accepted yet"
    if tournament.over:
        return "Final standings"
    ended = sum(1 for posted in tournament.rounds if posted.stage is Stage.ENDED)
    on = tournament.current
    if on is not None and on.stage is Stage.ENDED:
        return f"After round {count_word(ended)}"
    return "From accepted sheets"


def columns(picture: Picture, most_matches: int = 8) -> tuple[ColumnView, ...]:
    """The bracket's rounds from the first that has at most so many matches; empty before the play-offs."""
    seen = bracket_view(Picture(picture.now, published(picture.tournament)))
    return tuple(column for column in seen.columns if len(column.matches) <= most_matches)


def play_offs(picture: Picture, most_matches: int = 8) -> tuple[tuple[str, tuple[ColumnView, ...]], ...]:
    """Every stage of the play-offs with its rounds, the one that began last first; of a long one the last four."""
    seen = bracket_view(Picture(picture.now, published(picture.tournament)))
    return tuple(
        (stage.name, tuple(column for column in stage.columns if len(column.matches) <= most_matches)[-4:])
        for stage in reversed(seen.stages)
        if any(len(column.matches) <= most_matches for column in stage.columns)
    )


def odd_and_even(tournament: Tournament) -> bool:
    """Whether odd teams sit North–South and even ones East–West at every table of the round that is on."""
    on = tournament.current
    plan = tournament.plan
    if on is None or plan is None or not isinstance(plan.ruleset.settings, WhistSettings):
        return False
    return all(table.teams[0] % 2 == 1 and table.teams[1] % 2 == 0 for table in on.tables.values())
