"""The list of teams: who is here, who is out, who plays where, found by number or name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hub.tournament.state import Stage, Tournament
from hub.tournament.teams import Entrant
from hub.web.picture import Picture
from hub.web.views.words import SIDE_WORDS

Fits = Callable[[Entrant], bool]

FILTERS: Final[tuple[tuple[str, str, Fits], ...]] = (
    ("all", "All", lambda _entrant: True),
    ("absent", "Not here", lambda entrant: not (entrant.checked_in or entrant.out or entrant.filler)),
    ("here", "Here", lambda entrant: entrant.checked_in and not entrant.out),
    ("out", "Out", lambda entrant: entrant.out),
    ("filler", "Fillers", lambda entrant: entrant.filler),
    ("proxy", "With a proxy", lambda entrant: bool(entrant.proxies)),
    ("noted", "With a note", lambda entrant: bool(entrant.notes)),
)
LONGEST_SEARCH: Final = 64


@dataclass(frozen=True, slots=True)
class FilterView:
    """A filter with how many teams fit it."""

    key: str
    word: str
    count: int
    current: bool


@dataclass(frozen=True, slots=True)
class StateView:
    """A word about a team with its shape; ``tone`` colours it."""

    word: str
    icon: str
    tone: str


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One team of the list. ``here``: checked in; ``can_check``: it can be checked in or out."""

    number: int
    names: tuple[str, str]
    states: tuple[StateView, ...]
    here: bool
    can_check: bool
    where: str
    href: str


@dataclass(frozen=True, slots=True)
class TeamsView:
    """The whole list."""

    rows: tuple[TeamRow, ...]
    filters: tuple[FilterView, ...]
    shown: str
    found: str
    teams: int
    here: int
    open_entry: bool
    exists: bool

    @property
    def uses_check_in(self) -> bool:
        """Whether anybody has been checked in at all."""
        return self.here > 0


def teams(picture: Picture, shown: str = "all", wanted: str = "") -> TeamsView:
    """The teams in one state whose number or names hold what is ``wanted``."""
    tournament = picture.tournament
    entrants = sorted(tournament.entrants.values(), key=lambda entrant: entrant.number)
    known = {key: fits for key, _word, fits in FILTERS}
    chosen = shown if shown in known else "all"
    search = " ".join(wanted.split())[:LONGEST_SEARCH]
    rows = [_row(tournament, entrant) for entrant in entrants if known[chosen](entrant) and _found(entrant, search)]
    filters = tuple(
        FilterView(key, word, sum(1 for entrant in entrants if fits(entrant)), key == chosen)
        for key, word, fits in FILTERS
    )
    return TeamsView(
        tuple(rows), tuple(each for each in filters if each.count or each.key in ("all", "absent") or each.current),
        chosen, search, len(entrants), sum(entrant.checked_in and not entrant.out for entrant in entrants),
        open_entry=not tournament.rounds, exists=tournament.plan is not None,
    )  # fmt: skip


def states(entrant: Entrant) -> tuple[StateView, ...]:
    """What is to be said of a team, most important first."""
    made: list[StateView] = []
    if entrant.disqualified is not None:
        made.append(StateView("Disqualified", "cross", "bad"))
    elif entrant.withdrawn is not None:
        made.append(StateView("Withdrawn", "cross", "gone"))
    if entrant.checked_in and not entrant.out:
        made.append(StateView("Here", "check", "good"))
    if entrant.filler:
        made.append(StateView("Filler", "nobox", "plain"))
    if entrant.late:
        made.append(StateView("Late entry", "clock", "plain"))
    if entrant.proxies:
        made.append(StateView("Proxy", "swap", "plain"))
    if entrant.notes:
        made.append(StateView("Note" if len(entrant.notes) == 1 else f"{len(entrant.notes)} notes", "pen", "caution"))
    return tuple(made)


def where_now(tournament: Tournament, team: int) -> tuple[str, str]:
    """Where the team is in the round that is posted, and the way there."""
    on = tournament.current
    if on is None:
        return "", ""
    table = on.table_of(team)
    if table is None:
        return ("sits out" if team in on.byes else "not in this round"), ""
    if on.stage is Stage.ENDED:
        return f"was at table {table.table}", f"/rounds/{on.number}/tables/{table.table}"
    return f"table {table.table}, {SIDE_WORDS[table.side_of(team)]}", f"/tables/{table.table}"


def _row(tournament: Tournament, entrant: Entrant) -> TeamRow:
    where, href = where_now(tournament, entrant.number)
    return TeamRow(
        entrant.number, entrant.playing, states(entrant), entrant.checked_in, not entrant.out,
        "" if entrant.out else where, href,
    )  # fmt: skip


def _found(entrant: Entrant, search: str) -> bool:
    if not search:
        return True
    if search.isdecimal():
        return str(entrant.number).startswith(search)
    names = " ".join((*entrant.names, *entrant.playing)).casefold()
    return all(part in names for part in search.casefold().split())
