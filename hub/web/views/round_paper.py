"""A round on its own paper: who meets whom, who rests, who may change places, and why two teams meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hub.tournament.at_stages import swapped
from hub.tournament.stages import HandChange, StagePlay
from hub.tournament.state import Tournament
from hub.tournament.why_paired import met_in, why_paired
from hub.web.views.words import counted, players, time_of_day
from tallybox.events.hub import Pairing

BYES: Final = {
    "win": "Sitting out counts as a win.",
    "average": "Sitting out brings the average of the winning scores.",
    "zero": "Sitting out brings nothing.",
}


@dataclass(frozen=True, slots=True)
class Looked:
    """What the person looks at: one or two teams picked to change places, and a table to explain."""

    first: int | None = None
    second: int | None = None
    table: int | None = None


@dataclass(frozen=True, slots=True)
class ChipView:
    """A team in its place; ``href`` picks it, or gives it back."""

    number: int
    names: str
    href: str
    picked: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class PairView:
    """One table of the round."""

    table: int
    ns: ChipView
    ew: ChipView
    href: str
    changed: bool
    again: str
    looked: bool


@dataclass(frozen=True, slots=True)
class ByeView:
    """A team that sits out, and what the director gave it for that."""

    chip: ChipView
    given: str = ""


@dataclass(frozen=True, slots=True)
class SwapView:
    """Two teams that may change places: what would be, and what is worth knowing before."""

    first: int
    second: int
    sentences: tuple[str, ...]
    warns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhyView:
    """Why these two meet."""

    table: int
    teams: tuple[tuple[int, str], ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A change by hand; ``undo``: it can be taken back by a new one."""

    sentence: str
    reason: str
    by: str
    time: str
    first: int
    second: int
    undo: bool


@dataclass(frozen=True, slots=True)
class Paper:
    """A draft or a posted round, as far as its pairings go."""

    number: int
    stage: StagePlay
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...]
    changes: tuple[HandChange, ...]
    changeable: bool


@dataclass(frozen=True, slots=True)
class PaperView:
    """What stands on the paper, and what the person picked on it."""

    pairs: tuple[PairView, ...] = ()
    byes: tuple[ByeView, ...] = ()
    bye_rule: str = ""
    swap: SwapView | None = None
    picked: ChipView | None = None
    why: WhyView | None = None
    changes: tuple[ChangeView, ...] = ()
    changeable: bool = False

    @property
    def columns(self) -> str:
        """How many columns the pairings stand in."""
        return "few" if len(self.pairs) <= 14 else "some" if len(self.pairs) <= 28 else "many"


def on_paper(tournament: Tournament, paper: Paper, looked: Looked) -> PaperView:
    """The paper as somebody sees it who looks at ``looked``."""
    first = looked.first if paper.changeable and _stands(paper, looked.first) else None
    second = looked.second if first is not None and _stands(paper, looked.second) and looked.second != first else None
    chips = _Chips(tournament, paper, first)
    return PaperView(
        pairs=tuple(_pair(tournament, paper, pair, chips, looked) for pair in paper.pairings),
        byes=tuple(_bye(tournament, paper, team, chips) for team in paper.byes),
        bye_rule=BYES[paper.stage.plan.bye] if paper.byes else "",
        swap=None if first is None or second is None else _swap(tournament, paper, first, second),
        picked=None if first is None or second is not None else chips.of(first),
        why=_why(tournament, paper, looked.table),
        changes=_changes(paper),
        changeable=paper.changeable,
    )


def _stands(paper: Paper, team: int | None) -> bool:
    return team in paper.byes or any(team in (pair.ns, pair.ew) for pair in paper.pairings)


@dataclass(frozen=True, slots=True)
class _Chips:
    """Makes the chips; ``first`` is the team that was picked to change places."""

    tournament: Tournament
    paper: Paper
    first: int | None

    def of(self, team: int) -> ChipView:
        """A team as a chip."""
        entrant, known = self.tournament.entrants.get(team), self.tournament.teams.get(team)
        note = "" if entrant is None else "out" if entrant.out else "filler" if entrant.filler else ""
        picked = team == self.first
        if not self.paper.changeable:
            href = ""
        elif picked:
            href = "/rounds"
        else:
            href = f"/rounds?first={team}" if self.first is None else f"/rounds?first={self.first}&second={team}"
        return ChipView(team, "" if known is None else players(known), href, picked, note)


def _pair(tournament: Tournament, paper: Paper, pair: Pairing, chips: _Chips, looked: Looked) -> PairView:
    met = met_in(tournament, paper.stage.number, paper.number, pair)
    again = f"met in round {met[-1]}" if met else ""
    touched = {team for change in paper.changes for team in (change.first, change.second)}
    return PairView(
        pair.table, chips.of(pair.ns), chips.of(pair.ew), f"/rounds?table={pair.table}",
        bool({pair.ns, pair.ew} & touched), again, looked.table == pair.table,
    )  # fmt: skip


def _bye(tournament: Tournament, paper: Paper, team: int, chips: _Chips) -> ByeView:
    posted = tournament.round(paper.number)
    given = None if posted is None else posted.bye_scores.get(team)
    if given is None:
        return ByeView(chips.of(team))
    won = "a win, " if given.win else ""
    figures = f"{won}{counted(given.hands_won, 'hand', 'hands')}, {counted(given.points, 'point', 'points')}"
    return ByeView(chips.of(team), f"{figures}: “{given.reason}” ({given.by})")


def _swap(tournament: Tournament, paper: Paper, first: int, second: int) -> SwapView:
    pairings, byes = swapped(paper.pairings, paper.byes, first, second)
    sentences, warns = [], []
    for pair in pairings:
        if not {first, second} & {pair.ns, pair.ew}:
            continue
        sentences.append(f"Table {pair.table}: team {pair.ns} North–South, team {pair.ew} East–West.")
        warns += [
            f"Teams {pair.ns} and {pair.ew} met in round {before} already."
            for before in met_in(tournament, paper.stage.number, paper.number, pair)
        ]
        warns += [f"Team {team} is out." for team in (pair.ns, pair.ew) if tournament.entrants[team].out]
    sentences += [f"Team {team} sits out." for team in byes if team in (first, second)]
    return SwapView(first, second, tuple(sentences), tuple(warns))


def _why(tournament: Tournament, paper: Paper, table: int | None) -> WhyView | None:
    pair = next((each for each in paper.pairings if each.table == table), None)
    if pair is None:
        return None
    teams = tuple((team, players(tournament.teams[team])) for team in (pair.ns, pair.ew))
    return WhyView(pair.table, teams, why_paired(tournament, paper.stage, paper.number, pair, paper.changes))


def _changes(paper: Paper) -> tuple[ChangeView, ...]:
    standing = _standing(paper.changes)
    last = standing[-1] if standing and paper.changeable else None
    return tuple(
        ChangeView(
            f"Teams {change.first} and {change.second} changed places.", change.reason, change.by,
            time_of_day(change.at), change.first, change.second, change is last,
        )
        for change in reversed(paper.changes)
    )  # fmt: skip


def _standing(changes: Sequence[HandChange]) -> list[HandChange]:
    """The changes that no later one took back; only the last of them can be undone by one act."""
    kept: list[HandChange] = []
    for change in changes:
        if kept and {kept[-1].first, kept[-1].second} == {change.first, change.second}:
            kept.pop()
        else:
            kept.append(change)
    return kept
