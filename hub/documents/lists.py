"""Lists for the wall: a round's pairings by table and by team, and the standings with the words that part equals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from hub.documents.edges import WIDTH, draw_edge
from hub.documents.flow import Block, Placed, flow, gap
from hub.documents.frame import LABEL, LEFT, MARGIN, SMALL, TITLE
from hub.documents.marks import chip, tally
from hub.documents.paper import INK, INK2, LINE, Paper, RoundPaper, round_paper
from hub.documents.pen import Align, Pen, Style, Weight, text_width, wrapped
from hub.documents.printed import day
from hub.documents.proof import checkpoint_blocks, newest, still_so
from hub.tournament.next_round import rounds_in_all
from hub.tournament.standings import Row, standings
from hub.tournament.state import Round, Tournament
from hub.tournament.why import why
from hub.web.views.words import count_word, players, signed
from tallybox.calls import Game
from tallybox.seats import Side

HEAD: Final = 118.0
FOOT: Final = 64.0
TOP: Final = HEAD + 18

_NUMBER: Final = Style(23, Weight.BOLD)
_NAMES: Final = Style(15)


@dataclass(frozen=True, slots=True)
class ListHead:
    """What stands over a list; with a round's paper it is coloured like that round's sheets."""

    title: str
    heading: str
    said: str
    foot: str
    round: int | None = None


def draw_list_head(pen: Pen, head: ListHead) -> None:
    """The head of a page of a list."""
    paper: RoundPaper | None = None if head.round is None else round_paper(head.round)
    if paper is not None:
        pen.box(WIDTH, 0, pen.width, HEAD - 1, fill=paper.ground, line=None)
        draw_edge(pen, paper)
        pen.line((WIDTH, HEAD - 1), (pen.width, HEAD - 1), thick=2.5)
    else:
        pen.line((LEFT, HEAD - 1), (pen.width - MARGIN, HEAD - 1), thick=2.5)
    right = pen.width - MARGIN
    pen.text(LEFT, 43, head.title, Style(16, Weight.MEDIUM), within=right - LEFT)
    at = LEFT + pen.text(LEFT, 79, head.heading, TITLE, within=right - LEFT - 60)
    if head.round is not None:
        tally(pen, head.round, at + 20, 53, 28)
    pen.text(LEFT, 103, head.said, Style(16), within=right - LEFT)


def draw_list_foot(pen: Pen, head: ListHead, page: int, pages: int) -> None:
    """The foot of a page: as of when, and which page."""
    y, number = pen.height - 36, f"Page {page} of {pages}"
    room = pen.width - LEFT - MARGIN - text_width(number, SMALL) - 20
    pen.text(LEFT, y, head.foot, SMALL, within=room)
    pen.text(pen.width - MARGIN, y, number, SMALL, align=Align.RIGHT)


def _document(paper: Paper, head: ListHead, blocks: Sequence[Block]) -> bytes:
    pen = Pen(paper, f"{head.title}: {head.heading}")
    pages = flow(blocks, TOP, paper.height - FOOT)
    for number, page in enumerate(pages, start=1):
        if number > 1:
            pen.next_page()
        _page(pen, head, page, number, len(pages))
    return pen.bytes()


def _page(pen: Pen, head: ListHead, page: Sequence[Placed], number: int, pages: int) -> None:
    draw_list_head(pen, head)
    for placed in page:
        placed.block.draw(pen, placed.y)
    draw_list_foot(pen, head, number, pages)


def _as_of(tournament: Tournament) -> str:
    return f"Printed by Tallybox as of ledger line {tournament.seq:,}."


# --- pairings


def pairings_pdf(tournament: Tournament, posted: Round, paper: Paper) -> bytes:
    """Who meets whom, by table."""
    head = Block(32, _tables_head, keep=True)
    rows = [Block(36, partial(_table_row, teams=_seated(posted, table), table=table), head) for table in posted.tables]
    byes = [Block(36, partial(_bye_row, tournament=tournament, team=team), head) for team in posted.byes]
    return _document(paper, _round_head(tournament, posted, "pairings by table"), [head, *rows, *byes])


def _seated(posted: Round, table: int) -> Mapping[Side, tuple[int, str]]:
    teams = posted.tables[table].state.teams
    return {side: (teams[side].number, players(teams[side])) for side in Side}


def _round_head(tournament: Tournament, posted: Round, what: str) -> ListHead:
    of = max(posted.number, rounds_in_all(tournament))
    parts = [
        what,
        f"{round_paper(posted.number).name} sheet",
        f"round {count_word(posted.number)} of {count_word(of)}",
        f"{posted.hands} {'hand' if posted.hands == 1 else 'hands'}",
        f"{posted.minutes} minutes" if posted.minutes else "no clock",
        *([day(posted.posted_at)] if posted.posted_at is not None else []),
    ]
    said = " · ".join(parts)
    return ListHead(
        tournament.title, f"Round {count_word(posted.number)}", f"{said[:1].upper()}{said[1:]}", _as_of(tournament),
        posted.number,
    )  # fmt: skip


def _columns(pen: Pen) -> tuple[float, float, float]:
    """The middle of the table's number, and where each side begins."""
    half = (pen.width - MARGIN - LEFT - 70) / 2
    return LEFT + 26, LEFT + 70, LEFT + 70 + half


