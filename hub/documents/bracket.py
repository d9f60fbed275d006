"""The bracket on paper, as far as it has come; large ones go over pages, quarter by quarter, then the last rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from hub.documents.frame import LABEL, LEFT, MARGIN
from hub.documents.lists import TOP, ListHead, draw_list_foot, draw_list_head
from hub.documents.paper import CARD, INK, INK2, LINE, Paper
from hub.documents.pen import Align, Pen, Style, Weight
from hub.tournament.bracket import Entrant, Match, NoEntrant, Slot
from hub.tournament.brackets import bracket_of, eliminations
from hub.tournament.results import results
from hub.tournament.stages import StagePlay
from hub.tournament.state import Tournament
from hub.web.views.words import players, signed

DEEPEST: Final = 4
"""Rounds of the bracket that fit beside one another: sixteen teams from top to bottom."""

_BOX: Final = 52.0


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What the bracket's boxes need besides the matches: names, points by pair of teams, who is through."""

    names: Mapping[int, str]
    points: Mapping[frozenset[int], Mapping[int, int]]
    winners: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Part:
    """One page: matches by round, the first round's from top to bottom."""

    rounds: tuple[tuple[Match, ...], ...]


def bracket_pdf(tournament: Tournament, paper: Paper) -> bytes | None:
    """Every bracket, one after the other; ``None`` while no elimination has begun."""
    stages = eliminations(tournament)
    if not stages:
        return None
    pen = Pen(paper, f"{tournament.title}: bracket", landscape=True)
    pages = sum(len(list(_parts(bracket_of(tournament, stage).matches))) for stage in stages)
    number = 0
    for stage in stages:
        number = _draw_stage(pen, tournament, stage, number, pages)
    return pen.bytes()


def _draw_stage(pen: Pen, tournament: Tournament, stage: StagePlay, number: int, pages: int) -> int:
    """The pages of one bracket after the first ``number``; how many there are then."""
    made = bracket_of(tournament, stage)
    drawn = _Drawn(
        {number: players(team) for number, team in tournament.teams.items()},
        _points(tournament, stage),
        _winners(made.matches, made.champion),
    )
    said = f"{stage.plan.name}: {len(stage.teams)} teams, single elimination."
    if made.champion is not None:
        said += f" Champion: team {made.champion}, {drawn.names.get(made.champion, '')}."
    head = ListHead(tournament.title, "Bracket", said, f"Printed by Tallybox as of ledger line {tournament.seq:,}.")
    for part in _parts(made.matches):
        if number:
            pen.next_page()
        number += 1
        draw_list_head(pen, head)
        _draw(pen, part, drawn, len(made.matches[-1:]) and made.matches[-1].round)
        draw_list_foot(pen, head, number, pages)
    return number


def _points(tournament: Tournament, stage: StagePlay) -> dict[frozenset[int], Mapping[int, int]]:
    """What each two teams scored against each other in this stage, the last time they met."""
    rounds = {known.number for known in tournament.rounds_of(stage.number)}
    played = (result for result in results(tournament) if result.table is not None and result.round in rounds)
    return {frozenset(result.teams): result.points for result in played}


def _winners(matches: tuple[Match, ...], champion: int | None) -> dict[str, int]:
    """Who went on from each match: whoever stands in the match it leads to."""
    by_id = {match.id: match for match in matches}
    found: dict[str, int] = {}
    for match in matches:
        if match.winner_to is None:
            if champion is not None:
                found[match.id] = champion
            continue
        place = int(match.id.partition("M")[2]) % 2
        onward = by_id[match.winner_to]
        slot = onward.a if place == 1 else onward.b
        if isinstance(slot, Entrant):
            found[match.id] = slot.team
    return found


def _parts(matches: tuple[Match, ...]) -> Iterator[_Part]:
    """Pages of at most ``DEEPEST`` rounds, from the first round to the final."""
    last = matches[-1].round
    by_round = [tuple(match for match in matches if match.round == number) for number in range(1, last + 1)]
    first = 0
    while first < last:
        deep = min(DEEPEST, last - first)
        at_once = 2 ** (deep - 1)
        for start in range(0, len(by_round[first]), at_once):
            yield _Part(
                tuple(
                    by_round[first + depth][start >> depth : (start + at_once) >> depth or None][: at_once >> depth]
                    for depth in range(deep)
                )
            )
        first += deep


def _draw(pen: Pen, part: _Part, drawn: _Drawn, last: int) -> None:
    width = (pen.width - LEFT - MARGIN) / len(part.rounds)
    top, height = TOP + 26, pen.height - TOP - 26 - 76
    middles: list[float] = []
    for depth, matches in enumerate(part.rounds):
        x = LEFT + depth * width
        pen.text(x, TOP + 12, _round_words(matches[0].round, last), LABEL)
        each = height / len(matches)
        middles_before, middles = middles, []
        for place, match in enumerate(matches):
            middle = top + each * (place + 0.5)
            middles.append(middle)
            _match(pen, match, drawn, x, middle, width - 26)
            for branch in middles_before[2 * place : 2 * place + 2]:
                pen.path([(x - 26, branch), (x - 13, branch), (x - 13, middle), (x, middle)], colour=INK2, thick=1.5)


def _round_words(number: int, last: int) -> str:
    before = last - number
    names = ("Final", "Semi-finals", "Quarter-finals")
    return names[before] if before < len(names) else f"Last {2 ** (before + 1)}"


def _match(pen: Pen, match: Match, drawn: _Drawn, x: float, middle: float, width: float) -> None:
    top = middle - _BOX / 2
    pen.box(x, top, width, _BOX, fill=CARD, line=INK, thick=1.5, radius=4)
    pen.line((x, middle), (x + width, middle), colour=LINE)
    teams = match.teams
    points = drawn.points.get(frozenset(teams), {}) if teams else {}
    won = drawn.winners.get(match.id)
    for place, slot in enumerate((match.a, match.b)):
        _slot(pen, slot, drawn, points, won, x, top + place * _BOX / 2 + 18.5, width)


def _slot(
    pen: Pen, slot: Slot, drawn: _Drawn, points: Mapping[int, int], won: int | None, x: float, y: float, width: float
) -> None:  # fmt: skip
    """One team's line: number, names and points, the winner in bold and marked."""
    if not isinstance(slot, Entrant):
        words = "bye" if isinstance(slot, NoEntrant) else f"winner of {slot.match}"
        pen.text(x + 54, y, words, Style(13, Weight.REGULAR, INK2), within=width - 50)
        return
    through = won == slot.team
    weight = Weight.BOLD if through else Weight.REGULAR
    pen.text(x + 48, y, str(slot.team), Style(17, Weight.BOLD if through else Weight.SEMI), align=Align.RIGHT)
    score = signed(points[slot.team]) if slot.team in points else ""
    room = width - 62 - 44
    pen.text(x + 54, y, drawn.names.get(slot.team, ""), Style(13.5, weight), within=room)
    pen.text(x + width - 8, y, score, Style(16, weight), align=Align.RIGHT)
    if through:
        pen.path([(x + 5, y - 5), (x + 9, y - 1), (x + 15, y - 10)], thick=2.2)
