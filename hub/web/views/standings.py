"""The standings with the number that decides between neighbours, and how far the tables are."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hub.tournament.standings import UNPLACED, Row, ranking_stages
from hub.tournament.standings import standings as ranked
from hub.tournament.state import Tournament
from hub.tournament.why import why as why_sentence
from hub.web.picture import Picture
from hub.web.views.words import count_word, counted, players, signed
from tallybox.calls import Game
from tallybox.renewed import renewed


@dataclass(frozen=True, slots=True)
class Column:
    """One figure that ranks, in the order in which it decides. ``less`` is better for bags."""

    word: str
    noun: str
    value: Callable[[Row], int]
    less: bool = False


WHIST: Final = (
    Column("Hands won", "hands won", lambda row: row.hands_won),
    Column("Points", "points", lambda row: row.points),
    Column("Bostons", "Bostons", lambda row: row.bostons),
)
SPADES: Final = (
    Column("Games won", "games won", lambda row: row.wins),
    Column("Net points", "net points", lambda row: row.net_points),
    Column("Bags", "bags", lambda row: row.bags, less=True),
)
ORDERS: Final = {
    Game.BID_WHIST: "Order: hands won, then points, then Bostons. Teams that are equal in all three share a rank.",
    Game.SPADES: "Order: games won, then net points, then fewer bags. Teams that are equal in all three share a rank.",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure, and whether it is the one that decides."""

    text: str
    decides: bool = False


@dataclass(frozen=True, slots=True)
class RowView:
    """One team: rank (0: it does not rank), number, players, figures, and why it stands here.

    ``cut``: the line is drawn below it. ``notes``: byes and forfeits in words.
    """

    rank: int
    team: int
    players: str
    cells: tuple[Cell, ...]
    why: str
    cut: bool = False
    notes: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class BarView:
    """How many tables have finished so many hands; ``length`` of 1000."""

    word: str
    tables: int
    length: int