def _tables_head(pen: Pen, y: float) -> None:
    table, ns, ew = _columns(pen)
    pen.text(table, y + 20, "Table", LABEL, align=Align.CENTRE)
    for x, side in ((ns, Side.NS), (ew, Side.EW)):
        chip(pen, side, x, y + 2, 22)
        pen.text(x + 40, y + 20, f"{side.word}", LABEL)
    pen.line((LEFT, y + 31), (pen.width - MARGIN, y + 31), thick=2)


def _table_row(pen: Pen, y: float, table: int, teams: Mapping[Side, tuple[int, str]]) -> None:
    at, ns, ew = _columns(pen)
    pen.text(at, y + 26, str(table), Style(26, Weight.BOLD), align=Align.CENTRE)
    for x, side in ((ns, Side.NS), (ew, Side.EW)):
        number, names = teams[side]
        pen.text(x + 46, y + 25, str(number), _NUMBER, align=Align.RIGHT)
        pen.text(x + 58, y + 25, names, _NAMES, within=ew - ns - 64)
    pen.line((LEFT, y + 36), (pen.width - MARGIN, y + 36), colour=LINE)


def _bye_row(pen: Pen, y: float, tournament: Tournament, team: int) -> None:
    _, ns, _ = _columns(pen)
    known = tournament.teams.get(team)
    pen.text(ns + 46, y + 25, str(team), _NUMBER, align=Align.RIGHT)
    said = "sits out this round"
    x = ns + 58 + pen.text(ns + 58, y + 25, players(known) if known else "", _NAMES, within=300)
    pen.text(x + 12, y + 25, said, Style(15, Weight.SEMI))
    pen.line((LEFT, y + 36), (pen.width - MARGIN, y + 36), colour=LINE)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a team goes; no table: it sits out."""

    team: int
    names: str
    table: int | None = None
    side: Side | None = None
    against: int | None = None


def pairings_by_team_pdf(tournament: Tournament, posted: Round, paper: Paper) -> bytes:
    """Where each team goes, by its number, in two columns."""
    places = sorted(_places(tournament, posted), key=lambda place: place.team)
    head, row = 32.0, 40.0
    per_page = max(1, int((paper.height - FOOT - TOP - head) // row))
    rows: list[Block] = []
    heading = Block(head, _teams_head, keep=True)
    for start in range(0, len(places), 2 * per_page):
        some = places[start : start + 2 * per_page]
        half = min(per_page, -(-len(some) // 2)) if start + 2 * per_page >= len(places) else per_page
        left, right = some[:half], some[half:]
        rows += [
            Block(row, partial(_team_row, pair=(left[at], right[at] if at < len(right) else None)), heading)
            for at in range(len(left))
        ]
    return _document(paper, _round_head(tournament, posted, "pairings by team"), [heading, *rows])


def _places(tournament: Tournament, posted: Round) -> Iterator[_Place]:
    for number, table in posted.tables.items():
        for side in Side:
            team = table.state.teams[side]
            yield _Place(team.number, players(team), number, side, table.state.teams[side.other].number)
    for number in posted.byes:
        known = tournament.teams.get(number)
        yield _Place(number, players(known) if known else "")


def _halves(pen: Pen) -> tuple[float, float, float]:
    width = (pen.width - LEFT - MARGIN - 26) / 2
    return LEFT, LEFT + width + 26, width


def _teams_head(pen: Pen, y: float) -> None:
    left, right, width = _halves(pen)
    for x in (left, right):
        pen.text(x + 40, y + 20, "Team", LABEL, align=Align.RIGHT)
        pen.text(x + width - 62, y + 20, "Table", LABEL, align=Align.RIGHT)
        pen.line((x, y + 31), (x + width, y + 31), thick=2)


def _team_row(pen: Pen, y: float, pair: tuple[_Place, _Place | None]) -> None:
    left, right, width = _halves(pen)
    for x, place in ((left, pair[0]), (right, pair[1])):
        if place is None:
            continue
        pen.text(x + 40, y + 27, str(place.team), _NUMBER, align=Align.RIGHT)
        pen.text(x + 52, y + 18, place.names, Style(14), within=width - 176)
        told = "sits out this round" if place.against is None else f"against team {place.against}"
        pen.text(x + 52, y + 34, told, Style(13, Weight.REGULAR, INK2), within=width - 176)
        if place.table is not None and place.side is not None:
            pen.text(x + width - 62, y + 28, str(place.table), Style(26, Weight.BOLD), align=Align.RIGHT)
            chip(pen, place.side, x + width - 46, y + 8, 26)
        pen.line((x, y + 40), (x + width, y + 40), colour=LINE)


# --- standings


_ORDERS: Final = {
    Game.BID_WHIST: "Order: hands won, then points, then Bostons, then a one-hand play-off. Equals share a rank.",
    Game.SPADES: "Order: games won, then net points, then fewer bags, then a lot drawn. Equals share a rank.",
}
_FIGURES: Final = {
    Game.BID_WHIST: (("Hands won", "hands_won"), ("Points", "points"), ("Bostons", "bostons")),
    Game.SPADES: (("Games won", "wins"), ("Net points", "net_points"), ("Bags", "bags")),
}


def standings_pdf(tournament: Tournament, paper: Paper) -> bytes:
    """All teams in order, each with why it stands there; lots that were drawn, with their seeds."""
    plan = tournament.plan
    game = Game.BID_WHIST if plan is None else plan.ruleset.game
    rows = standings(tournament)
    order = Block(24, partial(_lines, lines=[_ORDERS[game]]))
    heading = Block(34, partial(_standings_head, game=game), keep=True)
    blocks = [
        Block(49, partial(_standing, row=row, tournament=tournament, game=game, words=why(rows, row.team, game)),
              heading)
        for row in rows
    ]  # fmt: skip
    signed_for = newest(tournament)
    proof = checkpoint_blocks(signed_for, still_so(tournament, signed_for))
    return _document(paper, _standings_title(tournament), [order, heading, *blocks, *_lots(tournament, paper), *proof])


def _standings_title(tournament: Tournament) -> ListHead:
    ended = sum(1 for posted in tournament.rounds if posted.ended_at is not None)
    on = tournament.current
    when = (
        "Final" if tournament.over else f"After {count_word(ended)} of {count_word(rounds_in_all(tournament))} rounds"
    )
    if not tournament.over and on is not None and on.ended_at is None:
        when += f", round {count_word(on.number)} under way"
    return ListHead(tournament.title, "Standings", f"{when}.", _as_of(tournament))


def _standing_columns(pen: Pen) -> tuple[float, float, float, tuple[float, ...]]:
    right = pen.width - MARGIN
    return LEFT + 34, LEFT + 92, LEFT + 106, (right - 176, right - 82, right - 4)


def _standings_head(pen: Pen, y: float, game: Game) -> None:
    rank, team, names, figures = _standing_columns(pen)
    pen.text(rank, y + 22, "Rank", LABEL, align=Align.RIGHT)
    pen.text(team, y + 22, "Team", LABEL, align=Align.RIGHT)
    pen.text(names, y + 22, "Players, and why they stand here", LABEL)
    for x, (word, _) in zip(figures, _FIGURES[game], strict=True):
        pen.text(x, y + 22, word, LABEL, align=Align.RIGHT)
    pen.line((LEFT, y + 33), (pen.width - MARGIN, y + 33), thick=2)


def _standing(pen: Pen, y: float, row: Row, tournament: Tournament, game: Game, words: str) -> None:
    rank, team, names, figures = _standing_columns(pen)
    known = tournament.teams.get(row.team)
    pen.text(rank, y + 25, str(row.rank) if row.rank else "–", Style(24, Weight.BOLD), align=Align.RIGHT)
    pen.text(team, y + 25, str(row.team), Style(19, Weight.SEMI), align=Align.RIGHT)
    pen.text(names, y + 23, players(known) if known else "", Style(17), within=figures[0] - 66 - names)
    pen.text(names, y + 41, words, Style(13.5, Weight.REGULAR, INK2), within=pen.width - MARGIN - names)
    for place, (x, (_, name)) in enumerate(zip(figures, _FIGURES[game], strict=True)):
        style = Style(23, Weight.BOLD) if place == 0 else Style(18)
        pen.text(x, y + 25, signed(getattr(row, name)), style, align=Align.RIGHT)
    pen.line((LEFT, y + 49), (pen.width - MARGIN, y + 49), colour=LINE)


def _lots(tournament: Tournament, paper: Paper) -> Iterator[Block]:
    """Each lot in a sentence: anybody can draw it again from its seed."""
    if not tournament.lots:
        return
    yield gap(12)
    width = paper.width - LEFT - MARGIN
    for lot in tournament.lots:
        among = ", ".join(str(team) for team in lot.teams)
        order = ", ".join(str(team) for team in lot.order)
        what = {"seeds": "the seeds", "bye": "who sits out"}.get(lot.what, "a place")
        said = f"Lot for {what} among teams {among}: drawn {order}, from the seed {lot.seed}."
        lines = wrapped(said, SMALL, width)
        yield Block(18.0 * len(lines) + 4, partial(_lines, lines=lines))


def _lines(pen: Pen, y: float, lines: Sequence[str]) -> None:
    for place, line in enumerate(lines):
        pen.text(LEFT, y + 15 + 18 * place, line, Style(14, Weight.REGULAR, INK))
