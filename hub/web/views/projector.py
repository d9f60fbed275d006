"""The projector: what the whole room reads from across the hall, slide by slide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hub.tournament.next_round import rounds_in_all
from hub.tournament.state import Round, Tournament
from hub.web.picture import Picture
from hub.web.views.bracket import ColumnView
from hub.web.views.frame import RoundChip, chip
from hub.web.views.screen import BigClock, Phase, Placed, big_clock, odd_and_even, phase, play_offs, ranking
from hub.web.views.seat_map import MapTable, seat_map
from hub.web.views.words import count_word, counted

ROWS: Final = 14
"""Rows of a column that can be read across a hall."""
COLUMNS: Final = 3
"""Columns of pairings side by side."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """One table: who sits where."""

    table: int
    ns: int
    ew: int


@dataclass(frozen=True, slots=True)
class Slide:
    """One thing to read at a time, beside the clock. ``title`` names it for people who cannot see it."""

    kind: str
    title: str
    part: str = ""
    pairs: tuple[tuple[PairRow, ...], ...] = ()
    heads: tuple[str, ...] = ()
    places: tuple[tuple[Placed, ...], ...] = ()
    text: str = ""
    bracket: tuple[ColumnView, ...] = ()
    tables: tuple[MapTable, ...] = ()
    named: bool = False


@dataclass(frozen=True, slots=True)
class ProjectorView:
    """The whole screen. ``whole``: the clock takes all of it; ``first``: the slide that is shown before scripts run."""

    title: str
    phase: Phase
    heading: str
    line: str
    chip: RoundChip | None
    clock: BigClock | None
    podium: tuple[Placed, ...]
    do: tuple[str, ...]
    hint: str
    whole: bool
    said: str
    announcement: str
    slides: tuple[Slide, ...]
    first: int
    public: bool
    now: int


def projector(picture: Picture, at: int = 0, *, public: bool) -> ProjectorView:
    """The screen at this instant, with the slide ``at`` shown first; ``public``: phones can open the public page."""
    tournament, now = picture.tournament, phase(picture.tournament)
    on, clock = tournament.current, big_clock(picture)
    whole = now is Phase.PLAY and clock is not None
    slides = () if whole else _slides(picture, now)
    return ProjectorView(
        title=tournament.title or "Tallybox",
        phase=now,
        heading=_heading(on, now),
        line=_line(tournament, on, now),
        chip=None if on is None else chip(on.number, max(on.number, rounds_in_all(tournament))),
        clock=clock,
        podium=ranking(picture, 3).rows if now is Phase.OVER else (),
        do=_do(now),
        hint="Odd sit North–South, even East–West." if now is Phase.POSTED and odd_and_even(tournament) else "",
        whole=whole,
        said=_said(on) if now is Phase.PLAY else "",
        announcement=tournament.announcement,
        slides=slides,
        first=at % len(slides) if slides else 0,
        public=public,
        now=picture.now,
    )


def _heading(on: Round | None, now: Phase) -> str:
    if now is Phase.OVER:
        return "Final standings"
    if on is None:
        return "Welcome"
    return f"Round {count_word(on.number)}{' is over' if now is Phase.BETWEEN else ''}"


def _line(tournament: Tournament, on: Round | None, now: Phase) -> str:
    if on is None:
        return "The first round is not posted yet." if tournament.plan is not None else "There is no tournament yet."
    if now is Phase.OVER:
        return "Thank you for playing."
    if now is Phase.BETWEEN:
        return f"Round {count_word(on.number + 1)} is not posted yet."
    hands = counted(on.hands, "hand", "hands")
    length = counted(on.minutes, "minute", "minutes") if on.minutes else "no clock"
    return f"{chip(on.number, on.number).name} sheet · {hands} · {length}"


def _do(now: Phase) -> tuple[str, ...]:
    return ("Find your team number.", "Go to that table now.") if now is Phase.POSTED else ()


def _said(on: Round | None) -> str:
    """How far the room is: sheets in, of how many tables."""
    if on is None:
        return ""
    done = sum(1 for table in on.tables.values() if table.settled)
    return f"{done} of {counted(len(on.tables), 'sheet', 'sheets')} in"


def _slides(picture: Picture, now: Phase) -> tuple[Slide, ...]:
    tournament = picture.tournament
    slides: list[Slide] = []
    if now in (Phase.POSTED, Phase.PLAY) and tournament.current is not None:
        slides += [*_pairings(tournament.current), *_seats(tournament.current)]
    if tournament.announcement:
        slides.append(Slide("told", "Announcement", text=tournament.announcement))
    if now in (Phase.BETWEEN, Phase.OVER) or len(tournament.rounds) > 1:
        slides += _standings(picture)
    slides += [Slide("bracket", name, bracket=rounds) for name, rounds in play_offs(picture)]
    return tuple(slides)


def _pairings(on: Round) -> list[Slide]:
    """All tables, and who sits out after them."""
    rows = [PairRow(table.table, *table.teams) for table in on.tables.values()]
    per_slide = ROWS * COLUMNS
    parts = [rows[start : start + per_slide] for start in range(0, len(rows), per_slide)]
    slides = [
        Slide(
            "pairs", "Pairings", f"{number} of {len(parts)}" if len(parts) > 1 else "",
            pairs=tuple(tuple(part[start : start + ROWS]) for start in range(0, len(part), ROWS)),
        )
        for number, part in enumerate(parts, start=1)
    ]  # fmt: skip
    if on.byes:
        teams = ", ".join(str(team) for team in on.byes)
        word = "Team" if len(on.byes) == 1 else "Teams"
        slides.append(Slide("told", "Sits out", text=f"{word} {teams}: you sit out this round."))
    return slides


def _seats(on: Round) -> list[Slide]:
    """The tables as they stand in the room, with who sits where."""
    parts = seat_map(on)
    return [
        Slide(
            "seats", "Seats", f"{number} of {len(parts)}" if len(parts) > 1 else "", tables=part,
            named=bool(part[0].players),
        )
        for number, part in enumerate(parts, start=1)
    ]  # fmt: skip


def _standings(picture: Picture) -> list[Slide]:
    """One column with names where all fit in it, else two columns of numbers."""
    seen = ranking(picture)
    if not seen.rows:
        return []
    named = len(seen.rows) <= ROWS
    per_slide = ROWS if named else 2 * ROWS
    parts = [seen.rows[start : start + per_slide] for start in range(0, len(seen.rows), per_slide)]
    return [
        Slide(
            "places", "Standings", seen.said + (f" · {number} of {len(parts)}" if len(parts) > 1 else ""),
            heads=seen.heads, places=tuple(part[start : start + ROWS] for start in range(0, len(part), ROWS)),
            named=named,
        )
        for number, part in enumerate(parts, start=1)
    ]  # fmt: skip
