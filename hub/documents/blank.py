"""Blank score sheets: on the round's paper, numbered by round and table, with what is known of the table filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from hub.documents.codes import sheet_code
from hub.documents.flow import Block, flow, gap
from hub.documents.frame import (
    FOOT,
    HEAD,
    LABEL,
    LEFT,
    MARGIN,
    SheetFoot,
    SheetHead,
    content_width,
    draw_foot,
    draw_head,
    draw_teams,
)
from hub.documents.hands import (
    AUCTION,
    DEALER,
    HAND,
    HEADS,
    ROW,
    shade,
    spades_columns,
    spades_head,
    spades_shade,
    whist_columns,
    whist_head,
)
from hub.documents.marks import chip, strain
from hub.documents.paper import CARD, INK, INK2, LINE, WHITE, Paper
from hub.documents.pen import Align, Pen, Style, Weight
from hub.documents.sheet import section
from hub.tournament.next_round import rounds_in_all
from hub.tournament.state import Round, Tournament
from hub.web.views.words import players, seal
from tallybox.calls import Strain
from tallybox.rules.ruleset import Ruleset
from tallybox.rules.settings import SpadesSettings, WhistSettings
from tallybox.seats import Seat, Side

_PALE: Final = Style(14, Weight.MEDIUM, INK2)
_EXTRA: Final = 1
"""Rows of a spades sheet beyond the last hand, for a game that is tied."""


_SPADES_ROW: Final = 35.0
_TALLY: Final = 72.0
_SIGN: Final = 112.0
_RULING: Final = 29.0
_TOP: Final = HEAD + 74


@dataclass(frozen=True, slots=True)
class BlankSheet:
    """One sheet before anything is written on it. A side without a team is still to be filled in by hand."""

    id: str
    head: SheetHead
    foot: SheetFoot
    ruleset: Ruleset
    hands: int
    teams: Mapping[Side, tuple[int, str] | None]


def blanks(tournament: Tournament, number: int | None = None) -> tuple[BlankSheet, ...]:
    """The blank sheets of one round, else of all that are known of by now, table by table.

    A round that is posted names its teams; one to come has as many tables as the teams fill.
    """
    rounds = range(1, rounds_in_all(tournament) + 1) if number is None else (number,)
    return tuple(sheet for each in rounds for sheet in _of_round(tournament, each))


def _of_round(tournament: Tournament, number: int) -> Iterator[BlankSheet]:
    plan = tournament.plan
    if plan is None:
        return
    posted = tournament.round(number)
    stage = tournament.stage.plan if tournament.stage is not None else plan.stages[0] if plan.stages else None
    hands = posted.hands if posted is not None else stage.hands if stage is not None else plan.hands
    for table in _tables(tournament, posted):
        teams: dict[Side, tuple[int, str] | None] = dict.fromkeys(Side)
        if posted is not None:
            seated = posted.tables[table].state.teams
            teams = {side: (seated[side].number, players(seated[side])) for side in Side}
        sheet = f"R{number}-T{table}"
        head = SheetHead(tournament.title, plan.ruleset.title, "Score sheet", number,
                         max(number, rounds_in_all(tournament)), table)  # fmt: skip
        yield BlankSheet(sheet, head, _foot(tournament, plan.ruleset, sheet), plan.ruleset, hands, teams)


def _tables(tournament: Tournament, posted: Round | None) -> Sequence[int]:
    if posted is not None:
        return tuple(posted.tables)
    playing = sum(not entrant.out for entrant in tournament.entrants.values())
    return range(1, playing // 2 + 1)


def _foot(tournament: Tournament, ruleset: Ruleset, sheet: str) -> SheetFoot:
    lines = (
        "Write points of the bid and points earned in their own columns. Both sides check each hand before the next.",
        "Signed and handed in, this sheet is final. The code is its number.",
        f"Rules in force: {ruleset.title}, seal {seal(ruleset.digest)}.",
    )
    return SheetFoot(sheet_code(tournament.name or "", sheet), f"Sheet {sheet}", lines)


def blanks_pdf(sheets: Sequence[BlankSheet], paper: Paper, title: str) -> bytes:
    """All these sheets in one document."""
    pen = Pen(paper, title)
    for place, sheet in enumerate(sheets):
        pages = flow(_blocks(sheet, paper), _TOP, paper.height - FOOT)
        for number, page in enumerate(pages, start=1):
            if place or number > 1:
                pen.next_page()
            draw_head(pen, sheet.head)
            draw_teams(pen, HEAD + 18, sheet.teams)
            for placed in page:
                placed.block.draw(pen, placed.y)
            draw_foot(pen, sheet.foot, number, len(pages))
    return pen.bytes()


def _blocks(sheet: BlankSheet, paper: Paper) -> list[Block]:
    """Hands, Tally Boxes, signatures, and as many lines for rulings as the last page still holds."""
    settings = sheet.ruleset.settings
    whist = isinstance(settings, WhistSettings)
    rows = _whist_rows(sheet) if isinstance(settings, WhistSettings) else _spades_rows(settings)
    blocks = [
        *rows,
        gap(10),
        Block(_TALLY + 4, partial(_tally_boxes, whist=whist)),
        Block(34, partial(_signing, keepers=_keepers(settings)), keep=True),
        Block(_SIGN + 4, partial(_signatures, ruleset=sheet.ruleset)),
    ]
    last = flow(blocks, _TOP, paper.height - FOOT)[-1][-1]
    lines = int((paper.height - FOOT - last.y - last.block.height - 34) // _RULING)
    if lines < 1:
        return blocks
    heading = Block(34, partial(_heading, words="Rulings: hand, who, what, official"), keep=True)
    return [*blocks, heading, *(Block(_RULING, _empty_line) for _ in range(min(6, lines)))]


def _heading(pen: Pen, y: float, words: str) -> None:
    section(pen, y, words)


def _signing(pen: Pen, y: float, keepers: Sequence[str]) -> None:
    """The heading of the signatures, and who keeps score: one at the table, or one of each side (C-13)."""
    section(pen, y, "Signatures")
    right = pen.width - MARGIN
    for words in reversed(keepers):
        pen.line((right - 130, y + 22), (right, y + 22), colour=INK)
        pen.text(right - 138, y + 21, words, LABEL, align=Align.RIGHT)
        right -= 240


def _keepers(settings: WhistSettings | SpadesSettings) -> tuple[str, ...]:
    if isinstance(settings, SpadesSettings) and settings.scorers == "two":
        return ("Scorekeeper NS", "Scorekeeper EW")
    return ("Scorekeeper",)


def _empty_line(pen: Pen, y: float) -> None:
    pen.line((LEFT, y + _RULING - 1), (pen.width - MARGIN, y + _RULING - 1), colour=LINE)


# --- bid whist


def _whist_rows(sheet: BlankSheet) -> Iterator[Block]:
    head = Block(HEADS, whist_head, keep=True)
    yield head
    for hand in range(1, sheet.hands + 1):
        yield Block(ROW, partial(_whist_row, hand=hand), head)


def _whist_row(pen: Pen, y: float, hand: int) -> None:
    """Seats, numbers and words to draw a ring around, so that nobody has to spell."""
    at, right = whist_columns(pen), pen.width - MARGIN
    shade(pen, y, ROW)
    pen.text(HAND, y + 30, str(hand), Style(16, Weight.BOLD), align=Align.CENTRE)
    pen.box(DEALER - 13, y + 11, 26, 26, fill=WHITE, line=LINE, thick=1, radius=3)
    x = AUCTION
    for seat in Seat:
        pen.text(x + 6, y + 20, seat.value, _PALE, align=Align.CENTRE)
        x += 21
    x += 14
    for level in range(4, 8):
        pen.text(x + 6, y + 20, str(level), _PALE, align=Align.CENTRE)
        x += 24
    x = AUCTION
    for named in Strain:
        x = strain(pen, named, None, x, y + 41, 13) + 8
    pen.text(x, y + 41, "UP", _PALE)
    pen.text(x + 25, y + 41, "DOWN", _PALE)
    pen.text(at["books"], y + 30, "–", Style(16), align=Align.CENTRE)
    pen.text(at["total"], y + 30, "–", Style(16), align=Align.CENTRE)
    for place, side in enumerate(Side):
        pen.text(at["won"], y + 21 + 18 * place, side.value, _PALE, align=Align.CENTRE)
    pen.line((LEFT, y + ROW), (right, y + ROW), colour=LINE)


# --- spades


def _spades_rows(settings: SpadesSettings) -> Iterator[Block]:
    head = Block(HEADS + 12, spades_head, keep=True)
    yield head
    for hand in range(1, settings.max_hands + _EXTRA + 1):
        dealers = settings.dealers
        dealer = dealers[(hand - 1) % len(dealers)].value if dealers else ""
        label = str(hand) if hand <= settings.max_hands else "extra"
        yield Block(_SPADES_ROW, partial(_spades_row, label=label, dealer=dealer), head)


def _spades_row(pen: Pen, y: float, label: str, dealer: str) -> None:
    ns, ew, width, middles = spades_columns(pen)
    spades_shade(pen, y, _SPADES_ROW)
    style = Style(16, Weight.BOLD) if label != "extra" else LABEL
    pen.text(HAND, y + 23, label, style, align=Align.CENTRE)
    if dealer:
        pen.text(DEALER, y + 23, dealer, Style(16), align=Align.CENTRE)
    else:
        pen.box(DEALER - 13, y + 5, 25, 25, fill=WHITE, line=LINE, thick=1, radius=3)
    for place, seat in enumerate(Seat):
        x = AUCTION + 31 * place
        pen.text(x, y + 23, seat.value, _PALE)
        pen.line((x + 11, y + 26), (x + 27, y + 26), colour=LINE)
    for start in (ns, ew):
        pen.text(start + width * middles[1], y + 23, "+", Style(14, Weight.REGULAR, INK2), align=Align.CENTRE)
    pen.line((LEFT, y + _SPADES_ROW), (pen.width - MARGIN, y + _SPADES_ROW), colour=LINE)


# --- both


def _tally_boxes(pen: Pen, y: float, *, whist: bool) -> None:
    half = (content_width(pen) - 16) / 2
    words = ("hands", "points", "Bostons") if whist else ("points", "bags", "")
    for place, side in enumerate(Side):
        x = LEFT + place * (half + 16)
        pen.box(x, y, half, _TALLY, fill=CARD, line=INK, thick=2, radius=4)
        wide = chip(pen, side, x + 9, y + 6, 22)
        pen.text(x + 9 + wide + 8, y + 23, "Tally box", Style(15, Weight.SEMI))
        for column, word in enumerate(word for word in words if word):
            at = x + 14 + column * (half - 20) / 3
            pen.line((at, y + 60), (at + 46, y + 60), colour=INK)
            pen.text(at + 51, y + 60, word, Style(15))


def _signatures(pen: Pen, y: float, ruleset: Ruleset) -> None:
    settings = ruleset.settings
    width = (content_width(pen) - 28) / 3
    taken = "Monitor" if settings.sheet_acceptance == "monitor" else "Director"
    lines = 2 if settings.signatures_per_side == 2 else 1
    for place in range(3):
        x = LEFT + place * (width + 14)
        pen.box(x, y, width, _SIGN - 4, fill=WHITE, line=INK, thick=2, radius=4)
        if place == 2:
            pen.text(x + 12, y + 27, f"{taken}, taken and checked", Style(15, Weight.SEMI))
        else:
            chip(pen, tuple(Side)[place], x + 11, y + 8, 24)
            pen.text(x + 52, y + 26, "signature" if lines == 1 else "signatures of both partners", LABEL)
        for line in range(lines):
            foot = y + 92 - 28 * line
            pen.line((x + 12, foot), (x + width - 12, foot), colour=INK)