@dataclass(frozen=True, slots=True)
class Criterion:
    """One step of the comparison: both figures, and ``verdict``: equal, decides, or not needed."""

    word: str
    mine: str
    theirs: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Why a team stands where it does: against its rival, tie-break by tie-break, and in one sentence."""

    title: str
    team: int
    rival: int | None
    steps: tuple[Criterion, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class StageChoice:
    """A stage whose standings can be looked at."""

    number: int
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class StandingsView:
    """The whole page; ``first`` is the index of the column that ranks first.

    ``provisional`` says which sheets are missing still. ``cut`` explains the line. ``compared`` is the chosen team's.
    """

    columns: tuple[Column, ...]
    rows: tuple[RowView, ...]
    order: str
    bars: tuple[BarView, ...]
    recorded: int
    voids: int
    first: int = 0
    provisional: str = ""
    cut: str = ""
    stages: tuple[StageChoice, ...] = ()
    compared: Comparison | None = None
    placed: bool = False


def standings(picture: Picture, stage: int | None = None, team: int | None = None) -> StandingsView:
    """The running standings, from all hands recorded so far; with ``stage`` as they stood when that stage was on.

    ``team``: the one whose place is explained step by step; else the second, who always has somebody above.
    """
    game = picture.game or Game.BID_WHIST
    columns = WHIST if game is Game.BID_WHIST else SPADES
    seen = as_of(picture.tournament, stage)
    rows = ranked(seen)
    whys = _whys(rows, columns)
    last, cut_words = _cut(seen, rows)
    chosen = _chosen(rows, team)
    tables = [table for played in seen.rounds for table in played.tables.values()]
    return StandingsView(
        columns=columns,
        rows=tuple(
            _row(picture, row, columns, why, cut=place == last, chosen=chosen is not None and row.team == chosen.team)
            for place, (row, why) in enumerate(zip(rows, whys, strict=True), 1)
        ),
        order=ORDERS[game],
        bars=_bars(picture),
        recorded=sum(len(table.state.counting) for table in tables),
        voids=sum(len(table.state.hands) - len(table.state.counting) for table in tables),
        provisional=_provisional(seen),
        cut=cut_words,
        stages=_stages(picture.tournament, stage),
        compared=None if chosen is None else _compared(rows, chosen, columns, game),
        placed=any(row.place != UNPLACED for row in rows),
    )


def as_of(tournament: Tournament, stage: int | None) -> Tournament:
    """The tournament with the rounds up to a stage; the last one that began shows everything."""
    if stage is None or not 1 <= stage < len(tournament.stages):
        return tournament
    rounds = tuple(posted for posted in tournament.rounds if posted.of_stage <= stage)
    return renewed(tournament, stages=tournament.stages[:stage], rounds=rounds)


def _stages(tournament: Tournament, stage: int | None) -> tuple[StageChoice, ...]:
    """The stages that began, if there are several."""
    begun = tournament.stages
    if len(begun) < 2:
        return ()
    shown = stage if stage is not None and 1 <= stage <= len(begun) else len(begun)
    return tuple(StageChoice(play.number, play.plan.name, play.number == shown) for play in begun)


def _provisional(tournament: Tournament) -> str:
    """Which sheets the standings still wait for; empty when every counting round is in."""
    counting: Collection[int] = ranking_stages(tournament)
    waits = [
        (posted.number, len(posted.missing))
        for posted in tournament.rounds
        if posted.of_stage in counting and posted.missing
    ]
    if not waits:
        return ""
    said = " and ".join(f"{counted(count, 'sheet', 'sheets')} of round {count_word(number)}" for number, count in waits)
    one = sum(count for _, count in waits) == 1
    return f"Provisional: {said} {'is' if one else 'are'} not accepted yet."


def _cut(tournament: Tournament, rows: tuple[Row, ...]) -> tuple[int | None, str]:
    """After how many teams the line stands that the next stage draws, and what it means."""
    plan, played = tournament.plan, len(tournament.stages)
    if plan is None or not plan.stages or played >= len(plan.stages) + 1:
        return None, ""
    number = max(1, played)
    if number >= len(plan.stages):
        return None, ""
    coming = plan.stages[number]
    ranking = [row for row in rows if row.rank]
    if coming.kind == "play_off":
        place = coming.places
        words = f"The line marks the best {count_word(place)}; shared places above it are played off."
    elif coming.top is not None:
        place, words = coming.top, f"The line marks the best {count_word(coming.top)}, who go on to “{coming.name}”."
    elif coming.wins is not None:
        place = sum(row.wins >= coming.wins for row in ranking)
        words = f"Above the line: {coming.wins} wins or more, enough for “{coming.name}”."
    else:
        return None, ""
    return (place, words) if 0 < place < len(ranking) else (None, "")


def _row(
    picture: Picture, row: Row, columns: tuple[Column, ...], why: tuple[str, int | None], *, cut: bool, chosen: bool
) -> RowView:
    team = picture.tournament.teams.get(row.team)
    notes = [counted(row.byes, "bye", "byes")] if row.byes else []
    notes += [counted(row.forfeits, "game lost at the desk", "games lost at the desk")] if row.forfeits else []
    return RowView(
        rank=row.rank,
        team=row.team,
        players=players(team) if team else "",
        cells=tuple(Cell(signed(column.value(row)), index == why[1]) for index, column in enumerate(columns)),
        why=why[0],
        cut=cut,
        notes=", ".join(notes),
        chosen=chosen,
    )


def _whys(rows: tuple[Row, ...], columns: tuple[Column, ...]) -> list[tuple[str, int | None]]:
    """Why each team stands where it does, where the first figure alone does not tell."""
    said: list[tuple[str, int | None]] = [("" if row.rank else "does not rank", None) for row in rows]
    for index, (upper, lower) in enumerate(pairwise(rows)):
        if not (upper.rank and lower.rank):
            continue
        beyond = _beyond(upper, lower, columns)
        place = _deciding(upper, lower, columns)
        if upper.rank == lower.rank:
            text = (_shared(upper, lower.team), None)
            said[index + 1] = (_shared(upper, upper.team), None)
            said[index] = said[index] if said[index][0] else text
        elif beyond:
            said[index + 1] = (f"behind {upper.team} {beyond}", None)
            said[index] = said[index] if said[index][0] else (f"before {lower.team} {beyond}", None)
        elif place:
            said[index + 1] = (f"behind {upper.team} on {columns[place].noun}", place)
            if not said[index][0]:
                said[index] = (_beats(upper, lower, columns[place]), place)
    return said


def _shared(row: Row, other: int) -> str:
    if row.place == UNPLACED:
        return f"equal to {other} in everything: shared"
    return "still in the play-offs" if row.place == 1 else f"left the play-offs in the same round as {other}"


def _beyond(upper: Row, lower: Row, columns: tuple[Column, ...]) -> str:
    """What decides between two teams before or after all figures: the bracket, the one-hand play-off, the lot."""
    if upper.place != lower.place:
        return "in the play-offs" if UNPLACED not in (upper.place, lower.place) else "by reaching the play-offs"
    if upper.place != UNPLACED or _deciding(upper, lower, columns) is not None:
        return ""
    return "by the one-hand play-off" if upper.play_off != lower.play_off else "by lot"


def _beats(upper: Row, lower: Row, column: Column) -> str:
    more, less = signed(column.value(upper)), signed(column.value(lower))
    return f"beats {lower.team} on {'fewer ' if column.less else ''}{column.noun}, {more} to {less}"


def _deciding(upper: Row, lower: Row, columns: tuple[Column, ...]) -> int | None:
    return next((index for index, column in enumerate(columns) if column.value(upper) != column.value(lower)), None)


def _chosen(rows: tuple[Row, ...], team: int | None) -> Row | None:
    wanted = next((row for row in rows if row.team == team), None)
    ranking = [row for row in rows if row.rank]
    return wanted or (ranking[1] if len(ranking) > 1 else ranking[0] if ranking else None)


def _compared(rows: tuple[Row, ...], row: Row, columns: tuple[Column, ...], game: Game) -> Comparison:
    """The team against the one that shares its place, else the one above, else the one below."""
    sentence = why_sentence(rows, row.team, game)
    ranking = [other for other in rows if other.rank]
    title = f"Why is team {row.team} at place {row.rank}?" if row.rank else f"Why does team {row.team} not rank?"
    if not row.rank or len(ranking) < 2:
        return Comparison(title, row.team, None, (), sentence)
    place = ranking.index(row)
    equals = [other for other in ranking if other.rank == row.rank and other.team != row.team]
    rival = equals[0] if equals else ranking[place - 1] if place else ranking[1]
    return Comparison(title, row.team, rival.team, _steps(row, rival, columns), sentence)


def _steps(row: Row, rival: Row, columns: tuple[Column, ...]) -> tuple[Criterion, ...]:
    """Every figure that ranks, in order; the first that differs decides, and what follows is not needed."""
    pairs: list[tuple[str, str, str]] = []
    if UNPLACED not in (row.place, rival.place) or row.place != rival.place:
        pairs.append(("Play-offs", _place(row), _place(rival)))
    if UNPLACED in (row.place, rival.place):
        pairs += [
            (f"{column.word}{', fewer' if column.less else ''}", signed(column.value(row)), signed(column.value(rival)))
            for column in columns
        ]
        if row.play_off or rival.play_off:
            pairs.append(("One-hand play-off", _play_off(row), _play_off(rival)))
        if row.lot or rival.lot:
            pairs.append(("Lot", _lot(row), _lot(rival)))
    made: list[Criterion] = []
    decided = False
    for word, mine, theirs in pairs:
        verdict = "not needed" if decided else "equal" if mine == theirs else "decides"
        made.append(Criterion(word, mine, theirs, verdict))
        decided = decided or verdict == "decides"
    return tuple(made)


def _place(row: Row) -> str:
    if row.place == UNPLACED:
        return "not reached"
    return "in" if row.place == 1 else f"place {row.place}"


def _play_off(row: Row) -> str:
    return " ".join("lost" if lost else "won" for lost in row.play_off) or "none"


def _lot(row: Row) -> str:
    return str(row.lot) if row.lot else "none"


def _bars(picture: Picture) -> tuple[BarView, ...]:
    on = picture.round
    if on is None or not on.tables:
        return ()
    done = [len(table.state.counting) for table in on.tables.values()]
    most = max(on.hands, *done)
    counts = [sum(1 for hands in done if hands == number) for number in range(most + 1)]
    words = ["none", *(str(number) for number in range(1, most)), f"all {most}"]
    return tuple(
        BarView(word, count, round(1000 * count / max(counts))) for word, count in zip(words, counts, strict=True)
    )
